// Statements that write many rows at once: each column is one array of texts (docs/rules/database.md#bulk-writes).
import { type RawBuilder, sql } from 'kysely'
import { identifier } from '../../../model/definition/names.ts'
import type { Column } from '../../../model/fields/column.ts'
import type { RowWrite } from '../writer.ts'
import type { Cells } from './cells.ts'

/** A row with its cells, in the order of the columns' names. */
export interface Filled {
  readonly row: RowWrite
  readonly cells: Cells
}

export function inOrder(cells: Cells): Cells {
  return new Map([...cells].toSorted(([a], [b]) => (a.name < b.name ? -1 : 1)))
}

/** The rows whose cells have the same names. */
export function byColumns(
  rows: readonly Filled[],
  nameOf: (column: Column, stored: unknown) => string = ({ name }) => name,
): Filled[][] {
  return [
    ...Map.groupBy(rows, ({ cells }) =>
      [...cells].map(([column, stored]) => nameOf(column, stored)).join(),
    ).values(),
  ]
}

/** The columns `c0`, `c1` … and `ord` of a source `u`. */
export function buildUnnest(lists: readonly (readonly (string | null)[])[]): RawBuilder<unknown> {
  return sql`unnest(${sql.join(lists.map((list) => sql`${list}::text[]`))}) with ordinality as u(${sql.join([...lists.map((_list, i) => identifier(`c${i}`)), identifier('ord')])})`
}
