// Statements of the product's list, detail and edit, and the processor time that they cost.
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import pg from 'pg'
import { quantile } from '../measure.ts'
import { seeded } from '../../apps/server/testing/random.ts'
import type { School } from './schools.ts'

type Call = (client: pg.ClientBase, school: School, random: () => number) => Promise<unknown>

const rowId = ({ id, students }: School, random: () => number) =>
  String((BigInt(id) << 24n) + BigInt(1 + Math.floor(random() * students)))

export const calls = {
  list: (client, { id }) =>
    client.query(
      `select id, student_no, name, gender, birth_date, enrol_year, status, mobile from biz.student
      where tenant_id = $1 and deleted_at is null order by tenant_id, id desc limit 20`,
      [id],
    ),
  detail: (client, school, random) =>
    client.query('select * from biz.student where tenant_id = $1 and id = $2', [
      school.id,
      rowId(school, random),
    ]),
  edit: (client, school, random) =>
    client.query(
      `update biz.student set dormitory = $3, update_time = now() where tenant_id = $1 and id = $2`,
      [school.id, rowId(school, random), String(random())],
    ),
  /** The work of one large school all day: looks through all of its rows. */
  search: (client, { id }) =>
    client.query(
      `select count(*) from (select id from biz.student
        where tenant_id = $1 and (address like '%9号' or name like '%东') order by mobile) found`,
      [id],
    ),
} satisfies Record<string, Call>

export interface Latency {
  readonly median: number
  readonly p95: number
  readonly calls: number
}

/** Sends list, detail and edit for random schools of a group with `clients` at once. */
export async function smallCalls(
  url: string,
  schools: readonly School[],
  clients: number,
  seconds: number,
): Promise<Latency> {
  const found: number[] = []
  const until = performance.now() + seconds * 1000
  await Promise.all(
    Array.from({ length: clients }, async (_, number) => {
      const random = seeded(number + 1)
      await withClient(url, async (client) => {
        while (performance.now() < until) {
          const school = schools[Math.floor(random() * schools.length)]
          if (school === undefined) return
          for (const call of [calls.list, calls.detail, calls.edit]) {
            const at = performance.now()
            await call(client, school, random)
            found.push(performance.now() - at)
          }
        }
      })
    }),
  )
  found.sort((a, b) => a - b)
  return { median: quantile(found, 0.5), p95: quantile(found, 0.95), calls: found.length / seconds }
}

/** Searches in one school with `clients` at once until it is stopped; resolves to the searches a second. */
export function bigSchool(url: string, school: School, clients: number): () => Promise<number> {
  let isOver = false
  let count = 0
  const since = performance.now()
  const working = Promise.all(
    Array.from({ length: clients }, () =>
      withClient(url, async (client) => {
        while (!isOver) {
          await calls.search(client, school)
          count += 1
        }
      }),
    ),
  )
  return async () => {
    isOver = true
    await working
    return (count * 1000) / (performance.now() - since)
  }
}

export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Milliseconds of processor time of a call on all processes of the nodes. */
export async function measureCpu(
  postmasters: readonly number[],
  repeats: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const before = cpuMs(postmasters)
  for (let n = 0; n < repeats; n += 1) await work()
  return (cpuMs(postmasters) - before) / repeats
}

/** Processor time of processes and their children: of threads as the scheduler has it, of ended children by ticks. */
export function cpuMs(postmasters: readonly number[]): number {
  let ms = 0
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
      const isOurs = postmasters.includes(Number(name)) || postmasters.includes(Number(fields[1]))
      if (isOurs) ms += readThreadTimes(name)
      // 100 ticks a second.
      if (postmasters.includes(Number(name))) ms += (Number(fields[13]) + Number(fields[14])) * 10
    } catch {
      // The process has ended.
    }
  }
  return ms
}

/** Milliseconds of all threads (https://docs.kernel.org/scheduler/sched-stats.html). */
function readThreadTimes(pid: string): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [ran = ''] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    return sum + Number(ran) / 1e6
  }, 0)
}

/** Keeps a node and all of its processes to one processor. */
export function pin(postmaster: number, core: number): void {
  execFileSync('taskset', ['-a', '-c', '-p', String(core), String(postmaster)])
}
