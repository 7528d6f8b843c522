// `npm run bench -- crowd [PEOPLE ...]`: people who look at lists and add rows, each a call a second, over 100,000 rows
// on the embedded engine as `npm start` runs it, and on PostgreSQL where it is installed. `CROWD_ENGINES=embedded`
// leaves PostgreSQL out; `BENCH_SECONDS` (30) says how long; `BENCH_BEFORE=CHECKOUT` measures another checkout first.
import { setTimeout as sleep } from 'node:timers/promises'
import { startCluster } from '../../apps/server/testing/postgres/postgres-cluster.ts'
import { seeded } from '../../apps/server/testing/random.ts'
import { snowflake } from '../../apps/server/src/platform/id.ts'
import { cpuMs } from '../country/load.ts'
import { quantile, readMemory, table } from '../measure.ts'
import { root } from '../place.ts'
import { type CallName, calls } from './calls.ts'
import { openConnection } from './connection.ts'
import { type Started, startEmbedded, startOnPostgres } from './contestants.ts'
import { sample } from './load.ts'
import { machine } from './report.ts'

const rows = 100_000
const seconds = Number(process.env.BENCH_SECONDS ?? 30)
const pauseMs = 1_000
const warmSeconds = 8
/** Connections that send nothing, beside the smallest crowd. */
const idleConnections = 1_000
const engines = (process.env['CROWD_ENGINES'] ?? 'embedded,postgres').split(',')

/** The share of each call. */
const mix = [
  ['first page', 0.45],
  ['filter, sort, page 2', 0.2],
  ['read one', 0.25],
  ['create', 0.1],
] as const satisfies readonly (readonly [CallName, number])[]

const newId = snowflake(1001)

export async function benchCrowd(sizes: readonly number[]): Promise<void> {
  const before = process.env['BENCH_BEFORE']
  const found: string[][] = []
  for (const engine of engines)
    for (const checkout of before === undefined ? [root] : [before, root])
      found.push(
        ...(await measureEngine(engine, checkout, sizes.length > 0 ? sizes : [50, 64, 256])),
      )
  const names = mix.map(([name]) => `${name}, p50 / p99 ms`)
  const head = ['server', 'people', 'calls a second', 'CPU ms a call', ...names, 'failed', 'MB']
  process.stdout.write(`\n${machine()}, ${seconds} s\n\n${table([head, ...found])}\n`)
}

async function measureEngine(
  engine: string,
  checkout: string,
  sizes: readonly number[],
): Promise<string[][]> {
  const name = `${engine}${checkout === root ? '' : ' before'}`
  if (engine === 'embedded') {
    const server = await startEmbedded(checkout, rows, ['--liftoff-only'])
    try {
      return await measureCrowds(name, server, sizes, 0)
    } finally {
      await server.stop()
    }
  }
  const cluster = await startCluster({ settings: { fsync: 'on', synchronous_commit: 'on' } })
  try {
    const { started } = await startOnPostgres('crowd', checkout, cluster, rows)
    try {
      return await measureCrowds(name, started, sizes, cluster.pid)
    } finally {
      await started.stop()
    }
  } finally {
    await cluster.stop()
  }
}

async function measureCrowds(
  name: string,
  server: Started,
  sizes: readonly number[],
  postmaster: number,
): Promise<string[][]> {
  // The first thousands of calls run in code that is not compiled yet.
  for (const [call] of mix) await sample(server, call, 16, warmSeconds, rows, postmaster)
  const found: string[][] = []
  for (const [turn, size] of sizes.entries()) {
    const idle =
      turn === 0 ? Array.from({ length: idleConnections }, () => openConnection(server.port)) : []
    const line = await measureCrowd(server, size, postmaster)
    for (const each of idle) each.close()
    const who = idle.length === 0 ? String(size) : `${size} + ${idle.length} idle`
    found.push([name, who, ...line])
    process.stderr.write(`  ${[name, who, ...line].join('  ')}\n`)
  }
  return found
}

async function measureCrowd(server: Started, size: number, postmaster: number): Promise<string[]> {
  const processes = [server.pid, ...(postmaster === 0 ? [] : [postmaster])]
  const times = new Map<CallName, number[]>(mix.map(([name]) => [name, []]))
  let failed = 0
  const before = cpuMs(processes)
  const since = performance.now()
  const until = since + seconds * 1000
  const visit = async (no: number): Promise<void> => {
    const random = seeded(no + 1)
    const connection = openConnection(server.port)
    const token = server.tokens[no % server.tokens.length] ?? ''
    const caller = { kind: server.kind, connection, rows, random, token: () => token, newId }
    await sleep(random() * pauseMs)
    while (performance.now() < until) {
      const name = chooseCall(random())
      const at = performance.now()
      try {
        await calls[name](caller)
        times.get(name)?.push(performance.now() - at)
      } catch {
        failed += 1
      }
      await sleep(pauseMs * (0.5 + random()))
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: size }, (_none, no) => visit(no)))
  const took = (performance.now() - since) / 1000
  const count = [...times.values()].reduce((sum, each) => sum + each.length, 0)
  return [
    (count / took).toFixed(0),
    ((cpuMs(processes) - before) / count).toFixed(1),
    ...mix.map(([name]) => formatTimes(times.get(name) ?? [])),
    String(failed),
    readMemory(server.pid).now.toFixed(0),
  ]
}

function chooseCall(at: number): CallName {
  let sum = 0
  for (const [name, share] of mix) {
    sum += share
    if (at < sum) return name
  }
  return 'first page'
}

function formatTimes(found: readonly number[]): string {
  const sorted = found.toSorted((a, b) => a - b)
  return `${quantile(sorted, 0.5).toFixed(0)} / ${quantile(sorted, 0.99).toFixed(0)}`
}
