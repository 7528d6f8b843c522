// Dictionaries of the school that have all values of a column.
import { sql } from 'kysely'
import type { Context } from '../../../model/context.ts'
import { loadDictionaries } from '../../../model/definition/dictionary.ts'
import { databaseOf } from '../../../platform/database/any-database.ts'
import { foldText } from '../../import/rows/fold.ts'

interface Wanted {
  readonly column: number
  readonly values: readonly string[]
}

/** Longer dictionaries are lists of places and names. */
const mostItems = 100

/** The code of the shortest dictionary by column. */
export async function findDictionaries(
  context: Context,
  wanted: readonly Wanted[],
): Promise<ReadonlyMap<number, string>> {
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<{ code: string }>`
    select d.code from sys.dict d
    where d.tenant_id in (0, ${context.subject.tenant}::int8) and d.deleted_at is null`.execute(
    databaseOf(context),
  )
  const known = await loadDictionaries(
    context,
    rows.map(({ code }) => code),
  )
  const names = [...known]
    .map(([code, items]) => ({ code, names: new Set(items.map(({ name }) => foldText(name))) }))
    .filter((each) => each.names.size > 1 && each.names.size <= mostItems)
    .toSorted((a, b) => a.names.size - b.names.size)
  return new Map(
    wanted.flatMap(({ column, values }) => {
      const found = names.find((each) => values.every((value) => each.names.has(foldText(value))))
      return found === undefined || values.length < 2 ? [] : [[column, found.code] as const]
    }),
  )
}
