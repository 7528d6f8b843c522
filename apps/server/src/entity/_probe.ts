import { pino } from 'pino'
import { createRegistry } from './registry.ts'
import { installBase } from '../demo/install-base.ts'
import { installDemo } from '../demo/install-demo.ts'
import { openDatabase } from '../sql/open-database.ts'
import { migrate } from '../sql/migrate.ts'
import { migrations } from '../sql/migrations/index.ts'
import { readSettings } from '../settings.ts'
import { snowflake } from '../id.ts'
import { hashPassword } from '../auth/password.ts'
import { entityDataHandlers as h } from '../handlers/entity-data.ts'
const log = pino({ level: 'warn' })
const settings = readSettings({ DATA_DIR: '/tmp/entity/data', ...(process.env.DATABASE_URL && { DATABASE_URL: process.env.DATABASE_URL }) })
const database = await openDatabase(settings, log as never)
const now = () => new Date()
const newId = snowflake(now as never) as never as () => string
let t = performance.now()
const lap = (name: string) => { console.log(name.padEnd(50), (performance.now() - t).toFixed(1)); t = performance.now() }
await migrate(database.kysely as never, migrations, log as never)
const inst = { database, newId, now, adminPasswordHash: () => hashPassword('x'.repeat(10)) }
await installBase(inst as never); await installDemo(inst as never, { onStep: () => {} } as never)
await database.maintain()
import_sql: { const { sql } = await import('kysely'); for (const k of [1,2,3,4]) await sql`insert into biz.grade (id, tenant_id, student_id, course_id, faculty_id, term, score, credit, grade_point, exam_type, exam_date, passed) select id + ${k}::int8 * 100000000000, tenant_id, student_id, course_id, faculty_id, left(term, 8) || ${'x' + k}, score, credit, grade_point, exam_type, exam_date, passed from biz.grade where id < 100000000000 on conflict do nothing`.execute(database.kysely); await database.maintain() }
lap('prepare')
const registry = createRegistry(database, log)
const subject = { kind: 'staff', userId: '1', account: 'admin', name: '管理员', tenant: '10000', sessionId: '1', roles: ['ROLE_ADMIN'], roleIds: [], permissions: new Set(['ALL_PERMISSION']), org: null } as const
const context = { database, registry, log, settings, now, newId, subject, locale: 'zh-CN', ip: '', traceId: '', request: new Request('http://x/'), audit: async () => {} } as never
const page = (tag: string, body: object) => h.page({ params: { tag }, query: undefined, body: { pageSize: 10, pageNum: 1, sorts: [], queries: {}, ...body } as never }, context)
const all = await registry.all('10000'); lap('registry load ' + all.length)
for (const e of all) { await h.config({ params: { tag: e.tag }, query: undefined, body: undefined }, context); await page(e.tag, {}) } lap('config+page of all')
for (let i = 0; i < 3; i++) {
  const g = await page('EDU_GRADE', {}); lap('grade first page ' + g.total)
  await page('EDU_GRADE', { sorts: [{ column: 'score', asc: false }], queries: {} }); lap('grade sorted')
  const f = await page('EDU_GRADE', { pageNum: 3900 }); lap('grade deep ' + f.records.length)
  const s = await page('EDU_STUDENT', { queries: { name: '张' }, sorts: [{ column: 'name', asc: true }] }); lap('student by name ' + s.total)
}
console.log(JSON.stringify((await page('EDU_GRADE', { pageSize: 1 })).records[0]))
const row = (await page('EDU_STUDENT', { pageSize: 1 })).records[0] as never as { id: string }
console.log(JSON.stringify(await h.get({ params: { tag: 'EDU_STUDENT', id: row.id }, query: undefined, body: undefined }, context)))
t = performance.now()
for (const format of ['ndjson', 'csv', 'xlsx'] as const) {
  const base = process.memoryUsage()
  let max = 0, bytes = 0, stall = 0, last = performance.now()
  const timer = setInterval(() => { const n = performance.now(); stall = Math.max(stall, n - last - 5); last = n; max = Math.max(max, process.memoryUsage().rss) }, 5)
  const r = await h.export({ params: { tag: 'EDU_GRADE' }, query: undefined, body: { pageSize: -1, pageNum: -1, sorts: process.env.SORT ? [{ column: 'score', asc: true }] : [], queries: {}, format } as never }, context)
  for await (const c of r.body as never as AsyncIterable<Uint8Array>) bytes += c.length
  clearInterval(timer)
  lap(`export ${format} rows ${r.headers.get('x-rows')} bytes ${bytes} rss+${((max - base.rss) / 1e6).toFixed(0)}MB stall ${stall.toFixed(0)}ms`)
}
for (const e of all) { try { await h.template({ params: { tag: e.tag }, query: undefined, body: undefined }, context) } catch (x) { console.log(e.tag, String(x)) } } lap('all templates')
await database.close()
