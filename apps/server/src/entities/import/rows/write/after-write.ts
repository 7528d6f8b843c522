// What must hold for rows once they are all written.
import { sql } from 'kysely'
import type { EntityAccess } from '../../../../access/access.ts'
import { idText } from '../../../../model/definition/row-key.ts'
import type { WritableRow } from '../../../jobs/job.ts'
import { withIds } from '../../../read/row.ts'
import { fromTable } from '../../../../model/definition/from-table.ts'
import type { AnyDatabase } from '../../../../platform/database/any-database.ts'
import { tooDeep } from '../../../tree/checks.ts'
import { type WriteFault, WrittenWrong } from './written.ts'

/** New rows may be parents of each other, so the depth is checked after all are written. */
export async function assertDepth(
  db: AnyDatabase,
  access: EntityAccess | null,
  ids: ReadonlyMap<WritableRow, string>,
): Promise<void> {
  if (access === null) return
  const deep = new Set(await tooDeep(db, access, [...ids.values()]))
  if (deep.size > 0)
    throw new WrittenWrong(
      [...ids]
        .filter(([, id]) => deep.has(id))
        .map(([row]): WriteFault => ({
          row,
          rule: 'depth',
          attrName: access.entity.definition.parentField,
        })),
    )
}

/**
 * The user's row rules must also hold for the rows as written: no user writes a row out of their own
 * scope.
 */
export async function assertScope(
  db: AnyDatabase,
  access: EntityAccess | null,
  ids: ReadonlyMap<WritableRow, string>,
): Promise<void> {
  // A role without row rules covers every row of the tenant.
  if (ids.size === 0 || access === null || access.grants.some(({ scope }) => scope === null)) return
  const { rows } = await sql<{
    id: string
  }>`select ${idText(access.entity)} as id from ${fromTable(access.entity)} where ${access.rows} and ${withIds(access, [...ids.values()])}`.execute(
    db,
  )
  const inside = new Set(rows.map(({ id }) => id))
  const outside = [...ids]
    .filter(([, id]) => !inside.has(id))
    .map(([row]): WriteFault => ({ row, rule: 'scope', attrName: null }))
  if (outside.length > 0) throw new WrittenWrong(outside)
}
