import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { testDatabase } from '../../../testing/database/database.ts'
import { type Database, Unwanted } from './open-database.ts'

const isEmbedded = inject('testStore').postgresUrl === undefined
let database: Database
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

/** Takes minutes unless it is cancelled. */
const endless = sql`select count(*) from generate_series(1, 4000000000) n`
const one = sql<{ n: number }>`select 1 as n`
const answers = async () => (await one.execute(database.untyped)).rows

it('answers what the work answers', async () => {
  const { signal } = new AbortController()
  const { rows } = await database.whileWanted(signal, (trx) => one.execute(trx))
  expect(rows).toEqual([{ n: 1 }])
})

// The embedded engine of tests runs in their own thread, where nothing can be cancelled: see embedded.system.test.ts.
it.skipIf(isEmbedded)('cancels the statement that runs when nobody wants it any more', async () => {
  const leaving = new AbortController()
  const work = database.whileWanted(leaving.signal, (trx) => endless.execute(trx))
  const ended = work.catch((error: unknown) => error)
  await sleep(300)
  leaving.abort()
  expect(await ended).toBeInstanceOf(Unwanted)
  expect(await answers()).toEqual([{ n: 1 }])
})

it('starts nothing that nobody wants', async () => {
  await expect(
    database.whileWanted(AbortSignal.abort(), (trx) => endless.execute(trx)),
  ).rejects.toBeInstanceOf(Unwanted)
})

it('cancels no later statement', async () => {
  for (let n = 0; n < 20; n += 1) {
    const leaving = new AbortController()
    const work = database.whileWanted(leaving.signal, (trx) => one.execute(trx))
    setImmediate(() => leaving.abort())
    await work.catch((error: unknown) => expect(error).toBeInstanceOf(Unwanted))
    expect(await answers()).toEqual([{ n: 1 }])
  }
})
