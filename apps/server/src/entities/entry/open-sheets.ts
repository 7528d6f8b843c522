// Entry sheets that wait for values, of the rows that the caller sees (docs/rules/contract.md#entry-sheets).
import type { OpenEntries } from '@jiaowu/api/contract/entity/entry'
import type { Row } from '@jiaowu/api/entity/values'
import { sql } from 'kysely'
import { accessTo, isAllowed } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { tableKey } from '../../model/definition/column-key.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { forbidden, notFound } from '../../platform/refusal.ts'
import { figureField } from '../figures/figure-field.ts'
import { labelRows } from '../read/labels.ts'
import { compileQuery } from '../read/query.ts'
import { buildFilterTarget } from '../read/target.ts'
import { buildSheetName, sheetFields } from './locks.ts'
import { toSheetItems } from './sheet.ts'

const mostSheets = 100

/** @throws Refusal 403, 404 */
export async function listOpenEntries(
  context: Context,
  entity: LoadedEntity,
): Promise<OpenEntries> {
  const access = await accessTo(context, entity, 'view')
  const fields = sheetFields(entity)
  const progress = entity.field(entity.definition.options.entry?.progress ?? '')
  if (fields.length === 0) throw notFound()
  const named = fields.flatMap(({ definition }) => figureField(access, definition.attrName) ?? [])
  if (progress === undefined || !isAllowed(access, progress, 'any') || named.length < fields.length)
    throw forbidden()
  const { where } = compileQuery(access, { queries: {}, sorts: [] })
  const { ref } = buildFilterTarget(access, progress)
  const names = named.map((_field, no) => sql.ref(`v${String(no)}`))
  const columns = named.map((field, no) => sql`${field.ref} as ${names[no] ?? sql.ref('v0')}`)
  const isNamed = named.map((field) => sql`${field.ref} is not null`)
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.join(columns)}, count(*) as total, count(${ref}) as entered
    from ${fromTable(entity)} where ${where} and ${sql.join(isNamed, sql` and `)}
    group by ${sql.join(names)} having count(*) > count(${ref})
    order by count(${ref}) = 0, ${sql.join(names.map((name) => sql`${name} desc`))}
    limit ${mostSheets + 1}`.execute(databaseOf(context))
  const cells = rows.map((row, at): Row => ({
    id: String(at),
    ...Object.fromEntries(
      named.map(({ field, column }, no) => [
        field.definition.attrName,
        field.storage.load(row[`v${String(no)}`], column),
      ]),
    ),
  }))
  const locked = await listLockedSheets(context, entity)
  const labelled = await labelRows(context, fields, cells)
  const sheets = rows.slice(0, mostSheets).flatMap((row, at) => {
    const sheet = buildSheetName(fields, (name) => cells[at]?.[name])
    if (sheet === null || locked.has(sheet)) return []
    const by = Object.fromEntries(
      fields.map(({ definition: { attrName } }) => [
        attrName,
        toSheetItems(labelled[at]?.[attrName]),
      ]),
    )
    return [{ by, total: Number(row['total']), entered: Number(row['entered']) }]
  })
  return { sheets, more: rows.length > mostSheets }
}

async function listLockedSheets(
  context: Context,
  entity: LoadedEntity,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ sheet: string }>`
    select sheet from sys.entry_lock
    where tenant_id = ${context.subject.tenant}::int8 and table_name = ${tableKey(entity)}::text`.execute(
    databaseOf(context),
  )
  return new Set(rows.map(({ sheet }) => sheet))
}
