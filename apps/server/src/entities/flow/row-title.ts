// The name of a record in messages about its case: by the pattern of its entity, with labels, as people know it.
import { sql } from 'kysely'
import { wholeAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { labelRows } from '../read/labels.ts'
import { withIds } from '../read/row.ts'
import { type RawRow, rowReader, selectList } from '../read/rows.ts'
import { rowTitle, titleFields } from '../read/titles.ts'

/** Without personal data, which messages do not carry; the id where nothing else names the record. */
export async function loadRowTitle(
  context: Context,
  entity: LoadedEntity,
  id: string,
): Promise<string> {
  const access = wholeAccess(entity, context.subject.tenant)
  const fields = titleFields(entity).filter(({ pii }) => pii === null)
  if (fields.length === 0) return id
  const { rows } = await sql<RawRow>`
    select ${selectList(access, fields)} from ${fromTable(entity)}
    where ${access.rows} and ${withIds(access, [id])}`.execute(databaseOf(context))
  const [row] = await labelRows(context, fields, rows.map(rowReader(access, fields, 'detail')))
  return row === undefined ? id : rowTitle(context, access, row)
}
