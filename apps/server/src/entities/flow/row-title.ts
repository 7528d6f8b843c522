// The name of a record in messages about its case, and in lists of cases: by the pattern of its entity, with labels,
// as people know it.
import type { Row } from '@jiaowu/api/entity/values'
import { sql } from 'kysely'
import { type EntityAccess, wholeAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import type { LoadedEntity, LoadedField } from '../../model/definition/loaded.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { labelRows } from '../read/labels.ts'
import { withIds } from '../read/row.ts'
import { type RawRow, rowReader, selectList } from '../read/rows.ts'
import { rowTitle, titleFields } from '../read/titles.ts'

interface TitledRow {
  readonly row: Row
  readonly title: string
}

/** The rows of the access with their titles from these fields, by id, in one statement besides the labels. */
export async function loadTitledRows(
  context: Context,
  access: EntityAccess,
  fields: readonly LoadedField[],
  ids: readonly string[],
): Promise<ReadonlyMap<string, TitledRow>> {
  const { rows } = await sql<RawRow>`
    select ${selectList(access, fields)} from ${fromTable(access.entity)}
    where ${access.rows} and ${withIds(access, ids)}`.execute(databaseOf(context))
  const labelled = await labelRows(context, fields, rows.map(rowReader(access, fields, 'detail')))
  return new Map(
    labelled.map((row) => [row.id, { row, title: rowTitle(context, access, row) }] as const),
  )
}

/** Any rows of the school, titled without personal data: for people who may not view the record. */
export function loadOpenTitles(
  context: Context,
  entity: LoadedEntity,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TitledRow>> {
  const access = wholeAccess(entity, context.subject.tenant)
  const fields = titleFields(entity).filter(({ pii }) => pii === null)
  return loadTitledRows(context, access, fields, ids)
}

/** Without personal data, which messages do not carry; the id where nothing else names the record. */
export async function loadRowTitle(
  context: Context,
  entity: LoadedEntity,
  id: string,
): Promise<string> {
  return (await loadOpenTitles(context, entity, [id])).get(id)?.title ?? id
}
