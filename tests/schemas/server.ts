// One database with a third-party schema, and the product over it in this process.
import { cheapHash } from '../../apps/server/testing/cheap-hash.ts'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import { createClient } from '@jiaowu/api/client/client'
import type { Kysely } from 'kysely'
import pg from 'pg'
import { quietLog } from '../../apps/server/testing/quiet-log.ts'
import { createApp } from '../../apps/server/src/start/app.ts'
import { installBase } from '../../apps/server/src/start/install/install-base.ts'
import { createRegistry } from '../../apps/server/src/model/definition/registry/registry.ts'
import { hashPassword } from '../../apps/server/src/identity/password.ts'
import { createKeys } from '../../apps/server/src/platform/keys/keys.ts'
import { createAuditKeys } from '../../apps/server/src/platform/audit/keys.ts'
import { watchFreeSpace } from '../../apps/server/src/platform/database/embedded/free-space.ts'
import { migrate } from '../../apps/server/src/platform/database/migrations/migrate.ts'
import { migrations } from '../../apps/server/src/platform/database/migrations/index.ts'
import { databaseOn } from '../../apps/server/src/platform/database/open-database.ts'
import { postgresPool } from '../../apps/server/src/platform/database/pools.ts'
import { createMemory } from '../../apps/server/src/platform/memory.ts'
import { snowflake } from '../../apps/server/src/platform/id.ts'
import { readSettings } from '../../apps/server/src/platform/settings/settings.ts'

export type Api = Client<typeof contract>
export interface Loaded {
  readonly api: Api
  readonly pool: pg.Pool
  readonly schemas: readonly string[]
  readonly close: () => Promise<void>
}

const password = 'Jiaowu-tests-2026'

/** Loads SQL files with psql, in order, into a new database; errors of single statements are passed over. */
export async function loadSchema(
  clusterUrl: string,
  name: string,
  files: readonly string[],
): Promise<Loaded> {
  const database = `s_${name.replace(/\W/g, '_').toLowerCase()}`
  const admin = new pg.Client({ connectionString: `${clusterUrl}postgres` })
  await admin.connect()
  await admin.query(`drop database if exists "${database}"`)
  await admin.query(`create database "${database}"`)
  await admin.end()
  const url = `${clusterUrl}${database}`
  for (const file of files) {
    const { error, stderr } = spawnSync('psql', ['-q', '-o', '/dev/null', '-d', url, '-f', file], {
      encoding: 'utf8',
      env: { ...process.env, PGOPTIONS: '-c client_min_messages=error' },
    })
    if (error !== undefined) throw error
    const faults = stderr.split('\n').filter((line) => line.includes('ERROR'))
    if (faults.length > 0)
      process.stderr.write(`  ${name}: ${faults.length} errors of psql, first: ${faults[0]}\n`)
  }
  return await openProduct(url)
}

/** The product on a database, in this process. */
export async function openProduct(url: string): Promise<Loaded> {
  const dataDir = mkdtempSync(join(tmpdir(), 'jiaowu-schemas-'))
  const pool = postgresPool(url, quietLog)
  const plain = new pg.Pool({ connectionString: url, max: 2 })
  // A server that stops early must not hide why the run ended.
  plain.on('error', () => {})
  const { rows } = await plain.query<{ name: string }>(
    `select nspname as name from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'`,
  )
  const schemas = rows.map((row) => row.name)
  const database = databaseOn(
    {
      engine: 'postgres',
      pool,
      space: watchFreeSpace(dataDir, 0),
      healthy: () => !pool.ending,
      cutAfter: () => () => false,
      allow: (_seconds, work) => work(),
      maintain: async () => {},
      close: () => pool.end(),
    },
    quietLog,
  )
  await migrate(database.kysely as unknown as Kysely<unknown>, migrations, quietLog)
  const keys = createKeys([Buffer.alloc(32, 7)])
  const auditKeys = createAuditKeys([Buffer.alloc(32, 8)])
  const [now, newId] = [() => new Date(), snowflake(1)]
  const adminPasswordHash = () => hashPassword(password, cheapHash)
  await installBase({ database, newId, now, adminPasswordHash })
  const settings = readSettings({
    APP_ENV: 'test',
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    BUSINESS_SCHEMAS: schemas.join(','),
  })
  const registry = createRegistry(database, quietLog as never, { keys, schemas })
  const app = createApp({
    services: {
      database,
      settings,
      memory: createMemory(now),
      log: quietLog as never,
      newId,
      now,
      keys,
      auditKeys,
      registry,
    },
    state: { migrating: false, draining: false },
  })
  const client = (token: string): Api =>
    createClient({
      baseURL: 'http://jiaowu.test/api',
      locale: () => 'en',
      fetch: (input, init) => app.fetch(new Request(input, init)),
      authorise: () =>
        Promise.resolve(token === '' ? undefined : { token, account: '', accountId: '' }),
    })
  const signIn = async () =>
    (
      await client('').session.signIn({
        body: { grant_type: 'password', username: 'admin', password },
      })
    ).access_token
  let [calls, api] = [0, client(await signIn())]
  // A session may make 50 calls a second: a new one takes over before the limit.
  const fresh = async (): Promise<Api> => {
    calls += 1
    if (calls % 100 === 0) api = client(await signIn())
    return api
  }
  return {
    api: throttleApi(fresh),
    pool: plain,
    schemas,
    close: async () => {
      await database.close()
      await plain.end()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The client, whose calls go through a session that is below its limit. */
function throttleApi(fresh: () => Promise<Api>): Api {
  return new Proxy({} as Api, {
    get: (_target, group: string) =>
      new Proxy(
        {},
        {
          get: (_inner, name: string) => async (input: never) => {
            const api = (await fresh()) as unknown as Record<
              string,
              Record<string, (given: never) => unknown>
            >
            return await api[group]?.[name]?.(input)
          },
        },
      ),
  })
}
