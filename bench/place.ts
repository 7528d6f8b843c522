// A server with its own data folder, and its database while the server is stopped.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import { createClient } from '@jiaowu/api/client/client'
import { pino } from 'pino'
import { openDatabase } from '../apps/server/src/platform/database/open-database.ts'
import { readSettings } from '../apps/server/src/platform/settings/settings.ts'
import { serverProgram } from '../apps/server/testing/server-program.ts'

export const root = join(import.meta.dirname, '..')
export const folder = mkdtempSync(join(tmpdir(), 'jiaowu-bench-'))
export const dataDir = join(folder, 'data')
export const password = 'Jiaowu-bench-2026'
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const environment = {
  ...process.env,
  DATA_DIR: dataDir,
  ADMIN_PASSWORD: password,
  LOG_LEVEL: 'warn',
  IMPORT_MAX_ROWS: '1000000',
  EXPORT_MAX_ROWS: '1000000',
}

/** Fills a database: by default this checkout's own, in the benchmark's data folder. */
export function seed(students: number, checkout = root, data = dataDir): void {
  const { status } = spawnSync(
    process.execPath,
    [
      serverProgram(checkout, 'commands/seed-main.ts'),
      '--students',
      String(students),
      '--grades-each',
      '0',
    ],
    { env: { ...environment, DATA_DIR: data }, stdio: ['ignore', 'inherit', 'inherit'] },
  )
  if (status !== 0) throw new Error('seeding the database failed')
}

export interface Running {
  readonly pid: number
  readonly url: string
  readonly token: string
  readonly api: Client<typeof contract>
  readonly stop: () => Promise<void>
}

export async function startServer(
  more: Readonly<Record<string, string>> = {},
  checkout = root,
): Promise<Running> {
  const port = await freePort()
  const env = { ...environment, ...more, PORT: String(port), HOST: '127.0.0.1' }
  // As `npm start` does for the embedded database (docs/operations.md#memory-of-the-embedded-database).
  const lean = 'DATABASE_URL' in env ? [] : ['--liftoff-only']
  const child = spawn(process.execPath, [...lean, serverProgram(checkout, 'main.ts')], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
  })
  const url = `http://127.0.0.1:${port}`
  for (
    let tries = 0;
    !(await fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    ));
    tries += 1
  ) {
    if (tries > 1_200 || child.exitCode !== null) throw new Error('the server did not start')
    await sleep(100)
  }
  let token = ''
  const api = createClient({
    baseURL: `${url}/api`,
    locale: () => 'zh-CN',
    authorise: async () => (token === '' ? undefined : { token, account: '', accountId: '' }),
  })
  token = (
    await api.session.signIn({ body: { grant_type: 'password', username: 'admin', password } })
  ).access_token
  return {
    pid: child.pid ?? 0,
    url,
    token,
    api,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      process.off('exit', kill)
    },
  }
}

function freePort() {
  return new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

/** Opens the database; only while no server uses it. */
export async function withDatabase<T>(
  work: (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(readSettings(environment), pino({ level: 'silent' }))
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/**
 * Deletes the data between parts of the benchmark. A database given by DATABASE_URL is not touched.
 */
export const removeData = (): void => rmSync(dataDir, { recursive: true, force: true })
export const pgliteFolder = join(dataDir, 'pg18')
export const isEmbedded = process.env.DATABASE_URL === undefined
