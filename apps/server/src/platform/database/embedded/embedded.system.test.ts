// The embedded database on a real disk: durability, locking, and recovery from kill -9, hangs and
// unfinished first starts.
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { quietLog } from '../../../../testing/quiet-log.ts'
import { DataDirectoryInUse } from './folder/data-lock.ts'
import { durableStartParams } from './durable-fs.ts'
import { openDatabase, TimeIsUp, Unwanted } from '../open-database.ts'
import type { Database } from '../open-database.ts'
import { isUnavailable } from '../problems.ts'
import { transact } from '../transact.ts'
import { SettingsError } from '../../settings/settings.ts'

const childProgram = fileURLToPath(
  new URL('../../../../testing/database/embedded-child.ts', import.meta.url),
)
const running = new Set<ReturnType<typeof spawn>>()

/** Every file below a folder with its size and time of change, except locks. */
function listTree(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.includes('.lock'))
    .map((path) => {
      const { size, mtimeMs } = statSync(join(folder, path))
      return `${path} ${size} ${mtimeMs}`
    })
    .toSorted()
}

function startChild(mode: 'hold' | 'write', dataDir: string) {
  const child = spawn(process.execPath, ['--liftoff-only', childProgram, mode, dataDir], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let out = ''
  let errors = ''
  child.stdout.on('data', (text: Buffer) => {
    out += text.toString()
  })
  child.stderr.on('data', (text: Buffer) => {
    errors += text.toString()
  })
  const exited = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      running.delete(child)
      resolve(code)
    }),
  )
  const printed = async (word: string) => {
    while (!out.includes(word)) {
      if (!running.has(child)) throw new Error(`the child ended: ${errors}`)
      await sleep(5)
    }
  }
  return {
    exited,
    printed,
    errors: () => errors,
    acked: () => [...out.matchAll(/^done (\d+)$/gm)].map(([, id]) => Number(id)),
    kill: () => {
      child.kill('SIGKILL')
      return exited
    },
  }
}

const openUntyped = (database: Database) => database.kysely as unknown as Kysely<unknown>
async function one(db: Kysely<unknown>) {
  return (await sql<{ value: number }>`select 1 as value`.execute(db)).rows[0]?.value
}

// Runs on PostgreSQL skip these tests.
describe.skipIf(inject('testStore').postgresUrl !== undefined)('the embedded database', () => {
  let root: string
  let made = 0
  /** A copy of a started data directory, because a first start takes seconds. */
  const freshCopy = () => {
    made += 1
    const dataDir = join(root, `copy-${made}`)
    cpSync(join(root, 'first'), dataDir, { recursive: true })
    return dataDir
  }
  const use = async <T>(
    dataDir: string,
    work: (db: Kysely<unknown>, database: Database) => Promise<T>,
    options: Parameters<typeof openDatabase>[2] = {},
  ) => {
    const database = await openDatabase({ dataDir }, quietLog, options)
    try {
      return await work(openUntyped(database), database)
    } finally {
      await database.close()
    }
  }

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'jiaowu-embedded-'))
    await use(join(root, 'first'), async (db) => {
      await sql`create table kept (id int4)`.execute(db)
      await sql`insert into kept values (7)`.execute(db)
    })
  })
  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL')
    rmSync(root, { recursive: true, force: true })
  })

  it('keeps rows when it is closed and opened again', async () => {
    expect(
      await use(freshCopy(), async (db) => (await sql`select id from kept`.execute(db)).rows),
    ).toEqual([{ id: 7 }])
  })

  it.each([
    ['-F is passed', [...durableStartParams, '-F'], 'fsync off'],
    [
      'a commit is not synced',
      [...durableStartParams, '-c', 'wal_sync_method=fdatasync'],
      'did not reach the disk',
    ],
  ])('refuses to start when %s', async (_name, startParams, sentence) => {
    await expect(openDatabase({ dataDir: freshCopy() }, quietLog, { startParams })).rejects.toThrow(
      sentence,
    )
  })

  it('refuses a directory of another PostgreSQL major version, and leaves it unchanged', async () => {
    const dataDir = freshCopy()
    const version = join(dataDir, 'pg18', 'PG_VERSION')
    writeFileSync(version, '17\n')
    await expect(openDatabase({ dataDir }, quietLog)).rejects.toThrow('written by PostgreSQL 17')
    expect(readFileSync(version, 'utf8')).toBe('17\n')
  })

  it('refuses a second process with one sentence, and admits it after kill -9', async () => {
    const dataDir = freshCopy()
    const holder = startChild('hold', dataDir)
    await holder.printed('open')
    await expect(openDatabase({ dataDir }, quietLog)).rejects.toThrow(DataDirectoryInUse)
    const second = startChild('hold', dataDir)
    expect(await second.exited).toBe(1)
    expect(second.errors()).toMatch(/^Another server is already running on \S+copy-\d+: [^\n]+\n$/)
    await holder.kill()
    expect(await use(dataDir, one)).toBe(1)
  })

  it('releases the directory when it closes, and notices a removed lock file', async () => {
    const dataDir = freshCopy()
    await use(dataDir, async (_db, database) => {
      expect(database.healthy()).toBe(true)
      renameSync(join(dataDir, 'pg18.lock'), join(dataDir, 'elsewhere'))
      expect(database.healthy()).toBe(false)
    })
    expect(await use(dataDir, one)).toBe(1)
  })

  it('neither loses nor duplicates acknowledged rows after kill -9', async () => {
    const dataDir = freshCopy()
    const acked: number[] = []
    for (const pause of [40, 150, 400, 90]) {
      const writer = startChild('write', dataDir)
      await writer.printed('done')
      await sleep(pause)
      await writer.kill()
      acked.push(...writer.acked())
    }
    expect(new Set(acked).size).toBe(acked.length)
    await use(dataDir, async (db) => {
      const { rows } = await sql<{
        id: string
      }>`select o.id from orders o join payments p on p.order_id = o.id order by o.id`.execute(db)
      const stored = rows.map(({ id }) => Number(id))
      expect(stored).toEqual(Array.from({ length: stored.length }, (_, index) => index + 1))
      expect(acked.filter((id) => !stored.includes(id))).toEqual([])
      // Per kill, at most the one transaction in flight is stored without an acknowledgement.
      expect(stored.length - acked.length).toBeLessThanOrEqual(4)
      const { rows: sums } = await sql`
          select total, (select count(*) from orders) as orders,
            (select sum(amount) from payments) as paid
          from counter`.execute(db)
      expect(sums).toEqual([
        {
          total: String(stored.length),
          orders: String(stored.length),
          paid: String(stored.length),
        },
      ])
    })
  })

  it('starts again after a kill during the first start', async () => {
    const dataDir = join(root, 'cut-off')
    for (const pause of [500, 1_200, 2_000]) {
      const child = startChild('hold', dataDir)
      await Promise.race([sleep(pause), child.printed('open')])
      await child.kill()
    }
    expect(await use(dataDir, one)).toBe(1)
    // The remains of the killed starts stay where they are; the database is in the first free
    // directory.
    const finished = readdirSync(dataDir).filter((name) =>
      existsSync(join(dataDir, name, 'jiaowu.complete')),
    )
    expect(finished).toHaveLength(1)
    expect(await use(dataDir, one)).toBe(1)
  })

  it('refuses a database without its completion mark, twice, and touches nothing in it', async () => {
    const dataDir = freshCopy()
    rmSync(join(dataDir, 'pg18', 'jiaowu.complete'))
    const before = listTree(dataDir)
    for (let tries = 0; tries < 2; tries += 1) {
      const refused: unknown = await openDatabase({ dataDir }, quietLog).catch(
        (error: unknown) => error,
      )
      expect(refused).toBeInstanceOf(SettingsError)
      expect((refused as Error).message).toMatch(
        /^The database in \S+pg18 has no completion mark \(jiaowu\.complete\) but holds data \(base.+\).+start again\.$/,
      )
      expect(listTree(dataDir)).toEqual(before)
    }
    writeFileSync(join(dataDir, 'pg18', 'jiaowu.complete'), '')
    await use(dataDir, async (db) =>
      expect((await sql`select id from kept`.execute(db)).rows).toEqual([{ id: 7 }]),
    )
  })

  it('refuses a folder with files that no database makes', async () => {
    const dataDir = join(root, 'strange')
    mkdirSync(join(dataDir, 'pg18'), { recursive: true })
    writeFileSync(join(dataDir, 'pg18', 'thesis.docx'), 'years of work')
    await expect(openDatabase({ dataDir }, quietLog)).rejects.toThrow('holds data (thesis.docx)')
    expect(readFileSync(join(dataDir, 'pg18', 'thesis.docx'), 'utf8')).toBe('years of work')
  })

  it('ends a hanging statement, and answers again', async () => {
    await use(
      freshCopy(),
      async (db, database) => {
        const hung: unknown = await sql`select pg_sleep(60)`
          .execute(db)
          .catch((error: unknown) => error)
        expect(isUnavailable(hung)).toBe(true)
        expect(await one(db)).toBe(1)
        expect((await sql`select id from kept`.execute(db)).rows).toEqual([{ id: 7 }])
        expect(database.healthy()).toBe(true)
      },
      { statementSeconds: 1 },
    )
  })

  it('cuts a limited transaction, and keeps others that wait for the connection', async () => {
    await use(freshCopy(), async (db, database) => {
      const endless = database
        .limited(300, (trx) =>
          sql`select count(*) from generate_series(1, 2000000000)`.execute(trx),
        )
        .catch((error: unknown) => error)
      await sleep(50)
      const waiting = [one(db), one(db)]
      expect(await endless).toBeInstanceOf(TimeIsUp)
      expect(await Promise.all(waiting)).toEqual([1, 1])
      await expect(
        database.limited(5_000, (trx) => sql`insert into kept values (9)`.execute(trx)),
      ).rejects.toThrow('read-only')
      expect(await database.limited(5_000, (trx) => one(trx as never))).toBe(1)
    })
  })

  it('cancels what nobody wants any more, and keeps others that wait for the connection', async () => {
    await use(freshCopy(), async (db, database) => {
      const leaving = new AbortController()
      const endless = database
        .whileWanted(leaving.signal, (trx) =>
          sql`select count(*) from generate_series(1, 2000000000)`.execute(trx),
        )
        .catch((error: unknown) => error)
      await sleep(200)
      const waiting = [one(db), one(db)]
      leaving.abort()
      expect(await endless).toBeInstanceOf(Unwanted)
      expect(await Promise.all(waiting)).toEqual([1, 1])
      expect(database.healthy()).toBe(true)
    })
  })

  it('rolls back an idle transaction, and serves other statements', async () => {
    await use(
      freshCopy(),
      async (db) => {
        const silent = transact(db, async (trx) => {
          await sql`insert into kept values (8)`.execute(trx)
          await sleep(4_000)
          await sql`insert into kept values (9)`.execute(trx)
        })
        const outcome = expect(silent).rejects.toThrow()
        await sleep(100)
        expect((await sql`select id from kept`.execute(db)).rows).toEqual([{ id: 7 }])
        await outcome
      },
      { idleInTransactionSeconds: 1 },
    )
  })

  it('does not block the main thread during a long statement', async () => {
    await use(freshCopy(), async (db) => {
      let last = performance.now()
      let longest = 0
      const ticks = setInterval(() => {
        longest = Math.max(longest, performance.now() - last)
        last = performance.now()
      }, 5)
      const began = performance.now()
      await sql`select count(*) from generate_series(1, 3000000)`.execute(db)
      clearInterval(ticks)
      expect(longest).toBeLessThan((performance.now() - began) / 2)
    })
  })

  it('vacuums and analyses on maintain()', async () => {
    await use(freshCopy(), async (db, database) => {
      await sql`create table busy as select i as id, 0 as n from generate_series(1, 5000) i`.execute(
        db,
      )
      for (let round = 0; round < 4; round += 1) await sql`update busy set n = n + 1`.execute(db)
      await database.maintain()
      await sql`select pg_stat_force_next_flush()`.execute(db)
      const { rows } = await sql`
          select n_dead_tup as dead, last_vacuum is not null as vacuumed,
            last_analyze is not null as analysed
          from pg_stat_user_tables where relname = 'busy'`.execute(db)
      expect(rows).toEqual([{ dead: '0', vacuumed: true, analysed: true }])
    })
  })

  it('counts new rows by an index-only scan after maintain()', async () => {
    await use(freshCopy(), async (db, database) => {
      await sql`create table filled as select i as id, i % 40 as state from generate_series(1, 5000) i`.execute(
        db,
      )
      await sql`create index on filled (state)`.execute(db)
      await database.maintain()
      const { rows } = await sql<{
        'QUERY PLAN': string
      }>`explain (analyze, costs off, timing off, summary off) select count(*) from filled where state = 7`.execute(
        db,
      )
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toContain('Index Only Scan')
      expect(plan).toContain('Heap Fetches: 0')
    })
  })

  it('finishes running statements before it closes', async () => {
    const dataDir = freshCopy()
    const database = await openDatabase({ dataDir }, quietLog)
    const writing = Promise.all([
      sql`select pg_sleep(0.2)`.execute(openUntyped(database)),
      sql`insert into kept values (8)`.execute(openUntyped(database)),
    ])
    await sleep(20)
    await database.close()
    await writing
    expect(
      await use(dataDir, async (db) => (await sql`select id from kept`.execute(db)).rows),
    ).toEqual([{ id: 7 }, { id: 8 }])
  })
})
