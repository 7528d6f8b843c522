// Checks every selected row and stores the verdict and the row's version in the ledger. The
// entity's own table is not changed.
import { limits } from '@jiaowu/api/limits'
import { sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { readRawChunks } from '../read/paging/keyset.ts'
import { selectList } from '../read/rows.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { Invalid } from '../../platform/refusal.ts'
import { transact } from '../../platform/database/transact.ts'
import { JobCancelled } from '../../platform/jobs/lease.ts'
import { type BulkRecord, JobStop, type LedgerRow, type LedgerRun } from '../jobs/job.ts'
import { stepJob } from '../jobs/job-table.ts'
import { clearRows, saveRows } from '../jobs/ledger.ts'
import { readableFields } from '../../model/definition/loaded.ts'
import { computeBasis, type BulkRights, planSelection, valuesToSet } from './choose.ts'
import { deleteCheck } from './delete-rows.ts'
import { buildRowFault, type CheckRows, updateCheck } from './update-rows.ts'

/**
 * Rows per chunk: small enough to serve other requests between chunks
 * (docs/rules/database.md#keyset-reads).
 */
const atOnce = 500

/** @throws JobStop, JobCancelled, LeaseLost */
export async function checkPhase(
  { job, lease, signal, pause }: LedgerRun<BulkRecord>,
  context: Context,
  rights: BulkRights,
): Promise<void> {
  const db = databaseOf(context)
  const checkRows = await checkFor(context, rights, job).catch((error: unknown) => {
    throw error instanceof Invalid ? new JobStop('failed', { key: 'bulk.job.outdated' }) : error
  })
  const { ids } = job.options
  const counts = { changed: 0, same: 0, wrong: 0 }
  const [seen, plan] = [new Set<string>(), planSelection(rights, job.options)]
  let done = 0
  const keep = async (rows: readonly LedgerRow[]): Promise<void> => {
    for (const { verdict } of rows)
      counts[verdict === 'c' ? 'changed' : verdict === 's' ? 'same' : 'wrong'] += 1
    done += rows.length
    if (
      await transact(db, async (trx) => {
        await saveRows(trx, job, rows)
        return await stepJob(trx, lease, { done, ...counts })
      })
    )
      throw new JobCancelled()
  }
  await transact(db, async (trx) => {
    await clearRows(trx, job)
    await stepJob(trx, lease, {
      phase: 'checking',
      done: 0,
      ...counts,
      updated: 0,
      written_to: 0,
      options: { ...job.options, basis: computeBasis(rights) },
    })
  })
  const columns = sql`${selectList(rights.act, readableFields(rights.act.entity))}, coalesce(${rights.act.rows}, false) as may`
  for await (const raws of readRawChunks(db, plan, columns, limits.bulkRows, atOnce)) {
    signal.throwIfAborted()
    await keep(
      await checkRows(raws.map((raw, i) => ({ no: done + i + 1, raw, may: raw.may === true }))),
    )
    for (const { id } of raws) seen.add(String(id))
    await pause?.()
  }
  if (ids !== null) await keep(missing(ids, seen, done))
  await stepJob(db, lease, { phase: 'review', total: done, done })
}

async function checkFor(context: Context, rights: BulkRights, job: BulkRecord): Promise<CheckRows> {
  const { action, set } = job.options
  return action === 'delete'
    ? await deleteCheck(context, rights, planSelection(rights, job.options).where)
    : await updateCheck(context, rights, valuesToSet(rights, set))
}

/** Selected ids that do not exist or that the user may not see: both are reported alike. */
function missing(ids: readonly string[], seen: ReadonlySet<string>, from: number): LedgerRow[] {
  return ids
    .filter((id) => !seen.has(id))
    .map((id, i) => ({
      row_no: from + i + 1,
      verdict: 'w',
      row_id: id,
      version: null,
      payload: null,
      before: null,
      name: id,
      errors: [buildRowFault('', null, 'noRecord', { key: 'transfer.rule.noRecord' })],
    }))
}
