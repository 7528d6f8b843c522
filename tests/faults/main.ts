// `npm run test:faults [-- --server FOLDER] [--writers N] [--only WORD]`: what writers see when the
// connection to PostgreSQL fails. FOLDER is a checkout whose server is tested instead of this one.
// Prints a table (docs/operations/database.md#measured). Needs the programs of PostgreSQL.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createClient } from '@jiaowu/api/client/client'
import { runOn } from '../../apps/server/testing/postgres/citus-cluster.ts'
import { faultProxy } from '../../apps/server/testing/postgres/fault-proxy.ts'
import {
  findBinaries,
  freePort,
  startCluster,
} from '../../apps/server/testing/postgres/postgres-cluster.ts'
import { type Place, type Scenario, scenarios } from './scenarios.ts'
import { startWriters, type Writers } from './writers.ts'

const { values } = parseArgs({
  options: {
    server: { type: 'string', default: join(import.meta.dirname, '..', '..') },
    writers: { type: 'string', default: '14' },
    only: { type: 'string', default: '' },
  },
})
const password = 'Jiaowu-faults-2026'
const database = 'jiaowu'
const calmMs = 3_000
/** After this the writers that have not been served are given up. */
const patienceMs = 90_000

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const bin = binaries()
if (bin === undefined) {
  console.log('SKIPPED, nothing was tested: this machine has no PostgreSQL.')
  process.exit(0)
}
console.log(
  '| fault | first write after | calls failed | longest call | ready said 503 | rows lost | rows doubled |\n' +
    '|---|---|---|---|---|---|---|',
)
for (const scenario of scenarios.filter(({ name }) => name.includes(values.only)))
  console.log(await measureScenario(scenario))

function binaries(): string | undefined {
  try {
    return findBinaries((folder) => existsSync(join(folder, 'pg_basebackup')))
  } catch {
    return undefined
  }
}

async function measureScenario(scenario: Scenario): Promise<string> {
  const place = await build(bin ?? '')
  const folder = mkdtempSync(join(tmpdir(), 'jiaowu-faults-'))
  const server = await startServer(databaseUrl(place, scenario), folder)
  try {
    const writers = startWriters(server.url, await signInToApi(server.url), Number(values.writers))
    await sleep(calmMs)
    const before = writers.calls.length
    const failedAt = performance.now()
    await scenario.run(place)
    const healedAt = performance.now()
    const recovered = await untilServed(writers, healedAt)
    await writers.stop()
    const titles = await storedTitles(scenario.usesUp === true ? place.standby : place.primary)
    return formatScenarioRow(scenario, writers, { before, failedAt, healedAt, recovered, titles })
  } finally {
    await server.stop()
    await Promise.all([place.toPrimary.close(), place.toStandby.close()])
    await place.standby.stop()
    await place.primary.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function build(bin: string): Promise<Place> {
  const primary = await startCluster({ bin, settings: { synchronous_commit: 'on' } })
  await runOn(`${primary.url}postgres`, `create database ${database}`)
  const standby = await startCluster({
    bin,
    standbyOf: primary,
    settings: { synchronous_commit: 'on' },
  })
  // Not in the data directory, which the standby has a copy of.
  await runOn(`${primary.url}postgres`, `alter system set synchronous_standby_names = '*'`)
  await runOn(`${primary.url}postgres`, 'select pg_reload_conf()')
  return {
    primary,
    standby,
    toPrimary: await faultProxy(primary.port),
    toStandby: await faultProxy(standby.port),
  }
}

function databaseUrl({ toPrimary, toStandby }: Place, { hasTwoHosts }: Scenario): string {
  const hosts = [toPrimary, ...(hasTwoHosts === true ? [toStandby] : [])]
  return `postgres://postgres@${hosts.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${database}`
}

async function startServer(url: string, folder: string) {
  const port = await freePort()
  const child = spawn(process.execPath, ['apps/server/src/start/main.ts'], {
    cwd: values.server,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      APP_ENV: 'test',
      DEMO: '0',
      PORT: String(port),
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: url,
      ADMIN_PASSWORD: password,
      LOG_LEVEL: 'warn',
    },
  })
  const killed = () => child.kill('SIGKILL')
  process.once('exit', killed)
  let lines = ''
  child.stderr.on('data', (chunk: Buffer) => {
    lines += chunk.toString()
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
  })
  const at = `http://127.0.0.1:${port}`
  const stop = async () => {
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), 15_000)
    await ended
    clearTimeout(late)
    process.removeListener('exit', killed)
    const said = lines.split('\n').flatMap((line) => /"msg":"([^"]*)"/.exec(line)?.[1] ?? [])
    console.error(`log: ${said.length} lines ${JSON.stringify(said.slice(0, 6))}`)
  }
  for (let tries = 0; !(await isReady(at)); tries += 1) {
    if (tries > 600 || child.exitCode !== null) {
      await stop()
      throw new Error(`the server did not start: ${lines.slice(-500)}`)
    }
    await sleep(100)
  }
  return { url: at, stop }
}

function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function signInToApi(url: string): Promise<string> {
  const api = createClient({
    baseURL: `${url}/api`,
    locale: () => 'en',
    authorise: async () => undefined,
  })
  return (
    await api.session.signIn({ body: { grant_type: 'password', username: 'admin', password } })
  ).access_token
}

/** Until as many writes as there are writers have been answered, or patience ends. */
async function untilServed({ calls }: Writers, since: number): Promise<boolean> {
  const wanted = Number(values.writers) * 3
  while (performance.now() - since < patienceMs) {
    if (calls.filter(({ at, status }) => at > since && status === 200).length >= wanted) return true
    await sleep(100)
  }
  return false
}

async function storedTitles({ url }: Place['primary']): Promise<string[]> {
  const { rows } = await runOn(
    `${url}${database}`,
    `select notice_title as title from sys.notice where notice_title like 'f-%'`,
  )
  return rows.map(({ title }: { title: string }) => title)
}

interface Outcome {
  readonly before: number
  readonly failedAt: number
  readonly healedAt: number
  readonly recovered: boolean
  readonly titles: readonly string[]
}

function formatScenarioRow(
  scenario: Scenario,
  { calls, acknowledged, ready }: Writers,
  outcome: Outcome,
) {
  const { before, failedAt, healedAt, recovered, titles } = outcome
  const later = calls.slice(before)
  const ends = later
    .filter(({ status }) => status === 200)
    .map(({ at, ms }) => at + ms)
    .filter((end) => end > healedAt)
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const failed = later.filter(({ status }) => status !== 200)
  const stored = new Set(titles)
  const kinds = new Map<number, number>()
  for (const { status } of failed) kinds.set(status, (kinds.get(status) ?? 0) + 1)
  const causes = [...kinds].map(([status, count]) => `${count} × ${status || 'no answer'}`)
  return `| ${[
    scenario.name,
    ends.length === 0 ? `none in ${seconds(patienceMs)}` : seconds(Math.min(...ends) - healedAt),
    `${failed.length} of ${later.length}${causes.length > 0 ? ` (${causes.join(', ')})` : ''}`,
    `${seconds(Math.max(0, ...later.map(({ ms }) => ms)))}${recovered ? '' : ', writers stuck'}`,
    `${ready.filter(({ at, status }) => at > failedAt && status !== 200).length} of ${
      ready.filter(({ at }) => at > failedAt).length
    }`,
    [...acknowledged].filter((name) => !stored.has(name)).length,
    titles.length - stored.size,
  ].join(' | ')} |`
}
