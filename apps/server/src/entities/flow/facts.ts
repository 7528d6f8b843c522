// Facts that the prover of flows knows of a school, and rights that a flow has on behalf of its author
// (docs/rules/contract.md#flows).
import { type Flow, type FlowEffect, flowTemplates } from '@jiaowu/api/entity/definition/flow'
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import { isDerived } from '@jiaowu/api/entity/config'
import { proveDefinition } from '@jiaowu/machines/flow/prove-definition'
import { listParagraphSources } from '@jiaowu/machines/flow/paragraph'
import type { FlowFault } from '@jiaowu/machines/flow/prove'
import { listEffects, listParts, listSets } from '@jiaowu/machines/flow/parts'
import { listRelationReads, listRowNames, parseFormula } from '@jiaowu/validation'
import { sql } from 'kysely'
import { accessTo, isAllowed } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { tableKey } from '../../model/definition/column-key.ts'
import { type LoadedEntity, type LoadedField, valueFields } from '../../model/definition/loaded.ts'
import { relationTag } from '../../model/definition/relation.ts'
import { authorRights } from '../design/author-rights.ts'
import { type Fault, Invalid, Refusal } from '../../platform/refusal.ts'
import { findOwnedColumn, isInForce, listOwners } from './owners.ts'
import { readCalendar } from './timers.ts'

/** Proves flows with the roles, entities and dictionaries of the caller's school. */
export async function buildFlowProver(
  context: Context,
  { options: { flow } }: Pick<EntityDefinition, 'options'>,
  known: {
    readonly itemsOf: (dictionary: string) => readonly string[] | undefined
    readonly fieldsOf: (tag: string) => EntityDefinition['fields'] | undefined
    readonly before: EntityDefinition | null
  },
): Promise<(definition: EntityDefinition) => readonly FlowFault[]> {
  const dropped = (definition: EntityDefinition) => listDropped(known.before, definition)
  if (flow === undefined) return dropped
  const [holders, templates] = [await countHolders(context), await listTemplates(context)]
  const hasCalendar = (await readCalendar(context.database.kysely, context)).size > 0
  return (definition) => [
    ...proveDefinition(definition, {
      holders: (role) => holders.get(role),
      ownerOf: (name) => {
        const column = findOwnedColumn(context, definition, name)
        return listOwners(context)
          .get(column ?? '')
          ?.find(
            (each) => each.tag !== definition.tag && isInForce(each, (role) => holders.has(role)),
          )?.tag
      },
      templates,
      hasCalendar,
      itemsOf: known.itemsOf,
      fieldsOf: (tag) => {
        const fields = tag === definition.tag ? definition.fields : known.fieldsOf(tag)
        return fields === undefined
          ? undefined
          : new Set(fields.filter((field) => !isDerived(field)).map(({ attrName }) => attrName))
      },
    }),
    ...dropped(definition),
  ]
}

/** Fields that the flow owned before and that can be edited directly after the save. */
function listDropped(before: EntityDefinition | null, { options }: EntityDefinition): FlowFault[] {
  const kept = new Set(options.flow?.owns)
  return (before?.options.flow?.owns ?? [])
    .filter((name) => !kept.has(name))
    .map((name) => ({
      id: 'flow.fault.ownsDropped',
      severity: 'warning',
      at: 'options.flow',
      path: [],
      states: [],
      params: { name },
    }))
}

/** People who can sign in, by the code of their role. */
async function countHolders({
  database: { kysely },
  subject,
}: Context): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ code: string; people: string }>`
    select r.code, count(u.id)::int8 as people
    from sys.role r
    left join sys.app_user u on u.tenant_id = r.tenant_id and u.deleted_at is null
      and u.status = '1' and r.id::text = any(u.role_ids)
    where r.tenant_id = ${subject.tenant}::int8 and r.deleted_at is null and r.status = '1'
    group by r.code`.execute(kysely)
  return new Map(rows.map(({ code, people }) => [code, Number(people)]))
}

/** Codes of the texts that notices may have. */
async function listTemplates({
  database: { kysely },
  subject,
}: Context): Promise<ReadonlySet<string>> {
  const rows = await kysely
    .selectFrom('sys.sms_template')
    .select('code')
    .where('tenant_id', '=', subject.tenant)
    .where('status', '=', '1')
    .where('deleted_at', 'is', null)
    .execute()
  return new Set([...flowTemplates, ...rows.map(({ code }) => code)])
}

/** The entity that an effect writes to, where it is not the row itself. */
export function findEffectTag(
  { fields }: Pick<EntityDefinition, 'fields'>,
  effect: FlowEffect,
): string | null {
  if ('create' in effect) return effect.create.tag
  if (!('update' in effect)) return null
  const field = fields.find(({ attrName }) => attrName === effect.update.relation)
  return field?.dictValue?.split('.')[0] ?? null
}

/**
 * A flow acts with its own right, so it may do no more than its author could do by hand; entities of the system
 * and rows without a key have no flow, and a table has one at most.
 * @throws Invalid with one fault per effect
 */
export async function assertMayFlow(
  context: Context,
  definition: EntityDefinition,
  before: EntityDefinition | null,
): Promise<void> {
  const { flow } = definition.options
  if (flow === undefined) return
  const faults: Fault[] = []
  const fault = (rule: string, message: Fault['message']) =>
    faults.push({ path: 'options.flow', rule, message })
  if (definition.schemaName === 'sys') fault('flow', { key: 'flow.systemTable' })
  const other = context.registry
    .ofTable(context.subject.tenant, `${definition.schemaName}.${definition.tableName}`)
    .find(({ tag, definition: each }) => tag !== definition.tag && each.options.flow !== undefined)
  if (other !== undefined) fault('flow', { key: 'flow.secondFlow', params: { tag: other.tag } })
  for (const [name, { person }] of Object.entries(flow.documents ?? {})) {
    const field = definition.fields.find(({ attrName }) => `row.${attrName}` === person)
    if (person !== undefined && !isOfStudents(context, field))
      fault('flow', { key: 'flow.documentPerson', params: { name } })
  }
  if (JSON.stringify(before?.options.flow) !== JSON.stringify(flow))
    for (const name of await listMissingRights(context, definition, flow))
      fault('flow.right', { key: 'flow.noRight', params: { name } })
  if (faults.length > 0) throw new Invalid(faults)
}

/** Whether the field is a relation to students. */
export function isOfStudents(
  { registry, subject }: Pick<Context, 'registry' | 'subject'>,
  field: Pick<LoadedField['definition'], 'dictType' | 'dictValue'> | undefined,
): boolean {
  const tag = field === undefined ? null : relationTag(field)
  const target = tag === null ? undefined : registry.known(subject.tenant, tag)
  return target !== undefined && tableKey(target) === 'biz.student'
}

/** The entities and fields that the flow writes or reads, and its author may not. */
async function listMissingRights(
  context: Context,
  definition: EntityDefinition,
  flow: Flow,
): Promise<readonly string[]> {
  const found: string[] = []
  for (const effect of listEffects(listParts(flow))) {
    const tag = 'set' in effect ? definition.tag : findEffectTag(definition, effect)
    if (tag === null) continue
    const right = await findMissingRight(
      context,
      await context.registry.find(context.subject.tenant, tag),
      'create' in effect ? 'add' : 'update',
      Object.keys(listSets(effect)),
    )
    if (right !== null) found.push(right)
  }
  const missingRight = await authorRights(context, definition)
  for (const { tag, attrName } of listReads(definition, flow)) {
    const target =
      tag === definition.tag ? undefined : await context.registry.find(context.subject.tenant, tag)
    const isPersonal =
      tag === definition.tag
        ? definition.fields.some((field) => field.attrName === attrName && field.pii !== null)
        : target?.field(attrName)?.pii != null
    if (isPersonal || missingRight({ kind: 'attribute', tag, attrName }) !== null)
      found.push(`${tag}.${attrName}`)
  }
  return [...new Set(found)]
}

/** Reads of the expressions of a flow: fields of the row, and of the rows that its relations lead to. */
function listReads(
  { tag, fields }: EntityDefinition,
  flow: Flow,
): readonly { readonly tag: string; readonly attrName: string }[] {
  const sources = [
    ...listEffects(listParts(flow)).flatMap((effect) => Object.values(listSets(effect))),
    ...listParts(flow).events.flatMap(({ event }) => event?.when ?? []),
    ...listParagraphSources(flow.documents),
  ]
  return sources.flatMap((source) => {
    const ast = parseFormula(source)
    const related = listRelationReads(ast).flatMap(({ attrName, property }) => {
      const target = fields.find((field) => field.attrName === attrName)?.dictValue?.split('.')[0]
      return target === undefined ? [] : [{ tag: target, attrName: property }]
    })
    const own = listRowNames(ast).filter((name) => fields.some(({ attrName }) => attrName === name))
    return [...own.map((attrName) => ({ tag, attrName })), ...related]
  })
}

/** `TAG`, or `TAG.attrName`, that the author may not write; null where they may. */
async function findMissingRight(
  context: Context,
  entity: LoadedEntity | undefined,
  action: 'add' | 'update',
  names: readonly string[],
): Promise<string | null> {
  if (entity === undefined) return null
  if (entity.definition.schemaName === 'sys') return entity.tag
  const access = await accessTo(context, entity, action).catch((error: unknown) => {
    if (error instanceof Refusal) return null
    throw error
  })
  // The effect reaches every row, so the author's rule must too.
  if (access === null || !access.grants.some(({ scope }) => scope === null)) return entity.tag
  const mode = action === 'add' ? 'add' : 'edit'
  const closed = valueFields(entity).find(
    (field) => names.includes(field.definition.attrName) && !isAllowed(access, field, mode),
  )
  return closed === undefined ? null : `${entity.tag}.${closed.definition.attrName}`
}
