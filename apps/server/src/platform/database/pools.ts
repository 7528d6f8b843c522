import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Engine } from './embedded/engine.ts'
import type { Log } from './log.ts'
import { valueTypes } from './tables/value-types.ts'
import { EngineSocket } from './embedded/engine-socket.ts'
import { prepareStatements } from './postgres/prepared.ts'
import { type PoolTiming, ServerPool } from './postgres/pool.ts'

/** Longest wait for a connection; the deadline of a request is 15 s. */
const waitMs = 12_000

/** Session settings of both engines. Sent as statements, since poolers refuse most start-up options. */
const session = [
  `set timezone = 'UTC'`,
  `set datestyle = 'ISO, YMD'`,
  `set intervalstyle = 'postgres'`,
  `set bytea_output = 'hex'`,
  `set search_path = public`,
].join('; ')
const limits = `set statement_timeout = '30s'; set idle_in_transaction_session_timeout = '60s'`

const common = {
  types: valueTypes,
  application_name: 'jiaowu',
  connectionTimeoutMillis: waitMs,
} satisfies pg.PoolConfig

/** A pool of one connection. Waiting transactions and statements are served in order of arrival. */
export function embeddedPool(engine: Engine, log: Log): pg.Pool {
  return logLosses(
    new pg.Pool({
      ...common,
      user: 'postgres',
      database: 'postgres',
      host: 'embedded',
      ssl: false,
      password: '',
      max: 1,
      idleTimeoutMillis: 0,
      stream: () => new EngineSocket(engine),
      onConnect: async (client) => {
        await client.query(session)
        prepareStatements(client as pg.Client)
      },
    }),
    log,
  )
}

/** Logs lost connections. Without an error listener, a connection lost while in use ends the process. */
function logLosses(pool: pg.Pool, log: Log) {
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'))
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'))
  })
  return pool
}

/** @param timing shorter times for tests */
export function postgresPool(
  url: string,
  log: Log,
  max = 10,
  timing: Partial<PoolTiming> = {},
  prepare = true,
): ServerPool {
  return new ServerPool({
    url,
    log,
    common: { ...common, max },
    session: `${session}; ${limits}`,
    timing,
    prepare,
  })
}

/** Serves waiting requests before the end, because pg.Pool.end would never answer them. */
export async function endPool(pool: pg.Pool) {
  if (pool.ending) return
  while (pool.waitingCount > 0) await sleep(10)
  await pool.end()
}
