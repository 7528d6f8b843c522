// Applications of students: each call acts as the student with the rights of an applicant, by the same reads, writes
// and decisions as staff (docs/rules/contract.md#students-as-applicants).
import type { Application, ApplicationKind } from '@jiaowu/api/contract/student/application'
import type { FlowStateAnswer } from '@jiaowu/api/contract/entity/flow'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import { limits } from '@jiaowu/api/limits'
import { staleCode } from '@jiaowu/api/problem'
import { accessTo } from '../access/access.ts'
import { listApplicationKinds, toApplicant } from '../access/applicant.ts'
import { printCase } from '../documents/case-sheet.ts'
import { findLookupChoices } from '../entities/choices/lookup.ts'
import { buildEntityConfig } from '../entities/config/entity-config.ts'
import { type FlowDecisionBody, sendEvent } from '../entities/flow/decide.ts'
import { nameStateByKey } from '../entities/flow/names.ts'
import { readFlow } from '../entities/flow/read.ts'
import { pageTodos } from '../entities/flow/todo-page.ts'
import { loadRow } from '../entities/read/row.ts'
import type { Change } from '../entities/write/values/values.ts'
import { createOnce } from '../entities/write/create-once.ts'
import { updateRow } from '../entities/write/write.ts'
import type { Context, ServerHandlers } from '../model/context.ts'
import { entityName, type LoadedEntity } from '../model/definition/loaded.ts'
import { notFound, Refusal } from '../platform/refusal.ts'

export const applicationHandlers: ServerHandlers['application'] = {
  kinds: async (_input, context) => {
    const applicant = await toApplicant(context)
    const found: ApplicationKind[] = []
    for (const entity of await listApplicationKinds(context))
      found.push({
        tag: entity.tag,
        title: nameKind(entity),
        help: entity.definition.options.flow?.student?.help ?? null,
        config: withoutStaffParts(await buildEntityConfig(applicant, entity), entity),
      })
    return found
  },
  list: async (_input, context) => {
    const applicant = await toApplicant(context)
    const kinds = new Map(
      (await listApplicationKinds(context)).map((entity) => [entity.tag, nameKind(entity)]),
    )
    const { records } = await pageTodos(applicant, {
      mine: 'started',
      pageSize: limits.maxPageSize,
      pageNum: 1,
    })
    return records.flatMap(({ tag, id, title, state, name, tone, isDone, since }) => {
      const kind = kinds.get(tag)
      if (kind === undefined) return []
      return [{ tag, id, kind, title, state, stateName: name, ...toTone(tone), isDone, since }]
    })
  },
  get: async ({ params: { tag, id } }, context) => {
    const { applicant, entity } = await findKind(context, tag)
    return await readApplication(applicant, entity, id)
  },
  print: async ({ params: { tag, id } }, context) => {
    const { applicant, entity } = await findKind(context, tag)
    return await printCase(applicant, entity, id)
  },
  create: async ({ params: { tag }, body }, context) => {
    const { applicant, entity } = await findKind(context, tag)
    const { id } = await createOnce(applicant, entity, body, {
      set: [chooseOwnStudent(applicant, entity)],
    })
    return await readApplication(applicant, entity, id)
  },
  update: async ({ params: { tag, id }, body }, context) => {
    const { applicant, entity } = await findKind(context, tag)
    await updateRow(applicant, entity, id, body)
    return await readApplication(applicant, entity, id)
  },
  send: async ({ params: { tag, id, event }, body }, context) => {
    const { applicant, entity } = await findKind(context, tag)
    await assertOwnRow(applicant, entity, id)
    await sendOwn(applicant, entity, { id, event, body })
    return await readApplication(applicant, entity, id)
  },
  choices: async ({ params: { tag }, body }, context) => {
    const { applicant, entity } = await findKind(context, tag)
    const { field, value } = chooseOwnStudent(applicant, entity)
    const found = await findLookupChoices(applicant, entity, {
      ...body,
      cascades: { ...body.cascades, [field.definition.attrName]: value },
    })
    return 'records' in found ? found : { records: found, total: found.length }
  },
}

interface Kind {
  readonly applicant: Context
  readonly entity: LoadedEntity
}

/** Buttons are those of offices; the student, whom the server knows, narrows choices without being chosen. */
function withoutStaffParts(config: EntityConfig, { definition }: LoadedEntity): EntityConfig {
  const own = definition.options.flow?.student?.field
  return {
    ...config,
    buttons: [],
    fields: config.fields.map(({ options: { cascades, ...options }, ...field }) => ({
      ...field,
      options: {
        ...options,
        ...(cascades !== undefined && {
          cascades: cascades.filter(({ attrName }) => attrName !== own),
        }),
      },
    })),
  }
}

/** @throws Refusal 404 for entities whose flow is not open to students */
async function findKind(context: Context, tag: string): Promise<Kind> {
  const applicant = await toApplicant(context)
  const entity = (await listApplicationKinds(context)).find((each) => each.tag === tag)
  if (entity === undefined) throw notFound()
  return { applicant, entity }
}

function nameKind(entity: LoadedEntity): ApplicationKind['title'] {
  return { zh: entityName(entity, 'zh-CN'), en: entityName(entity, 'en') }
}

function toTone(tone: Application['tone'] | undefined): Pick<Partial<Application>, 'tone'> {
  return tone === undefined ? {} : { tone }
}

function chooseOwnStudent({ subject }: Context, entity: LoadedEntity): Change {
  const field = entity.field(entity.definition.options.flow?.student?.field ?? '')
  if (field === undefined) throw notFound()
  return { field, value: [{ id: subject.userId, name: '' }] }
}

/** @throws Refusal 404 */
async function assertOwnRow(applicant: Context, entity: LoadedEntity, id: string): Promise<void> {
  await loadRow(applicant, await accessTo(applicant, entity, 'view'), id)
}

async function readApplication(
  applicant: Context,
  entity: LoadedEntity,
  id: string,
): Promise<Application> {
  const row = await loadRow(applicant, await accessTo(applicant, entity, 'view'), id)
  const flow = await readFlow(applicant, entity, id)
  return { tag: entity.tag, id, row, ...toOwnFlow(applicant, entity, flow) }
}

/** The flow as a student sees it: offices, not people, and nothing of what offices filled in. */
function toOwnFlow(
  applicant: Context,
  entity: LoadedEntity,
  flow: FlowStateAnswer,
): Omit<Application, 'tag' | 'id' | 'row'> {
  const fill = new Set(entity.definition.options.flow?.student?.fill)
  return {
    state: flow.state,
    stateName: flow.name,
    ...toTone(flow.tone),
    isDone: flow.isDone,
    since: flow.since,
    can: flow.can,
    edit: flow.edit.filter((name) => fill.has(name)),
    // Offices share their tasks among themselves.
    log: flow.log
      .filter(({ whom }) => whom === undefined)
      .map(({ at, by, name, from, to, note, seconds }) => ({
        at,
        name,
        from: nameStateByKey(applicant, entity, from),
        to: nameStateByKey(applicant, entity, to),
        note,
        seconds,
        isOwn: by?.id === applicant.subject.userId,
      })),
    next: flow.isDone ? [] : [...new Set(flow.open.map(({ who }) => who))],
    version: flow.version,
  }
}

/** A stale event is answered with the application, not with the flow as staff see it. */
async function sendOwn(
  applicant: Context,
  entity: LoadedEntity,
  { id, event, body }: { id: string; event: string; body: FlowDecisionBody },
): Promise<void> {
  try {
    await sendEvent(applicant, entity, id, event, body)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== staleCode) throw error
    const data = await readApplication(applicant, entity, id)
    throw new Refusal(
      409,
      { key: 'flow.student.changed', params: { state: data.stateName } },
      { code: staleCode, data },
    )
  }
}
