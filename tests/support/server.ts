import { spawn } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { madeOnce } from '../../apps/server/testing/made-once.ts'

export const password = 'Jiaowu-tests-2026'
const root = join(import.meta.dirname, '..', '..')

/** A port nobody listens on. */
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
  /** As a power button would; the data stays. */
  readonly kill: () => Promise<void>
}

/** A first start founds the school and writes 40,000 grades, which takes seconds: one server of the run does it, the others begin with a copy. */
export async function copyOfDemo(dataDir: string): Promise<void> {
  const demo = await madeOnce(join(inject('testStore').directory, 'demo'), async (part) => {
    await (await startOn(part, {})).end()
  })
  await cp(demo, dataDir, { recursive: true })
}

async function startOn(
  dataDir: string,
  env: Record<string, string>,
): Promise<RunningServer & { readonly end: () => Promise<void> }> {
  const port = await freePort()
  const child = spawn(process.execPath, ['apps/server/src/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      APP_ENV: 'test',
      PORT: String(port),
      DATA_DIR: dataDir,
      ADMIN_PASSWORD: password,
      LOG_LEVEL: 'warn',
      ...env,
    },
  })
  let said = ''
  let code: number | null = null
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4000)
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
    const patience = setTimeout(() => child.kill('SIGKILL'), 15_000)
    await ended
    clearTimeout(patience)
    await rm(`${dataDir}.lock`, { force: true })
  }
  const stop = async () => {
    await end()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await ready(url, () => (code === null ? null : said))
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

async function ready(url: string, exited: () => string | null): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const said = exited()
    if (said !== null) throw new Error(`the server ended before it was ready: ${said}`)
    const answered = await fetch(`${url}/health/ready`).then(
      (r) => r.ok,
      () => false,
    )
    if (answered) return
    await new Promise((resolve) => {
      setTimeout(resolve, 100)
    })
  }
  throw new Error('the server was not ready within 60 s')
}

/** The real server as its own process, with a data directory of its own and the demo data; or as `env` says. */
export async function startRealServer(env: Record<string, string> = {}): Promise<RunningServer> {
  if (env.DATA_DIR !== undefined) return startOn(env.DATA_DIR, env)
  const dataDir = await mkdtemp(join(tmpdir(), 'jiaowu-server-'))
  if (env.DATABASE_URL === undefined && env.DEMO === undefined) await copyOfDemo(dataDir)
  return startOn(dataDir, env)
}
