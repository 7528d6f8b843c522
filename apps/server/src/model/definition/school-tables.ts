// A table from elsewhere whose rows belong to schools, as one school sees it: its keys name a row
// without the column of the school (docs/rules/database.md#the-school-in-every-key-and-statement).
import type { CatalogTable } from './catalog.ts'

const known = new WeakMap<CatalogTable, CatalogTable>()

/** The same object for the same table. */
export function withinSchool(table: CatalogTable): CatalogTable {
  const found = known.get(table) ?? withoutSchool(table)
  known.set(table, found)
  return found
}

function withoutSchool(table: CatalogTable): CatalogTable {
  const keySets = (table.keySets ?? [])
    .map((names) => names.filter((name) => name !== 'tenant_id'))
    .filter(({ length }) => length > 0)
  const keys = new Set(keySets.filter(({ length }) => length === 1).flat())
  return { ...table, keySets, keys, isOfSchools: true }
}
