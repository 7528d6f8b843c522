// The least that serves the same calls: Fastify and pg, no session, rights, history or audit log.
// DATABASE_URL and PORT come from the environment. With BARE_COUNT=0 pages have no total: what reading their rows costs
// at least.
import Fastify from 'fastify'
import pg from 'pg'
import type { Asked } from './dialects.ts'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const counts = process.env['BARE_COUNT'] !== '0'
/** Statements are prepared once a connection, as those of the product. */
const statementNames = new Map<string, string>()
async function query(text: string, values: unknown[]): Promise<pg.QueryResult> {
  const name = statementNames.get(text) ?? `s${statementNames.size}`
  // Deep pages have their offset in the text.
  if (statementNames.size < 200) statementNames.set(text, name)
  return await pool.query(statementNames.has(text) ? { name, text, values } : { text, values })
}
const app = Fastify()
const columns = `t.id::text, t.version, t.code, t.name, t.city, t.grade, t.score,
  to_char(t.born, 'YYYY-MM-DD') as born, t.phone, t.note`
const mine = 'from biz.bench_person t where t.tenant_id = 10000 and t.deleted_at is null'
const pageSize = 20

app.post<{ Body: Asked }>('/page', async ({ body }) => {
  const values: unknown[] = []
  let where = ''
  if (body.city !== undefined) where += ` and city = $${values.push(body.city)}`
  if (body.name !== undefined) where += ` and name like $${values.push(`%${body.name}%`)}`
  if (body.note !== undefined) where += ` and note like $${values.push(`%${body.note}%`)}`
  const order = body.sort === undefined ? 't.id desc' : 't.score desc, t.id desc'
  const offset = (body.pageNum - 1) * pageSize
  const [page, count] = await Promise.all([
    query(
      `select ${columns} ${mine}${where} order by ${order} limit ${pageSize} offset ${offset}`,
      values,
    ),
    counts ? query(`select count(*) ${mine}${where}`, values) : null,
  ])
  return { records: page.rows, total: count === null ? null : Number(count.rows[0].count) }
})

app.get<{ Params: { id: string } }>('/row/:id', async ({ params }, reply) => {
  const { rows } = await query(`select ${columns} ${mine} and id = $1`, [params.id])
  return rows[0] ?? reply.code(404).send({})
})

app.post<{ Body: Readonly<Record<string, unknown>> }>('/row', async ({ body }) => {
  const { rows } = await query(
    `insert into biz.bench_person as t (id, tenant_id, code, name, city, grade, score, born, phone, note)
    values ($1, 10000, $2, $3, $4, $5, $6, $7, $8, $9) returning ${columns}`,
    [
      body.id,
      body.code,
      body.name,
      body.city,
      body.grade,
      body.score,
      body.born,
      body.phone,
      body.note,
    ],
  )
  return rows[0]
})

app.put<{ Params: { id: string }; Body: Readonly<Record<string, unknown>> }>(
  '/row/:id',
  async ({ params, body }, reply) => {
    const { rows } = await query(
      `update biz.bench_person t set grade = $3, version = t.version + 1, update_time = now()
      where tenant_id = 10000 and deleted_at is null and id = $1 and version = $2 returning ${columns}`,
      [params.id, body.version, body.grade],
    )
    return rows[0] ?? reply.code(409).send({})
  },
)

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
