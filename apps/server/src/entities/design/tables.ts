// The tables an administrator may define entities on: those of the business schema, as the catalog
// describes them (docs/rules/contract.md#definitions).
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import { holdsValue } from '@jiaowu/api/fields/kinds'
import type { TableColumn, TableDrift } from '@jiaowu/api/entity/definition/table'
import { type Kysely, sql } from 'kysely'
import { indexColumns } from '../../model/sealed/sealed-columns.ts'
import type { Context } from '../../model/context.ts'
import type { AnyDatabase } from '../../platform/database/any-database.ts'

interface ColumnRow {
  name: string
  comment: string | null
  is_primary: boolean
  /** Not null, and alone in a unique index over all rows. */
  is_key: boolean
  type: string
  udt: string
  length: number | null
  nullable: boolean
  has_default: boolean
}

/** Columns in table order; empty when the table does not exist. */
export async function readColumns(
  db: AnyDatabase | Kysely<unknown>,
  schema: string,
  table: string,
): Promise<TableColumn[]> {
  const { rows } = await sql<ColumnRow>`
    select a.attname::text as name, col_description(c.oid, a.attnum) as comment,
      format_type(a.atttypid, a.atttypmod) as type, t.typname::text as udt,
      case when t.typname in ('varchar', 'bpchar') and a.atttypmod > 4
        then a.atttypmod - 4 end as length,
      not a.attnotnull as nullable,
      (a.atthasdef or a.attidentity <> '') as has_default,
      exists (
        select 1 from pg_catalog.pg_index i
        where i.indrelid = c.oid and i.indisprimary and a.attnum = any(i.indkey::int2[])
          and (a.attname <> 'tenant_id' or i.indnatts = 1)
      ) as is_primary,
      a.attnotnull and exists (
        select 1 from pg_catalog.pg_index i
        where i.indrelid = c.oid and i.indisunique and i.indisvalid and i.indpred is null
          and i.indexprs is null and (i.indnatts = 1 and i.indkey[0] = a.attnum
            or i.indnatts = 2 and a.attnum = any(i.indkey::int2[]) and a.attname <> 'tenant_id'
              and s.attnum = any(i.indkey::int2[]))
      ) as is_key
    from pg_catalog.pg_attribute a
    join pg_catalog.pg_class c on c.oid = a.attrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_type t on t.oid = a.atttypid
    left join pg_catalog.pg_attribute s on s.attrelid = c.oid and s.attname = 'tenant_id'
    where n.nspname = ${schema} and c.relname = ${table} and c.relkind in ('r', 'p', 'v', 'm', 'f')
      and a.attnum > 0 and not a.attisdropped
    order by a.attnum`.execute(db as Kysely<unknown>)
  const shown = rows.filter(({ name }) => !indexColumns.has(`${schema}.${table}.${name}`))
  return shown.map((row) => ({
    columnName: row.name,
    columnComment: row.comment ?? '',
    columnKey: row.is_primary ? 'PRI' : '',
    isKey: row.is_key,
    columnType: row.type
      .replace('character varying', 'varchar')
      .replace(/^timestamp.*with time zone$/, 'timestamptz')
      .replace('timestamp without time zone', 'timestamp')
      .replace('time without time zone', 'time'),
    dataType: row.udt,
    dataLength: row.length,
    isNullable: row.nullable ? 'YES' : 'NO',
    hasDefault: row.has_default,
  }))
}

/** The columns of an offered table in the shape of the specification. */
export async function businessColumns(
  { database }: Pick<Context, 'database'>,
  { schema, name }: { readonly schema: string; readonly name: string },
): Promise<TableColumn[]> {
  return await readColumns(database.untyped, schema, name)
}

/** Columns the server writes itself; a missing field for one of them is not drift. */
const serverColumns = new Set([
  'id',
  'tenant_id',
  'org_id',
  'version',
  'deleted_at',
  'create_user',
  'create_time',
  'update_user',
  'update_time',
])
const normalizedType = (type: string) => type.toLowerCase().replaceAll(/\s/g, '')

/**
 * Columns added or altered after the last save of a definition. Compares the age of the
 * transactions that wrote the column and the definition's row, which are in the same database.
 * After a restore, which creates tables before rows, no column counts as new.
 */
export async function columnsAddedSince(
  db: Kysely<unknown>,
  { schemaName, tableName }: Pick<EntityDefinition, 'schemaName' | 'tableName'>,
  tenant: string,
  entityId: string,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    select a.attname::text as name from pg_catalog.pg_attribute a
    join pg_catalog.pg_class c on c.oid = a.attrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join sys.entity e on e.tenant_id in (0, ${tenant}::int8) and e.id = ${entityId}::int8
    where n.nspname = ${schemaName} and c.relname = ${tableName} and c.relkind in ('r', 'p', 'v', 'm', 'f')
      and a.attnum > 0 and not a.attisdropped and age(a.xmin) < age(e.xmin)`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/**
 * The differences between a table and its definition. `since`: columns added after the last save.
 */
export function computeDrift(
  { fields }: Pick<EntityDefinition, 'fields'>,
  columns: readonly TableColumn[],
  since: ReadonlySet<string>,
): TableDrift {
  const byName = new Map(columns.map((column) => [column.columnName, column]))
  const named = fields.filter(({ columnName, uiType }) => columnName !== null && holdsValue(uiType))
  const used = new Set(named.map(({ columnName }) => columnName))
  const unused = columns
    .filter(({ columnName }) => !used.has(columnName) && !serverColumns.has(columnName))
    .map(({ columnName }) => columnName)
  return {
    unused,
    added: unused.filter((name) => since.has(name)),
    missing: [
      ...new Set(
        named.flatMap(({ columnName }) =>
          columnName !== null && !byName.has(columnName) ? [columnName] : [],
        ),
      ),
    ],
    changed: named.flatMap(({ columnName, columnType }) => {
      const column = columnName === null ? undefined : byName.get(columnName)
      return column === undefined ||
        columnName === null ||
        columnType === null ||
        normalizedType(columnType) === normalizedType(column.columnType)
        ? []
        : [{ columnName, from: columnType, to: column.columnType }]
    }),
  }
}
