// List requests of the console for students, compared with the same SQL without the server.
import { type Kysely, sql } from 'kysely'
import { type Line, ms, quantile, timings, times } from './measure.ts'
import { type Running, withDatabase } from './place.ts'

const reps = 60
const size = 20
interface Case {
  readonly name: string
  readonly queries: Readonly<Record<string, unknown>>
  readonly pageNum: number
  readonly where: string
  readonly counted: boolean
}
const base = 'tenant_id = 10000 and deleted_at is null'

const columns = `id::text, version, student_no, name, id_card, gender, birth_date, political, faculty_id, major_id,
  class_id, enrol_year, status, on_campus`

export async function measureLists(
  server: Running,
  rows: number,
): Promise<{ name: string; found: number[] }[]> {
  const found: { name: string; found: number[] }[] = []
  for (const each of cases(rows)) found.push({ name: each.name, found: await ours(server, each) })
  return found
}

function cases(rows: number): Case[] {
  return [
    { name: 'first page', queries: {}, pageNum: 1, where: 'true', counted: true },
    {
      name: 'filtered by state',
      queries: { status: ['2'] },
      pageNum: 1,
      where: `status = '2'`,
      counted: true,
    },
    {
      name: 'searched by name',
      queries: { name: '张伟' },
      pageNum: 1,
      where: `name ilike '%张伟%'`,
      counted: true,
    },
    {
      name: 'deep page',
      queries: {},
      pageNum: Math.min(Math.floor((rows * 0.9) / size), 5_000),
      where: 'true',
      counted: true,
    },
  ]
}

async function ours({ url, token }: Running, { queries, pageNum }: Case): Promise<number[]> {
  return await timings(reps, async () => {
    const response = await fetch(`${url}/api/entity/EDU_STUDENT/data/page`, {
      method: 'POST',
      headers: { authorization: `bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ pageSize: size, pageNum, queries }),
    })
    const { success } = (await response.json()) as { success: boolean }
    if (!success) throw new Error('a page was refused')
  })
}

/** Measures the SQL. Call it only when no server uses the data. */
export async function compareLists(
  rows: number,
  measured: readonly { name: string; found: number[] }[],
): Promise<Line[]> {
  return await withDatabase(async ({ kysely }) => {
    const lines: Line[] = []
    for (const each of cases(rows)) {
      const plain = await bare(kysely as unknown as Kysely<unknown>, each, rows)
      const own = measured.find(({ name }) => name === each.name)?.found ?? []
      const [p50, p95, b50, b95] = [
        quantile(own, 0.5),
        quantile(own, 0.95),
        quantile(plain, 0.5),
        quantile(plain, 0.95),
      ]
      lines.push({
        what: `${rows.toLocaleString('en')} rows, ${each.name}`,
        ours: `${ms(p50)} / ${ms(p95)}`,
        bare: `${ms(b50)} / ${ms(b95)}`,
        ratio: times(p50, b50),
        note: 'p50 / p95',
      })
    }
    return lines
  })
}

/** The page and the count; the count of a large table is bounded like in the product. */
async function bare(
  db: Kysely<unknown>,
  { where, pageNum }: Case,
  rows: number,
): Promise<number[]> {
  return await timings(reps, async () => {
    await sql
      .raw(
        `select ${columns} from biz.student where ${base} and ${where}
         order by student_no, id limit ${size} offset ${(pageNum - 1) * size}`,
      )
      .execute(db)
    await sql
      .raw(
        rows < 200_000
          ? `select count(*) from biz.student where ${base} and ${where}`
          : `select count(*) from (select 1 from biz.student where ${base} and ${where} limit 10001) as x`,
      )
      .execute(db)
  })
}
