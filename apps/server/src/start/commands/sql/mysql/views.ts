// Views of a script of MySQL, made when all tables are there.
import { sql } from 'kysely'
import { quoteName, writeExpression } from './expression.ts'
import { type Load, runOptional } from './load.ts'
import { readTableName } from './table.ts'
import { isWord, type Token, type TokenReader } from './tokens.ts'

/** Keeps the last query of a view; mysqldump first writes one with the columns alone. */
export function keepView(load: Load, line: number, reader: TokenReader): boolean {
  const isView = reader.starts('create') || reader.starts('alter')
  if (!isView) return false
  for (let ahead = 1; ahead < 40; ahead += 1) {
    const token = reader.peek(ahead)
    if (token === undefined || isWord(token, 'as') || isWord(token, 'index')) return false
    if (!isWord(token, 'view')) continue
    for (let taken = 0; taken <= ahead; taken += 1) reader.next()
    const name = readTableName(reader)
    if (isWord(reader.peek(), '(')) reader.inParentheses()
    reader.expect('as')
    const query: Token[] = []
    for (let next = reader.next(); next !== undefined; next = reader.next()) query.push(next)
    load.views.set(name, { line, query })
    return true
  }
  return false
}

/** Views may read views: what fails is tried again as long as one succeeds. */
export async function makeViews(load: Load): Promise<void> {
  if (load.views.size === 0) return
  const { rows } = await sql<{
    path: string
  }>`select current_setting('search_path') as path`.execute(load.db)
  // Their queries name tables without a schema.
  await setSearchPath(load, quoteName(load.schema))
  let left = [...load.views].map(([name, view]) => ({ name, ...view, refusal: '' }))
  for (let before = -1; before !== left.length;) {
    before = left.length
    const failed: typeof left = []
    for (const view of left) {
      const query = writeExpression(view.query, load.databases)
      const text = `create view ${quoteName(load.schema)}.${quoteName(view.name)} as ${query}`
      const refusal = await runOptional(load.db, text)
      if (refusal !== null) failed.push({ ...view, refusal })
    }
    left = failed
  }
  await setSearchPath(load, rows[0]?.path ?? 'public')
  for (const { name, line, refusal } of left)
    load.passed.push(`line ${line}: the view ${name} is left out (${refusal})`)
}

async function setSearchPath({ db }: Load, path: string): Promise<void> {
  await sql`select set_config('search_path', ${path}, true)`.execute(db)
}
