// `npm run bench -- order [ROWS ...]`: what it costs to sort grades and students by what their fields show, on
// PostgreSQL and on the embedded engine. Prints a table; fails nothing.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createClient } from '@jiaowu/api/client/client'
import { findBinaries, startCluster } from '../../apps/server/testing/postgres/postgres-cluster.ts'
import { cpuMs } from '../country/load.ts'
import { table } from '../measure.ts'
import { folder, root } from '../place.ts'
import { openConnection } from './connection.ts'
import { runOnDatabase, startProcess } from './contestants.ts'
import { serverProgram } from '../../apps/server/testing/server-program.ts'

const password = 'Jiaowu-bench-2026'
const gradesEach = 20
const turns = Number(process.env.BENCH_TURNS ?? 5)
/** Another checkout of the product, which sees the same rows. */
const before = process.env.BENCH_BEFORE
const sorts = [
  ['EDU_GRADE', null],
  ['EDU_GRADE', 'course'],
  ['EDU_GRADE', 'student'],
  ['EDU_GRADE', 'term'],
  ['EDU_GRADE', 'score'],
  ['EDU_STUDENT', 'name'],
  ['EDU_STUDENT', 'class'],
  ['EDU_STUDENT', 'email'],
] as const

/** Milliseconds of the processor per call, of the server with the embedded engine, and of PostgreSQL. */
export interface Cost {
  readonly server: number
  readonly database: number
  readonly took: number
}
export interface Place {
  readonly name: string
  readonly checkout: string
  readonly environment: Readonly<Record<string, string>>
  /** Process of PostgreSQL; 0 on the embedded engine. */
  readonly postmaster: number
}

export async function benchOrder(sizes: readonly number[]): Promise<void> {
  const checkouts = [
    ...(before === undefined ? [] : [{ name: 'before', checkout: before }]),
    { name: 'ours', checkout: root },
  ]
  const lines = [
    ['rows', 'list', 'engine', 'checkout', 'first page', 'page at 90 %', 'again', 'count'],
  ]
  for (const rows of sizes.length > 0 ? sizes : [100_000]) {
    for (const { name, checkout } of checkouts) {
      if (process.env.BENCH_POSTGRES !== '0') {
        findBinaries()
        const cluster = await startCluster({
          settings: { shared_buffers: '512MB', autovacuum: 'off' },
        })
        try {
          const database = `order_${name}`
          await runOnDatabase(`${cluster.url}postgres`, (run) => run(`create database ${database}`))
          const environment = {
            DATABASE_URL: `${cluster.url}${database}`,
            DATA_DIR: join(folder, database),
          }
          lines.push(
            ...(await measureOrder(rows, { name, checkout, environment, postmaster: cluster.pid })),
          )
        } finally {
          await cluster.stop()
        }
      }
      if (process.env.BENCH_EMBEDDED === '0') continue
      const environment = { DATA_DIR: join(folder, `order_${name}_${rows}`) }
      lines.push(...(await measureOrder(rows, { name, checkout, environment, postmaster: 0 })))
    }
  }
  process.stdout.write(`${table(lines)}\n`)
}

async function measureOrder(rows: number, place: Place): Promise<string[][]> {
  seed(place, rows / gradesEach, gradesEach)
  seed(place, Math.min(rows, 100_000), 0)
  const lines: string[][] = []
  const { send, cost, stop } = await openPlace(place)
  try {
    for (const [tag, column] of sorts) {
      const asked = (pageNum: number) => ({
        pageNum,
        pageSize: 20,
        queries: {},
        sorts: column === null ? [] : [{ column, asc: true }],
      })
      const path = `/api/entity/${tag}/data/page`
      const { total } = await send(path, asked(1))
      const first = await cost(turns, () => send(path, asked(1)))
      const deep = Math.floor((total * 0.9) / 20)
      const jump = await cost(1, () => send(path, asked(deep)))
      const again = await cost(turns, (turn) => send(path, asked(deep - 7 * turn)))
      const counted = await cost(1, () => send(`/api/entity/${tag}/data/count`, asked(1)))
      const line = [
        total.toLocaleString('en'),
        `${tag} ${column ?? ''}`,
        place.postmaster === 0 ? 'embedded' : 'PostgreSQL',
      ]
      lines.push([...line, place.name, ...[first, jump, again, counted].map(formatOrderCost)])
      process.stderr.write(`${lines.at(-1)?.join('  ')}\n`)
    }
  } finally {
    await stop()
  }
  return lines
}

/** A server on the rows of a place, what its calls cost, and sessions of its accounts. */
export async function openPlace(place: Place) {
  const server = await startProcess(
    [
      process.execPath,
      ...(place.postmaster === 0 ? ['--liftoff-only'] : []),
      serverProgram(place.checkout, 'main.ts'),
    ],
    { ADMIN_PASSWORD: password, LOG_LEVEL: 'warn', HOST: '127.0.0.1', ...place.environment },
    '/health/ready',
  )
  const connection = openConnection(server.port)
  const signIn = async (username: string) => {
    let session: { token: string; account: string; accountId: string } | undefined
    const api = createClient({
      baseURL: `http://127.0.0.1:${server.port}/api`,
      locale: () => 'zh-CN',
      authorise: async () => session,
    })
    const body = { grant_type: 'password', username, password } as const
    const { access_token: token } = await api.session.signIn({ body })
    session = { token, account: username, accountId: '' }
    return { api, token }
  }
  const admin = await signIn('admin')
  const send = async (path: string, body: unknown, token = admin.token) => {
    const { status, body: answer } = await connection.send('POST', path, token, body)
    if (status !== 200) throw new Error(`status ${status}: ${answer.slice(0, 300)}`)
    return (JSON.parse(answer) as { data: { total: number } }).data
  }
  const cost = async (times: number, work: (turn: number) => Promise<unknown>): Promise<Cost> => {
    const now = () =>
      [cpuMs([server.pid]), place.postmaster === 0 ? 0 : cpuMs([place.postmaster])] as const
    const [from, at] = [now(), performance.now()]
    for (let turn = 0; turn < times; turn += 1) await work(turn)
    const [to, took] = [now(), performance.now() - at]
    return {
      server: (to[0] - from[0]) / times,
      database: (to[1] - from[1]) / times,
      took: took / times,
    }
  }
  const stop = async () => {
    connection.close()
    await server.stop()
  }
  return { admin, signIn, send, cost, stop }
}

function formatOrderCost({ server, database, took }: Cost): string {
  return `${server.toFixed(0)} + ${database.toFixed(0)} (${took.toFixed(0)})`
}

export function seed({ checkout, environment }: Place, students: number, each: number): void {
  const program = serverProgram(checkout, 'commands/seed-main.ts')
  const { status } = spawnSync(
    process.execPath,
    [program, '--students', String(students), '--grades-each', String(each)],
    {
      env: { ...process.env, ADMIN_PASSWORD: password, ...environment },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  if (status !== 0) throw new Error('seeding the database failed')
}
