// Starts the product and the bare server on filled databases.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { openDatabase } from '../../apps/server/src/platform/database/open-database.ts'
import { readSettings } from '../../apps/server/src/platform/settings/settings.ts'
import { hashOf, newTokenOf } from '../../apps/server/src/platform/tokens.ts'
import { type Cluster, freePort } from '../../apps/server/testing/postgres/postgres-cluster.ts'
import { CompiledQuery } from 'kysely'
import { folder, root } from '../place.ts'
import { fillStatements, personEntity, tag, tenant } from './people.ts'
import type { Contestant } from './load.ts'
import { serverProgram } from '../../apps/server/testing/server-program.ts'

const password = 'Jiaowu-bench-2026'
const sessions = 400

export type Started = Contestant & { readonly stop: () => Promise<void> }
type Run = (text: string, values?: readonly unknown[]) => Promise<unknown>

/** The product of a checkout on a database of its own in the cluster, with so many rows. */
export async function startOnPostgres(
  name: string,
  checkout: string,
  cluster: Cluster,
  rows: number,
): Promise<{ started: Started; url: string }> {
  const database = `bench_${name}_${rows}`
  await runOnDatabase(`${cluster.url}postgres`, (run) => run(`create database ${database}`))
  const url = `${cluster.url}${database}`
  const environment = { DATABASE_URL: url, DATA_DIR: join(folder, database) }
  await (await startProduct(checkout, environment)).stop()
  const tokens = await runOnDatabase(url, (run) => fillDatabase(run, rows))
  const process = await startProduct(checkout, environment)
  return { started: { name, kind: 'ours', tokens, ...process }, url }
}

/** The product of a checkout on the embedded engine. @param flags of Node */
export async function startEmbedded(
  checkout: string,
  rows: number,
  flags: readonly string[] = [],
): Promise<Started> {
  const environment = {
    DATA_DIR: join(folder, `embedded_${rows}_${checkout === root ? 'ours' : 'before'}`),
  }
  await (await startProduct(checkout, environment)).stop()
  const database = await openDatabase(readSettings(environment), pino({ level: 'silent' }))
  const tokens = await database.long(
    async () =>
      await fillDatabase(
        async (text, values = []) =>
          await database.kysely.executeQuery(CompiledQuery.raw(text, [...values])),
        rows,
      ),
  )
  await database.close()
  const process = await startProduct(checkout, environment, flags)
  return { name: 'embedded', kind: 'ours', tokens, ...process }
}

/** @param name `limit`: its pages are not counted */
export async function startBare(url: string, name: 'bare' | 'limit' = 'bare'): Promise<Started> {
  const program = join(import.meta.dirname, 'bare-server.ts')
  const environment = { DATABASE_URL: url, BARE_COUNT: name === 'limit' ? '0' : '1' }
  const started = await startProcess([process.execPath, program], environment, '/row/1')
  return { name, kind: 'bare', tokens: [], ...started }
}

/** Makes the table, its entity and sessions of the administrator; returns their tokens. */
async function fillDatabase(run: Run, rows: number): Promise<string[]> {
  for (const statement of fillStatements(rows)) await run(statement)
  const { id, json } = personEntity()
  await run(
    `insert into sys.entity (id, tenant_id, tag, name, definition)
    values ($1::int8, $2::int8, $3::text, $3::text, $4::jsonb)`,
    [id, tenant, tag, json],
  )
  const tokens = Array.from({ length: sessions }, () => newTokenOf(tenant))
  await run(
    `insert into sys.session (id, family_id, tenant_id, user_id, kind, ip, access_hash, access_expires_at,
      refresh_hash, refresh_expires_at, absolute_expires_at)
    select 1000 + n, 1000 + n, u.tenant_id, u.id, 'staff', '127.0.0.1', t.hash, now() + interval '1 day',
      'bench' || n, now() + interval '1 day', now() + interval '1 day'
    from unnest($1::text[]) with ordinality t(hash, n),
      (select * from sys.app_user where tenant_id = ${tenant} and account = 'admin') u`,
    [tokens.map(hashOf)],
  )
  return tokens
}

async function startProduct(
  checkout: string,
  environment: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
) {
  return await startProcess(
    [process.execPath, ...flags, serverProgram(checkout, 'main.ts')],
    { ADMIN_PASSWORD: password, LOG_LEVEL: 'warn', DEMO: '0', HOST: '127.0.0.1', ...environment },
    '/health/ready',
  )
}

/** @param command the program of Node and its arguments */
export async function startProcess(
  [node = '', ...args]: readonly string[],
  environment: Readonly<Record<string, string>>,
  ready: string,
): Promise<{ port: number; pid: number; stop: () => Promise<void> }> {
  const port = await freePort()
  const profile = process.env.BENCH_PROFILE
  const profiled = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  const child = spawn(node, [...profiled, ...args], {
    env: { ...process.env, ...environment, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      process.off('exit', kill)
      resolve()
    })
  })
  for (let tries = 0; ; tries += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}${ready}`).catch(() => null)
    if (answer?.ok === true) break
    if (tries > 1_200 || child.exitCode !== null) throw new Error(`${args.join(' ')} did not start`)
    await sleep(100)
  }
  return {
    port,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

export async function runOnDatabase<T>(url: string, work: (run: Run) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work((text, values = []) => client.query(text, [...values]))
  } finally {
    await client.end()
  }
}
