// Bulk change of all students: checked, then applied, with list requests at the same time; compared
// with a plain UPDATE.
import { setTimeout as sleep } from 'node:timers/promises'
import type { BulkJob } from '@jiaowu/api/contract/entity/bulk'
import { isJobOver } from '@jiaowu/api/contract/job'
import { sql } from 'kysely'
import { type Line, ms, perSecond, quantile, seconds, times, watchMemory } from './measure.ts'
import { type Running, withDatabase } from './place.ts'

export const bulkRows = Number(process.env.BULK_ROWS ?? 100_000)
export interface BulkMeasured {
  readonly rows: number
  /** Seconds. */
  readonly check: number
  readonly apply: number
  /** Memory in MB before the change, and its peak. */
  readonly before: number
  readonly peak: number
  /** Milliseconds of the list requests, sorted. */
  readonly pages: readonly number[]
}

export async function measureBulk({ api, pid }: Running): Promise<BulkMeasured> {
  const params = { tag: 'EDU_STUDENT' }
  const pages: number[] = []
  const until = async (id: string, isReached: (job: BulkJob) => boolean): Promise<BulkJob> => {
    for (;;) {
      const requested = performance.now()
      await api.entityData.page({ params, body: { queries: {}, pageSize: 20 } })
      pages.push(performance.now() - requested)
      const job = await api.bulk.get({ params: { id } })
      if (isReached(job)) return job
      await sleep(300)
    }
  }
  const { result, before, peak } = await watchMemory(pid, async () => {
    const started = performance.now()
    const { id } = await api.bulk.update({
      params,
      body: { queries: {}, set: { dormitory: '东 1' } },
    })
    const { changed, message } = await until(
      id,
      ({ status }) => status !== 'queued' && status !== 'running',
    )
    const checked = performance.now()
    if (changed < bulkRows)
      throw new Error(`${changed} of ${bulkRows} rows would change: ${message}`)
    await api.bulk.apply({ params: { id }, body: { count: changed, onError: 'skip' } })
    const { updated } = await until(id, isJobOver)
    if (updated !== changed) throw new Error(`${updated} of ${changed} rows were changed`)
    return {
      rows: changed,
      check: (checked - started) / 1000,
      apply: (performance.now() - checked) / 1000,
    }
  })
  return { ...result, before, peak, pages: pages.sort((a, b) => a - b) }
}

/** Measures the plain UPDATE. Call it only when no server uses the data. */
export async function compareBulk({
  rows,
  check,
  apply,
  before,
  peak,
  pages,
}: BulkMeasured): Promise<Line[]> {
  return await withDatabase(async ({ kysely }) => {
    const bare = await seconds(() =>
      sql`
        update biz.student set dormitory = '东 2', version = version + 1, update_time = now()
        where tenant_id = 10000 and deleted_at is null
      `.execute(kysely),
    )
    return [
      {
        what: `change of ${rows.toLocaleString('en')} rows, checked`,
        ours: perSecond(rows, check),
        bare: '',
        ratio: '',
        note: `${check.toFixed(1)} s; nothing written`,
      },
      {
        what: `change of ${rows.toLocaleString('en')} rows, applied`,
        ours: perSecond(rows, apply),
        bare: `${perSecond(rows, bare)} UPDATE`,
        ratio: times(apply, bare),
        note: `with history and ledger; memory ${Math.round(before)} → ${Math.round(peak)} MB`,
      },
      {
        what: 'a list page during the change',
        ours: `${ms(quantile(pages, 0.5))} / ${ms(quantile(pages, 0.95))}`,
        bare: '',
        ratio: '',
        note: 'p50 / p95',
      },
    ]
  })
}
