// Writes the checked rows of the ledger to the entity's table. With `skip` each chunk is a transaction that also moves
// the job's `written_to`; with `abort` all chunks share one transaction.
import { limits } from '@jiaowu/api/limits'
import type { Message } from '@jiaowu/api/texts/index'
import { type Transaction, sql } from 'kysely'
import { goneRows, notStored } from '../write/kept-rows.ts'
import { asFaults } from '../write/violations.ts'
import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'
import { Invalid, Refusal } from '../../platform/refusal.ts'
import { brokenConstraint, isDataError } from '../../platform/database/problems.ts'
import { beforeCommit, transact } from '../../platform/database/transact.ts'
import { JobCancelled } from '../../platform/jobs/lease.ts'
import {
  type JobBase,
  type ImportOptions,
  JobStop,
  type LedgerRun,
  type RowFault,
  type WritableRow,
} from '../jobs/job.ts'
import { stepJob } from '../jobs/job-table.ts'
import { storeNewIds, rowsToWrite, markRowsWrong } from '../jobs/ledger.ts'
import { writeRows } from '../write/write-rows.ts'
import {
  readRowKey,
  type RowWrite,
  type WriteFault,
  type WriteFaultRule,
  WrittenWrong,
} from '../write/writer.ts'
import type { LedgerWriter } from './rows/write/ledger-writer.ts'

/** A run of a job that has rows to write. */
type Writing = LedgerRun<JobBase & { readonly options: Pick<ImportOptions, 'onError'> }>
/**
 * Rows per chunk. With `skip`, small enough to serve other requests between chunks
 * (docs/rules/database.md#keyset-reads); the one transaction of `abort` leaves no such gaps, so
 * larger chunks are quicker.
 */
const chunkSize = { skip: 500, abort: 2_000 } as const

const messages = {
  noRecord: { key: 'transfer.rule.noRecord' },
  changed: { key: 'transfer.rule.changed' },
  choice: { key: 'rule.choice' },
  scope: { key: 'transfer.rule.scope' },
  inUse: { key: 'problem.inUse' },
  locked: { key: 'entry.locked' },
  flow: { key: 'flow.rowClosed' },
  depth: { key: 'tree.tooDeep', params: { n: limits.treeDepth } },
} as const satisfies Record<WriteFaultRule, Message>

export interface ChunkResult {
  readonly faults: ReadonlyMap<number, readonly RowFault[]>
  readonly inserted: number
  readonly updated: number
  /** Ids of the new rows. */
  readonly ids: ReadonlyMap<number, string>
  /** Ids of all rows that were written. */
  readonly written: ReadonlyMap<number, string>
}

/** Writes a chunk at once; when that is refused, halves it until each refused row stands alone. */
export async function writeChunk(
  trx: AnyDatabase,
  writer: LedgerWriter,
  labelOf: (attrName: string) => string,
  rows: readonly WritableRow[],
): Promise<ChunkResult> {
  const attempt = async (some: readonly WritableRow[]): Promise<ChunkResult> => {
    return await inSavepoint(trx, () => writeLedger(trx, writer, labelOf, some))
  }
  const halves = async (some: readonly WritableRow[]): Promise<ChunkResult[]> => {
    try {
      return [await attempt(some)]
    } catch (error) {
      if (!isAboutRows(error)) throw error
      const [only] = some
      if (some.length <= 1)
        return only === undefined
          ? []
          : [
              {
                faults: new Map([[only.row_no, explain(writer, labelOf, error, only)]]),
                inserted: 0,
                updated: 0,
                ids: new Map(),
                written: new Map(),
              },
            ]
      // Few statements find a few bad rows among hundreds.
      const middle = some.length >> 1
      return [...(await halves(some.slice(0, middle))), ...(await halves(some.slice(middle)))]
    }
  }
  const parts = await halves(rows)
  return {
    faults: new Map(parts.flatMap(({ faults }) => [...faults])),
    ids: new Map(parts.flatMap(({ ids }) => [...ids])),
    written: new Map(parts.flatMap(({ written }) => [...written])),
    inserted: parts.reduce((sum, part) => sum + part.inserted, 0),
    updated: parts.reduce((sum, part) => sum + part.updated, 0),
  }
}

async function writeLedger(
  trx: AnyDatabase,
  { writer, toWrite }: LedgerWriter,
  labelOf: (attrName: string) => string,
  rows: readonly WritableRow[],
): Promise<ChunkResult> {
  const wanted = rows.filter(({ verdict }) => verdict === 'f' || verdict === 'c')
  const written = await writeRows(trx, writer, wanted.map(toWrite))
  const numbered = (some: readonly RowWrite[]) =>
    new Map(some.map((row) => [row.no ?? 0, readRowKey(row)] as const))
  const fresh = written.rows.filter(({ kind }) => kind === 'create')
  return {
    faults: reportedFaults(labelOf, written.faults),
    inserted: fresh.length,
    updated: written.rows.length - fresh.length,
    ids: numbered(fresh.filter(({ id }) => id === null)),
    written: numbered(written.rows.filter(({ kind }) => kind !== 'delete')),
  }
}

function reportedFaults(
  labelOf: (attrName: string) => string,
  faults: readonly WriteFault[],
): Map<number, RowFault[]> {
  return new Map(
    [...Map.groupBy(faults, ({ row }) => row.no ?? 0)].map(([rowNo, list]) => [
      rowNo,
      list.map(({ rule, attrName, message = messages[rule] }) =>
        buildWriteFault(labelOf, rule, attrName, message),
      ),
    ]),
  )
}

/** A fault found while writing, as the ledger stores it. */
function buildWriteFault(
  labelOf: (attrName: string) => string,
  rule: string,
  attrName: string | null,
  message: Message,
): RowFault {
  return {
    column: attrName === null ? '' : labelOf(attrName),
    attrName,
    value: '',
    rule,
    message,
    suggestions: [],
  }
}

async function inSavepoint<T>(trx: AnyDatabase, work: () => Promise<T>): Promise<T> {
  await sql`savepoint chunk`.execute(trx)
  try {
    const result = await work()
    await sql`release savepoint chunk`.execute(trx)
    return result
  } catch (error) {
    await sql`rollback to savepoint chunk`.execute(trx)
    throw error
  }
}

function isAboutRows(error: unknown): boolean {
  return (
    error instanceof WrittenWrong ||
    error instanceof Refusal ||
    brokenConstraint(error) !== undefined ||
    isDataError(error)
  )
}

/** The faults of a row that was refused. Rethrows errors that are not about the row. */
function explain(
  { writer }: LedgerWriter,
  labelOf: (attrName: string) => string,
  error: unknown,
  row: WritableRow,
): RowFault[] {
  if (error instanceof WrittenWrong)
    return (
      reportedFaults(labelOf, error.faults).get(row.row_no) ?? [
        buildWriteFault(labelOf, 'scope', null, messages.scope),
      ]
    )
  const access = row.verdict === 'c' ? writer.change : writer.add
  const said = (() => {
    if (error instanceof Refusal || access === null) return error
    try {
      return asFaults(access)(error)
    } catch (explainedError) {
      return explainedError
    }
  })()
  if (said instanceof Invalid)
    return said.faults.map(({ path, rule, message }) =>
      buildWriteFault(labelOf, rule, path, message),
    )
  if (said instanceof Refusal && said.status !== 503)
    return [buildWriteFault(labelOf, 'refused', null, said.text)]
  throw error
}

interface Progress {
  after: number
  inserted: number
  updated: number
  wrong: number
  done: number
}

/** Rolls the transaction back and carries the faults out of it. */
class Abandoned extends Error {
  readonly faults: ReadonlyMap<number, readonly RowFault[]>
  constructor(faults: ReadonlyMap<number, readonly RowFault[]>) {
    super('not every row could be written')
    this.faults = faults
  }
}

/** A trigger of the commit deletes rows: they are refused, and the others written again. */
class NotKept extends Error {
  readonly rows: readonly number[]
  constructor(rows: readonly number[]) {
    super('rows were deleted at the commit')
    this.rows = rows
  }
}

/** Call after the audit lines of the transaction, for which triggers of the commit may ask. */
function keepAtCommit(
  trx: Transaction<unknown>,
  { writer: { entity, context } }: LedgerWriter,
  written: ReadonlyMap<number, string>,
): void {
  if (entity.table.hasDeferredTriggers !== true || written.size === 0) return
  beforeCommit(trx, async () => {
    const lost = await goneRows(trx, entity, [...written.values()], context.subject.tenant)
    const rows = [...written].flatMap(([row, id]) => (lost.has(id) ? [row] : []))
    if (rows.length > 0) throw new NotKept(rows)
  })
}

function notKeptFaults(
  labelOf: (attrName: string) => string,
  rows: Iterable<number>,
): Map<number, readonly RowFault[]> {
  return new Map(
    [...rows].map((row) => [row, [buildWriteFault(labelOf, 'refused', null, notStored().text)]]),
  )
}

/** Writes a chunk: at first whole, and only after a refusal in parts that find the bad rows. */
type Way = (rows: readonly WritableRow[]) => Promise<ChunkResult>

/** Writes the rows after `written_to` and ends the job. @throws JobStop, JobCancelled, LeaseLost */
export function writePhase(
  run: Writing,
  writer: LedgerWriter,
  labelOf: (attrName: string) => string,
): Promise<void> {
  return run.job.options.onError === 'skip'
    ? writeSkipping(run, writer, labelOf)
    : writeTogether(run, writer, labelOf)
}

async function writeSkipping(
  { job, lease, signal, pause, onEnd, onRows }: Writing,
  writer: LedgerWriter,
  labelOf: (attrName: string) => string,
): Promise<void> {
  const db = databaseOf(writer.writer.context)
  const refused = new Set<number>()
  let at: Progress = {
    after: job.written_to,
    inserted: job.inserted,
    updated: job.updated,
    wrong: job.wrong,
    done: job.inserted + job.updated + job.same + job.wrong,
  }
  for (;;) {
    signal.throwIfAborted()
    const step = await transact(db, async (trx) => {
      const rows = await rowsToWrite(trx, job, at.after, chunkSize.skip)
      const last = rows.at(-1)
      if (last === undefined) {
        await stepJob(trx, lease, {
          status: 'done',
          phase: 'finished',
          done: job.total,
          message: null,
        })
        await onEnd?.(trx)
        return null
      }
      const some = rows.filter((row) => !refused.has(row.row_no))
      const result = await writeChunk(trx, writer, labelOf, some)
      const { inserted, updated, ids } = result
      const faults = new Map([...result.faults, ...notKeptFaults(labelOf, refused)])
      const next: Progress = {
        after: last.row_no,
        inserted: at.inserted + inserted,
        updated: at.updated + updated,
        wrong: at.wrong + faults.size,
        done: at.done + rows.length,
      }
      await markRowsWrong(trx, job, faults)
      await storeNewIds(trx, job, ids)
      const cancelled = await stepJob(trx, lease, {
        written_to: next.after,
        inserted: next.inserted,
        updated: next.updated,
        wrong: next.wrong,
        done: Math.min(next.done, job.total),
      })
      onRows?.(trx, { upTo: next.after, inserted, updated })
      keepAtCommit(trx, writer, result.written)
      return { next, cancelled }
    }).catch((error: unknown) => {
      if (!(error instanceof NotKept)) throw error
      for (const row of error.rows) refused.add(row)
      return 'again' as const
    })
    if (step === null) return
    if (step === 'again') continue
    refused.clear()
    at = step.next
    await pause?.()
    if (step.cancelled) throw new JobCancelled()
  }
}

async function writeTogether(
  run: Writing,
  writer: LedgerWriter,
  labelOf: (attrName: string) => string,
): Promise<void> {
  const { job, lease } = run
  const db = databaseOf(writer.writer.context)
  const together = (way: (trx: AnyDatabase) => Way) =>
    transact(db, (trx) => writeAll(trx, run, writer, way(trx)))
  try {
    await together((trx) => (rows) => writeLedger(trx, writer, labelOf, rows)).catch(
      async (error: unknown) => {
        if (!isAboutRows(error)) throw error
        await together((trx) => (rows) => writeChunk(trx, writer, labelOf, rows))
      },
    )
  } catch (error) {
    const faults =
      error instanceof NotKept
        ? notKeptFaults(labelOf, error.rows)
        : error instanceof Abandoned
          ? error.faults
          : null
    if (faults === null) throw error
    await transact(db, async (trx) => {
      await markRowsWrong(trx, job, faults)
      await stepJob(trx, lease, { phase: 'review', wrong: job.wrong + faults.size })
    })
    throw new JobStop('failed', { key: 'transfer.job.stale' })
  }
}

async function writeAll(
  trx: Transaction<unknown>,
  { job, lease, signal, onEnd }: Writing,
  writer: LedgerWriter,
  write: Way,
): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(trx)
  const { entity } = writer.writer
  const faults = new Map<number, readonly RowFault[]>()
  const written = new Map<number, string>()
  let [after, inserted, updated] = [0, 0, 0]
  let rows = await rowsToWrite(trx, job, after, chunkSize.abort)
  for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
    signal.throwIfAborted()
    after = last.row_no
    // Fetches the next chunk while this one is written, to shorten the transaction.
    const next = rowsToWrite(trx, job, after, chunkSize.abort)
    next.catch(() => {}) // awaited below, unless the writing fails first
    const result = await write(rows)
    for (const [row, list] of result.faults) faults.set(row, list)
    if (entity.table.hasDeferredTriggers === true)
      for (const [row, id] of result.written) written.set(row, id)
    await storeNewIds(trx, job, result.ids)
    inserted += result.inserted
    updated += result.updated
    rows = await next
  }
  if (faults.size > 0) throw new Abandoned(faults)
  // Checks the lease last: a run that lost it must not commit, and checking earlier would lock the
  // job's row for the whole transaction.
  if (
    await stepJob(trx, lease, {
      status: 'done',
      phase: 'finished',
      written_to: after,
      inserted,
      updated,
      done: job.total,
      message: null,
    })
  )
    throw new JobCancelled()
  await onEnd?.(trx)
  keepAtCommit(trx, writer, written)
}
