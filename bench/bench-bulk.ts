// A change of every student: looked at, then applied, with list pages asked for meanwhile; against one bare UPDATE of the same rows.
import { setTimeout as sleep } from 'node:timers/promises'
import { type BulkJob, isJobOver } from '@jiaowu/api'
import { sql } from 'kysely'
import { type Line, ms, perSecond, quantile, seconds, times, watched } from './measure.ts'
import { type Running, withDatabase } from './place.ts'

export const bulkRows = Number(process.env.BULK_ROWS ?? 100_000)
export interface BulkMeasured {
  readonly rows: number
  readonly look: number
  readonly apply: number
  readonly before: number
  readonly peak: number
  readonly pages: readonly number[]
}

export async function oursOfBulk({ api, pid }: Running): Promise<BulkMeasured> {
  const params = { tag: 'EDU_STUDENT' }
  const pages: number[] = []
  const until = async (id: string, enough: (job: BulkJob) => boolean): Promise<BulkJob> => {
    for (;;) {
      const asked = performance.now()
      await api.entityData.page({ params, body: { queries: {}, pageSize: 20 } })
      pages.push(performance.now() - asked)
      const job = await api.bulk.get({ params: { id } })
      if (enough(job)) return job
      await sleep(300)
    }
  }
  const { result, before, peak } = await watched(pid, async () => {
    const started = performance.now()
    const { id } = await api.bulk.update({
      params,
      body: { queries: {}, set: { dormitory: '东 1' } },
    })
    const { changed, message } = await until(
      id,
      ({ status }) => status !== 'queued' && status !== 'running',
    )
    const looked = performance.now()
    if (changed < bulkRows)
      throw new Error(`${changed} of ${bulkRows} rows would change: ${message}`)
    await api.bulk.apply({ params: { id }, body: { count: changed, onError: 'skip' } })
    const { updated } = await until(id, isJobOver)
    if (updated !== changed) throw new Error(`${updated} of ${changed} rows were changed`)
    return {
      rows: changed,
      look: (looked - started) / 1000,
      apply: (performance.now() - looked) / 1000,
    }
  })
  return { ...result, before, peak, pages: pages.sort((a, b) => a - b) }
}

/** To be called when no server runs on the data. */
export async function compareBulk({
  rows,
  look,
  apply,
  before,
  peak,
  pages,
}: BulkMeasured): Promise<Line[]> {
  return await withDatabase(async ({ kysely }) => {
    const bare = await seconds(() =>
      sql`update biz.student set dormitory = '东 2', version = version + 1, update_time = now() where tenant_id = 10000 and deleted_at is null`.execute(
        kysely,
      ),
    )
    return [
      {
        what: `change of ${rows.toLocaleString('en')} rows, looked at`,
        ours: perSecond(rows, look),
        bare: '',
        ratio: '',
        note: `${look.toFixed(1)} s; nothing written`,
      },
      {
        what: `change of ${rows.toLocaleString('en')} rows, applied`,
        ours: perSecond(rows, apply),
        bare: `${perSecond(rows, bare)} UPDATE`,
        ratio: times(apply, bare),
        note: `with history and ledger; memory ${Math.round(before)} → ${Math.round(peak)} MB`,
      },
      {
        what: 'a list page meanwhile',
        ours: `${ms(quantile(pages, 0.5))} / ${ms(quantile(pages, 0.95))}`,
        bare: '',
        ratio: '',
        note: 'p50 / p95',
      },
    ]
  })
}
