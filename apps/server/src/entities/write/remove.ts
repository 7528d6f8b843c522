// Deletes all of the given rows or none, and no row that others refer to.
import { limits, type QueryOperator } from '@jiaowu/api'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../context.ts'
import { columnViolation } from '../fields/column.ts'
import { Invalid, notFound, Refusal } from '../../platform/refusal.ts'
import { brokenConstraint } from '../../platform/database/problems.ts'
import { exactly } from '../../platform/database/row-count.ts'
import { transact } from '../../platform/database/transact.ts'
import { accessTo, baseRows, type EntityAccess } from '../../access/access.ts'
import { guardAccounts, assertAdministratorRemains } from './accounts.ts'
import { deleteCustomValues } from './custom.ts'
import { assertNoItems } from './dictionaries.ts'
import { conditionOf } from '../read/filter.ts'
import { recordEach } from './history.ts'
import {
  type LoadedEntity,
  type LoadedField,
  systemColumns,
  valueFields,
} from '../definition/loaded.ts'
import { allOf, columnRef, identifier, tableName } from '../definition/names.ts'
import { fault } from '../read/query.ts'
import { relationTag } from '../definition/relation.ts'
import { withIds } from '../read/row.ts'
import { type AnyDatabase, databaseOf, fromTable } from '../read/rows.ts'
import { assertNoChildren } from '../tree/checks.ts'

export interface Reference {
  readonly entity: LoadedEntity
  readonly field: LoadedField
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
          countsAsReference(field) &&
          (relationTag(field.definition) === tag ||
            (entity.tag === tag && field.definition.attrName === entity.definition.parentField)),
      )
      .map((field) => ({ entity, field })),
  )
}

/** Columns such as create_user do not count: they must not prevent deleting an account. */
function countsAsReference({ column }: LoadedField): boolean {
  return (
    column !== null &&
    (column.name === 'org_id' || !(systemColumns as readonly string[]).includes(column.name))
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
  for (const reference of references) {
    const { entity } = reference
    const points = pointsAt(reference, ids)
    if (points === null) continue
    const others = entity.table === access.entity.table ? [sql`not (${withIds(access, ids)})`] : []
    const { rows } = await sql`
      select 1 from ${fromTable(entity)}
      where ${allOf([rowsOf(entity, access.tenant), points, ...others])} limit 1`.execute(db)
    if (rows.length > 0) return true
  }
  return false
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
  userId: string,
): Promise<void> {
  await assertNoItems(db, access, ids)
  const { entity } = access
  const table = sql`${tableName(entity.table.schema, entity.table.name)} as t`
  if (!entity.has('deleted_at')) {
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
    ...(entity.has('update_user') ? [sql`${identifier('update_user')} = ${userId}`] : []),
  ]
  exactly(
    await sql`
      update ${table} set ${sql.join([sql`deleted_at = now()`, ...systemAssignments])}
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
  const ids = [
    ...new Set(
      joined
        .split(',')
        .map((id) => id.trim())
        .filter((id) => id !== ''),
    ),
  ]
  if (ids.length > limits.maxDeleteIds)
    throw new Invalid([
      fault('ids', 'range', { key: 'entity.tooManyIds', params: { n: limits.maxDeleteIds } }),
    ])
  const access = await accessTo(context, entity, 'delete')
  const references = await referencesTo(context, context.subject.tenant, entity)
  await transact(databaseOf(context), async (trx) => {
    const { rows } = await sql`
      select 1 from ${fromTable(entity)} where ${access.rows} and ${withIds(access, ids)}
      for update`.execute(trx)
    if (ids.length === 0 || rows.length !== ids.length) throw notFound()
    await guardAccounts(trx, context, entity, ids)
    await assertNoChildren(trx, access, ids)
    if (await isReferenced(trx, access, references, ids)) throw inUse()
    await deleteRows(trx, access, ids, context.subject.userId)
    await assertAdministratorRemains(trx, context, entity)
    await recordEach(trx, context, entity, ids, 'delete')
    for (const id of ids)
      context.audit(
        { action: 'entity.delete', object: entity.tag, objectId: id, result: 'ok' },
        trx,
      )
  }).catch((error: unknown) => {
    throw brokenConstraint(error)?.kind === 'foreignKey' ? inUse() : error
  })
  return { deleted: ids.length }
}
