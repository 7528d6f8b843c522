// Columns that nothing but the effects of a flow may change (docs/rules/contract.md#flows). A flow owns them in
// schools that have its roles: elsewhere nobody could decide.
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import { isDerived } from '@jiaowu/api/entity/config'
import { defaultTypes } from '@jiaowu/api/entity/enums'
import type { Locale } from '@jiaowu/api/locale'
import type { Message } from '@jiaowu/api/texts/index'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import { compileFlow } from '@jiaowu/machines/flow/flow'
import { listRoles } from '@jiaowu/machines/flow/parts'
import { wholeAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { columnKey, fieldKey, tableKey } from '../../model/definition/column-key.ts'
import { entityName, type LoadedEntity, type LoadedField } from '../../model/definition/loaded.ts'
import { relationTag } from '../../model/definition/relation.ts'
import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'
import { Invalid } from '../../platform/refusal.ts'
import { findStoredRows } from '../write/effects/stored-rows.ts'
import { type Change, isSameValue } from '../write/values/values.ts'
import { type Batch, readRowKey, type RowWrite } from '../write/writer.ts'
import { withTables } from './cases.ts'

type Reader = Pick<Context, 'registry' | 'subject'>
/** Entities whose flow owns a column, by `schema.table.column`. */
type Owners = ReadonlyMap<string, readonly LoadedEntity[]>

const known = new WeakMap<readonly LoadedEntity[], Owners>()

/** The owners of every column, whatever roles the school has. No query, so that a transaction may ask. */
export function listOwners(context: Reader): Owners {
  const entities = context.registry.withFlow(context.subject.tenant)
  const found = known.get(entities) ?? collectOwners(context, entities)
  known.set(entities, found)
  return found
}

function collectOwners(context: Reader, entities: readonly LoadedEntity[]): Owners {
  const pairs = entities.flatMap((entity) =>
    (entity.definition.options.flow?.owns ?? []).flatMap((name) => {
      const column = findOwnedColumn(context, entity.definition, name)
      return column === null ? [] : [{ column, entity }]
    }),
  )
  return new Map(
    [...Map.groupBy(pairs, ({ column }) => column)].map(([column, some]) => [
      column,
      some.map(({ entity }) => entity),
    ]),
  )
}

/** The column behind a field of a definition, or of the entity that a relation leads to: `student.status`. */
export function findOwnedColumn(
  { registry, subject }: Reader,
  { schemaName, tableName, fields }: EntityDefinition,
  name: string,
): string | null {
  const [attrName, property] = name.split('.')
  const field = fields.find((each) => each.attrName === attrName)
  if (field === undefined) return null
  if (property === undefined)
    return `${schemaName}.${tableName}.${field.columnName ?? `custom:${field.attrName}`}`
  const tag = relationTag(field)
  const target = tag === null ? undefined : registry.known(subject.tenant, tag)
  const owned = target?.field(property)
  return target === undefined || owned === undefined ? null : columnKey(target, owned)
}

/** The flows that own columns of the entity's table and whose roles the school has, by column of the table. */
export async function loadOwners(
  db: AnyDatabase,
  context: Reader,
  entity: LoadedEntity,
): Promise<Owners> {
  const prefix = `${tableKey(entity)}.`
  const claims = [...listOwners(context)].filter(([column]) => column.startsWith(prefix))
  if (claims.length === 0) return new Map()
  const roles = await listKnownRoles(
    db,
    context,
    claims.flatMap(([, owners]) => owners),
  )
  return new Map(
    claims.flatMap(([column, owners]) => {
      const inForce = owners.filter((owner) => isInForce(owner, (role) => roles.has(role)))
      return inForce.length === 0 ? [] : [[column.slice(prefix.length), inForce] as const]
    }),
  )
}

/** Whether the school has every role that the flow of the entity names. */
export function isInForce(
  { definition: { options } }: LoadedEntity,
  hasRole: (role: string) => boolean,
): boolean {
  return options.flow !== undefined && listRoles(compileFlow(options.flow).parts).every(hasRole)
}

async function listKnownRoles(
  db: AnyDatabase,
  { subject: { tenant } }: Reader,
  owners: readonly LoadedEntity[],
): Promise<ReadonlySet<string>> {
  const wanted = owners.flatMap(({ definition: { options } }) =>
    options.flow === undefined ? [] : listRoles(compileFlow(options.flow).parts),
  )
  if (wanted.length === 0) return new Set()
  const rows = await withTables(db)
    .selectFrom('sys.role')
    .select('code')
    .where('tenant_id', '=', tenant)
    .where('code', 'in', [...new Set(wanted)])
    .where('status', '=', '1')
    .where('deleted_at', 'is', null)
    .execute()
  return new Set(rows.map(({ code }) => code))
}

/** The write effect: refuses changes of owned columns by anything but their flow. */
export async function guardOwned(batch: Batch): Promise<void> {
  const { trx, writer, rows } = batch
  const { context, entity } = writer
  const touched = rows.filter(({ changes }) => changes.some(({ field }) => isOwned(field)))
  function isOwned(field: LoadedField): boolean {
    return listOwners(context).has(columnKey(entity, field))
  }
  if (touched.length === 0) return
  const owners = await loadOwners(trx, context, entity)
  if (owners.size === 0) return
  const ids = touched.flatMap((row) =>
    row.kind === 'create' || row.stored !== undefined ? [] : [readRowKey(row)],
  )
  const whole = wholeAccess(entity, context.subject.tenant)
  const stored = ids.length === 0 ? new Map() : await findStoredRows(trx, whole, ids)
  for (const row of touched) {
    const before = row.stored ?? stored.get(readRowKey(row))
    const wrong = row.changes.find((change) => {
      const owning = owners.get(fieldKey(change.field)) ?? []
      return (
        owning.length > 0 &&
        !owning.some(({ tag }) => tag === writer.flowTag) &&
        !isDerived(change.field.definition) &&
        !(row.kind === 'create'
          ? isStart(change, writer.isJob)
          : isSameValue(change.value, before?.[change.field.definition.attrName] ?? null))
      )
    })
    if (wrong !== undefined) refuseOwned(batch, row, wrong.field, owners)
  }
}

function refuseOwned({ refuse }: Batch, row: RowWrite, field: LoadedField, owners: Owners): void {
  const { attrName } = field.definition
  const message = explainOwned(field, owners)
  refuse(
    row,
    { rule: 'flow', attrName, message },
    () => new Invalid([{ path: attrName, rule: 'flow', message }]),
  )
}

/**
 * New rows begin with the default of the field, where it has one. Imports bring in rows as they are elsewhere.
 */
function isStart({ field, value }: Change, isImport: boolean): boolean {
  if (isImport || isEmpty(value) || !hasStart(field)) return true
  const { defaultValue } = field.definition
  const ids = Array.isArray(value)
    ? value.map((item) => (item as { id: string }).id)
    : [String(value)]
  return ids.join() === defaultValue
}

/** Whether the field has a fixed default. */
export function hasStart({ definition }: LoadedField): boolean {
  const { uiDefaultType, defaultValue } = definition
  return uiDefaultType === defaultTypes.text && !isEmpty(defaultValue)
}

function explainOwned(field: LoadedField, owners: Owners): Message {
  const { uiLabel, options } = field.definition
  const flow = owners.get(fieldKey(field))?.[0]?.definition
  return {
    key: 'flow.owned',
    params: {
      label: [uiLabel, options.labelEn ?? uiLabel],
      flow: [flow?.name ?? '', flow?.nameEn ?? flow?.name ?? ''],
    },
  }
}

/** The name of the flow that alone changes a field; undefined for other fields. */
export function findOwnerName(
  owners: Owners,
  field: LoadedField,
  locale: Locale,
): string | undefined {
  const [owner] = owners.get(fieldKey(field)) ?? []
  return owner === undefined ? undefined : entityName(owner, locale)
}

/** @throws Invalid for a bulk change that sets an owned field */
export async function assertUnowned(
  context: Context,
  entity: LoadedEntity,
  attrNames: readonly string[],
): Promise<void> {
  const owners = await loadOwners(databaseOf(context), context, entity)
  const faults = attrNames.flatMap((path) => {
    const field = entity.field(path)
    return field === undefined || !owners.has(fieldKey(field))
      ? []
      : [{ path, rule: 'flow', message: explainOwned(field, owners) }]
  })
  if (faults.length > 0) throw new Invalid(faults)
}
