import { type DictItem } from '@jiaowu/api'
import { sql } from 'kysely'
import { Invalid } from '../refusal.ts'
import { tenantRows, type EntityAccess } from './access.ts'
import { columnRef, identifier } from './names.ts'
import { fault } from './query.ts'
import { withIds } from './row.ts'
import { type AnyDatabase, fromTable } from './rows.ts'
import type { Change } from './values.ts'

/** A tree row may not be put below itself. @throws Invalid */
export const assertNoLoop = async (db: AnyDatabase, access: EntityAccess, id: string, changes: readonly Change[]): Promise<void> => {
  const { entity } = access
  const parent = changes.find(({ field }) => field.definition.attrName === entity.definition.parentField)
  const column = parent?.field.column
  if (parent === undefined || column === null || column === undefined) return
  const above = Array.isArray(parent.value) ? (parent.value as readonly DictItem[])[0]?.id : parent.value === null ? undefined : String(parent.value)
  if (above === undefined) return
  const key = columnRef(entity.id.name)
  const { rows } = await sql`
    with recursive up as (
      select ${key}::text as id, ${columnRef(column.name)}::text as parent from ${fromTable(entity)} where ${tenantRows(entity, access.tenant)} and ${withIds(access, [above])}
      union
      select ${key}::text, ${columnRef(column.name)}::text from ${fromTable(entity)} join up on ${key}::text = up.parent where ${tenantRows(entity, access.tenant)}
    ) select 1 from up where ${identifier('id')} = ${id}::text limit 1`.execute(db)
  if (rows.length > 0) throw new Invalid([fault(parent.field.definition.attrName, 'parent', { key: 'entity.ownParent' })])
}
