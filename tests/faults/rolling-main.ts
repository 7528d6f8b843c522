// `npm run test:rolling [-- --rounds N --rate N --lame-duck N]`: two servers behind nginx, with the configuration of
// docs/operations/restart.md, are restarted in turn under load. Prints what failed, and compares the rows.
// Needs nginx and the programs of PostgreSQL.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import {
  findBinaries,
  freePort,
  startCluster,
} from '../../apps/server/testing/postgres/postgres-cluster.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    rate: { type: 'string', default: '30' },
    'lame-duck': { type: 'string', default: '2' },
  },
})
const root = join(import.meta.dirname, '..', '..')
const password = 'Jiaowu-rolling-2026'
const rounds = Number(values.rounds)

if (!hasPrograms()) {
  console.log('SKIPPED, nothing was tested: this machine has no nginx or no PostgreSQL.')
  process.exit(0)
}
const folder = mkdtempSync(join(tmpdir(), 'jiaowu-rolling-'))
const cluster = await startCluster()
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})
try {
  await run()
} finally {
  for (const child of children) child.kill('SIGTERM')
  await Promise.all([...children].map((child) => child.exitCode ?? once(child, 'exit')))
  await cluster.stop()
}
process.exit(process.exitCode ?? 0)

async function run(): Promise<void> {
  const ports = [await freePort(), await freePort()] as const
  const front = await freePort()
  await query('create database rolling', 'postgres')
  let servers = [await launchServer(ports[0])]
  servers = [...servers, await launchServer(ports[1])]
  await startNginx(front, ports)
  const url = `http://127.0.0.1:${front}`
  const token = await signIn(url)
  const load = startLoad(front, token)
  const exports: string[] = []
  await sleep(2_000)
  for (let round = 1; round <= rounds; round += 1)
    for (const [at, port] of ports.entries()) {
      const exported = exportGrades(port, token)
      await sleep(300)
      const started = performance.now()
      const child = servers[at]
      child?.kill('SIGTERM')
      if (child !== undefined) await (child.exitCode ?? once(child, 'exit'))
      const stopped = performance.now()
      exports.push(await exported)
      servers[at] = await launchServer(port)
      console.log(
        `round ${round}, server ${at + 1}: stopped in ${formatSpan(started, stopped)} s with code ` +
          `${child?.exitCode}, ready after ${formatSpan(stopped, performance.now())} s; ${exports.at(-1)}`,
      )
      await sleep(3_000)
    }
  await report(await load.stop())
}

function hasPrograms(): boolean {
  try {
    return findBinaries() !== '' && spawnSync('nginx', ['-v']).status === 0
  } catch {
    return false
  }
}

async function query(statement: string, database = 'rolling'): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: `${cluster.url}${database}` })
  await client.connect()
  try {
    return (await client.query(statement)).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

async function launchServer(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['apps/server/src/start/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      APP_ENV: 'test',
      DEMO: '1',
      PORT: String(port),
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: `${cluster.url}rolling`,
      ADMIN_PASSWORD: password,
      LOG_LEVEL: 'warn',
      TRUST_PROXY: '127.0.0.1',
      LAME_DUCK: values['lame-duck'],
    },
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  while (
    !(await fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error('a server ended before it was ready')
    await sleep(100)
  }
  return child
}

/** The block of the page, with other ports. */
async function startNginx(front: number, [first, second]: readonly [number, number]) {
  const page = readFileSync(join(root, 'docs', 'operations', 'restart.md'), 'utf8')
  const block = /```nginx\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
  const configuration = block
    .replace('127.0.0.1:7300', `127.0.0.1:${front}`)
    .replace('127.0.0.1:7301', `127.0.0.1:${first}`)
    .replace('127.0.0.1:7302', `127.0.0.1:${second}`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events {}
http { access_log off; ${temporary}\n${configuration}}`,
  )
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  await sleep(500)
}

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/authority/anno/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'password', username: 'admin', password }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

interface Call {
  readonly kind: string
  readonly name: string
  /** A word for a call without an answer. */
  readonly outcome: number | string
  readonly ms: number
}

/** Calls at a fixed rate whatever the answers take: of three one creates a row, two read a page. */
function startLoad(port: number, token: string) {
  const agent = new Agent({ keepAlive: true })
  const calls: Call[] = []
  const running = new Set<Promise<void>>()
  let number = 0
  const send = async () => {
    number += 1
    const isCreate = number % 3 === 0
    const name = `rolling-${number}`
    const started = performance.now()
    const outcome = await call(agent, port, token, isCreate ? name : null)
    calls.push({
      kind: isCreate ? 'create' : 'page',
      name,
      outcome,
      ms: performance.now() - started,
    })
  }
  const timer = setInterval(
    () => {
      const sending = send().finally(() => running.delete(sending))
      running.add(sending)
    },
    1_000 / Number(values.rate),
  )
  return {
    stop: async () => {
      clearInterval(timer)
      await Promise.all(running)
      agent.destroy()
      return calls
    },
  }
}

function call(
  agent: Agent,
  port: number,
  token: string,
  created: string | null,
): Promise<number | string> {
  const body =
    created === null
      ? { pageSize: 20 }
      : { noticeTitle: created, noticeContent: 'x', noticeStatus: '0' }
  const path = `/api/entity/SYS_NOTICE/data${created === null ? '/page' : ''}`
  return new Promise((resolve) => {
    const sent = request(
      {
        agent,
        port,
        path,
        method: 'POST',
        headers: { authorization: `bearer ${token}`, 'content-type': 'application/json' },
      },
      (answer) => {
        answer.resume()
        answer.once('end', () => resolve(answer.statusCode ?? 0))
        answer.once('error', (error) => resolve(error.message))
      },
    )
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sent.end(JSON.stringify(body))
  })
}

/** All grades from a server that is about to stop. */
async function exportGrades(port: number, token: string): Promise<string> {
  const started = performance.now()
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/api/entity/EDU_GRADE/data/export`, {
      method: 'POST',
      headers: { authorization: `bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ fileName: 'grades', format: 'csv' }),
    })
    const lines = (await answer.text()).trim().split('\n').length - 1
    return `export ${answer.status}, ${lines} rows in ${formatSpan(started, performance.now())} s`
  } catch (error) {
    process.exitCode = 1
    return `export cut after ${formatSpan(started, performance.now())} s: ${String(error)}`
  }
}

function formatSpan(from: number, to: number): string {
  return ((to - from) / 1_000).toFixed(1)
}

async function report(calls: readonly Call[]): Promise<void> {
  const failed = calls.filter(({ outcome }) => outcome !== 200)
  const acknowledged = calls.filter(({ kind, outcome }) => kind === 'create' && outcome === 200)
  const rows = await query(
    `select notice_title as title, count(*)::int as times from sys.notice
     where notice_title like 'rolling-%' group by notice_title`,
  )
  const times = new Map(rows.map(({ title, times: count }) => [String(title), Number(count)]))
  const lost = acknowledged.filter(({ name }) => !times.has(name)).length
  const doubled = [...times.values()].filter((count) => count > 1).length
  const slowest = Math.max(...calls.map(({ ms }) => ms))
  const byOutcome = Object.groupBy(failed, ({ kind, outcome }) => `${kind} ${outcome}`)
  const words = Object.entries(byOutcome).map(([name, list]) => `${list?.length} × ${name}`)
  console.log(
    `${calls.length} calls, ${failed.length} failed${failed.length > 0 ? ` (${words.join(', ')})` : ''}, ` +
      `slowest ${formatSpan(0, slowest)} s; ${acknowledged.length} creates acknowledged, ` +
      `${lost} lost, ${doubled} doubled`,
  )
  for (const line of readFileSync(join(folder, 'error.log'), 'utf8').split('\n'))
    if (line !== '' && !line.includes('Connection refused')) console.log(line)
  if (failed.length + lost + doubled > 0) process.exitCode = 1
}
