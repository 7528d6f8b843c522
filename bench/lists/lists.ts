// `npm run bench -- lists [ROWS ...]`: lists and rows of the product beside a bare Fastify and pg server on one
// PostgreSQL, in turns, and on the embedded engine. Writes bench/results/lists.md and lists.json; fails nothing.
// `npm run bench -- rivals [ROWS ...]`: the same with Directus, without the embedded engine, into rivals.md.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Cluster,
  findBinaries,
  startCluster,
} from '../../apps/server/testing/postgres/postgres-cluster.ts'
import { startDirectus } from '../rivals/directus.ts'
import { root } from '../place.ts'
import { type CallName, calls } from './calls.ts'
import { startBare, startEmbedded, type Started, startOnPostgres } from './contestants.ts'
import { assertSameAnswers } from './same-answers.ts'
import { type Sample, sample, summary } from './load.ts'
import { machine, type Part, formatListReport } from './report.ts'
import type { Result } from './result.ts'

const defaultRows = [10_000, 100_000]
const levels = [1, 16, 64]
const rounds = Number(process.env.BENCH_ROUNDS ?? 2)
const seconds = Number(process.env.BENCH_SECONDS ?? 2)
/** A second checkout of the product that takes part as `before`. */
const before = process.env.BENCH_BEFORE
/** A part of the names of the calls to measure. */
const only = process.env.BENCH_CALLS ?? ''

export async function benchLists(sizes: readonly number[]): Promise<void> {
  const results: Result[] = []
  for (const rows of sizes.length > 0 ? sizes : defaultRows) {
    results.push(...(await onPostgres(rows, [])))
    writeListResults('lists', results)
    results.push(...(await onEmbedded(rows)))
    writeListResults('lists', results)
  }
  process.stdout.write(formatListReport('lists', results))
}

export async function benchRivals(sizes: readonly number[]): Promise<void> {
  const results: Result[] = []
  for (const rows of sizes.length > 0 ? sizes : defaultRows) {
    results.push(...(await onPostgres(rows, [startDirectus])))
    writeListResults('rivals', results)
  }
  process.stdout.write(formatListReport('rivals', results))
}

function writeListResults(name: Part, results: readonly Result[]): void {
  if (only !== '') return
  const folder = join(root, 'bench', 'results')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.md`), formatListReport(name, results))
  writeFileSync(
    join(folder, `${name}.json`),
    `${JSON.stringify({ machine: machine(), date: today(), seconds, rounds, results }, roundNumber, 2)}\n`,
  )
}

async function onPostgres(
  rows: number,
  rivals: readonly ((cluster: Cluster, rows: number) => Promise<Started>)[],
): Promise<Result[]> {
  try {
    findBinaries()
  } catch {
    process.stderr.write('SKIPPED: no PostgreSQL is installed on this machine.\n')
    return []
  }
  const cluster = await startCluster({
    settings: {
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      shared_buffers: '512MB',
    },
  })
  const contestants: Started[] = []
  try {
    const { started, url } = await startOnPostgres('ours', root, cluster, rows)
    contestants.push(started, await startBare(url), await startBare(url, 'limit'))
    if (before !== undefined)
      contestants.push((await startOnPostgres('before', before, cluster, rows)).started)
    for (const start of rivals) contestants.push(await start(cluster, rows))
    await assertSameAnswers(contestants)
    return await measureContestants(contestants, rows, cluster.pid)
  } finally {
    for (const each of contestants) await each.stop()
    await cluster.stop()
  }
}

/** The engine runs in the server's process, so that its processor time is the server's. */
async function onEmbedded(rows: number): Promise<Result[]> {
  if (process.env.BENCH_EMBEDDED === '0') return []
  // As `npm start` runs it.
  const embedded = await startEmbedded(root, rows, ['--liftoff-only'])
  try {
    return await measureContestants([embedded], rows, 0)
  } finally {
    await embedded.stop()
  }
}

async function measureContestants(
  contestants: readonly Started[],
  rows: number,
  postmaster: number,
): Promise<Result[]> {
  const results: Result[] = []
  for (const call of (Object.keys(calls) as CallName[]).filter((name) => name.includes(only))) {
    for (const connections of levels) {
      const found = new Map<string, Sample[]>(contestants.map(({ name }) => [name, []]))
      for (const each of contestants) await sample(each, call, connections, 0.3, rows, postmaster)
      for (let round = 0; round < rounds; round += 1)
        for (const each of contestants)
          found
            .get(each.name)
            ?.push(await sample(each, call, connections, seconds, rows, postmaster))
      for (const [contestant, samples] of found) {
        const measured = summary(samples)
        results.push({ rows, call, connections, contestant, measured })
        process.stderr.write(
          `  ${rows} ${call} x${connections} ${contestant}: ${measured.perSecond.toFixed(0)}/s ${measured.refused ?? ''}\n`,
        )
      }
    }
  }
  return results
}

function roundNumber(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 100) / 100 : value
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}
