// Deletes all of the given rows or none, and no row that others refer to.
import { cutText } from '@jiaowu/api/cut-text'
import type { QueryOperator } from '@jiaowu/api/entity/enums'
import { binOf, keptAssignments, type Writer } from '../../../model/definition/kept.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../model/context.ts'
import { columnViolation } from '../../../model/fields/column.ts'
import { notFound, Refusal } from '../../../platform/refusal.ts'
import { brokenConstraint, raisedMessage } from '../../../platform/database/problems.ts'
import { exactly } from '../../../platform/database/tables/row-count.ts'
import { transact } from '../../../platform/database/transact.ts'
import { accessTo, baseRows, type EntityAccess } from '../../../access/access.ts'
import { labelRef, lookupAccess } from '../../../access/lookup-access.ts'
import { guardAccounts, assertAdministratorRemains } from '../accounts.ts'
import { deleteCustomValues } from '../values/custom.ts'
import { assertUnlocked, unchanged } from '../../entry/locks.ts'
import { parseIds } from './id-list.ts'
import { useSchoolClock } from '../insert.ts'
import { assertNoItems } from './dictionaries.ts'
import { conditionOf } from '../../read/filter/filter.ts'
import { recordEach } from '../history.ts'
import {
  entityName,
  type LoadedEntity,
  type LoadedField,
  systemColumns,
  valueFields,
} from '../../../model/definition/loaded.ts'
import {
  allOf,
  columnRef,
  type Condition,
  identifier,
  tableName,
  typed,
} from '../../../model/definition/names.ts'
import { relationTag, shownName, titleNaming } from '../../../model/definition/relation.ts'
import { withIds } from '../../read/row.ts'
import { fromTable } from '../../../model/definition/from-table.ts'
import { type AnyDatabase, databaseOf } from '../../../platform/database/any-database.ts'
import { assertNoChildren } from '../../tree/checks.ts'

export interface Reference {
  readonly entity: LoadedEntity
  readonly field: LoadedField
  /** Rows that name this entity refer to it, by a field with others. */
  readonly named?: Condition
}

/**
 * Every field, of any entity, whose choices are rows of this one, including its own parent field.
 */
export async function referencesTo(
  { registry }: Pick<Context, 'registry'>,
  tenant: string,
  { tag }: LoadedEntity,
): Promise<Reference[]> {
  return (await registry.all(tenant)).flatMap((entity) =>
    valueFields(entity)
      .filter(
        (field) =>
          countsAsReference(entity, field) &&
          (relationTag(field.definition) === tag ||
            field.namedBy !== undefined ||
            (entity.tag === tag && field.definition.attrName === entity.definition.parentField)),
      )
      .map((field) => ({ entity, field, ...namesEntity(entity, field, tag) })),
  )
}

function namesEntity(
  entity: LoadedEntity,
  { namedBy }: LoadedField,
  tag: string,
): Pick<Reference, 'named'> {
  const column = namedBy === undefined ? undefined : entity.column(namedBy.attrName)
  return column === undefined
    ? {}
    : { named: sql`${columnRef(column.name)}::text = ${typed(tag, 'text')}` }
}

/** Columns such as create_user do not count: they must not prevent deleting an account. */
function countsAsReference(entity: LoadedEntity, { column, definition }: LoadedField): boolean {
  if (column === null) return false
  // The id of a row is not what such a field stores; a foreign key of the table holds it.
  if (definition.options.valueAttr !== undefined) return false
  return (
    column.name === 'org_id' ||
    !systemColumns.some((name) => name === column.name && entity.has(name))
  )
}

/** `rowsOf`: which referring rows count; by default those not in the recycle bin. */
export async function isReferenced(
  db: AnyDatabase,
  access: EntityAccess,
  references: readonly Reference[],
  ids: readonly string[],
  rowsOf = baseRows,
): Promise<boolean> {
  return (await holderOf(db, access, references, ids, rowsOf)) !== null
}

/** Rows of another entity, or others of this one, that refer to these. */
interface Holder {
  readonly reference: Reference
  readonly where: Condition
}

async function holderOf(
  db: AnyDatabase,
  access: EntityAccess,
  references: readonly Reference[],
  ids: readonly string[],
  rowsOf = baseRows,
): Promise<Holder | null> {
  for (const reference of references) {
    const { entity } = reference
    const points = pointsAt(reference, ids)
    if (points === null) continue
    const others = entity.table === access.entity.table ? [sql`not (${withIds(access, ids)})`] : []
    const named = reference.named === undefined ? [] : [reference.named]
    const where = allOf([rowsOf(entity, access.tenant), points, ...named, ...others])
    const { rows } = await sql`
      select 1 from ${fromTable(entity)} where ${where} limit 1`.execute(db)
    if (rows.length > 0) return { reference, where }
  }
  return null
}

/** Says which entity holds the rows, how many of its records do, and the first of them. */
async function heldBy(
  db: AnyDatabase,
  context: Context,
  { reference: { entity }, where }: Holder,
): Promise<Refusal> {
  const access = lookupAccess(context, entity)
  // Who may not view the entity learns neither its number of records nor their names.
  if (!access.mayView) return inUse()
  const naming = await titleNaming(context, entity)
  const { rows } = await sql<{ n: string; names: string[] | null }>`
    select count(*) as n, (array_agg(${labelRef(context, access, naming, 'parts')}::text))[1:3] as names
    from ${fromTable(entity)} where ${allOf([access.rows, where])}`.execute(db)
  const { n = '0', names = null } = rows[0] ?? {}
  const shown = (names ?? [])
    .map((name) => (name === null ? '' : shownName(naming, name)))
    .filter((name) => name !== '')
  return new Refusal(409, {
    key: 'problem.inUseBy',
    params: {
      entity: entityName(entity, context.locale),
      n: Number(n),
      names: shown.map((name) => cutText(name, 40)).join('、') || '…',
    },
  })
}

function pointsAt({ field }: Reference, ids: readonly string[]): RawBuilder<unknown> | null {
  const { column } = field
  if (column === null) return null
  const element = { ...column, length: null, type: column.type.replace(/^_/, '') }
  const values = ids.filter((id) => columnViolation(id, element) === null)
  const operator: QueryOperator = 'in'
  return values.length === 0
    ? null
    : conditionOf({ field, column, ref: columnRef(column.name) }, operator, {
        kind: 'list',
        values,
      })
}

export const inUse = (): Refusal => new Refusal(409, { key: 'problem.inUse' })

/** Moves rows to the recycle bin, or deletes them where the table has none. */
export async function deleteRows(
  db: AnyDatabase,
  access: EntityAccess,
  ids: readonly string[],
  by: Writer,
): Promise<void> {
  await assertNoItems(db, access, ids)
  const { entity } = access
  const table = sql`${tableName(entity.table.schema, entity.table.name)} as t`
  const bin = binOf(entity)
  if (bin === null) {
    exactly(
      await sql`delete from ${table} where ${withIds(access, ids)}`.execute(db),
      ids.length,
      entity.definition.name,
    )
    await deleteCustomValues(db, entity, access.tenant, ids)
    return
  }
  const systemAssignments = [
    ...(entity.has('version') ? [sql`version = version + 1`] : []),
    ...(entity.has('update_time') ? [sql`update_time = now()`] : []),
    ...(entity.has('update_user') ? [sql`${identifier('update_user')} = ${by.userId}`] : []),
    ...keptAssignments(entity, by),
  ]
  exactly(
    await sql`
      update ${table} set ${sql.join([bin.remove, ...systemAssignments])}
      where ${withIds(access, ids)}`.execute(db),
    ids.length,
    entity.definition.name,
  )
}

/**
 * Deletes the rows with comma-joined ids.
 * @throws Refusal 404 when one is not among the caller's rows, 409 when one is in use; Invalid
 * above 500 ids
 */
export async function removeRows(
  context: Context,
  entity: LoadedEntity,
  joined: string,
): Promise<{ deleted: number }> {
  const ids = parseIds(entity, joined)
  const access = await accessTo(context, entity, 'delete')
  const references = await referencesTo(context, context.subject.tenant, entity)
  await transact(databaseOf(context), async (trx) => {
    await useSchoolClock(trx, entity)
    const { rows } = await sql`
      select 1 from ${fromTable(entity)} where ${access.rows} and ${withIds(access, ids)}
      for update`.execute(trx)
    if (ids.length === 0 || rows.length !== ids.length) throw notFound()
    await assertUnlocked(trx, context, entity, unchanged(ids))
    await guardAccounts(trx, context, entity, ids)
    await assertNoChildren(trx, access, ids)
    const holder = await holderOf(trx, access, references, ids)
    if (holder !== null) throw await heldBy(trx, context, holder)
    await deleteRows(trx, access, ids, context.subject)
    await assertAdministratorRemains(trx, context, entity)
    await recordEach(trx, context, entity, ids, 'delete')
    for (const id of ids)
      context.audit(
        { action: 'entity.delete', object: entity.tag, objectId: id, result: 'ok' },
        trx,
      )
  }).catch((error: unknown) => {
    throw heldByTable(access, error)
  })
  return { deleted: ids.length }
}

/** A foreign key of a table without an entity holds the row, or a trigger keeps it. */
function heldByTable({ entity }: EntityAccess, error: unknown): unknown {
  const broken = brokenConstraint(error)
  if (broken === undefined) {
    const raised = raisedMessage(error)
    return raised === null
      ? error
      : new Refusal(422, { key: 'problem.raised', params: { text: raised } })
  }
  return broken.table === undefined || broken.table === entity.table.name
    ? inUse()
    : new Refusal(409, { key: 'problem.inUseByTable', params: { table: broken.table } })
}
