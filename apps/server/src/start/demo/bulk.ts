import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/database/tables/tables.ts'

type Cell = string | null
/** A column to fill: its SQL type (a constant) and its value in each row. */
export interface Column<T> {
  /** The value of all rows, instead of one each. */
  readonly same?: string
  readonly type: string
  readonly of: (row: T) => Cell | number
}

const chunk = 1000

/**
 * `insert … select unnest(…)` with one parameter per column, the fastest way on both engines. Table and
 * column names are constants of this folder.
 */
export async function bulkInsert<T>(
  db: Kysely<Tables>,
  table: string,
  rows: readonly T[],
  columns: Readonly<Record<string, Column<NoInfer<T>>>>,
): Promise<void> {
  const names = Object.keys(columns)
  for (let at = 0; at < rows.length; at += chunk) {
    const part = rows.slice(at, at + chunk)
    const listed = Object.entries(columns).filter(([, { same }]) => same === undefined)
    const arrays = listed.map(
      ([, { of }]) =>
        sql`${part.map((row) => {
          const value = of(row)
          return value === null ? null : String(value)
        })}::text[]`,
    )
    const targets = sql.join(names.map((name) => sql.ref(name)))
    const values = sql.join(
      Object.entries(columns).map(
        ([name, { type, same }]) =>
          sql`${same === undefined ? sql.ref(`x.${name}`) : same}::${sql.raw(type)}`,
      ),
    )
    await sql`insert into ${sql.table(table)} (${targets})
      select ${values} from unnest(${sql.join(arrays)}) as x(${sql.join(
        listed.map(([name]) => sql.ref(name)),
      )})`.execute(db)
  }
}

export const defineTextColumn = <T>(of: Column<T>['of']): Column<T> => ({ type: 'text', of })
export const sameBig = <T>(value: string): Column<T> => ({
  type: 'bigint',
  of: () => value,
  same: value,
})
export const big = <T>(of: Column<T>['of']): Column<T> => ({ type: 'bigint', of })
export const decimal = <T>(of: Column<T>['of']): Column<T> => ({ type: 'numeric', of })
export const day = <T>(of: Column<T>['of']): Column<T> => ({ type: 'date', of })
export function defineListColumn<T>(of: (row: T) => readonly string[]): Column<T> {
  return {
    type: 'text[]',
    of: (row) => `{${of(row).join(',')}}`,
  }
}
