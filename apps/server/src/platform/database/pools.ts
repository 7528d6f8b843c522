import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Engine } from './embedded/engine.ts'
import type { Log } from './log.ts'
import { valueTypes } from './value-types.ts'
import { Wire } from './embedded/wire.ts'

/** How long a request may wait for a connection; the server's own deadline is 15 s. */
const waitMs = 12_000

/** The same session on both engines. Set by statement, since connection poolers refuse most start-up options. */
const session = `set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set bytea_output = 'hex'; set search_path = public`
const limits = `set statement_timeout = '30s'; set idle_in_transaction_session_timeout = '60s'`

const common = {
  types: valueTypes,
  application_name: 'jiaowu',
  connectionTimeoutMillis: waitMs,
} satisfies pg.PoolConfig

/** One connection; those who wait are served first come, first served, a transaction as one turn. */
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
      stream: () => new Wire(engine),
      onConnect: async (client) => {
        await client.query(session)
      },
    }),
    log,
  )
}

/** Without a listener, a connection lost while in use would end the process: pg reports it there as well as to the statement. */
function logLosses(pool: pg.Pool, log: Log) {
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'))
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'))
  })
  return pool
}

export function postgresPool(connectionString: string, log: Log, max = 10): pg.Pool {
  return logLosses(
    new pg.Pool({
      ...common,
      connectionString,
      max,
      keepAlive: true,
      onConnect: async (client) => {
        await client.query(`${session}; ${limits}`)
      },
    }),
    log,
  )
}

/** pg.Pool.end forgets those who still wait for a connection, so they are served first. */
export async function endPool(pool: pg.Pool) {
  if (pool.ending) return
  while (pool.waitingCount > 0) await sleep(10)
  await pool.end()
}
