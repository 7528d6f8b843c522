import { sql } from 'kysely'
import type { PlatformServices } from '../context.ts'
import { type Anchor, isSignedAnchor } from './anchor.ts'
import { type AuditRow, isKeyedRow, linkFault, sharedChain } from './line.ts'
import { markFor } from './mark.ts'

/**
 * Why a chain is broken: `changed` a line, `missing` lines before one, `end` lines after the last
 * link or fewer than it counts, `anchor` an archive without a valid signature, `unkeyed` a line without a key
 * where lines have one, `key` a line under a key that is not here, `mark` the mark of where the key began.
 */
export interface AuditBreak {
  readonly why: 'changed' | 'missing' | 'end' | 'anchor' | 'unkeyed' | 'key' | 'mark'
  /** The number of the first line that does not fit, or where it should be. */
  readonly number: string
  readonly id: string | null
  readonly at: string | null
}

export interface ChainReport {
  /** The tenant; -1 for the chain from before there was one a tenant. */
  readonly tenant: string
  /** How many lines were checked. */
  readonly lines: number
  /** How many of them are under a key. */
  readonly keyed: number
  /** The last link. */
  readonly number: string
  readonly hash: string
  /** False when the time was up before the end. */
  readonly complete: boolean
  readonly broken: AuditBreak | null
}

export interface VerifyOptions {
  /** Checks only lines from here on; the line before is trusted. */
  readonly since?: Date
  /** The latest time, by `performance.now()`. */
  readonly deadline?: number
}

type Db = Pick<PlatformServices, 'database' | 'auditKeys'>
const batch = 1_000

/** Checks the chains of all tenants. */
export async function verifyAudit(db: Db, options: VerifyOptions = {}): Promise<ChainReport[]> {
  const reports: ChainReport[] = []
  for (const tenant of await listChains(db)) reports.push(await verifyChain(db, tenant, options))
  return reports
}

/** Tenants included whose chain is missing altogether. */
export async function listChains({
  database: { kysely },
}: Pick<PlatformServices, 'database'>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select tenant_id::text as id from sys.audit_chain
    union select id::text from sys.tenant union select '0'`.execute(kysely)
  return rows.map(({ id }) => id).toSorted((a, b) => Number(a) - Number(b))
}

/** Checks one chain from its beginning, or its newest archive, to its last link. */
export async function verifyChain(
  db: Db,
  tenant: string,
  { since, deadline = Number.POSITIVE_INFINITY }: VerifyOptions = {},
): Promise<ChainReport> {
  const found = await readHead(db, tenant)
  const mark = await markFor(db, db.auditKeys, tenant)
  const start = await findChainStart(db, tenant, since, mark?.anchored ?? '0')
  // A chain without lines has no link of its own yet.
  const head = { ...found, hash: found.hash ?? start.hash }
  let [lines, keyed] = [0, 0]
  const report = (broken: AuditBreak | null, complete = true): ChainReport => ({
    tenant,
    lines,
    keyed,
    number: head.number,
    hash: head.hash,
    complete,
    broken,
  })
  if (start.badAnchor !== null)
    return report({ why: 'anchor', number: start.badAnchor, id: null, at: null })
  if (mark === null) return report({ why: 'mark', number: head.number, id: null, at: null })
  if (start.nothingSince) return report(endBreak(head, head))
  let { number: last, hash: previous } = start
  for await (const rows of readChainLines(db, tenant, last, head.number)) {
    for (const row of rows) {
      const number = readLineNumber(row)
      const why = findLineFault(db, row, { tenant, last, previous, mark })
      if (why !== null) return report({ why, number, id: row.id, at: row.at })
      ;[last, previous] = [number, row.hash]
      lines += 1
      keyed += Number(isKeyedRow(row))
    }
    if (performance.now() > deadline) return report(null, false)
  }
  // A chain that ends before its mark has lost lines, whatever its last link says.
  if (BigInt(last) < BigInt(mark.number)) return report(endFault(last))
  return report(endBreak(head, { number: last, hash: previous }))
}

interface Link {
  readonly number: string
  readonly hash: string
}
interface Head extends Link {
  /** The number of the newest line stored. */
  readonly newest: string
}

/** One statement, so that a write in between does not look like a break. */
async function readHead(
  { database: { kysely } }: Db,
  tenant: string,
): Promise<Omit<Head, 'hash'> & { readonly hash: string | null }> {
  const { rows } = await sql<{ number: string | null; hash: string | null; newest: string | null }>`
    select c.number::text as number, c.hash, ${
      tenant === sharedChain
        ? sql`(select max(seq) from sys.audit_log where number is null)`
        : sql`(select max(number) from sys.audit_log where tenant_id = ${tenant}::int8)`
    }::text as newest
    from (select 1) as one left join sys.audit_chain c on c.tenant_id = ${tenant}::int8`.execute(
    kysely,
  )
  const [row] = rows
  return { number: row?.number ?? '0', hash: row?.hash ?? null, newest: row?.newest ?? '0' }
}

interface Start extends Link {
  readonly badAnchor: string | null
  readonly nothingSince: boolean
}

/** Where the lines still stored begin: after the newest archive, or at the first line. */
export async function findChainStart(
  db: Db,
  tenant: string,
  since: Date | undefined,
  anchored: string,
): Promise<Start> {
  const { kysely } = db.database
  const anchors = await kysely
    .selectFrom('sys.audit_anchor')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .orderBy('number')
    .execute()
  const unsigned = anchors.find(
    (anchor) => !isSignedAnchor(anchor as Anchor, db.auditKeys, anchored),
  )
  const newest = anchors.at(-1)
  const begin =
    newest === undefined
      ? { number: '0', hash: await findGenesis(db, tenant) }
      : { number: newest.number, hash: newest.hash }
  const start = { ...begin, badAnchor: unsigned?.number ?? null, nothingSince: false }
  if (since === undefined || unsigned !== undefined) return start
  const { rows } = await sql<AuditRow>`
    select * from sys.audit_log where ${chainIs(tenant)} and at >= ${since.toISOString()}::timestamptz
    order by ${chooseChainOrder(tenant)} limit 1`.execute(kysely)
  const [first] = rows
  if (first === undefined) return { ...start, nothingSince: true }
  return { ...start, number: String(BigInt(readLineNumber(first)) - 1n), hash: first.prev_hash }
}

async function findGenesis({ database: { kysely } }: Db, tenant: string): Promise<string> {
  if (tenant === sharedChain) return ''
  const shared = await kysely
    .selectFrom('sys.audit_chain')
    .select('hash')
    .where('tenant_id', '=', sharedChain)
    .executeTakeFirst()
  return shared?.hash ?? ''
}

export const chainIs = (tenant: string) =>
  tenant === sharedChain ? sql`number is null` : sql`tenant_id = ${tenant}::int8 and number > 0`
export const chooseChainOrder = (tenant: string) =>
  tenant === sharedChain ? sql`seq` : sql`number`
const readLineNumber = ({ number, seq }: AuditRow): string => number ?? seq

/** The lines of a chain after one number up to another, in pieces. */
export async function* readChainLines(
  { database: { kysely } }: Db,
  tenant: string,
  after: string,
  to: string,
): AsyncGenerator<AuditRow[]> {
  const key = chooseChainOrder(tenant)
  for (let last = after; ;) {
    const { rows } = await sql<AuditRow>`
      select * from sys.audit_log
      where ${chainIs(tenant)} and ${key} > ${last}::int8 and ${key} <= ${to}::int8
      order by ${key} limit ${batch}`.execute(kysely)
    const newest = rows.at(-1)
    if (newest === undefined) return
    yield rows
    if (rows.length < batch) return
    last = readLineNumber(newest)
  }
}

interface Place {
  readonly tenant: string
  readonly last: string
  readonly previous: string
  readonly mark: { readonly number: string; readonly hash: string }
}

function findLineFault(
  { auditKeys }: Db,
  row: AuditRow,
  { tenant, last, previous, mark }: Place,
): AuditBreak['why'] | null {
  const number = BigInt(readLineNumber(row))
  // `seq` of the shared chain has gaps where transactions were rolled back.
  const isNext = tenant === sharedChain || number === BigInt(last) + 1n
  if (!isNext) return 'missing'
  const isKeyed = number > BigInt(mark.number)
  // The mark keeps who has the tables from rewriting the lines before it.
  if (number === BigInt(mark.number) && row.hash !== mark.hash) return 'changed'
  return linkFault(row, { previous, isKeyed, keys: auditKeys })
}

function endBreak(head: Head, { number, hash }: Link): AuditBreak | null {
  if (number === head.number && hash === head.hash && BigInt(head.newest) <= BigInt(head.number))
    return null
  return endFault(number)
}

function endFault(number: string): AuditBreak {
  return { why: 'end', number: String(BigInt(number) + 1n), id: null, at: null }
}
