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
  const locked = await listLockedSheets(context, entity)
  // At most `locked.size` of the rows are dropped, so that the limit never hides a sheet that is open.
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.join(columns)}, count(*) as total, count(${ref}) as entered
    from ${fromTable(entity)} where ${where} and ${sql.join(isNamed, sql` and `)}
    group by ${sql.join(names)} having count(*) > count(${ref})
    order by count(${ref}) = 0, ${sql.join(names.map((name) => sql`${name} desc`))}
    limit ${mostSheets + 1 + locked.size}`.execute(databaseOf(context))
  const open = rows
    .map((row, at) => ({
      total: Number(row['total']),
      entered: Number(row['entered']),
      cells: loadNames(String(at), row, named),
    }))
    .filter(({ cells }) => {
      const sheet = buildSheetName(fields, (name) => cells[name])
      return sheet !== null && !locked.has(sheet)
    })
  const shown = open.slice(0, mostSheets)
  const labelled = await labelRows(
    context,
    fields,
    shown.map(({ cells }) => cells),
  )
  return {
    sheets: shown.map(({ total, entered }, at) => ({
      by: Object.fromEntries(
        fields.map(({ definition: { attrName } }) => [
          attrName,
          toSheetItems(labelled[at]?.[attrName]),
        ]),
      ),
      total,
      entered,
    })),
    more: open.length > mostSheets,
  }
}

type NamedFigure = NonNullable<ReturnType<typeof figureField>>

function loadNames(
  id: string,
  row: Readonly<Record<string, unknown>>,
  named: readonly NamedFigure[],
): Row {
  const values = named.map(({ field, column }, no) => [
    field.definition.attrName,
    field.storage.load(row[`v${String(no)}`], column),
  ])
  return { id, ...Object.fromEntries(values) }
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
