import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest'
import { testDatabase } from '../../../testing/database/database.ts'
import type { Database } from './open-database.ts'
import { isUnavailable } from './problems.ts'
import { transact } from './transact.ts'

const onPostgres = inject('testStore').postgresUrl !== undefined
let database: Database
let db: Kysely<unknown>
beforeAll(async () => {
  database = await testDatabase()
  db = database.kysely as unknown as Kysely<unknown>
  await sql`create table ledger (id int4 primary key, amount int4 not null)`.execute(db)
})
afterAll(() => database.close())
beforeEach(async () => {
  await sql`truncate ledger`.execute(db)
})

async function readLedgerIds() {
  return (await sql<{ id: number }>`select id from ledger order by id`.execute(db)).rows.map(
    ({ id }) => id,
  )
}
function insert(on: Kysely<unknown>, id: number) {
  return sql`insert into ledger values (${id}, 0)`.execute(on)
}

it('runs statements outside of a concurrent transaction', async () => {
  const { promise: outside, resolve: begun } = Promise.withResolvers<void>()
  const rolledBack = transact(db, async (trx) => {
    await insert(trx, 1)
    begun()
    await sleep(50)
    throw new Error('changed my mind')
  })
  await outside
  const independent = insert(db, 2)
  await expect(rolledBack).rejects.toThrow('changed my mind')
  await independent
  expect(await readLedgerIds()).toEqual([2])
})

it('does not show uncommitted rows', async () => {
  const { promise: inserted, resolve } = Promise.withResolvers<void>()
  const work = transact(db, async (trx) => {
    await insert(trx, 1)
    resolve()
    await sleep(30)
  })
  await inserted
  const seen = await readLedgerIds()
  await work
  // The embedded engine answers after the transaction, PostgreSQL with the state before it.
  expect(seen).toEqual(database.engine === 'pglite' ? [1] : [])
})

it('loses no update among 40 concurrent transactions', async () => {
  await sql`insert into ledger values (1, 0)`.execute(db)
  await Promise.all(
    Array.from({ length: 40 }, () =>
      transact(db, async (trx) => {
        const { rows } = await sql<{
          amount: number
        }>`select amount from ledger where id = 1 for update`.execute(trx)
        await sleep(1)
        await sql`update ledger set amount = ${(rows[0]?.amount ?? 0) + 1} where id = 1`.execute(
          trx,
        )
      }),
    ),
  )
  expect((await sql`select amount from ledger`.execute(db)).rows).toEqual([{ amount: 40 }])
})

it.skipIf(onPostgres)(
  'serves waiting transactions and statements in order of arrival',
  async () => {
    const order: number[] = []
    await Promise.all(
      Array.from({ length: 12 }, (_, turn) =>
        turn % 2 === 0
          ? transact(db, async (trx) => {
              await insert(trx, turn)
              await sleep(2)
              order.push(turn)
            })
          : insert(db, turn).then(() => order.push(turn)),
      ),
    )
    expect(order).toEqual(Array.from({ length: 12 }, (_, turn) => turn))
  },
)

it('rolls back the whole transaction when a statement fails', async () => {
  await expect(
    transact(db, async (trx) => {
      await insert(trx, 1)
      await insert(trx, 1)
    }),
  ).rejects.toMatchObject({ code: '23505' })
  expect(await readLedgerIds()).toEqual([])
})

it('does not commit a transaction that ignored an error', async () => {
  await expect(
    transact(db, async (trx) => {
      await insert(trx, 1)
      await insert(trx, 1).catch(() => {})
    }),
  ).rejects.toThrow('rolled back instead of committed')
  expect(await readLedgerIds()).toEqual([])
})

it('refuses statements on the database itself inside a transaction', async () => {
  await expect(
    transact(db, async () => {
      await insert(db, 1)
    }),
  ).rejects.toThrow('does not use its trx')
  await insert(db, 2)
  expect(await readLedgerIds()).toEqual([2])
})

it('retries once after serialization failures and deadlocks, and only then', async () => {
  const failing = (code: string, times: number) => {
    let left = times
    return async (trx: Kysely<unknown>) => {
      await insert(trx, 10 + left)
      if (left-- > 0)
        await sql`do $$ begin raise exception 'again' using errcode = ${sql.lit(code)}; end $$`.execute(
          trx,
        )
    }
  }
  await transact(db, failing('40001', 1))
  await transact(db, failing('40P01', 1)).catch((error: unknown) =>
    expect(error).toMatchObject({ code: '23505' }),
  )
  await expect(transact(db, failing('40001', 2))).rejects.toBeInstanceOf(pg.DatabaseError)
  await expect(transact(db, failing('22012', 1))).rejects.toMatchObject({ code: '22012' })
  expect(await readLedgerIds()).toEqual([10])
})

it.runIf(onPostgres)(
  'survives a connection that the server closes, and reports the database as unavailable',
  async () => {
    const cut: unknown = await transact(db, async (trx) => {
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx).catch(() => {})
      await insert(trx, 1)
    }).catch((error: unknown) => error)
    expect(isUnavailable(cut)).toBe(true)
    expect(await readLedgerIds()).toEqual([])
  },
)
