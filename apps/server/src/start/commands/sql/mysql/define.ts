// CREATE TABLE, ALTER TABLE and CREATE INDEX of a script of MySQL.
import { sql } from 'kysely'
import { ScriptError } from '../script-error.ts'
import { quoteName } from './expression.ts'
import { findTable, findTarget, type Load, type LoadedTable, runOptional } from './load.ts'
import {
  type Column,
  type KeyPart,
  readColumn,
  readKey,
  readTable,
  readTableName,
} from './table.ts'
import { listTargets, writeAddColumn, writeCreateTable, writeDefault } from './tables.ts'
import { isWord, splitAtCommas, type Token, TokenReader } from './tokens.ts'

export async function makeTable(load: Load, line: number, reader: TokenReader): Promise<void> {
  const { db, tables, schema, passed } = load
  const table = readTable(reader)
  const quoted = `${quoteName(schema)}.${quoteName(table.name)}`
  const { rows } = await sql`select from pg_catalog.pg_class
    where oid = to_regclass(${quoted})`.execute(db)
  if (rows.length > 0)
    throw new ScriptError(
      `the table ${schema}.${table.name} is there already, and a script of MySQL replaces none; ` +
        'drop it, or load the script into another schema with --schema NAME',
    )
  let targets = listTargets(table, ({ generated }) => generated !== null)
  const refusal = await runOptional(db, writeCreateTable(quoted, table, targets))
  if (refusal !== null) {
    const generated = targets.filter(({ isGenerated }) => isGenerated)
    if (generated.length === 0) throw new ScriptError(refusal)
    targets = listTargets(table, () => false)
    await sql.raw(writeCreateTable(quoted, table, targets)).execute(db)
    for (const { column } of generated)
      passed.push(
        `line ${line}: ${table.name}.${column.name} is an ordinary column, its expression is left out (${refusal})`,
      )
  }
  for (const target of targets) {
    const set = writeDefault(quoted, target)
    const failure = set === null ? null : await runOptional(db, set)
    if (failure !== null)
      passed.push(
        `line ${line}: the default of ${table.name}.${target.column.name} is left out (${failure})`,
      )
  }
  tables.set(table.name.toLowerCase(), {
    name: table.name,
    quoted,
    line,
    targets,
    keys: table.keys.filter(({ kind }) => kind !== 'primary'),
    comment: table.comment,
    nextNumber: table.nextNumber,
    relaxed: new Set(),
    changes: new Map(),
  })
}

/** `add` of keys, and `modify` that makes a column count, as phpMyAdmin writes them after the rows. */
export async function alterTable(load: Load, line: number, reader: TokenReader): Promise<void> {
  const table = findTable(load, readTableName(reader))
  while (reader.peek() !== undefined) {
    const part: Token[] = []
    for (let depth = 0; ;) {
      const token = reader.next()
      if (token === undefined || (depth === 0 && isWord(token, ','))) break
      if (isWord(token, '(')) depth += 1
      if (isWord(token, ')')) depth -= 1
      part.push(token)
    }
    const inside = new TokenReader(part)
    if (inside.take('add')) {
      const key = readKey(inside)
      if (key?.kind === 'primary') await addPrimaryKey(load, table, key.parts)
      else if (key !== null) table.keys.push(key)
      else await addColumn(load, table, inside)
    } else if (inside.take('drop')) await dropKey(load, table, line, inside)
    else if (inside.starts('modify') || inside.starts('change')) {
      const isRenamed = inside.take('change')
      if (!isRenamed) inside.next()
      inside.take('column')
      const old = isRenamed ? inside.name() : null
      const { column } = readColumn(inside)
      await changeColumn(load, table, old ?? column.name, column)
    } else if (inside.take('auto_increment')) {
      inside.take('=')
      table.nextNumber = Number(inside.next()?.text)
    }
  }
}

async function dropKey(
  load: Load,
  table: LoadedTable,
  line: number,
  reader: TokenReader,
): Promise<void> {
  if (reader.take('primary', 'key')) {
    const { rows } = await sql<{ name: string }>`
      select quote_ident(conname) as name from pg_catalog.pg_constraint
      where contype = 'p' and conrelid = to_regclass(${table.quoted})`.execute(load.db)
    for (const { name } of rows)
      await sql.raw(`alter table ${table.quoted} drop constraint ${name}`).execute(load.db)
  } else if (reader.take('index') || reader.take('key') || reader.take('foreign', 'key')) {
    const name = reader.name()
    table.keys = table.keys.filter((key) => key.name !== name)
  } else load.passed.push(`line ${line}: what alter table drops from ${table.name} is still there`)
}

function addPrimaryKey(
  { db }: Load,
  table: LoadedTable,
  parts: readonly KeyPart[],
): Promise<unknown> {
  const columns = parts.map((part) =>
    'column' in part ? findTarget(table, part.column).quoted : '',
  )
  return sql.raw(`alter table ${table.quoted} add primary key (${columns.join(', ')})`).execute(db)
}

async function addColumn(load: Load, table: LoadedTable, reader: TokenReader): Promise<void> {
  reader.take('column')
  const columns = isWord(reader.peek(), '(')
    ? splitAtCommas(reader.inParentheses()).map((part) => readColumn(new TokenReader(part)))
    : [readColumn(reader)]
  for (const { column, keys } of columns) {
    const [target] = listTargets({ columns: [column], keys }, () => false)
    if (target === undefined) continue
    await sql.raw(writeAddColumn(table.quoted, target)).execute(load.db)
    table.targets = [...table.targets, target]
    table.keys.push(...keys.filter(({ kind }) => kind !== 'primary'))
  }
}

/** Another type, name or counting of a column. */
async function changeColumn(
  { db }: Load,
  table: LoadedTable,
  name: string,
  column: Column,
): Promise<void> {
  const before = findTarget(table, name)
  const [target] = listTargets({ columns: [column], keys: table.keys }, () => before.isGenerated)
  if (target === undefined) return
  const alter = `alter table ${table.quoted}`
  const steps = [
    ...(column.name === before.column.name
      ? []
      : [`${alter} rename column ${before.quoted} to ${target.quoted}`]),
    ...(target.type === before.type
      ? []
      : [
          `${alter} alter column ${target.quoted} drop default`,
          `${alter} alter column ${target.quoted} type ${target.type} using ${target.quoted}::text::${target.type}`,
        ]),
    ...(column.isRequired && !before.column.isRequired
      ? [`${alter} alter column ${target.quoted} set not null`]
      : []),
    ...(column.isAuto && !before.column.isAuto
      ? [
          `${alter} alter column ${target.quoted} drop default`,
          `${alter} alter column ${target.quoted} add generated by default as identity`,
        ]
      : []),
  ]
  for (const step of steps) await sql.raw(step).execute(db)
  table.targets = table.targets.map((each) => (each === before ? target : each))
}

export function createIndex(load: Load, reader: TokenReader): Promise<void> {
  const isUnique = reader.take('unique')
  if (!reader.take('index')) throw reader.unexpected('an index')
  const name = reader.name()
  while (!reader.take('on')) if (reader.next() === undefined) throw reader.unexpected('on')
  const table = findTable(load, readTableName(reader))
  const key = readKey(
    new TokenReader([
      { kind: 'word', text: isUnique ? 'unique' : 'index', at: 0 },
      { kind: 'name', text: name, at: 0 },
      { kind: 'mark', text: '(', at: 0 },
      ...reader.inParentheses(),
      { kind: 'mark', text: ')', at: 0 },
    ]),
  )
  if (key !== null) table.keys.push(key)
  return Promise.resolve()
}
