// Loads a script of MySQL or MariaDB (mysqldump, mariadb-dump, Navicat, phpMyAdmin) into tables of
// PostgreSQL.
import { cutText } from '@jiaowu/api/cut-text'
import { type Kysely, sql } from 'kysely'
import type { ScriptResult } from '../run.ts'
import { formatScriptError, ScriptError } from '../script-error.ts'
import { alterTable, createIndex, makeTable } from './define.ts'
import { quoteName } from './expression.ts'
import { addKeys, finishTable } from './finish.ts'
import { insertRows } from './insert.ts'
import type { Load } from './load.ts'
import { createSession } from './session.ts'
import { type Statement, splitStatements } from './statements.ts'
import { readTokens, TokenReader } from './tokens.ts'
import { keepView, makeViews } from './views.ts'

/** Statements about the server of the script, its sessions and its locks. */
const notOurs =
  /^(--|(set|lock|unlock|start\s+transaction|begin|commit|flush|analyze|check\s+table|optimize|select|show|create\s+(database|schema)|drop\s+(database|schema)|alter\s+(database|schema)|grant|revoke|create\s+user|drop\s+(table|view|procedure|function|trigger|event|user|index)|delete\s+from|truncate)\b)/i
const routine =
  /^create\b[\s\S]*?\b(procedure|function|trigger|event)\s+(?:if\s+not\s+exists\s+)?(?:`[^`]+`\s*\.\s*)?(`[^`]+`|[\w$]+)/i

/** @throws ScriptError for the first statement that cannot be read or that the database refuses */
export async function runMysqlScript(
  db: Kysely<unknown>,
  chunks: AsyncIterable<Uint8Array>,
  { schema, now }: { readonly schema: string; readonly now: Date },
): Promise<ScriptResult> {
  const load: Load = {
    db,
    schema,
    now,
    tables: new Map(),
    views: new Map(),
    databases: new Set(),
    passed: [],
    session: createSession(),
    statements: 0,
    rows: 0,
  }
  await sql`create schema if not exists ${sql.raw(quoteName(schema))}`.execute(db)
  for await (const statement of splitStatements(chunks))
    await atLine(statement.line, () => runStatement(load, statement))
  for (const table of load.tables.values()) await atLine(table.line, () => finishTable(load, table))
  for (const table of load.tables.values()) await addKeys(load, table, ['foreign'])
  await makeViews(load)
  const { statements, rows, passed } = load
  return { statements, rows, passed }
}

async function atLine(line: number, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof ScriptError && /^line \d+: /.test(error.message)) throw error
    throw new ScriptError(`line ${line}: ${formatScriptError(error)}`, { cause: error })
  }
}

async function runStatement(load: Load, statement: Statement): Promise<void> {
  const { text, line } = statement
  load.statements += 1
  if (/^set\b/i.test(text)) load.session.set(text)
  const used = /^(?:use|create\s+database(?:\s+if\s+not\s+exists)?)\s+`?([^`\s;]+)/i.exec(text)?.[1]
  if (used !== undefined) load.databases.add(used)
  const found = routine.exec(text)
  if (found !== null && !/^create\s+(table|(or\s+replace\s+)?view)\b/i.test(text)) {
    const [, kind = '', name = ''] = found
    load.passed.push(`line ${line}: the ${kind.toLowerCase()} ${name} is left out`)
    return
  }
  if (/^insert\b|^replace\b/i.test(text)) return insertRows(load, statement)
  if (used !== undefined || notOurs.test(text)) return
  const reader = new TokenReader(readTokens(text))
  if (reader.take('create', 'table')) return makeTable(load, line, reader)
  if (reader.starts('create', 'temporary')) return
  if (reader.take('alter', 'table')) return alterTable(load, line, reader)
  if (keepView(load, line, reader)) return
  if (reader.take('create')) return createIndex(load, reader)
  throw new ScriptError(`${cutText(text, 60)} is a statement of MySQL that cannot be read`)
}
