// Writes the last part of a transaction in one statement for each school: versions of tables and
// audit lines take locks that all writes of a school share, so they are held for one round trip and
// the commit. The history of single rows goes along.
import { type RawBuilder, sql } from 'kysely'
import { afterCommit, type AnyTransaction, beforeCommit } from './transact.ts'

/** An audit line as `sys.finish_write` takes it (migration 0054), which gives it its number and its hashes. */
export interface NewLine {
  readonly id: string
  readonly at: string
  readonly user_id: string | null
  readonly account: string | null
  readonly ip: string
  readonly action: string
  readonly object: string | null
  readonly object_id: string | null
  readonly result: string
  readonly detail: unknown
  readonly trace_id: string
  readonly key_id: string
  /** The padded keys of its HMAC (platform/audit/keys.ts). */
  readonly inner: string
  readonly outer: string
}

/** An act on a row, as a line of `sys.row_history`. */
export interface HistoryRow {
  readonly id: string
  readonly tag: string
  readonly row_id: string
  readonly action: string
  readonly at: string
  readonly user_id: string
  readonly changes: readonly unknown[]
}

/** Longer histories are written at once, so that they take no memory. */
const maxHistory = 100

/** Takes the version that a committed write gave to a table. */
export type VersionListener = (version: string) => void

interface School {
  /** By table; null where some write of the transaction has no listener: the others would know a part of it. */
  readonly tables: Map<string, VersionListener[] | null>
  readonly history: HistoryRow[]
  /** Made at the commit, so that lines of one chain are in the order of their times. */
  readonly lines: (() => NewLine)[]
}
/** A value that the statement reads, to be checked before the commit. */
interface Proof {
  readonly value: RawBuilder<unknown>
  /** Throws to roll the transaction back. */
  readonly check: (found: unknown) => void
}
interface Finish {
  readonly schools: Map<string, School>
  proof?: Proof
}
const finishes = new WeakMap<object, Finish>()

/**
 * Raises the version of a table (`biz.student`) of a school at the end of the transaction.
 * @param trx of an open `transact`
 * @param listener called after the commit, unless another write of the transaction to the table has none
 */
export function raiseVersion(
  trx: AnyTransaction,
  tenant: string,
  table: string,
  listener: VersionListener | null = null,
): void {
  const { tables } = findFinishSchool(trx, tenant)
  const known = tables.get(table)
  if (listener === null || known === null) tables.set(table, null)
  else tables.set(table, [...(known ?? []), listener])
}

/** Appends an audit line at the end of the transaction. @param trx of an open `transact` */
export function appendLine(trx: AnyTransaction, tenant: string, line: () => NewLine): void {
  findFinishSchool(trx, tenant).lines.push(line)
}

/**
 * Writes the history of rows at the end of the transaction, or, of many rows, at once.
 * @param trx of an open `transact`
 */
export async function appendHistory(
  trx: AnyTransaction,
  tenant: string,
  rows: readonly HistoryRow[],
): Promise<void> {
  const { history } = findFinishSchool(trx, tenant)
  if (history.length + rows.length <= maxHistory) {
    history.push(...rows)
    return
  }
  await finishWrite(trx, tenant, { tables: [], history: rows, lines: [] })
}

/** Reads a value with the last statement of the transaction and checks it. @param trx of an open `transact` */
export function proveAtCommit(trx: AnyTransaction, proof: Proof): void {
  findFinish(trx).proof = proof
}

function findFinishSchool(trx: AnyTransaction, tenant: string): School {
  const { schools } = findFinish(trx)
  const known = schools.get(tenant)
  if (known !== undefined) return known
  const school: School = { tables: new Map(), history: [], lines: [] }
  schools.set(tenant, school)
  return school
}

function findFinish(trx: AnyTransaction): Finish {
  const known = finishes.get(trx)
  if (known !== undefined) return known
  const finish: Finish = { schools: new Map() }
  // Before other work of the end: triggers of the commit may ask for the audit lines.
  beforeCommit(trx, () => writeFinish(trx, finish), { first: true })
  finishes.set(trx, finish)
  return finish
}

async function writeFinish(trx: AnyTransaction, { schools, proof }: Finish): Promise<void> {
  // In one order for all transactions, so that two of them can't wait for each other.
  const ordered = [...schools].toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const [index, [tenant, school]] of ordered.entries()) {
    const isLast = index === ordered.length - 1
    const found = await finishWrite(
      trx,
      tenant,
      {
        tables: [...school.tables.keys()],
        history: school.history,
        lines: school.lines.map((line) => line()),
      },
      isLast ? proof?.value : undefined,
    )
    if (isLast) proof?.check(found)
    await tellVersions(trx, tenant, school.tables)
  }
  if (ordered.length > 0 || proof === undefined) return
  const { rows } = await sql<{ proof: unknown }>`select ${proof.value} as proof`.execute(trx)
  proof.check(rows[0]?.proof)
}

/** Reads the versions that the transaction gave to the tables; others wait for its end to raise them. */
async function tellVersions(
  trx: AnyTransaction,
  tenant: string,
  tables: School['tables'],
): Promise<void> {
  const asked = [...tables].filter(([, listeners]) => listeners !== null)
  if (asked.length === 0) return
  const { rows } = await sql<{ name: string; version: string }>`
    select table_name as name, version::text as version from sys.table_version
    where tenant_id = ${tenant}::int8 and table_name = any(${asked.map(([name]) => name)}::text[])`.execute(
    trx,
  )
  afterCommit(trx, () => {
    for (const { name, version } of rows)
      for (const listener of tables.get(name) ?? []) listener(version)
  })
}

interface Written {
  readonly tables: readonly string[]
  readonly history: readonly HistoryRow[]
  readonly lines: readonly NewLine[]
}

/** @param value to read with the same statement */
async function finishWrite(
  trx: AnyTransaction,
  tenant: string,
  { tables, history, lines }: Written,
  value: RawBuilder<unknown> = sql`null`,
): Promise<unknown> {
  const { rows } = await sql<{ proof: unknown }>`
    select ${value} as proof, sys.finish_write(${tenant}::int8, ${tables.toSorted()}::text[],
      ${JSON.stringify(history)}::jsonb, ${JSON.stringify(lines)}::jsonb)`.execute(trx)
  return rows[0]?.proof
}
