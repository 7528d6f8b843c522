// Where the columns and rows of a view come from, so that what protects a table protects every view over it
// (docs/rules/security.md#views).
import type { Kysely } from 'kysely'
import { traceColumn } from './column-origins.ts'
import { type KnownObjects, readObjects } from './read-objects.ts'
import { rowsOfView } from './row-origins.ts'

interface BaseColumnName {
  /** `biz.student`. */
  readonly table: string
  readonly column: string
}
export interface ColumnOrigin {
  readonly bases: readonly BaseColumnName[]
  /** Its values are those of a base column or constants; else they are computed. */
  readonly isCopy: boolean
  /** It cannot be said from which columns it is computed. */
  readonly isUnknown: boolean
}
/** A table whose rows stand behind those of the view. */
export interface RowSource {
  readonly table: string
  /**
   * By the column of the table, the column of the view that holds its value for the same row; its value is null where
   * the view has no row of the table.
   */
  readonly columns: ReadonlyMap<string, string>
}
export interface TableOrigins {
  readonly columns: ReadonlyMap<string, ColumnOrigin>
  readonly sources: readonly RowSource[]
  /** Some rows come from where they cannot be followed. */
  readonly isUnknown: boolean
}

/** Reads the origins of all views outside of the database's own catalog, by `schema.view`. */
export async function readOrigins(db: Kysely<unknown>): Promise<ReadonlyMap<string, TableOrigins>> {
  const objects = await readObjects(db)
  return objects === null
    ? new Map()
    : new Map(
        [...objects.views.keys()].flatMap((view) => {
          const table = objects.relations.get(view)?.table
          return table === undefined ? [] : [[table, findOrigins(objects, view)] as const]
        }),
      )
}

function findOrigins(objects: KnownObjects, view: number): TableOrigins {
  const { origins, isUnknown } = rowsOfView(objects, view)
  const own = objects.relations.get(view)?.columns ?? new Map<number, string>()
  const sources = origins.map(({ relation, columns }): RowSource => {
    const its = objects.relations.get(relation)
    return {
      table: its?.table ?? '',
      columns: new Map(
        [...columns].flatMap(([column, [first = 0]]) => {
          const [name, shown] = [its?.columns.get(column), own.get(first)]
          return name === undefined || shown === undefined ? [] : [[name, shown] as const]
        }),
      ),
    }
  })
  const seen = new Set<string>()
  const columns = new Map(
    [...own].map(([number, name]) => [name, originOfColumn(objects, view, number)]),
  )
  const known = new Set(sources.map(({ table }) => table))
  // Reads of a called function show values of rows, but not of which.
  const called = [...columns.values()]
    .flatMap(({ bases }) => bases.map(({ table }) => table))
    .filter((table) => !known.has(table))
  return {
    isUnknown,
    columns,
    sources: [
      ...sources,
      ...called.map((table) => ({ table, columns: new Map<string, string>() })),
    ].filter(({ table, columns }) => {
      const key = `${table} ${[...columns].flat().join(' ')}`
      return seen.has(key) ? false : seen.add(key)
    }),
  }
}

function originOfColumn(objects: KnownObjects, view: number, column: number): ColumnOrigin {
  const { bases, isCopy, isUnknown } = traceColumn(objects, view, column)
  const named = [...bases.values()].map(({ relation, column: number }) => {
    const its = objects.relations.get(relation)
    const name = its?.columns.get(number)
    return its === undefined || name === undefined ? null : { table: its.table, column: name }
  })
  return {
    bases: named.filter((each) => each !== null),
    isCopy,
    // A base that has no name cannot be judged.
    isUnknown: isUnknown || named.includes(null),
  }
}
