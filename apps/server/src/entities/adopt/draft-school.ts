// A stranger's `tenant_id`: it may hold the school of a row, which only a person can know. The draft
// proposes it with the rows that would stay visible; without an answer it is an ordinary column.
import type { EntityDraft } from '@jiaowu/api/entity/definition/definition'
import { titleNames } from '@jiaowu/api/entity/title'
import { sql } from 'kysely'
import { isSchoolColumn } from '../../model/definition/school-columns.ts'
import { tableName } from '../../model/definition/names.ts'
import type { AnyDatabase } from '../../platform/database/any-database.ts'
import type { InspectedTable } from './inspect.ts'

/** Types that hold the number of a school. */
const numbers: readonly string[] = ['int4', 'int8']
/** Rows up to this number are counted. */
const countedRows = 10_000

/** The attrName of the column; null where there is none that could hold schools. */
export function proposedSchool(
  { schema, columns, catalog }: Pick<InspectedTable, 'schema' | 'columns' | 'catalog'>,
  key: readonly string[],
  { fields, tagField, parentField, options }: EntityDraft,
): string | null {
  const column = columns.find(({ name }) => name === 'tenant_id')
  const field = fields.find(({ columnName }) => columnName === 'tenant_id')
  if (column === undefined || field === undefined || catalog.isOfSchools === true) return null
  // Alone it names the tenants themselves.
  const isUsed =
    (key.length === 1 && key[0] === 'tenant_id') ||
    [tagField, parentField, ...titleNames(options?.titlePattern ?? '')].includes(field.attrName)
  return isUsed ||
    column.generated ||
    !numbers.includes(column.type) ||
    isSchoolColumn(schema, column)
    ? null
    : field.attrName
}

/** How many rows hold the school, by the place of the table; null beyond a number that is quickly counted. */
export async function countSchoolRows(
  db: AnyDatabase,
  tables: readonly Pick<InspectedTable, 'schema' | 'name'>[],
  tenant: string,
): Promise<readonly (number | null)[]> {
  if (tables.length === 0) return []
  const { rows } = await sql<{ n: string }>`
    ${sql.join(
      tables.map(
        ({ schema, name }, at) => sql`select ${at}::int4 as at, (
          select count(*) from (
            select 1 from ${tableName(schema, name)} where tenant_id = ${tenant}::int8
            limit ${countedRows + 1}
          ) as found
        ) as n`,
      ),
      sql` union all `,
    )} order by at`.execute(db)
  return rows.map(({ n }) => (Number(n) > countedRows ? null : Number(n)))
}
