// The statements that make a table of the product's own shape, or change one: the school is the first
// column of every key (docs/rules/database.md#the-school-in-every-key-and-statement).
import {
  formSchema,
  type PlannedColumn,
  type PlannedTable,
} from '@jiaowu/api/entity/definition/sheet'
import { type RawBuilder, sql } from 'kysely'
import { identifier, tableName } from '../../model/definition/names.ts'
import { buildColumn, buildForeignKey, type Targets } from './column-type.ts'

type Statement = RawBuilder<unknown>
type Place = { readonly schema: string; readonly table: string }

/** Columns that the server fills: those of the product's own tables. */
const serverColumns = sql.raw(
  `org_id bigint, create_user bigint, create_time timestamptz not null default now(),
   update_user bigint, update_time timestamptz not null default now(),
   version integer not null default 1, deleted_at timestamptz`,
)

/** Names that a column of a plan may not have. */
export const serverColumnNames: ReadonlySet<string> = new Set(
  'tenant_id id org_id create_user create_time update_user update_time version deleted_at'.split(
    ' ',
  ),
)

export function buildTable(plan: PlannedTable, targets: Targets): readonly Statement[] {
  const place = { schema: formSchema, table: plan.table }
  const name = tableName(place.schema, place.table)
  const columns = plan.columns.map((column) => buildColumn(column, targets, { mayRequire: true }))
  const keys = plan.columns.flatMap((column) => buildForeignKey(column, targets) ?? [])
  return [
    sql`create table ${name} (tenant_id bigint not null, id bigint not null,
      ${sql.join(columns)}, ${serverColumns}, primary key (tenant_id, id)${
        keys.length === 0 ? sql`` : sql`, ${sql.join(keys)}`
      })`,
    sql`comment on table ${name} is ${sql.lit(plan.name)}`,
    ...plan.columns.flatMap((column) => buildColumnExtras(place, column)),
  ]
}

/** New columns of a table with rows: they may be empty in the database; the form asks for required values. */
export function addColumns(
  place: Place,
  columns: readonly PlannedColumn[],
  targets: Targets,
): readonly Statement[] {
  const name = tableName(place.schema, place.table)
  return columns.flatMap((column) => {
    const key = buildForeignKey(column, targets)
    return [
      sql`alter table ${name} add column ${buildColumn(column, targets, { mayRequire: false })}`,
      ...(key === null ? [] : [sql`alter table ${name} add ${key}`]),
      ...buildColumnExtras(place, column),
    ]
  })
}

/**
 * The statements beside the definition of a column: its comment and index. PostgreSQL names the indexes, so
 * that no two are called alike.
 */
function buildColumnExtras(place: Place, column: PlannedColumn): readonly Statement[] {
  const name = tableName(place.schema, place.table)
  const own = identifier(column.columnName)
  return [
    sql`comment on column ${name}.${own} is ${sql.lit(column.label)}`,
    ...(column.unique === true
      ? [sql`create unique index on ${name} (tenant_id, ${own}) where deleted_at is null`]
      : column.kind === 'relation'
        ? [sql`create index on ${name} (tenant_id, ${own})`]
        : []),
  ]
}
