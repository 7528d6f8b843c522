// The rows that a row rule reads across a relation, and the person of the caller's account
// (docs/rules/security.md#rules-across-relations).
import { defaultTenant } from '@jiaowu/api/limits'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'
import type { CatalogTable } from '../../model/definition/catalog.ts'
import {
  allOf,
  always,
  columnRef,
  type Condition,
  never,
  rowAlias,
  tableName,
  formatTyped,
} from '../../model/definition/names.ts'
import { hasId, idText, isPossibleId, castKeyToText } from '../../model/definition/row-key.ts'
import { isSchoolColumn } from '../../model/definition/school-columns.ts'
import { chooseCast, type Column, familyOf } from '../../model/fields/column.ts'
import { baseRows, systemValue } from '../school-rows.ts'
import type { Aim } from './aimed-names.ts'
import type { Place, RuleRelations } from './row-expression.ts'
import { columnsOfRules } from './rule-columns.ts'

type Reader = Pick<Context, 'registry' | 'subject'>

/** @param onRead is told the tables that decide on the rows besides the table of the rule */
export function ruleRelations(
  { registry, subject }: Reader,
  onRead: (table: string) => void = () => {},
): RuleRelations {
  const { tenant, person } = subject
  return {
    rowsOf: (aim, from, alias) => {
      const table = registry.tableOf(aim.table)
      const key = keyColumns(table, aim)
      if (table === undefined || key === null) return undefined
      onRead(aim.table)
      const columnOf = columnsOfRules(table)
      return {
        from: sql`${tableName(table.schema, table.name)} as ${sql.id(alias)}`,
        // Rows of the recycle bin count: the relation still names them.
        on: allOf([
          rowsOfSchool(registry.ofTable(tenant, aim.table), table, tenant, alias),
          isNamedBy(key, alias, from),
        ]),
        placeOf: (name) => {
          const column = columnOf(name)
          return column === undefined ? undefined : { column, ref: columnRef(column.name, alias) }
        },
      }
    },
    personIn: (aim) => {
      if (person === null) return null
      const entity = registry.ofTable(tenant, aim.table).find(({ tag }) => tag === person.tag)
      const key = keyColumns(entity?.table, aim)
      if (entity === undefined || key === null || !isPossibleId(entity, person.id)) return null
      if (!entity.has('tenant_id') && tenant !== defaultTenant) return null
      onRead(aim.table)
      const row = allOf([baseRows(entity, tenant), hasId(entity, [person.id])])
      const table = sql`${tableName(entity.table.schema, entity.table.name)} as ${sql.id(rowAlias)}`
      const names = (columns: readonly Column[]) => columns.map(({ name }) => name).join('\u0000')
      return {
        isThere: sql`exists (select 1 from ${table} where ${row})`,
        // A relation may store another unique column than the one that names the person.
        id:
          names(key) === names(entity.key)
            ? person.id
            : sql`(select ${idText({ key, digest: null })} from ${table} where ${row})`,
      }
    },
  }
}

function keyColumns(table: CatalogTable | undefined, { key }: Aim): Column[] | null {
  const found = key.flatMap((name) => table?.columns.get(name) ?? [])
  return found.length === key.length && found.length > 0 ? found : null
}

/** The rows of the school, also those in the recycle bin. A table without schools is the first school's. */
function rowsOfSchool(
  entities: readonly LoadedEntity[],
  table: CatalogTable,
  tenant: string,
  alias: string,
): Condition {
  const column = table.columns.get('tenant_id')
  const entity = entities.find((each) => each.has('tenant_id'))
  if (column !== undefined && entity !== undefined)
    return sql`${columnRef(column.name, alias)} = ${systemValue(entity, 'tenant_id', tenant)}`
  if (column !== undefined && isSchoolColumn(table.schema, column))
    return sql`${columnRef(column.name, alias)} = ${formatTyped(tenant, chooseCast(column))}`
  return tenant === defaultTenant ? always : never
}

/** Compares the key of a row with a stored relation, by the index of the key where the types allow. */
function isNamedBy(key: readonly Column[], alias: string, { column, ref }: Place): Condition {
  const [only, ...more] = key
  if (only === undefined) return never
  if (more.length > 0) return sql`${idText({ key, digest: null }, alias)} = ${ref}::text`
  const [family, stored] = [familyOf(only), familyOf(column)]
  const own = columnRef(only.name, alias)
  if (family === stored && family !== 'other') return sql`${own} = ${ref}`
  return family === 'integer' && stored === 'text'
    ? sql`${own} = ${numberIn(ref)}`
    : sql`${castKeyToText(only, own)} = ${castKeyToText(column, ref)}`
}

function numberIn(ref: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(case when ${ref} ~ '^-?[0-9]{1,18}$' then ${ref}::int8
    when ${ref} ~ '^[0-9]{19}$' and ${ref} collate "C" <= '9223372036854775807' then ${ref}::int8 end)`
}
