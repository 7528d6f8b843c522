// Deletes many rows, each by the rules for deleting one; into the recycle bin where the entity has
// one.
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { baseRows, type EntityAccess } from '../../access/access.ts'
import { guardAccounts, assertAdministratorRemains } from '../write/accounts.ts'
import { recordEach } from '../write/history.ts'
import { labelRows } from '../read/labels.ts'
import { type LoadedEntity, readableFields } from '../../model/definition/loaded.ts'
import { allOf, columnRef, type Condition, typed } from '../../model/definition/names.ts'
import {
  deleteRows,
  inUse,
  isReferenced,
  type Reference,
  referencesTo,
} from '../write/removal/remove.ts'
import { withIds } from '../read/row.ts'
import { rowReader } from '../read/rows.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import type { AnyDatabase } from '../../platform/database/any-database.ts'
import { castOf, type Column, familyOf, columnViolation } from '../../model/fields/column.ts'
import { brokenConstraint } from '../../platform/database/problems.ts'
import { dryRunRows } from '../import/check-phase.ts'
import type { LedgerRow } from '../jobs/job.ts'
import { lockedRows, unchanged } from '../entry/locks.ts'
import { labelIn } from '../import/rows/plan.ts'
import { staleRows, type Writer } from '../import/rows/write/write-rows.ts'
import type { WriteFault } from '../import/rows/write/written.ts'
import type { BulkRights } from './choose.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { rowTitle, titleFields } from '../read/titles.ts'
import { faultOf, type CheckRows } from './update-rows.ts'

const none: Condition = sql`false`

/** A writer that deletes the rows it is given. */
export async function createEraser(
  context: Context,
  entity: LoadedEntity,
  access: EntityAccess,
): Promise<Writer> {
  const references = await referencesTo(context, context.subject.tenant, entity)
  return {
    context,
    entity,
    add: null,
    update: access,
    relations: [],
    write: async (db, rows) => {
      const faults: WriteFault[] = [...(await staleRows(db, { entity, update: access }, rows))]
      const locked = await lockedRows(
        db,
        context,
        entity,
        unchanged(rows.map(({ row_id }) => row_id ?? '')),
      )
      const stale = new Set(faults.map(({ row }) => row))
      for (const [i, row] of rows.entries())
        if (locked[i] === true && !stale.has(row)) {
          faults.push({ row, rule: 'locked', attrName: null })
          stale.add(row)
        }
      const left = rows.filter((row) => !stale.has(row))
      const held = await heldRows(
        db,
        access,
        references,
        left.map(({ row_id }) => row_id ?? ''),
        none,
      )
      faults.push(
        ...left
          .filter(({ row_id }) => held.has(row_id ?? ''))
          .map((row): WriteFault => ({ row, rule: 'inUse', attrName: null })),
      )
      const gone = left.filter(({ row_id }) => !held.has(row_id ?? ''))
      const ids = gone.map(({ row_id }) => row_id ?? '')
      if (ids.length > 0) {
        await guardAccounts(db, context, entity, ids)
        await deleteRows(db, access, ids, context.subject).catch((error: unknown) => {
          throw brokenConstraint(error)?.kind === 'foreignKey' ? inUse() : error
        })
        await assertAdministratorRemains(db, context, entity)
        await recordEach(db, context, entity, ids, 'delete')
      }
      return { faults, ids: new Map(gone.map((row) => [row, row.row_id ?? ''])) }
    },
  }
}

/**
 * The rows that other records refer to. References from rows that are deleted too do not count,
 * unless such a row must stay. `spared`: condition of rows of the same table that are deleted as
 * well.
 */
async function heldRows(
  db: AnyDatabase,
  access: EntityAccess,
  references: readonly Reference[],
  ids: readonly string[],
  spared: Condition,
): Promise<ReadonlySet<string>> {
  const held = new Set<string>()
  for (let left = ids; left.length > 0;) {
    const found = new Set<string>()
    for (const reference of references)
      for (const id of await pointedAt(db, access, reference, left, spared)) found.add(id)
    if (found.size === 0) return held
    for (const id of found) held.add(id)
    left = left.filter((id) => !found.has(id))
  }
  return held
}

async function pointedAt(
  db: AnyDatabase,
  access: EntityAccess,
  reference: Reference,
  ids: readonly string[],
  spared: Condition,
): Promise<readonly string[]> {
  const {
    entity,
    field: { column },
  } = reference
  const cast = column === null ? null : plainFamily(column)
  if (column === null) return []
  const isOwn = entity.table === access.entity.table
  if (cast !== null) {
    const known = ids.filter((id) => columnViolation(id, { ...column, length: null }) === null)
    if (known.length === 0) return []
    const others: RawBuilder<unknown>[] = isOwn
      ? [sql`not (${withIds(access, ids)})`, sql`not (${spared})`]
      : []
    const { rows } = await sql<{ id: string }>`
      select distinct ${columnRef(column.name)}::text as id from ${fromTable(entity)}
        where ${allOf([baseRows(entity, access.tenant), sql`${columnRef(column.name)} = any(${typed(known, `${cast}[]`)})`, ...others])}`.execute(
      db,
    )
    return rows.map(({ id }) => id)
  }
  if (!(await isReferenced(db, access, [reference], ids))) return []
  if (ids.length === 1) return ids
  const middle = ids.length >> 1
  return [
    ...(await pointedAt(db, access, reference, ids.slice(0, middle), spared)),
    ...(await pointedAt(db, access, reference, ids.slice(middle), spared)),
  ]
}

/**
 * The array type for a column with a single plain value, whose references one query finds. Null for
 * columns with several values, which are queried by halving.
 */
function plainFamily(column: Column): string | null {
  const family = familyOf(column)
  return family === undefined || ['texts', 'integers', 'json'].includes(family)
    ? null
    : castOf(column)
}

/** @param selected condition of the selection: its rows are deleted together */
export async function deleteCheck(
  context: Context,
  { act }: BulkRights,
  selected: Condition,
): Promise<CheckRows> {
  const { entity } = act
  const eraser = await createEraser(context, entity, act)
  const references = await referencesTo(context, context.subject.tenant, entity)
  const fields = readableFields(entity)
  const label = labelIn(context, entity)
  return async (found) => {
    const read = rowReader(act, fields, 'any')
    const rows = await labelRows(
      context,
      titleFields(entity),
      found.map(({ raw }) => read(raw)),
    )
    const mine = found.filter(({ may }) => may).map(({ raw }) => String(raw.id))
    const held = await heldRows(databaseOf(context), act, references, mine, selected)
    const checked = found.map(({ no, may }, i): LedgerRow => {
      const row = rows[i] ?? { id: '' }
      const fault = !may
        ? faultOf('', null, 'noRight', { key: 'bulk.rule.noRight' })
        : held.has(row.id)
          ? faultOf('', null, 'inUse', { key: 'problem.inUse' })
          : null
      return {
        row_no: no,
        verdict: fault === null ? 'c' : 'w',
        row_id: row.id,
        version: String(row.version),
        payload: null,
        before: null,
        name: rowTitle(context, act, row),
        errors: fault === null ? null : [fault],
      }
    })
    // In a tree, references may come from rows of later chunks: only the write phase can tell.
    return references.some((reference) => reference.entity.table === entity.table)
      ? checked
      : await dryRunRows(eraser, checked, label)
  }
}
