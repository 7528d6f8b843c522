import type { Choice } from './choices.ts'
import type { InspectedTable } from './inspect.ts'

/** The table with the choices of columns whose maker knows them. */
export function withChoices(
  table: InspectedTable,
  choices: ReadonlyMap<string, readonly Choice[]>,
): InspectedTable {
  return {
    ...table,
    columns: table.columns.map((column) => {
      const known = choices.get(column.name)
      return known === undefined ? column : { ...column, choices: known }
    }),
  }
}
