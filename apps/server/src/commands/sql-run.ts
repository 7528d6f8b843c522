// Runs the statements of an SQL script in one transaction: tables for new entities, or a plain pg_dump.
import { type Kysely, sql } from 'kysely'
import { type Statement, statementsOf } from './sql-script.ts'

/** An error of a statement. The message names the line of the file and what the database said. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError'
}

/** The script as text, in the encoding that a dump names. */
export function decodeScript(bytes: Uint8Array): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 16_384))
  const named = /^\s*set\s+client_encoding\s*(?:=|to)\s*'?([\w-]+)'?/im.exec(head)?.[1] ?? 'utf8'
  const label = named
    .toLowerCase()
    .replace(/^latin1$/, 'iso-8859-1')
    .replace(/^win(\d+)$/, 'windows-$1')
    .replace(/^(?:sql_ascii|unicode)$/, 'utf-8')
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

export interface ScriptResult {
  readonly statements: number
  readonly rows: number
  /** Statements that were passed over, each with its line and the reason. */
  readonly passed: readonly string[]
}

/**
 * The transaction is that of the command, databases cannot be made in one, and the text is decoded
 * before it is sent.
 */
const notOurs =
  /^(set\s+client_encoding|begin|start\s+transaction|commit|end|vacuum|(create|drop|alter)\s+database)\b/i
/** What a dump says about its own server: owners, rights, settings and extensions may be missing here. */
const optional =
  /^(set\s|reset\s|alter\s+(table|sequence|view|materialized\s+view|function|procedure|aggregate|type|domain|schema|foreign\s+table)\s.+\sowner\s+to\s|alter\s+default\s+privileges|grant\s|revoke\s|comment\s+on\s+extension|create\s+extension|create\s+schema\s|create\s+(or\s+replace\s+)?(procedural\s+)?language\s)/i
const rowsAtOnce = 1_000

/** @throws ScriptError for the first statement that the database refuses */
export async function runScript(db: Kysely<unknown>, script: string): Promise<ScriptResult> {
  const passed: string[] = []
  let [statements, rows] = [0, 0]
  for (const statement of statementsOf(script)) {
    const { line, text } = statement
    const plain = text.replace(/^(?:\s*--[^\n]*(?:\n|$)|\s*\/\*[\s\S]*?\*\/)*\s*/, '')
    if (notOurs.test(plain)) continue
    try {
      if (statement.rows !== null) rows += await copyRows(db, statement)
      else if (optional.test(plain)) await tryStatement(db, statement, passed)
      else await sql.raw(text).execute(db)
      statements += 1
    } catch (error) {
      if (error instanceof ScriptError) throw error
      throw new ScriptError(`line ${line}: ${messageOf(error)}`, { cause: error })
    }
  }
  return { statements, rows, passed }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

async function tryStatement(
  db: Kysely<unknown>,
  { line, text }: Statement,
  passed: string[],
): Promise<void> {
  await sql`savepoint optional`.execute(db)
  try {
    await sql.raw(text).execute(db)
    await sql`release savepoint optional`.execute(db)
  } catch (error) {
    await sql`rollback to savepoint optional`.execute(db)
    passed.push(`line ${line}: ${messageOf(error)}`)
  }
}

const target =
  /^copy\s+((?:"(?:[^"]|"")+"|[^\s(."]+)(?:\.(?:"(?:[^"]|"")+"|[^\s("]+))?)\s*(?:\(([\s\S]*?)\))?\s*from\s+stdin\s*(.*?);?$/i

/** The rows of a COPY block in its text format, as inserts: the driver has no COPY. */
async function copyRows(db: Kysely<unknown>, { line, text, rows }: Statement): Promise<number> {
  const found = target.exec(text.trim())
  if (found === null || (found[3] ?? '').trim() !== '')
    throw new ScriptError(`line ${line}: only COPY in text format without options can be read`)
  const [, table = '', list] = found
  const wanted = list === undefined ? null : namesIn(list)
  const { rows: columns } = await sql<{ name: string; quoted: string; type: string }>`
    select a.attname::text as name, quote_ident(a.attname) as quoted, format_type(a.atttypid, a.atttypmod) as type
    from pg_catalog.pg_attribute a
    where a.attrelid = ${table}::text::regclass and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = '' order by a.attnum`.execute(db)
  const chosen =
    wanted === null
      ? columns
      : wanted.flatMap((name) => columns.find((column) => column.name === name) ?? [])
  if (wanted !== null && chosen.length !== wanted.length)
    throw new ScriptError(`line ${line}: the table ${table} lacks one of the columns (${list})`)
  for (let at = 0; at < (rows ?? []).length; at += rowsAtOnce) {
    const part = (rows ?? []).slice(at, at + rowsAtOnce).map((row) => row.split('\t').map(cellOf))
    const odd = part.findIndex((cells) => cells.length !== chosen.length)
    if (odd >= 0)
      throw new ScriptError(
        `line ${line + at + odd + 1}: ${part[odd]?.length} values for ${chosen.length} columns`,
      )
    const lists = chosen.map((_column, i) => sql`${part.map((cells) => cells[i] ?? null)}::text[]`)
    try {
      await sql`
        insert into ${sql.raw(table)} (${sql.raw(chosen.map(({ quoted }) => quoted).join(', '))})
        overriding system value
        select ${sql.raw(chosen.map(({ type }, i) => `u.c${i}::${type}`).join(', '))}
        from unnest(${sql.join(lists)}) as u(${sql.raw(chosen.map((_column, i) => `c${i}`).join(', '))})`.execute(
        db,
      )
    } catch (error) {
      throw new ScriptError(
        `lines ${line + at + 1} to ${line + at + part.length}: ${messageOf(error)}`,
        {
          cause: error,
        },
      )
    }
  }
  return (rows ?? []).length
}

/** The names of a column list as the catalog has them. */
function namesIn(list: string): string[] {
  return [...list.matchAll(/"((?:[^"]|"")+)"|[^\s,]+/g)].map(
    ([name, quoted]) => quoted?.replaceAll('""', '"') ?? name.toLowerCase(),
  )
}

const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** A value of the text format of COPY; null for `\N`. */
function cellOf(text: string): string | null {
  if (text === '\\N') return null
  return text.includes('\\')
    ? text.replace(/\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)/g, (_all, code: string) =>
        /^x./.test(code)
          ? String.fromCharCode(Number.parseInt(code.slice(1), 16))
          : /^[0-7]/.test(code)
            ? String.fromCharCode(Number.parseInt(code, 8))
            : (escapes[code] ?? code),
      )
    : text
}
