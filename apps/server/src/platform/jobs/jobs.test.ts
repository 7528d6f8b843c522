import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '../database/open-database.ts'
import { testDatabase } from '../../../testing/database.ts'
import { LeaseLost } from '../../entities/import/job.ts'
import {
  changeJob,
  claimJob,
  maxAttempts,
  readJob,
  renewLease,
  reviveJobs,
  stepJob,
} from './jobs.ts'
import { databaseOf } from '../../entities/read/rows.ts'

let database: Database
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  await sql`delete from sys.job`.execute(database.kysely)
})

async function add(
  id: number,
  status: string,
  more: { lease?: string; interrupted?: string; attempts?: number } = {},
) {
  await sql`insert into sys.job (id, tenant_id, user_id, kind, tag, status, phase, options, file, choice_hash, locale, lease_token, lease_until, interrupted_at, attempts)
    values (${id}, 1, 1, 'import', 'T', ${status}, 'writing', '{}', '{}', '', 'en', ${more.lease === undefined ? null : 'old'}, now() + ${more.lease ?? null}::interval, now() + ${more.interrupted ?? null}::interval, ${more.attempts ?? 1})`.execute(
    database.kysely,
  )
}
const statusOf = async (id: number) => (await readJob({ database }, String(id)))?.status

it('takes the oldest that waits, once', async () => {
  await add(2, 'queued')
  await add(1, 'queued')
  expect((await claimJob({ database }, 'a', 'import'))?.id).toBe('1')
  expect((await claimJob({ database }, 'b', 'import'))?.id).toBe('2')
  expect(await claimJob({ database }, 'c', 'import')).toBeUndefined()
})
it('lets nobody write without the lease', async () => {
  await add(1, 'queued')
  await claimJob({ database }, 'a', 'import')
  expect(await stepJob(databaseOf({ database }), '1', 'a', { done: 5 })).toBe(false)
  await expect(stepJob(databaseOf({ database }), '1', 'b', { done: 9 })).rejects.toThrow(LeaseLost)
  expect(await renewLease(databaseOf({ database }), '1', 'b')).toBe(false)
  await changeJob({ database }, '1', ['running'], { cancelAsked: true })
  expect(await stepJob(databaseOf({ database }), '1', 'a', { status: 'cancelled' })).toBe(true)
  await expect(stepJob(databaseOf({ database }), '1', 'a', { done: 9 })).rejects.toThrow(LeaseLost)
  expect((await readJob({ database }, '1'))?.done).toBe(5)
  expect(await changeJob({ database }, '1', ['paused'], { status: 'queued' })).toBe(false)
})
it('finds runs that died, waits for their person, then goes on, and gives up at last', async () => {
  await add(1, 'running', { lease: '-1 second' })
  await add(2, 'running', { lease: '10 seconds' })
  await add(3, 'running', { lease: '-1 second' })
  await add(4, 'paused', { interrupted: '-1 minute' })
  await add(5, 'paused')
  await add(6, 'paused', { interrupted: '-1 second', attempts: maxAttempts })
  await reviveJobs({ database }, 'import', ['3'], false)
  expect(await Promise.all([1, 2, 3, 4, 5, 6].map(statusOf))).toEqual([
    'paused',
    'running',
    'running',
    'queued',
    'paused',
    'failed',
  ])
  await reviveJobs({ database }, 'import', [], true)
  expect(await statusOf(2)).toBe('paused')
})
