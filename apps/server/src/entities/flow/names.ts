// States, events, people and offices of flows as they are named to the caller.
import type { FlowName } from '@jiaowu/api/entity/definition/flow'
import { t } from '@jiaowu/api/texts/index'
import type { CompiledFlow } from '@jiaowu/machines/flow/flow'
import { readEventKey } from '@jiaowu/machines/flow/parts'
import type { Context } from '../../model/context.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'

export function pick({ locale }: Pick<Context, 'locale'>, { zh, en }: FlowName): string {
  return locale === 'en' ? en : zh
}

export function nameState(
  context: Pick<Context, 'locale'>,
  { parts }: CompiledFlow,
  path: string,
): string {
  const name = parts.states.get(path)?.state?.name
  return name === undefined ? path : pick(context, name)
}

/** The name of an event by its type; timers and events that are gone are named by their key. */
export function nameEventType(
  context: Pick<Context, 'locale'>,
  { parts }: CompiledFlow,
  type: string,
): string {
  const part = parts.events.find((each) => each.type === type)
  if (part?.event != null) return pick(context, part.event.name)
  const key = readEventKey(type)
  return isHandAct(key) ? t(context.locale, `flow.act.${key}`) : key
}

export async function loadUserNames(
  { database: { kysely }, subject }: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const wanted = [...new Set(ids)]
  const users = await kysely
    .selectFrom('sys.app_user')
    .select(['id', 'name'])
    .where('tenant_id', '=', subject.tenant)
    .where('id', 'in', wanted)
    .execute()
  const names = new Map(users.map(({ id, name }) => [id, name]))
  // Students apply too.
  const others = wanted.filter((id) => !names.has(id))
  if (others.length === 0) return names
  const students = await kysely
    .selectFrom('biz.student')
    .select(['id', 'name'])
    .where('tenant_id', '=', subject.tenant)
    .where('id', 'in', others)
    .execute()
  for (const { id, name } of students) names.set(id, name)
  return names
}

const handActs = ['transfer', 'before', 'after', 'beside', 'move'] as const
function isHandAct(key: string): key is (typeof handActs)[number] {
  return (handActs as readonly string[]).includes(key)
}

export async function loadRoleNames(
  context: Context,
  codes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (codes.length === 0) return new Map()
  const rows = await context.database.kysely
    .selectFrom('sys.role')
    .select(['code', 'name', 'name_en'])
    .where('tenant_id', '=', context.subject.tenant)
    .where('code', 'in', [...new Set(codes)])
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(
    rows.map(({ code, name, name_en }) => [code, pick(context, { zh: name, en: name_en ?? name })]),
  )
}

/** The name of a state of the entity's flow; its key where the flow has it no more. */
export function nameStateByKey(
  context: Pick<Context, 'locale'>,
  { definition }: LoadedEntity,
  key: string,
): string {
  const name = definition.options.flow?.states[key]?.name
  return name === undefined ? key : pick(context, name)
}
