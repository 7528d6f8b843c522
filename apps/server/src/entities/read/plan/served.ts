// Whether one index serves a list for every value that its condition may look for
// (docs/rules/database.md#plans-that-are-kept).
import { buildSortKeyName } from '../../../model/definition/catalog.ts'
import type { LoadedEntity } from '../../../model/definition/loaded.ts'

/** The casts with which a value is compared in the order of an index, by the type of the column. */
const comparable: Readonly<Record<string, string>> = {
  int2: 'int8',
  int4: 'int8',
  int8: 'int8',
  numeric: 'numeric',
  text: 'text',
  varchar: 'text',
  date: 'date',
  timestamp: 'timestamp',
  bool: 'boolean',
  uuid: 'uuid',
}
const equality = /^"t"\."((?:[^"]|"")+)" = \$\d+::(\w+)$/
const kept = '"t"."deleted_at" is null'
const term = /^(sys\.sort_key\()?"t"\."((?:[^"]|"")+)"(?:::text\))? (asc|desc)$/

/**
 * Whether the condition holds nothing but columns that equal one value each, and some index has those columns
 * first and then the order: each page is then read by that index, however many rows have the values.
 * @param where and `order` as compiled; what is not understood here answers false
 */
export function isServedByOneIndex(
  { table }: Pick<LoadedEntity, 'table'>,
  where: string,
  order: string,
): boolean {
  // Without parentheses, what is no list of equalities matches no equality.
  const parts = where.replaceAll(/[()]/g, '').split(' and ')
  const equal = new Set<string>()
  for (const part of parts) {
    if (part === kept) continue
    const [, name = '', cast] = equality.exec(part) ?? []
    const column = table.columns.get(unquoteName(name))
    if (column === undefined || comparable[column.type] !== cast) return false
    equal.add(column.name)
  }
  const terms = order.split(', ').map((each) => term.exec(each))
  const directions = new Set(terms.map((found) => found?.[3]))
  if (terms.includes(null) || directions.size !== 1) return false
  const sorted = terms.flatMap((found) => {
    const [, isKey, name = ''] = found ?? []
    const column = unquoteName(name)
    // Rows that are equal in it come in any order of it.
    if (equal.has(column)) return []
    return isKey === undefined ? column : buildSortKeyName(column)
  })
  return (table.orders ?? []).some(
    ({ columns, isLive }) =>
      isLive === parts.includes(kept) &&
      columns.slice(0, equal.size).every((name) => equal.has(name)) &&
      sorted.every((name, index) => columns[equal.size + index] === name),
  )
}

function unquoteName(name: string): string {
  return name.replaceAll('""', '"')
}
