// Creates a row at most once: forms get their id before they are saved, and a repeated request with
// that id is answered with the row that the first one made (docs/rules/contract.md#creates).
import type { Row } from '@jiaowu/api/entity/values'
import { sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { accessTo } from '../../access/access.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'
import { columnRef } from '../../model/definition/names.ts'
import { detailFields, labelRow, selectRow, withIds } from '../read/row.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { isFormId, takesFormId } from './form-id.ts'
import type { Body } from './values/values.ts'
import { type Adding, createRow } from './write.ts'

/**
 * Adds a row, or answers the stored one when the caller has sent its id before.
 * @throws Refusal 409 for an id that another caller has used
 */
export async function createOnce(
  context: Context,
  entity: LoadedEntity,
  body: Body,
  adding: Adding = {},
): Promise<Row> {
  const id = formIdIn(entity, body)
  try {
    return await createRow(context, entity, body, adding)
  } catch (error) {
    // The row of an earlier request with the same id broke a unique constraint, or the rules that were checked first.
    if (id === null || !(error instanceof Refusal)) throw error
    const stored = await rowMadeBy(context, entity, id)
    if (stored === null) throw error
    return stored
  }
}

function formIdIn(entity: LoadedEntity, { id }: Body): string | null {
  return typeof id === 'string' && takesFormId(entity) && isFormId(id, Date.now()) ? id : null
}

/** The row with the id that the caller has made; null when there is none. @throws Refusal 409 */
async function rowMadeBy(context: Context, entity: LoadedEntity, id: string): Promise<Row | null> {
  const { subject } = context
  const access = await accessTo(context, entity, 'add')
  const db = databaseOf(context)
  const maker = entity.has('create_user')
    ? sql`${columnRef('create_user')}::text`
    : sql`(select h.user_id::text from sys.row_history h
        where h.tenant_id = ${subject.tenant}::int8 and h.tag = ${entity.tag}::text
          and h.row_id = ${id}::text and h.action = 'add' order by h.at limit 1)`
  const { rows } = await sql<{ maker: string | null }>`
    select ${maker} as maker from ${fromTable(entity)} where ${withIds(access, [id])}`.execute(db)
  const [found] = rows
  if (found === undefined) return null
  const fields = detailFields(access)
  const row = found.maker === subject.userId ? await selectRow(db, access, fields, id) : undefined
  if (row === undefined) throw new Refusal(409, { key: 'entity.idTaken' })
  return await labelRow(context, entity, fields, row)
}
