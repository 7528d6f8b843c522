// `npm run bench -- country`: 500 schools on a Citus cluster, one of them large. Prints tables and draws
// docs/img/country.svg (docs/operations/cluster.md#a-country). COUNTRY_SCALE (100): one row of so many.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import {
  citusBinaries,
  type CitusCluster,
  createClusterDatabase,
  runOn,
  startCitus,
} from '../../apps/server/testing/postgres/citus-cluster.ts'
import { quietLog } from '../../apps/server/testing/quiet-log.ts'
import { startCluster } from '../../apps/server/testing/postgres/postgres-cluster.ts'
import { spreadTables } from '../../apps/server/src/platform/database/cluster/spread.ts'
import { migrate } from '../../apps/server/src/platform/database/migrations/migrate.ts'
import { migrations } from '../../apps/server/src/platform/database/migrations/index.ts'
import { postgresPool } from '../../apps/server/src/platform/database/pools.ts'
import { bigSchool, calls, measureCpu, type Latency, pin, smallCalls, withClient } from './load.ts'
import { picture, type Shard } from './picture.ts'
import { seeded } from '../../apps/server/testing/random.ts'
import { fillSchool, type School, drawSchools } from './schools.ts'
import type { Situation } from './situation.ts'

const scale = Number(process.env.COUNTRY_SCALE ?? 100)
const seconds = Number(process.env.COUNTRY_SECONDS ?? 10)
const database = 'country'

export async function benchCountry(): Promise<void> {
  const bin = citusBinaries()
  if (bin === undefined) {
    printLine('SKIPPED, nothing was measured: no PostgreSQL on this machine has Citus.')
    return
  }
  const schools = drawSchools(scale)
  const cluster = await startCitus(bin, 2)
  try {
    const url = await prepare(cluster, schools)
    const shards = await readShards(url, schools[0]?.id ?? 0)
    const situations = await measureSituations(cluster, url, schools)
    printShards(shards, schools, await bytesPerStudent(url, schools))
    printSituations(situations)
    await printPrice(bin, cluster, url, schools)
    writeFileSync(
      join(import.meta.dirname, '..', '..', 'docs', 'img', 'country.svg'),
      picture(shards, situations),
    )
  } finally {
    await cluster.stop()
  }
}

async function makeTables(url: string, spread: boolean): Promise<void> {
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: postgresPool(url, quietLog) }),
  })
  await migrate(db, migrations, quietLog)
  if (spread) await spreadTables(db)
  await db.destroy()
}

/** Each worker keeps to a processor of its own, as if it were a machine. */
async function prepare(cluster: CitusCluster, schools: readonly School[]): Promise<string> {
  const { coordinator, workers } = cluster
  await createClusterDatabase(cluster, database)
  const url = `${coordinator.url}${database}`
  await makeTables(url, true)
  await withClient(url, async (client) => {
    for (const school of schools) await fillSchool(client, school)
    await client.query('analyze biz.student')
  })
  for (const [core, { pid }] of workers.entries()) pin(pid, core)
  return url
}

async function readShards(url: string, big: number, node?: number): Promise<Shard[]> {
  const { rows } = await runOn(
    url,
    `select s.shardid::int as id, s.nodeport::int as port, r.result::int as rows,
      s.shardid = get_shard_id_for_distribution_column('biz.student', ${big}::bigint) as hot
    from citus_shards s
    join run_command_on_shards('biz.student', 'select count(*) from %s') r on r.shardid = s.shardid
    where s.table_name = 'biz.student'::regclass and s.nodeport = ${node ?? 's.nodeport'}
    order by s.nodeport, s.shardid`,
  )
  return rows
}

async function measureSituations(
  { workers }: CitusCluster,
  url: string,
  schools: readonly School[],
): Promise<Situation[]> {
  const [big, ...small] = schools
  if (big === undefined) throw new Error('there is no school')
  const shard = async () => (await runOn(url, shardQuery(big.id))).rows[0] as ShardPlace
  const home = await shard()
  const places = new Map<number, number>()
  for (const { id } of small) places.set(id, (await runOn(url, shardQuery(id))).rows[0].port)
  const neighbours = small.filter(({ id }) => places.get(id) === home.port)
  const others = small.filter(({ id }) => places.get(id) !== home.port)
  const situation = async (name: string, isBusy: boolean): Promise<Situation> => {
    const stop = isBusy ? bigSchool(url, big, 6) : async () => 0
    const [near, far] = await Promise.all([
      smallCalls(url, neighbours, 2, seconds),
      smallCalls(url, others, 2, seconds),
    ])
    return { name, neighbours: near, others: far, searches: await stop() }
  }
  const found = [
    await situation('the large school is quiet', false),
    await situation('it searches, on a shard with others', true),
  ]
  await runOn(
    url,
    `select isolate_tenant_to_new_shard('sys.app_user', ${big.id}, 'CASCADE', 'block_writes')`,
  )
  found.push(await situation('it searches, on a shard of its own', true))
  const own = await shard()
  const target = workers.find(({ port }) => port !== own.port)?.port ?? 0
  for (const { id } of await readShards(url, big.id, own.port))
    if (String(id) !== own.id)
      await runOn(
        url,
        `select citus_move_shard_placement(${id}, '127.0.0.1', ${own.port}, '127.0.0.1', ${target},
          'block_writes')`,
      )
  found.push(await situation('it searches, on a node of its own', true))
  return found
}

interface ShardPlace {
  readonly id: string
  readonly port: number
}

function shardQuery(tenant: number): string {
  return `select shardid::text as id, nodeport::int as port from citus_shards
    where shardid = get_shard_id_for_distribution_column('biz.student', ${tenant}::bigint)`
}

async function bytesPerStudent(url: string, schools: readonly School[]): Promise<number> {
  const { rows } = await runOn(
    url,
    `select citus_total_relation_size('biz.student')::float8 as bytes`,
  )
  return rows[0].bytes / schools.reduce((sum, { students }) => sum + students, 0)
}

function printShards(shards: readonly Shard[], schools: readonly School[], bytes: number): void {
  const rows = shards.map((shard) => shard.rows)
  const students = schools.map((school) => school.students)
  const total = students.reduce((sum, count) => sum + count, 0)
  printLine(
    `${schools.length} schools, ${total} students (1/${scale}), the largest ${students[0]}, the median ` +
      `${students.toSorted((a, b) => a - b)[250]}; ${shards.length} shards of ${Math.min(...rows)} to ` +
      `${Math.max(...rows)} students; ${Math.round(bytes)} bytes a student with indexes`,
  )
}

function printSituations(situations: readonly Situation[]): void {
  printLine('| situation | its neighbours: median, p95 | other node: median, p95 | searches/s |')
  printLine('|---|---|---|---|')
  const text = ({ median, p95, calls: rate }: Latency) =>
    `${median.toFixed(1)} ms, ${p95.toFixed(1)} ms (${Math.round(rate)} calls/s)`
  for (const { name, neighbours, others, searches } of situations)
    printLine(`| ${name} | ${text(neighbours)} | ${text(others)} | ${searches.toFixed(1)} |`)
}

/** Processor time of a call on one server and on the cluster, in turns. */
async function printPrice(
  bin: string,
  cluster: CitusCluster,
  url: string,
  schools: readonly School[],
): Promise<void> {
  const school = schools[250]
  const plain = await startCluster({ bin })
  try {
    await runOn(`${plain.url}postgres`, `create database ${database}`)
    const plainUrl = `${plain.url}${database}`
    await makeTables(plainUrl, false)
    await withClient(plainUrl, async (client) => {
      for (const each of schools.slice(200, 300)) await fillSchool(client, each)
      await client.query('analyze biz.student')
    })
    const pids = [cluster.coordinator, ...cluster.workers].map(({ pid }) => pid)
    printLine('| call | plain PostgreSQL | cluster | ratio |\n|---|---|---|---|')
    for (const name of ['list', 'detail', 'edit', 'search'] as const) {
      const totals = { plain: 0, spread: 0 }
      const rounds = 6
      await withClient(plainUrl, (one) =>
        withClient(url, async (other) => {
          const random = seeded(7)
          if (school === undefined) return
          for (let round = 0; round < rounds; round += 1) {
            totals.plain += await measureCpu([plain.pid], 300, () =>
              calls[name](one, school, random),
            )
            totals.spread += await measureCpu(pids, 300, () => calls[name](other, school, random))
          }
        }),
      )
      const [one, many] = [totals.plain / rounds, totals.spread / rounds]
      printLine(
        `| ${name} | ${one.toFixed(2)} ms | ${many.toFixed(2)} ms | ${(many / one).toFixed(1)} |`,
      )
    }
  } finally {
    await plain.stop()
  }
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}
