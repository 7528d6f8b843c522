import { readSettings } from '../../platform/settings/settings.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { testDatabase } from '../../../testing/database/database.ts'
import { quietLog } from '../../../testing/quiet-log.ts'
import type { Database } from '../../platform/database/open-database.ts'
import { LeaseLost } from '../../platform/jobs/lease.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { claimJobs, maxAttempts, recoverJobs, renewLease } from './job-store.ts'
import { changeJob, readJob, stepJob } from './job-table.ts'

let database: Database
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  await sql`delete from sys.job`.execute(database.kysely)
})

async function addTestJob(
  id: number,
  status: string,
  more: { lease?: string; interrupted?: string; attempts?: number } = {},
) {
  await sql`
    insert into sys.job (id, tenant_id, user_id, kind, tag, status, phase, options, file, choice_hash, locale,
      lease_token, lease_until, interrupted_at, attempts)
    values (${id}, 1, 1, 'import', 'T', ${status}, 'writing', '{}', '{}', '', 'en',
      ${more.lease === undefined ? null : 'old'}, now() + ${more.lease ?? null}::interval,
      now() + ${more.interrupted ?? null}::interval, ${more.attempts ?? 1})`.execute(
    database.kysely,
  )
}
const key = { tenant_id: '1', id: '1' }
const readJobStatus = async (id: number) =>
  (await readJob({ database }, { tenant_id: '1', id: String(id) }))?.status
const settings = readSettings({})
async function claimOne() {
  const [claimed] = await claimJobs({ database, settings, log: quietLog as never }, 'import', 1)
  return claimed?.lease
}

it('claims the oldest queued job, and each only once', async () => {
  await addTestJob(2, 'queued')
  await addTestJob(1, 'queued')
  expect((await claimOne())?.id).toBe('1')
  expect((await claimOne())?.id).toBe('2')
  expect(await claimOne()).toBeUndefined()
})
it('refuses every step without the lease', async () => {
  await addTestJob(1, 'queued')
  const own = await claimOne()
  if (own === undefined) throw new Error('nothing was claimed')
  const other = { tenant: '1', id: '1', token: 'b' }
  expect(await stepJob(databaseOf({ database }), own, { done: 5 })).toBe(false)
  await expect(stepJob(databaseOf({ database }), other, { done: 9 })).rejects.toThrow(LeaseLost)
  expect(await renewLease({ database, log: quietLog as never }, other)).toBe(false)
  expect(await renewLease({ database, log: quietLog as never }, own)).toBe(true)
  await changeJob(databaseOf({ database }), key, ['running'], { cancelAsked: true })
  expect(await stepJob(databaseOf({ database }), own, { status: 'cancelled' })).toBe(true)
  await expect(stepJob(databaseOf({ database }), own, { done: 9 })).rejects.toThrow(LeaseLost)
  expect((await readJob({ database }, key))?.done).toBe(5)
  expect(await changeJob(databaseOf({ database }), key, ['paused'], { status: 'queued' })).toBe(
    false,
  )
})
it('interrupts jobs of dead workers, queues them again after the grace, and fails them after the last attempt', async () => {
  await addTestJob(1, 'running', { lease: '-1 second' })
  await addTestJob(2, 'running', { lease: '10 seconds' })
  await addTestJob(3, 'running', { lease: '-1 second' })
  await addTestJob(4, 'paused', { interrupted: '-1 minute' })
  await addTestJob(5, 'paused')
  await addTestJob(6, 'paused', { interrupted: '-1 second', attempts: maxAttempts })
  await recoverJobs({ database, log: quietLog as never }, 'import', {
    running: ['3'],
    alone: false,
  })
  expect(await Promise.all([1, 2, 3, 4, 5, 6].map(readJobStatus))).toEqual([
    'paused',
    'running',
    'running',
    'queued',
    'paused',
    'failed',
  ])
  await recoverJobs({ database, log: quietLog as never }, 'import', { running: [], alone: true })
  expect(await readJobStatus(2)).toBe('paused')
})
