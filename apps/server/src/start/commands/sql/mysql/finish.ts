// Follows the rows of a script of MySQL: switches, checks, indexes, foreign keys and comments, since such
// scripts switch off the checks of keys while they load.
import { sql } from 'kysely'
import { quoteName, quoteText, writeExpression } from './expression.ts'
import { findTarget, type Load, type LoadedTable, runOptional } from './load.ts'
import type { Key } from './table.ts'
import { isJsonCheck, listColumnChecks, writeCheck, writeKey } from './tables.ts'
import { isWord } from './tokens.ts'

/** Switches, checks, indexes, numbers and comments of a table whose rows are in. */
export async function finishTable(load: Load, table: LoadedTable): Promise<void> {
  const { db, passed } = load
  for (const [change, count] of table.changes)
    passed.push(`line ${table.line}: ${change} (${count} values)`)
  for (const name of table.relaxed)
    passed.push(`line ${table.line}: ${table.name}.${name} may be empty now`)
  await computeLeftOut(load, table)
  await makeSwitches(load, table)
  for (const target of table.targets) {
    const { column, quoted } = target
    for (const check of listColumnChecks(target)) {
      const refusal = await runOptional(db, writeCheck(table.quoted, check))
      if (refusal !== null)
        passed.push(
          `line ${table.line}: the check of ${table.name}.${column.name} is left out (${refusal})`,
        )
    }
    if (column.touches)
      passed.push(
        `line ${table.line}: ${table.name}.${column.name} no longer sets itself at each change`,
      )
    if (column.comment !== '')
      await sql
        .raw(`comment on column ${table.quoted}.${quoted} is ${quoteText(column.comment)}`)
        .execute(db)
    if (column.isAuto && table.nextNumber > 1)
      await sql`select setval(pg_get_serial_sequence(${table.quoted}, ${column.name}), ${table.nextNumber}, false)`.execute(
        db,
      )
  }
  if (table.comment !== '')
    await sql.raw(`comment on table ${table.quoted} is ${quoteText(table.comment)}`).execute(db)
  await addKeys(load, table, ['unique', 'index', 'check', 'left out'])
  await indexReferences(load, table)
}

/** MySQL makes an index for each foreign key that no other index serves. */
async function indexReferences({ db }: Load, table: LoadedTable): Promise<void> {
  const { rows } = await sql<{ columns: string[] }>`
    select array(select a.attname::text from unnest(i.indkey::int2[]) with ordinality k(number, place)
      join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
      order by k.place) as columns
    from pg_catalog.pg_index i where i.indrelid = to_regclass(${table.quoted})`.execute(db)
  const served = rows.map(({ columns }) => columns)
  for (const key of table.keys) {
    if (key.kind !== 'foreign') continue
    const names = key.columns.map((name) => findTarget(table, name).column.name)
    if (served.some((columns) => names.every((name, at) => columns[at] === name))) continue
    served.push(names)
    await sql
      .raw(`create index on ${table.quoted} (${names.map(quoteName).join(', ')})`)
      .execute(db)
  }
}

/** The values of columns that are generated in MySQL and ordinary here; a dump leaves them out. */
async function computeLeftOut({ db, passed }: Load, table: LoadedTable): Promise<void> {
  for (const { column, quoted, type, isGenerated } of table.targets) {
    if (isGenerated || column.generated === null) continue
    const value = writeExpression(column.generated)
    const refusal = await runOptional(
      db,
      `update ${table.quoted} set ${quoted} = (${value})::${type} where ${quoted} is null`,
    )
    if (refusal !== null)
      passed.push(`line ${table.line}: ${table.name}.${column.name} is empty (${refusal})`)
  }
}

/**
 * TINYINT(1) is MySQL's word for a boolean, and for small numbers too: it becomes one where each value
 * is 0 or 1 and no comment lists numbers.
 */
async function makeSwitches({ db }: Load, table: LoadedTable): Promise<void> {
  for (const { column, quoted } of table.targets) {
    const isSwitch =
      ['bool', 'boolean'].includes(column.type) ||
      (column.type === 'tinyint' && column.size[0] === '1')
    if (!isSwitch || column.isUnsigned || column.isAuto || /\d/.test(column.comment)) continue
    const { rows } = await sql<{ others: boolean }>`
      select exists (select from ${sql.raw(table.quoted)} where ${sql.raw(quoted)} not in (0, 1)) as others`.execute(
      db,
    )
    if (rows[0]?.others !== false) continue
    const [fallback] = column.fallback ?? []
    const value = fallback === undefined || isWord(fallback, 'null') ? null : fallback.text
    const alter = `alter table ${table.quoted} alter column ${quoted}`
    await sql.raw(`${alter} drop default`).execute(db)
    await sql.raw(`${alter} type boolean using ${quoted} <> 0`).execute(db)
    if (value !== null)
      await sql
        .raw(`${alter} set default ${String(value !== '0' && value.toLowerCase() !== 'false')}`)
        .execute(db)
  }
}

export async function addKeys(
  load: Load,
  table: LoadedTable,
  kinds: readonly Key['kind'][],
): Promise<void> {
  for (const key of table.keys) {
    if (!kinds.includes(key.kind)) continue
    if (key.kind === 'check' && isJsonCheck(key.expression)) continue
    const name = key.name === '' ? `of ${table.name}` : `${key.name} of ${table.name}`
    const leave = (reason: string) =>
      load.passed.push(
        `line ${table.line}: the ${describeKey(key)} ${name} is left out (${reason})`,
      )
    if (key.kind === 'left out') {
      leave(key.reason)
      continue
    }
    const text = writeKey(
      table.quoted,
      key,
      (other) => load.tables.get(other.toLowerCase())?.quoted ?? quoteName(other),
      (column) => findTarget(table, column).column.name,
    )
    const refusal = text === null ? null : await runOptional(load.db, text)
    if (refusal !== null) leave(refusal)
  }
}

function describeKey({ kind }: Key): string {
  if (kind === 'foreign') return 'foreign key'
  if (kind === 'unique') return 'unique key'
  return kind === 'check' ? 'check' : 'index'
}
