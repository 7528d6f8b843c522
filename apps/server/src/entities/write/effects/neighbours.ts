// Rows that the written ones are tied to: parents and children in a tree, and records that refer to them.
import { limits } from '@jiaowu/api/limits'
import { sql } from 'kysely'
import { tenantRows } from '../../../access/access.ts'
import { Invalid } from '../../../platform/refusal.ts'
import { buildFilterFault } from '../../read/query.ts'
import { assertNoChildren, assertParentsKept, assertTree, tooDeep } from '../../tree/checks.ts'
import { assertNoItems } from '../removal/dictionaries.ts'
import {
  heldBy,
  heldRows,
  findHolder,
  inUse,
  isReferenced,
  stillUsed,
} from '../removal/references.ts'
import { type Batch, readRowKey, readRowKeys } from '../writer.ts'

/** A changed parent makes no circle, and no row goes before its children. */
export async function assertPlaceInTree({ trx, writer, rows }: Batch): Promise<void> {
  const { change, isJob } = writer
  if (change === null) return
  const leaving = rows.filter(({ kind }) => kind === 'delete')
  // A job tells the rows with children apart by their references.
  if (leaving.length > 0 && !isJob) await assertNoChildren(trx, change, readRowKeys(leaving))
  for (const row of rows)
    if (row.kind !== 'delete') await assertTree(trx, change, row.id, row.changes)
}

/** New rows may be parents of each other, and a parent may come back with its children. */
export async function assertTreeAfter({ trx, writer, rows, refuse }: Batch): Promise<void> {
  const { add, change, entity } = writer
  const back = rows.filter(({ kind }) => kind === 'restore')
  if (back.length > 0 && change !== null) await assertParentsKept(trx, change, readRowKeys(back))
  if (add === null) return
  const fresh = rows.filter(({ kind }) => kind === 'create')
  const deep = new Set(await tooDeep(trx, add, readRowKeys(fresh)))
  const attrName = entity.definition.parentField
  for (const row of fresh.filter((each) => deep.has(readRowKey(each))))
    refuse(
      row,
      { rule: 'depth', attrName },
      () =>
        new Invalid([
          buildFilterFault(attrName ?? 'id', 'depth', {
            key: 'tree.tooDeep',
            params: { n: limits.treeDepth },
          }),
        ]),
    )
}

/** Records refer to no row that goes; before it is purged, those in the recycle bin neither. */
export async function assertNoReferences({ trx, writer, rows, refuse }: Batch): Promise<void> {
  const { context, change, isJob, references = [] } = writer
  if (change === null) return
  const purged = readRowKeys(rows.filter(({ kind }) => kind === 'purge'))
  if (purged.length > 0 && (await isReferenced(trx, change, references, purged, tenantRows)))
    throw stillUsed()
  const leaving = rows.filter(({ kind }) => kind === 'delete')
  if (leaving.length === 0) return
  if (isJob) {
    const held = await heldRows(trx, change, references, readRowKeys(leaving), sql`false`)
    for (const row of leaving) if (held.has(readRowKey(row))) refuse(row, { rule: 'inUse' }, inUse)
  } else {
    const holder = await findHolder(trx, change, references, readRowKeys(leaving))
    if (holder !== null) throw await heldBy(trx, context, holder)
  }
  await assertNoItems(trx, change, readRowKeys(leaving))
}

/** The permissions and rules of a role are deleted with it. */
export async function dropItsRights({ trx, writer, rows }: Batch): Promise<void> {
  const { table } = writer.entity
  const { tenant } = writer.context.subject
  if (`${table.schema}.${table.name}` !== 'sys.role') return
  const ids = readRowKeys(rows)
  await sql`
    delete from sys.role_permission
    where tenant_id = ${tenant}::int8 and role_id::text = any(${ids}::text[])`.execute(trx)
  await sql`
    delete from sys.role_table_rule
    where tenant_id = ${tenant}::int8 and role_id::text = any(${ids}::text[])`.execute(trx)
}
