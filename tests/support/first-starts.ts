// Servers that start together on one empty PostgreSQL database and one empty, shared DATA_DIR.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readAuditKeys } from '../../apps/server/src/platform/audit/open-keys.ts'
import { createKeys } from '../../apps/server/src/platform/keys/keys.ts'
import { readKeyFile } from '../../apps/server/src/platform/keys/key-file.ts'
import { freePort } from './server.ts'

const root = join(import.meta.dirname, '..', '..')
const readyMs = 300_000

/** One round; `faults` is empty when every server serves under the one recorded key. */
export interface FirstStart {
  readonly faults: readonly string[]
}

/** @param clusterUrl `postgres://…/` without a database name; `name` is the database to make and drop */
export async function startTogether(
  clusterUrl: string,
  name: string,
  servers: number,
): Promise<FirstStart> {
  await queryOnce(`${clusterUrl}postgres`, `create database ${name}`)
  const folder = await mkdtemp(join(tmpdir(), 'jiaowu-first-'))
  const env = { DATABASE_URL: `${clusterUrl}${name}`, DATA_DIR: join(folder, 'data') }
  try {
    const ports: number[] = []
    while (ports.length < servers) ports.push(await freePort())
    const faults = await Promise.all(ports.map((port) => serve(port, env)))
    return { faults: [...faults.flat(), ...(await keyFaults(env))] }
  } finally {
    await queryOnce(`${clusterUrl}postgres`, `drop database ${name} with (force)`)
    await rm(folder, { recursive: true, force: true })
  }
}

/** Starts one server, waits until it is ready, and ends it. */
async function serve(
  port: number,
  env: Readonly<Record<'DATABASE_URL' | 'DATA_DIR', string>>,
): Promise<string[]> {
  const child = spawn(process.execPath, ['apps/server/src/start/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      APP_ENV: 'test',
      DEMO: '0',
      LOG_LEVEL: 'error',
      PORT: String(port),
      ...env,
    },
  })
  let [output, code] = ['', null as number | null]
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (exitCode) => {
      code = exitCode ?? 1
      resolve()
    })
  })
  const deadline = Date.now() + readyMs
  while (code === null && Date.now() < deadline && !(await isReady(port))) await sleep(100)
  const served = code === null && (await isReady(port))
  child.kill('SIGTERM')
  await ended
  return served ? [] : [`a server did not serve: ${output.trim() || 'no word'}`]
}

function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** The database records exactly one key of each kind, and the key files hold them. */
async function keyFaults({
  DATABASE_URL,
  DATA_DIR,
}: Readonly<Record<'DATABASE_URL' | 'DATA_DIR', string>>): Promise<string[]> {
  const recorded = await queryOnce(DATABASE_URL, 'select id from sys.pii_key')
  const secrets = await readKeyFile(DATA_DIR)
  if (secrets === null) return ['there is no key file']
  const held = createKeys(secrets).ids.map((id) => ({ id }))
  const audit = await queryOnce(DATABASE_URL, 'select id from sys.audit_key')
  const auditKeys = await readAuditKeys({ dataDir: DATA_DIR })
  return [
    ...compareRecords(recorded, held),
    ...compareRecords(audit, auditKeys?.ids.map((id) => ({ id })) ?? []),
  ]
}

function compareRecords(recorded: readonly unknown[], held: readonly unknown[]): string[] {
  return JSON.stringify(recorded) === JSON.stringify(held)
    ? []
    : [`the database records ${JSON.stringify(recorded)}, the file holds ${JSON.stringify(held)}`]
}

async function queryOnce(connectionString: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(statement)).rows as unknown[]
  } finally {
    await client.end()
  }
}
