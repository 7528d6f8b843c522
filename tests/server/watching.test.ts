// An operator finds a call, and what waits, from outside (docs/operations/watching.md).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { captchaEnv } from '../support/student.ts'

let app: TestApp
const lines: Record<string, unknown>[] = []
beforeAll(async () => {
  app = await testApp({ ...captchaEnv, BACKUP_DIR: join(import.meta.dirname, 'no-such-folder') })
  const write = (line: unknown, message?: string) => {
    if (message === 'call') lines.push(line as Record<string, unknown>)
  }
  vi.spyOn(app.services.log, 'info').mockImplementation(write)
})
beforeEach(() => {
  lines.length = 0
})
afterAll(() => app.close())

const id = 'ticket-2026-0042'
const withId = (token?: string) => ({
  headers: {
    'x-request-id': id,
    ...(token !== undefined && { authorization: `bearer ${token}` }),
  },
})

it('writes one line for each call, which holds no personal data', async () => {
  const { token } = await app.signIn('admin')
  lines.length = 0
  const response = await app.call('/entity/EDU_STUDENT/data/1234567890123456789', withId(token))
  expect(lines).toEqual([
    {
      traceId: id,
      method: 'GET',
      route: '/entity/{tag}/data/{id}',
      status: 404,
      ms: expect.any(Number),
      bytes: Buffer.byteLength(await response.text()),
      school: '10000',
      why: 'problem.notFound',
    },
  ])
  await app.call('/no/such/call?mobile=13800000001')
  expect(lines[1]).toMatchObject({ route: 'unknown', status: 404 })
  expect(JSON.stringify(lines)).not.toMatch(/13800000001|admin|127\.0\.0\.1|1234567890123456789/)
})

it('leaves health checks and parts of pages out of the log while they answer well', async () => {
  for (const path of ['/health/live', '/health/ready', '/metrics'])
    await app.fetch(new Request(`http://jiaowu.test${path}`))
  expect(lines).toEqual([])
  const stranger = { ip: '203.0.113.9', secure: true }
  await app.fetch(new Request('http://jiaowu.test/metrics'), stranger)
  expect(lines).toMatchObject([{ route: '/metrics', status: 403, why: 'problem.forbidden' }])
})

it('answers with the id of the caller, and writes it to the audit log', async () => {
  const { token, ...admin } = await app.signIn('admin')
  const refused = await app.call('/entity/EDU_STUDENT/data/987654321', withId(token))
  expect(refused.headers.get('x-request-id')).toBe(id)
  expect(await refused.json()).toMatchObject({ success: false, traceId: id })
  const page = await app.fetch(new Request('http://jiaowu.test/no-page', withId()))
  expect(page.headers.get('x-request-id')).toBe(id)
  const { records } = await admin.entityData.page({
    params: { tag: 'SYS_LOG' },
    body: { queries: { traceId: id, objectId: '987654321' } },
  })
  expect(records).toMatchObject([{ object: 'EDU_STUDENT', objectId: '987654321' }])
})

it('counts sign-ins, refusals, and what waits in the database', async () => {
  const failed = 'jiaowu_sign_ins_total{kind="staff",result="failed"}'
  const before = (await readMetrics()).get(failed) ?? 0
  await app.signIn('nobody').catch(() => undefined)
  await addLateNotice(app)
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000)
  const after = await readMetrics()
  vi.restoreAllMocks()
  expect(after.get(failed)).toBe(before + 1)
  expect(after.get('jiaowu_tasks{kind="notice",state="retried"}')).toBe(1)
  expect(after.get('jiaowu_tasks_oldest_seconds{kind="notice"}')).toBeGreaterThan(3_500)
  expect(after.get('jiaowu_orders{state="PAID"}')).toBeUndefined()
  expect([...after.keys()].filter((line) => line.startsWith('jiaowu_refusals_total{'))).not.toEqual(
    [],
  )
})

it('has rules for alerts that name figures which exist', async () => {
  const rules = readFileSync(
    join(import.meta.dirname, '../../deploy/prometheus/jiaowu.rules.yml'),
    'utf8',
  )
  const named = [...rules.matchAll(/^\s+expr: (.*)$/gm)].flatMap(([, expression = '']) =>
    [...expression.matchAll(/\b(?:jiaowu|http|nodejs|process)_\w+/g)].map(([name]) => name),
  )
  expect(named.length).toBeGreaterThan(20)
  const response = await app.fetch(new Request('http://jiaowu.test/metrics'))
  const text = await response.text()
  const known = new Set([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(listSeries))
  expect(named.filter((name) => !known.has(name))).toEqual([])
})

function listSeries([, name = '', type]: RegExpExecArray): string[] {
  return type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name]
}

async function readMetrics(): Promise<ReadonlyMap<string, number>> {
  const response = await app.fetch(new Request('http://jiaowu.test/metrics'))
  const text = await response.text()
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  )
}

it("shows an administrator everybody's jobs and tasks with their reasons", async () => {
  const admin = await app.signIn('admin')
  await addLateNotice(app)
  const { id: owner } = await app.services.database.kysely
    .selectFrom('sys.app_user')
    .select('id')
    .where('tenant_id', '=', '10000')
    .where('account', '<>', 'admin')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const message = JSON.stringify({ key: 'transfer.job.fault' })
  await sql`
    insert into sys.job (id, tenant_id, user_id, kind, tag, status, phase, options, locale, message, trace_id)
    values (${app.services.newId()}, 10000, ${owner}, 'import', 'EDU_STUDENT', 'failed', 'writing', '{}', 'en',
      ${message}::jsonb, ${id})`.execute(app.services.database.kysely)
  const failed = await admin.job.all({ query: { state: 'failed' } })
  expect(failed).toMatchObject({
    total: 1,
    records: [
      { kind: 'import', entityName: '学生', traceId: id, error: expect.stringMatching(/./) },
    ],
  })
  expect(failed.records[0]?.account).not.toBe('admin')
  const notices = await admin.job.all({ query: { kind: 'notice' } })
  expect(notices.records[0]).toMatchObject({ state: 'queued', error: 'no answer', attempts: 2 })
  expect((await admin.job.list({ query: {} })).total).toBe(0)
})

it('serves on beside a newer program that has changed database and definitions', async () => {
  const admin = await app.signIn('admin')
  const { database, registry } = app.services
  const change = async (value: string) => {
    await sql`
      update sys.entity set version = version + 1,
        definition = jsonb_set(definition, '{options}', (definition->'options') ${sql.raw(value)})
      where tag = 'EDU_COURSE' and tenant_id = 0`.execute(database.kysely)
    registry.invalidate()
  }
  const readHealth = async () => {
    const response = await app.fetch(new Request('http://jiaowu.test/health/ready'))
    return [response.status, ((await response.json()) as { reason?: string }).reason]
  }
  const list = { params: { tag: 'EDU_COURSE' }, body: { queries: {} } }
  const { total } = await admin.entityData.page(list)
  expect(await readHealth()).toEqual([200, undefined])
  await change(`|| '{"hologram": {"depth": 3}}'`)
  expect((await admin.entityData.page(list)).total).toBe(total)
  expect(await readHealth()).toEqual([200, 'older than the database'])
  await expect(admin.design.load({ params: { tag: 'EDU_COURSE' } })).rejects.toMatchObject({
    problem: { code: 503, message: expect.stringContaining('正在升级') },
  })
  await change(`- 'hologram'`)
  await admin.entityData.page(list)
  expect(await readHealth()).toEqual([200, undefined])
  await sql`insert into sys.migration (name) values ('9999-next')`.execute(database.kysely)
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000)
  expect(await readHealth()).toEqual([200, 'older than the database'])
  vi.restoreAllMocks()
})

async function addLateNotice({ services: { database, newId } }: TestApp): Promise<void> {
  await database.kysely
    .insertInto('sys.notice_task')
    .values({
      tenant_id: '10000',
      id: newId(),
      receiver_id: '1',
      event_key: newId(),
      channel: 'mail',
      title: 't',
      content: 'c',
      attempts: 2,
      failure: 'no answer',
      next_at: new Date(Date.now() - 3_600_000),
    })
    .execute()
}
