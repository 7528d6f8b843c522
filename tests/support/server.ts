import { spawn } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { cheapHash } from '../../apps/server/testing/cheap-hash.ts'
import { createOnce } from '../../apps/server/testing/database/create-once.ts'
import { quietLog } from '../../apps/server/testing/quiet-log.ts'
import { watchedEnvironment } from '../../apps/server/testing/statements/offences.ts'
import { nodeFlags } from './node-flags.ts'

export const password = 'Jiaowu-tests-2026'
const root = join(import.meta.dirname, '..', '..')

/** An unused port. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

export interface RunningServer {
  readonly url: string
  readonly dataDir: string
  readonly stop: () => Promise<void>
  /** Sends SIGKILL; the data remains. */
  readonly kill: () => Promise<void>
}

/** Copies a data directory with the demo school: a first start takes about ten seconds of CPU. */
export function copyOfDemo(dataDir: string): Promise<void> {
  return copyOfStarted('demo', {}, dataDir)
}

/** Copies a data directory as after a first start without the demo school. */
export function copyOfBase(dataDir: string): Promise<void> {
  return copyOfStarted('base', { DEMO: '0' }, dataDir)
}

async function copyOfStarted(
  name: string,
  env: Record<string, string>,
  dataDir: string,
): Promise<void> {
  const started = await createOnce(join(inject('testStore').directory, name), async (part) => {
    await (await startOn(part, env)).end()
    await cheapenPasswords(part)
  })
  await cp(started, dataDir, { recursive: true })
}

/** Replaces the password hashes of a stopped server by cheap ones of the same password. */
async function cheapenPasswords(dataDir: string): Promise<void> {
  const [{ hashPassword }, { openDatabase }] = await Promise.all([
    import('../../apps/server/src/identity/password.ts'),
    import('../../apps/server/src/platform/database/open-database.ts'),
  ])
  const database = await openDatabase({ dataDir }, quietLog)
  const password_hash = await hashPassword(password, cheapHash)
  await database.kysely.updateTable('sys.app_user').set({ password_hash }).execute()
  await database.close()
}

async function startOn(
  dataDir: string,
  env: Record<string, string>,
): Promise<RunningServer & { readonly end: () => Promise<void> }> {
  const port = env.PORT === undefined ? await freePort() : Number(env.PORT)
  const child = spawn(process.execPath, [...nodeFlags, 'apps/server/src/start/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      APP_ENV: 'test',
      PORT: String(port),
      DATA_DIR: dataDir,
      ADMIN_PASSWORD: password,
      LOG_LEVEL: 'warn',
      ...watchedEnvironment(),
      ...env,
    },
  })
  let output = ''
  let code: number | null = null
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4000)
    })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (c) => {
      code = c ?? 1
      resolve()
    })
  })
  const url = `http://127.0.0.1:${port}`
  const end = async () => {
    child.kill('SIGTERM')
    const timeout = setTimeout(() => child.kill('SIGKILL'), 15_000)
    await ended
    clearTimeout(timeout)
    await rm(`${dataDir}.lock`, { force: true })
  }
  const stop = async () => {
    await end()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await ready(url, () => (code === null ? null : output))
  } catch (error) {
    await stop()
    throw error
  }
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return { url, dataDir, stop, kill, end }
}

/** Ends a start that hangs, in ms; a loaded machine takes over a minute. Hooks may last 180 s. */
const longestStart = 150_000

async function ready(url: string, exited: () => string | null): Promise<void> {
  const until = Date.now() + longestStart
  while (Date.now() < until) {
    const output = exited()
    if (output !== null) throw new Error(`the server ended before it was ready: ${output}`)
    const answered = await fetch(`${url}/health/ready`).then(
      (r) => r.ok,
      () => false,
    )
    if (answered) return
    await sleep(100)
  }
  throw new Error('the server was not ready within 150 s')
}

/** Starts the server as its own process with demo data in a new data directory, unless `env` says otherwise. */
export async function startRealServer(env: Record<string, string> = {}): Promise<RunningServer> {
  if (env.DATA_DIR !== undefined) return startOn(env.DATA_DIR, env)
  const dataDir = await mkdtemp(join(tmpdir(), 'jiaowu-server-'))
  if (env.DATABASE_URL === undefined && env.DEMO === undefined) await copyOfDemo(dataDir)
  return startOn(dataDir, env)
}
