// INSERT of a script of MySQL.
import { sql } from 'kysely'
import { type Cells, insertCells } from '../copy.ts'
import { formatScriptError, ScriptError } from '../script-error.ts'
import { findTable, findTarget, type Load, type LoadedTable } from './load.ts'
import type { Statement } from './statements.ts'
import { readTableName } from './table.ts'
import type { Target } from './tables.ts'
import { isWord, readTokens, type Token, TokenReader } from './tokens.ts'
import { type Change, writeValue } from './values.ts'

const rowsAtOnce = 1_000

export async function insertRows(load: Load, { line, text }: Statement): Promise<void> {
  const tokens = readTokens(text)
  const head = readInsertHead(tokens)
  const table = findTable(load, head.table)
  const targets =
    head.columns === null ? table.targets : head.columns.map((name) => findTarget(table, name))
  const kept = targets.flatMap((target, at) => (target.isGenerated ? [] : [{ target, at }]))
  const columns = kept.map(({ target: { quoted, type } }) => ({ quoted, type }))
  const changed: { readonly name: string; readonly reason: Change }[] = []
  let rows: Cells[] = []
  const write = async (): Promise<void> => {
    for (const { name, reason } of changed.splice(0)) await noteChange(load, table, name, reason)
    await insertCells(load.db, { table: table.quoted, columns }, rows, head.ignores)
    load.rows += rows.length
    rows = []
  }
  let newlines = 0
  let counted = 0
  for (const { at, values } of readRows(tokens)) {
    for (; counted < at; counted += 1) if (text.charCodeAt(counted) === 10) newlines += 1
    const number = line + newlines
    if (values.length !== targets.length)
      throw new ScriptError(
        `line ${number}: ${values.length} values for ${targets.length} columns of ${table.name}`,
      )
    const cells = kept.map(({ target, at: index }) =>
      writeCell(load, table, target, values[index] ?? [], number, (reason) =>
        changed.push({ name: target.column.name, reason }),
      ),
    )
    rows.push({ number, cells })
    if (rows.length >= rowsAtOnce) await write()
  }
  await write()
}

function writeCell(
  load: Load,
  table: LoadedTable,
  { column, family }: Target,
  value: readonly Token[],
  line: number,
  change: (reason: Change) => void,
): string | null {
  try {
    const cell = writeValue(
      value,
      { family, options: column.type === 'enum' ? column.size : [] },
      { zone: load.session.zone, now: load.now, change },
    )
    if (!column.isAuto) return cell
    // NULL and 0 ask MySQL for the next number.
    const isAsked = cell === null || (Number(cell) === 0 && !load.session.keepsZero)
    const given = isAsked ? Math.max(1, table.nextNumber) : Number(cell)
    if (given >= table.nextNumber) table.nextNumber = given + 1
    return isAsked ? String(given) : cell
  } catch (error) {
    throw new ScriptError(
      `line ${line}: ${table.name}.${column.name} ${formatScriptError(error)}`,
      {
        cause: error,
      },
    )
  }
}

interface InsertHead {
  readonly table: string
  readonly columns: readonly string[] | null
  /** INSERT IGNORE: rows of a key that is there already are left out. */
  readonly ignores: boolean
}

function readInsertHead(tokens: Iterator<Token>): InsertHead {
  const head: Token[] = []
  for (let next = tokens.next(); ; next = tokens.next()) {
    if (next.done === true) throw new ScriptError('an insert without VALUES cannot be read')
    if (isWord(next.value, 'values') || isWord(next.value, 'value')) break
    if (isWord(next.value, 'select') || isWord(next.value, 'set'))
      throw new ScriptError(`insert … ${next.value.text} cannot be read; only VALUES can`)
    head.push(next.value)
  }
  const reader = new TokenReader(head)
  reader.next()
  let ignores = false
  while (!reader.take('into')) {
    if (reader.take('ignore')) ignores = true
    else if (reader.peek()?.kind !== 'word' || reader.peek(1) === undefined) break
    else if (['low_priority', 'delayed', 'high_priority'].some((word) => reader.starts(word)))
      reader.next()
    else break
  }
  if (reader.take('ignore')) ignores = true
  const table = readTableName(reader)
  if (!isWord(reader.peek(), '(')) return { table, columns: null, ignores }
  const columns = reader
    .inParentheses()
    .flatMap((token) => (isWord(token, ',') ? [] : [token.text]))
  return { table, columns, ignores }
}

/** The rows of VALUES with the tokens of each value. */
function* readRows(
  tokens: Iterator<Token>,
): Generator<{ readonly at: number; readonly values: Token[][] }> {
  let [depth, at]: [number, number] = [0, 0]
  let values: Token[][] = []
  for (let next = tokens.next(); next.done !== true; next = tokens.next()) {
    const token = next.value
    const isMark = token.kind === 'mark'
    if (depth === 0) {
      if (isMark && token.text === '(') {
        depth = 1
        at = token.at
        values = [[]]
      } else if (isWord(token, 'on') || isWord(token, 'as')) return
      continue
    }
    if (isMark && token.text === '(') depth += 1
    if (isMark && token.text === ')') depth -= 1
    if (depth === 0) yield { at, values }
    else if (depth === 1 && isMark && token.text === ',') values.push([])
    else values.at(-1)?.push(token)
  }
}

const changeWords: Readonly<Record<Change, string>> = {
  'zero date': 'dates without a day (0000-00-00) are empty',
  NUL: 'characters of code 0 are left out, which PostgreSQL cannot hold',
  'no option': 'values that are none of the options are empty',
}

/** Counts a value that is stored otherwise; a column that must not be empty becomes optional. */
async function noteChange(
  { db }: Load,
  table: LoadedTable,
  name: string,
  reason: Change,
): Promise<void> {
  const key = `${table.name}.${name}: ${changeWords[reason]}`
  table.changes.set(key, (table.changes.get(key) ?? 0) + 1)
  const { column, quoted } = findTarget(table, name)
  if (reason === 'NUL' || !column.isRequired || table.relaxed.has(name)) return
  table.relaxed.add(name)
  await sql.raw(`alter table ${table.quoted} alter column ${quoted} drop not null`).execute(db)
}
