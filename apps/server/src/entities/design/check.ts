// Validates a definition sent by any client: its shape, the definition checks and the caller's
// permissions. Also computes the findings and the drift that answers contain.
import { adminRole } from '@jiaowu/api/limits'
import {
  type DefinitionCheck,
  type DefinitionFinding,
  type StoredEntity,
  storedKeys,
} from '@jiaowu/api/entity/definition/stored'
import { dictTypes, defaultTypes } from '@jiaowu/api/entity/enums'
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import { may } from '@jiaowu/api/entity/permission'
import type { FlowProofs } from '@jiaowu/api/contract/design'
import { messageText } from '@jiaowu/api/texts/index'
import type { TableDrift } from '@jiaowu/api/entity/definition/table'
import { type Finding, type FlowFinding, hasErrors, parseEntity } from '@jiaowu/validation'
import type { Context } from '../../model/context.ts'
import { Invalid, type Fault, Refusal } from '../../platform/refusal.ts'
import { canBeSystem } from '../../model/definition/school-columns.ts'
import { builtIn } from '../../model/shipped/index.ts'
import { entityName } from '../../model/definition/loaded.ts'
import { assertMayFlow } from '../flow/facts.ts'
import { assertNoFlowLost } from '../flow/removal.ts'
import { proveSchool } from '../flow/proofs.ts'
import { restoreSql } from './hidden-sql.ts'
import { computeImpact } from './impact.ts'
import { loadAll } from './store.ts'
import { columnsAddedSince, computeDrift, readColumns } from './tables.ts'
import { checkContextFor } from './check-context.ts'

/** The definition in a request body, without the keys only the server sets. */
export function definitionIn(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).filter(([key]) => !(storedKeys as readonly string[]).includes(key)),
  )
}

const toFault = ({ id, path, message }: Finding): Fault => ({ path, rule: id, message })

type Field = EntityDefinition['fields'][number]

/**
 * `pending`: definitions saved in the same step, which it may refer to.
 * @throws Invalid with one issue per error, whose `rule` is the id of the check
 * @throws Refusal 403 for custom SQL without the permission
 */
export async function acceptDefinition(
  context: Context,
  body: Record<string, unknown>,
  before: StoredEntity | null,
  pending: readonly EntityDefinition[] = [],
): Promise<{ definition: EntityDefinition; findings: DefinitionFinding[] }> {
  const { definition, findings } = await examine(
    context,
    before === null ? body : await restoreSql(context, before.tag, before, body),
    before,
    pending,
  )
  if (definition === null || hasErrors(findings)) throw invalidDefinition(context, findings)
  if (before !== null && definition.tag !== before.tag)
    throw new Invalid([{ path: 'tag', rule: 'fixed', message: { key: 'design.tagFixed' } }])
  if (definition.schemaName === 'sys' && before?.schemaName !== 'sys')
    throw new Refusal(403, { key: 'design.systemTable' })
  assertOfferedSchema(context, definition, before)
  await assertSystemColumns(context, definition)
  await assertMayFlow(context, definition, before)
  assertMayChange(context, before)
  assertSqlPermission(context, definition, before)
  return { definition, findings: findings.map(findingIn(context)) }
}

/**
 * Deleting a school's own definition makes the shipped one effective again, which may show more; without one its flow
 * ends.
 * @throws Invalid when the author lacks a right for what it names; Refusal 409 while its flow has cases or owns columns
 */
export async function assertMayDelete(context: Context, before: StoredEntity): Promise<void> {
  const shipped = builtIn.find(({ tag }) => tag === before.tag)
  await assertNoFlowLost(context, before, shipped ?? null)
  if (shipped === undefined) return
  const { findings } = await examine(context, { ...shipped }, before)
  const missing = findings.filter(({ id }) => id === 'entity.E098')
  if (missing.length > 0) throw new Invalid(missing.map(toFault))
}

/** @throws Refusal 403 for a table of a schema outside the setting BUSINESS_SCHEMAS */
function assertOfferedSchema(
  { settings }: Pick<Context, 'settings'>,
  { schemaName }: Pick<EntityDefinition, 'schemaName'>,
  before: Pick<EntityDefinition, 'schemaName'> | null,
): void {
  if (before?.schemaName !== schemaName && !settings.businessSchemas.includes(schemaName))
    throw new Refusal(403, {
      key: 'adopt.unknownSchema',
      params: { schema: schemaName, known: settings.businessSchemas.join(', ') },
    })
}

/**
 * A `tenant_id` that holds no number cannot be compared with a school, and no row would be found.
 * @throws Invalid for a column of `options.systemColumns` whose type the server cannot keep
 */
async function assertSystemColumns(
  { registry }: Context,
  { schemaName, tableName, options }: EntityDefinition,
): Promise<void> {
  if ((options.systemColumns ?? []).length === 0) return
  const table = (await registry.catalog()).get(`${schemaName}.${tableName}`)
  const faults = (options.systemColumns ?? []).flatMap((name): Fault[] => {
    const column = table?.columns.get(name)
    return column === undefined || canBeSystem(name, column)
      ? []
      : [
          {
            path: 'options.systemColumns',
            rule: 'type',
            message: { key: 'adopt.systemType', params: { column: name, type: column.type } },
          },
        ]
  })
  if (faults.length > 0) throw new Invalid(faults)
}

/** Entities on system tables are changed by administrators. @throws Refusal 403 */
export function assertMayChange(
  { subject }: Pick<Context, 'subject'>,
  before: Pick<EntityDefinition, 'schemaName'> | null,
): void {
  if (before?.schemaName === 'sys' && !subject.roles.includes(adminRole))
    throw new Refusal(403, { key: 'design.systemAdmin' })
}

/**
 * Parses and checks a definition. The checks that need the database run only when its shape is
 * valid.
 */
async function examine(
  context: Context,
  body: Record<string, unknown>,
  before: EntityDefinition | null,
  pending: readonly EntityDefinition[] = [],
) {
  const shaped = parseEntity(body)
  return shaped.definition === null
    ? shaped
    : parseEntity(body, await checkContextFor(context, shaped.definition, before, pending))
}

/**
 * Adding or changing custom SQL needs its own permission (docs/rules/security.md#i3). Unchanged SQL
 * may stay, also when its field is renamed.
 * @throws Refusal 403
 */
function assertSqlPermission(
  { subject }: Context,
  definition: EntityDefinition,
  before: EntityDefinition | null,
): void {
  if (may(subject.permissions, 'entity:sql')) return
  const names = new Set(definition.fields.map(({ attrName }) => attrName))
  const earlier = ({ attrName, id }: Field) =>
    before?.fields.find((field) => field.attrName === attrName) ??
    before?.fields.find((field) => field.id === id && !names.has(field.attrName))
  const changed = definition.fields.find(
    (field) =>
      formatSqlKey(field) !== '\u0000' && formatSqlKey(field) !== formatSqlKey(earlier(field)),
  )
  if (changed !== undefined)
    throw new Refusal(403, { key: 'design.needsSql', params: { label: changed.uiLabel } })
}

function formatSqlKey(field: Field | undefined): string {
  return field === undefined
    ? '\u0000'
    : [
        field.dictType === dictTypes.sql ? field.dictValue : null,
        field.uiDefaultType === defaultTypes.sql ? field.defaultValue : null,
      ].join('\u0000')
}

function findingIn({ locale }: Context) {
  return ({ id, severity, path, attrName, message, flow }: Finding): DefinitionFinding => ({
    id,
    severity,
    path,
    attrName,
    msg: messageText(locale, message),
    ...(flow !== undefined && { flow: flowFindingIn(locale, flow) }),
  })
}

function flowFindingIn(locale: Context['locale'], { id, path, states }: FlowFinding) {
  const side = locale === 'en' ? 1 : 0
  return {
    id,
    path: path.map(({ who, event }) => ({ who: who[side], event: event[side] })),
    states,
  }
}

/** The flows of the school, proved as they are now. */
export async function proveFlows(context: Context): Promise<FlowProofs[]> {
  const { locale } = context
  return (await proveSchool(context)).map(({ entity, findings }) => ({
    tag: entity.tag,
    name: entityName(entity, locale),
    findings: findings.map((flow) => ({
      id: flow.severity === 'error' ? 'entity.E121' : 'entity.E122',
      severity: flow.severity,
      path: flow.at,
      attrName: entity.definition.options.flow?.field ?? null,
      msg: messageText(locale, { key: flow.id, params: flow.params }),
      flow: flowFindingIn(locale, flow),
    })),
  }))
}

function invalidDefinition(context: Context, findings: readonly Finding[]): Invalid {
  const errors = findings.filter(({ severity }) => severity === 'error')
  const flows = errors.flatMap(({ flow, message }) =>
    flow === undefined
      ? []
      : [{ ...flowFindingIn(context.locale, flow), msg: messageText(context.locale, message) }],
  )
  return new Invalid(errors.map(toFault), flows.length === 0 ? {} : { findings: flows })
}

/**
 * The findings of a definition and the drift of its table since the last save. `before`: the stored
 * definition; null for one that was never saved.
 */
export async function findingsAndDrift(
  context: Context,
  body: Record<string, unknown>,
  before: StoredEntity | null,
) {
  const { definition, findings } = await examine(context, body, before)
  return {
    definition,
    findings: findings.map(findingIn(context)),
    drift:
      definition === null
        ? { missing: [], unused: [], added: [], changed: [] }
        : await driftFor(context, definition, before?.id ?? null),
  }
}

async function driftFor(
  { database: { untyped: db }, subject }: Context,
  definition: EntityDefinition,
  id: string | null,
): Promise<TableDrift> {
  return computeDrift(
    definition,
    await readColumns(db, definition.schemaName, definition.tableName),
    id === null ? new Set() : await columnsAddedSince(db, definition, subject.tenant, id),
  )
}

/** Everything a save would report, without saving. */
export async function checkDefinition(
  context: Context,
  body: Record<string, unknown>,
): Promise<DefinitionCheck> {
  const all = await loadAll(context)
  const before = all.find(({ tag }) => tag === body['tag'])
  const { definition, ...state } = await findingsAndDrift(
    context,
    before === undefined ? body : await restoreSql(context, before.tag, before, body),
    before ?? null,
  )
  if (definition === null) return { ...state, impact: [] }
  return {
    ...state,
    impact:
      before === undefined
        ? []
        : await computeImpact(
            context,
            before,
            definition,
            all.filter(({ tag }) => tag !== definition.tag),
          ),
  }
}
