// `npm run bench -- rules [ROWS ...]`: what row rules across a relation add to a list of grades, beside the same
// list without a rule, on PostgreSQL and on the embedded engine. Prints a table; fails nothing.
import { join } from 'node:path'
import { findBinaries, startCluster } from '../../apps/server/testing/postgres/postgres-cluster.ts'
import { table } from '../measure.ts'
import { folder, root } from '../place.ts'
import { runOnDatabase } from './contestants.ts'
import { type Cost, openPlace, type Place, seed } from './order.ts'

const gradesEach = 20
const turns = Number(process.env.BENCH_TURNS ?? 100)
const rules = [
  null,
  'row.score >= 0',
  'row.course.credit >= 0',
  'row.course.teacher == user.person',
] as const

export async function benchRules(sizes: readonly number[]): Promise<void> {
  const lines = [['rows', 'engine', 'rule', 'rows seen', 'page', 'ratio']]
  for (const rows of sizes.length > 0 ? sizes : [100_000]) {
    if (process.env.BENCH_POSTGRES !== '0') {
      findBinaries()
      const cluster = await startCluster({
        settings: { shared_buffers: '512MB', autovacuum: 'off' },
      })
      try {
        await runOnDatabase(`${cluster.url}postgres`, (run) => run('create database rules'))
        const environment = {
          DATABASE_URL: `${cluster.url}rules`,
          DATA_DIR: join(folder, `rules_postgres_${rows}`),
        }
        const place = { name: 'ours', checkout: root, environment, postmaster: cluster.pid }
        lines.push(...(await measureRules(rows, place)))
      } finally {
        await cluster.stop()
      }
    }
    if (process.env.BENCH_EMBEDDED === '0') continue
    const environment = { DATA_DIR: join(folder, `rules_${rows}`) }
    lines.push(
      ...(await measureRules(rows, { name: 'ours', checkout: root, environment, postmaster: 0 })),
    )
  }
  process.stdout.write(`${table(lines)}\n`)
}

async function measureRules(rows: number, place: Place): Promise<string[][]> {
  seed(place, rows / gradesEach, gradesEach)
  // Without statistics, as before the first autovacuum, the planner takes tables for empty.
  const { DATABASE_URL } = place.environment
  if (DATABASE_URL !== undefined) await runOnDatabase(DATABASE_URL, (run) => run('vacuum analyze'))
  const { admin, signIn, send, cost, stop } = await openPlace(place)
  const lines: string[][] = []
  try {
    const { token } = await signIn('teacher')
    const found = await admin.api.entityData.page({
      params: { tag: 'SYS_ROLE' },
      body: { pageSize: 100 },
    })
    const id = found.records.find((row) => row['code'] === 'ROLE_TEACHER')?.id ?? ''
    let bare: Cost | undefined
    for (const expression of rules) {
      const { version, codes } = await admin.api.role.permissions({ params: { id } })
      const rule = { tag: 'EDU_GRADE', scope: 'expression', expression, overrides: {} } as const
      await admin.api.role.savePermissions({
        params: { id },
        body: { version, codes: [...codes], rules: expression === null ? [] : [rule] },
      })
      const asked = { pageNum: 1, pageSize: 20, queries: {}, sorts: [] }
      const path = '/api/entity/EDU_GRADE/data'
      const { total } = await send(`${path}/count`, asked, token)
      const page = () => send(`${path}/page`, asked, token)
      await cost(turns, page)
      const own = await cost(turns, page)
      bare ??= own
      lines.push([
        rows.toLocaleString('en'),
        place.postmaster === 0 ? 'embedded' : 'PostgreSQL',
        expression ?? 'none',
        total.toLocaleString('en'),
        formatRulesCost(own),
        (whole(own) / whole(bare)).toFixed(2),
      ])
      process.stderr.write(`${lines.at(-1)?.join('  ')}\n`)
    }
  } finally {
    await stop()
  }
  return lines
}

const whole = ({ server, database }: Cost) => server + database

function formatRulesCost({ server, database }: Cost): string {
  return `${server.toFixed(2)} + ${database.toFixed(2)}`
}
