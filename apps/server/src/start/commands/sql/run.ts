// Runs the statements of an SQL script in one transaction: tables for new entities, or a plain pg_dump.
import { cutText } from '@jiaowu/api/cut-text'
import { type Kysely, sql } from 'kysely'
import { type CopyTarget, copyRows, findTarget } from './copy.ts'
import { otherDialect } from './dialect.ts'
import type { Line } from './lines.ts'
import { formatScriptError, ScriptError } from './script-error.ts'
import { type Part, splitIntoParts } from './script.ts'
import { tryStatement } from './try-statement.ts'

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
/**
 * Statements of a dump about its own server: owners, rights, settings and extensions may be missing
 * here.
 */
const optional = new RegExp(
  [
    '(set|reset|grant|revoke|security\\s+label)\\s',
    'alter\\s[\\s\\S]*\\sowner\\s+to\\s+("([^"]|"")+"|[^\\s;]+)\\s*;?$',
    'alter\\s+(default\\s+privileges|role|user|system|event\\s+trigger|publication|subscription|extension)\\s',
    'comment\\s+on\\s+(extension|schema|database|role|language|event\\s+trigger|publication)\\s',
    'create\\s+(or\\s+replace\\s+)?((trusted\\s+)?(procedural\\s+)?language|event\\s+trigger)\\s',
    'select\\s+\\*\\s+from\\s+pg_catalog\\.pg_restore_\\w+_stats\\b',
    'create\\s+(extension|schema|role|user|tablespace|publication|subscription)\\s',
  ]
    .map((each) => `^${each}`)
    .join('|'),
  'i',
)
/** With --clean a dump first drops what may not be there. */
const drops = /^(drop\s|alter\s[\s\S]*\sdrop\s|select\s+pg_catalog\.lo_unlink\b)/i
const isAbsent = new Set(['42P01', '42703', '42704', '42883', '3F000'])
/** The keys that guard a dump against commands of psql in its data; they do nothing here. */
const guards = /^\\(un)?restrict\b/

/** @throws ScriptError for the first statement that the database refuses */
export async function runScript(
  db: Kysely<unknown>,
  lines: AsyncIterable<readonly Line[]>,
): Promise<ScriptResult> {
  const run: Run = { db, passed: [], statements: 0, rows: 0, copy: null }
  for await (const part of splitIntoParts(lines)) {
    try {
      await runPart(run, part)
    } catch (error) {
      if (error instanceof ScriptError) throw error
      const other = otherDialect(part.text)
      throw new ScriptError(
        `line ${part.line}: ${other === null ? formatScriptError(error) : `${other} (${formatScriptError(error)})`}`,
        { cause: error },
      )
    }
  }
  const { statements, rows, passed } = run
  return { statements, rows, passed }
}

interface Run {
  readonly db: Kysely<unknown>
  readonly passed: string[]
  statements: number
  rows: number
  /** The COPY whose rows are being read, by the line of its statement. */
  copy: { readonly line: number; readonly target: CopyTarget } | null
}

async function runPart(run: Run, part: Part): Promise<void> {
  const { db, passed } = run
  if (part.kind === 'psql') {
    if (!guards.test(part.text))
      passed.push(`line ${part.line}: ${cutText(part.text, 100)} is a command of psql`)
    return
  }
  if (part.kind === 'rows') {
    if (run.copy?.line !== part.line) {
      run.copy = { line: part.line, target: await findTarget(db, part) }
      run.statements += 1
    }
    await copyRows(db, run.copy.target, part.rows)
    run.rows += part.rows.length
    return
  }
  const { text } = part
  if (notOurs.test(text)) return
  if (optional.test(text)) await runOrPass(db, part, passed, (error) => !isForeign(error, text))
  else if (drops.test(text)) await runOrPass(db, part, passed, isOfAbsent)
  else await sql.raw(text).execute(db)
  run.statements += 1
}

function isOfAbsent(error: unknown): boolean {
  return isAbsent.has(readSqlState(error))
}

/**
 * A syntax error in what begins as a setting: a batch of SQL Server has no semicolons and may be
 * one statement with the whole file. A right of a newer PostgreSQL is a syntax error too.
 */
function isForeign(error: unknown, text: string): boolean {
  const isBatch = /^set\s/i.test(text) && text.includes('\n')
  return readSqlState(error) === '42601' && (isBatch || otherDialect(text) !== null)
}

function readSqlState(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

async function runOrPass(
  db: Kysely<unknown>,
  { line, text }: { readonly line: number; readonly text: string },
  passed: string[],
  mayPass: (error: unknown) => boolean,
): Promise<void> {
  const error = await tryStatement(db, text)
  if (error === null) return
  if (!mayPass(error)) throw error
  passed.push(`line ${line}: ${formatScriptError(error)}`)
}
