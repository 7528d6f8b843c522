// Finds the relations that a function reads besides its arguments. The database does not keep it,
// so the text of the function answers: every table whose name occurs in it counts as read.

export interface KnownRelation {
  /** `biz.student`. */
  readonly table: string
  readonly isOwn: boolean
  /** By number. */
  readonly columns: ReadonlyMap<number, string>
}

export interface FunctionText {
  readonly id: number
  readonly name: string
  /** By PostgreSQL's rules it reads nothing but its arguments. */
  readonly isImmutable: boolean
  /** Null in languages that cannot be read. */
  readonly text: string | null
  /** The functions of an aggregate; null for others. */
  readonly calls: readonly number[] | null
}

/** Words of texts that may run any statement. */
const running =
  /^(execute|query_to_xml\w*|table_to_xml\w*|cursor_to_xml\w*|schema_to_xml\w*|database_to_xml\w*|ts_stat|ts_rewrite|dblink\w*)$/
const word = /[\p{L}_][\p{L}\p{N}_$]*/gu
const isPlainName = /^[\p{Ll}\p{Lo}_][\p{Ll}\p{Lo}\p{N}_$]*$/u

/**
 * Answers the tables and views that a function reads. Null for one that may read tables of the product, or any: of
 * another language than SQL and PL/pgSQL, or one that runs statements that it makes. Functions that the database ships
 * and those that are declared immutable read none.
 */
export function readingOfFunctions(
  functions: readonly FunctionText[],
  relations: ReadonlyMap<number, KnownRelation>,
): (called: number) => readonly number[] | null {
  const byId = new Map(functions.map((each) => [each.id, each]))
  const byName = Map.groupBy(functions, ({ name }) => name.toLowerCase())
  const named = [...relations]
    .filter(([, { table }]) => !table.startsWith('pg_catalog.'))
    .map(([id, { table, isOwn }]) => ({ id, isOwn, name: table.slice(table.indexOf('.') + 1) }))
  const known = new Map<number, readonly number[] | null>()
  const readsOf = (called: number, open: ReadonlySet<number>): readonly number[] | null => {
    const its = byId.get(called)
    if (its === undefined || its.isImmutable || open.has(called)) return []
    const further = new Set([...open, called])
    const inside = (ids: readonly number[]): readonly number[] | null => {
      const found = ids.map((id) => readsOf(id, further))
      return found.includes(null) ? null : found.flatMap((each) => each ?? [])
    }
    if (its.calls !== null) return inside(its.calls)
    if (its.text === null) return null
    const text = its.text.toLowerCase()
    const words = new Set(text.match(word))
    if ([...words].some((each) => running.test(each))) return null
    const tables = named.filter(({ name }) =>
      isPlainName.test(name) ? words.has(name) : text.includes(name.toLowerCase()),
    )
    if (tables.some(({ isOwn }) => isOwn)) return null
    const calls = inside([...words].flatMap((each) => byName.get(each) ?? []).map(({ id }) => id))
    return calls === null ? null : [...new Set([...tables.map(({ id }) => id), ...calls])]
  }
  return (called) => {
    const found = known.has(called) ? (known.get(called) ?? null) : readsOf(called, new Set())
    known.set(called, found)
    return found
  }
}
