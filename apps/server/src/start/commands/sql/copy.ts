// Writes the rows of a COPY block in its text format as inserts: the driver has no COPY.
import { type Kysely, sql } from 'kysely'
import type { Line } from './lines.ts'
import { formatScriptError, ScriptError } from './script-error.ts'

export interface CopyTarget {
  /** As the statement writes it. */
  readonly table: string
  readonly columns: readonly { readonly quoted: string; readonly type: string }[]
}

const statement =
  /^copy\s+((?:"(?:[^"]|"")+"|[^\s(."]+)(?:\.(?:"(?:[^"]|"")+"|[^\s("]+))?)\s*(?:\(([\s\S]*?)\))?\s*from\s+stdin\s*(.*?);?$/i

/** @throws ScriptError for options of COPY, and for columns that the table lacks */
export async function findTarget(
  db: Kysely<unknown>,
  { line, text }: { readonly line: number; readonly text: string },
): Promise<CopyTarget> {
  const found = statement.exec(text.trim())
  if (found === null || (found[3] ?? '').trim() !== '')
    throw new ScriptError(`line ${line}: only COPY in text format without options can be read`)
  const [, table = '', list] = found
  const wanted = list === undefined ? null : listColumnNames(list)
  const { rows: columns } = await sql<{ name: string; quoted: string; type: string }>`
    select a.attname::text as name, quote_ident(a.attname) as quoted, format_type(a.atttypid, a.atttypmod) as type
    from pg_catalog.pg_attribute a
    where a.attrelid = ${table}::text::regclass and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = '' order by a.attnum`.execute(db)
  const chosen = (wanted ?? columns.map(({ name }) => name)).map((name) => {
    const column = columns.find((each) => each.name === name)
    if (column === undefined)
      throw new ScriptError(`line ${line}: the table ${table} lacks the column ${name}`)
    return column
  })
  return { table, columns: chosen }
}

/** @throws ScriptError that names the line of the first row that the database refuses */
export async function copyRows(
  db: Kysely<unknown>,
  target: CopyTarget,
  lines: readonly Line[],
): Promise<void> {
  if (lines.length === 0) return
  const rows = lines.map(({ number, text }) => {
    const cells = target.columns.length === 0 && text === '' ? [] : text.split('\t').map(decodeCell)
    if (cells.length !== target.columns.length)
      throw new ScriptError(
        `line ${number}: ${cells.length} values for ${target.columns.length} columns`,
      )
    return { number, cells }
  })
  await insertCells(db, target, rows)
}

/**
 * Inserts rows of texts; `ignores` leaves out those whose key is there already.
 * @throws ScriptError that names the line of the first row that the database refuses
 */
export async function insertCells(
  db: Kysely<unknown>,
  target: CopyTarget,
  rows: readonly Cells[],
  ignores = false,
): Promise<void> {
  if (rows.length === 0) return
  const tryRows = (some: readonly Cells[]) => tryInsert(db, target, some, ignores)
  if ((await tryRows(rows)) === null) return
  // Half of the rows that are left go in, or are known to hold the first wrong row.
  let [from, to] = [0, rows.length]
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2)
    if ((await tryRows(rows.slice(from, middle))) === null) from = middle
    else to = middle
  }
  const error = await tryRows(rows.slice(from, to))
  throw new ScriptError(`line ${rows[from]?.number ?? 0}: ${formatScriptError(error)}`, {
    cause: error,
  })
}

/** The texts of a row, each cast to the type of its column, and the line of the script. */
export interface Cells {
  readonly number: number
  readonly cells: readonly (string | null)[]
}

/** The refusal of the database; `null` when the rows are in. */
async function tryInsert(
  db: Kysely<unknown>,
  target: CopyTarget,
  rows: readonly Cells[],
  ignores: boolean,
) {
  await sql`savepoint rows`.execute(db)
  try {
    await insert(db, target, rows, ignores)
    await sql`release savepoint rows`.execute(db)
    return null
  } catch (error) {
    await sql`rollback to savepoint rows`.execute(db)
    return error
  }
}

async function insert(
  db: Kysely<unknown>,
  { table, columns }: CopyTarget,
  rows: readonly Cells[],
  ignores: boolean,
): Promise<void> {
  if (columns.length === 0) {
    await sql`insert into ${sql.raw(table)} select from generate_series(1, ${rows.length}::int)`.execute(
      db,
    )
    return
  }
  const lists = columns.map(
    (_column, i) => sql`${rows.map(({ cells }) => cells[i] ?? null)}::text[]`,
  )
  await sql`
    insert into ${sql.raw(table)} (${sql.raw(columns.map(({ quoted }) => quoted).join(', '))})
    overriding system value
    select ${sql.raw(columns.map(({ type }, i) => `u.c${i}::${type}`).join(', '))}
    from unnest(${sql.join(lists)}) as u(${sql.raw(columns.map((_column, i) => `c${i}`).join(', '))})
    ${sql.raw(ignores ? 'on conflict do nothing' : '')}`.execute(db)
}

/** The names of a column list as the catalog has them. */
function listColumnNames(list: string): string[] {
  return [...list.matchAll(/"((?:[^"]|"")+)"|[^\s,]+/g)].map(
    ([name, quoted]) => quoted?.replaceAll('""', '"') ?? name.toLowerCase(),
  )
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
])

/** A value of the text format of COPY; null for `\N`. */
function decodeCell(text: string): string | null {
  if (text === '\\N') return null
  return text.includes('\\')
    ? text.replace(/\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)/g, (_all, code: string) =>
        /^x./.test(code)
          ? String.fromCharCode(Number.parseInt(code.slice(1), 16))
          : /^[0-7]/.test(code)
            ? String.fromCharCode(Number.parseInt(code, 8))
            : (escapes.get(code) ?? code),
      )
    : text
}
