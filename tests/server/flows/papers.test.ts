// Documents that a flow issues: fixed in the transaction of the decision, drawn at the first download, verified,
// revoked, and refused where they cannot be made (docs/rules/contract.md#flows).
import { withoutStoredKeys } from '@jiaowu/api/entity/definition/stored'
import { defaultTenant } from '@jiaowu/api/limits'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { poppler, readPages } from '../../support/documents/pdf.ts'
import { captchaEnv, studentClient } from '../../support/student.ts'
import { type Api, refusedBy } from './flow-school.ts'

const tag = 'EDU_STATUS_CHANGE'
let app: TestApp
const apis = new Map<string, Api>()
beforeAll(async () => {
  app = await testApp(captchaEnv)
  for (const account of ['admin', 'secretary', 'dean', 'registrar'])
    apis.set(account, await app.signIn(account))
})
afterAll(() => app.close())
function as(account: string): Api {
  const api = apis.get(account)
  if (api === undefined) throw new Error(`${account} is not signed in`)
  return api
}
async function sendAs(account: string, id: string, event: string) {
  const { version } = await as(account).flow.read({ params: { tag, id } })
  return await as(account).flow.send({ params: { tag, id, event }, body: { version } })
}

let taken = 0
/** A request of a student who comes back, which waits for the registrar; the student has the name, if one is given. */
async function ask(name?: string) {
  const { kysely } = app.services.database
  const { rows } = await sql<{ id: string; student_no: string; name: string }>`
    select b.id::text as id, b.student_no, b.name from biz.student b
    join sys.app_user s on s.tenant_id = b.tenant_id and s.account = 'dean' and s.org_id = b.org_id
    where b.tenant_id = ${defaultTenant}::int8 order by b.account_mobile is null, b.id
    offset ${taken}::int4 limit 1`.execute(kysely)
  const [student] = rows
  if (student === undefined) throw new Error('no student is left')
  taken += 1
  await sql`update biz.student set status = '2', name = coalesce(${name ?? null}::text, name)
    where tenant_id = ${defaultTenant}::int8 and id = ${student.id}::int8`.execute(kysely)
  const { id } = await as('secretary').entityData.create({
    params: { tag },
    body: {
      student: [{ id: student.id, name: '' }],
      kind: [{ id: 'resume', name: '' }],
      term: [{ id: '2025-2026-2', name: '' }],
      reason: '康复',
    },
  })
  await sendAs('secretary', id, 'SUBMIT')
  await sendAs('dean', id, 'APPROVE')
  return { id, student }
}
async function readBytes(file: { readonly stream: ReadableStream<Uint8Array> }) {
  return new Uint8Array(await new Response(file.stream).arrayBuffer())
}
async function countDocuments(): Promise<number> {
  const { rows } = await sql<{ n: string }>`
    select count(*)::text as n from sys.document
    where tenant_id = ${defaultTenant}::int8 and case_id is not null`.execute(
    app.services.database.kysely,
  )
  return Number(rows[0]?.n)
}

it('is on the case once it is decided, and says what the decision left', async () => {
  const { id, student } = await ask()
  const answer = await sendAs('registrar', id, 'APPROVE')
  expect(answer.documents).toMatchObject([{ name: '学籍异动通知书', revokedAt: null }])
  const number = answer.documents?.[0]?.number ?? ''
  expect(number).toMatch(/^N-\d{4}-\d{6}$/)
  const params = { tag, id, number }
  const first = await readBytes(await as('secretary').paper.download({ params }))
  const text = (await readPages(first)).join('').replace(/\s/g, '')
  expect(text).toContain(`${student.name}同学（学号${student.student_no}）：`)
  expect(text).toContain('你提出的复学申请')
  expect(text).toContain('自2025-2026学年第二学期起生效')
  expect(text).toContain('现学籍状态为：在读')
  // A later change of the row changes nothing in it.
  await sql`update biz.student set name = '改名' where tenant_id = ${defaultTenant}::int8
    and id = ${student.id}::int8`.execute(app.services.database.kysely)
  expect(await readBytes(await as('admin').paper.download({ params }))).toEqual(first)
})

it('is verified by its code, and revoked', async () => {
  const { id } = await ask()
  const { documents } = await sendAs('registrar', id, 'APPROVE')
  const number = documents?.[0]?.number ?? ''
  const { rows } = await sql<{ code: string }>`
    select code from sys.document where tenant_id = ${defaultTenant}::int8 and number = ${number}`.execute(
    app.services.database.kysely,
  )
  const check = () =>
    app.client('').verify.check({ params: { code: rows[0]?.code ?? '' }, query: {} })
  await as('admin').paper.download({ params: { tag, id, number } })
  expect(await check()).toMatchObject({
    status: 'valid',
    document: { number, kind: 'notice', title: '学籍异动通知书' },
  })
  await as('admin').verify.revoke({ body: { number, reason: '办理有误' } })
  expect((await check()).status).toBe('revoked')
  expect(
    (await as('admin').flow.read({ params: { tag, id } })).documents?.[0]?.revokedAt,
  ).toBeTruthy()
  expect((await refusedBy(as('admin').paper.download({ params: { tag, id, number } }))).code).toBe(
    404,
  )
})

it('refuses the decision where a name cannot be drawn, and leaves everything as it was', async () => {
  const { id, student } = await ask('王𠮷')
  const before = await countDocuments()
  const refused = await refusedBy(sendAs('registrar', id, 'APPROVE'))
  expect(refused.code).toBe(422)
  expect(refused.message).toContain('𠮷')
  const { state, log } = await as('registrar').flow.read({ params: { tag, id } })
  expect([state, log.length]).toEqual(['registrar', 2])
  const { status } = await as('admin').entityData.get({
    params: { tag: 'EDU_STUDENT', id: student.id },
  })
  expect(status).toMatchObject([{ id: '2' }])
  expect(await countDocuments()).toBe(before)
})

it('makes none in a preview, and one for two that decide at the same time', async () => {
  const { id } = await ask()
  const before = await countDocuments()
  const { version } = await as('registrar').flow.read({ params: { tag, id } })
  const item = { tag, id, event: 'APPROVE', version }
  const { results } = await as('registrar').flow.decide({ body: { preview: true, items: [item] } })
  expect(results).toMatchObject([{ ok: true, state: 'approved' }])
  expect(await countDocuments()).toBe(before)
  await Promise.allSettled(
    [1, 2].map(() =>
      as('registrar').flow.send({ params: { tag, id, event: 'APPROVE' }, body: { version } }),
    ),
  )
  expect(await countDocuments()).toBe(before + 1)
})

it('is listed for the student whom it is about, and for nobody else', async () => {
  const { kysely } = app.services.database
  const { rows } = await sql<{ mobile: string; mine: string }>`
    select s.account_mobile as mobile, count(d.id)::text as mine from biz.student s
    left join sys.document d on d.tenant_id = s.tenant_id and d.student_id = s.id
      and d.case_id is not null and d.revoked_at is null
    where s.tenant_id = ${defaultTenant}::int8 and s.account_mobile is not null
    group by s.id, s.account_mobile order by s.id limit 2`.execute(kysely)
  const found = []
  for (const { mobile, mine } of rows) {
    const me = await studentClient(app, mobile)
    const papers = await me.student.papers({ query: {} })
    expect(papers.length).toBe(Number(mine))
    found.push(...papers.map(({ number }) => ({ me, number })))
  }
  expect(found.length).toBeGreaterThan(0)
  const [{ rows: others }] = [
    await sql<{ number: string }>`
      select number from sys.document where tenant_id = ${defaultTenant}::int8
        and case_id is not null and revoked_at is null`.execute(kysely),
  ]
  for (const { me, number } of found)
    for (const other of others) {
      const file = me.student.paper({ query: { number: other.number } })
      if (other.number === number)
        expect((await readBytes(await file)).length).toBeGreaterThan(1000)
      else if (!found.some((each) => each.me === me && each.number === other.number))
        expect((await refusedBy(file)).code).toBe(404)
    }
})

/** The sheet of a case, on one line without spaces. */
async function readSheet(by: Api, id: string): Promise<string> {
  const bytes = await readBytes(await by.paper.print({ params: { tag, id } }))
  return (await readPages(bytes)).join('').replace(/\s/g, '')
}

it('prints a case with its record, offices, deciders and notes, signed', async () => {
  const { id, student } = await ask()
  const { version } = await as('registrar').flow.read({ params: { tag, id } })
  const waiting = await readSheet(as('secretary'), id)
  expect(waiting).toContain('待办理')
  await as('registrar').flow.send({
    params: { tag, id, event: 'APPROVE' },
    body: { version, note: '材料齐全，同意复学。' },
  })
  const bytes = await readBytes(await as('secretary').paper.print({ params: { tag, id } }))
  const text = (await readPages(bytes)).join('').replace(/\s/g, '')
  for (const part of ['学籍异动审批表', `${tag}-${id}`, student.name, '2025-2026', '康复'])
    expect(text).toContain(part)
  const { log, name } = await as('secretary').flow.read({ params: { tag, id } })
  expect(text).toContain(`当前状态${name}`)
  expect(log).toHaveLength(3)
  for (const { by, name: decision, at } of log) {
    expect(text).toContain(`${by?.name ?? ''}${decision}`)
    expect(text).toContain(at.replace(' ', ''))
  }
  expect(text).toContain('材料齐全，同意复学。')
  expect(text).not.toContain('待办理')
  const signature = await poppler('pdfsig', bytes)
  if (signature !== null) expect(signature).toContain('Signature is Valid')
  const { rows } = await sql<{ n: string }>`
    select count(*)::text as n from sys.audit_log where tenant_id = ${defaultTenant}::int8
      and action = 'flow.print' and object_id = ${id}`.execute(app.services.database.kysely)
  expect(rows[0]?.n).toBe('2')
})

it('names what it cannot draw, and decides nothing by printing', async () => {
  const { id } = await ask('王𠮷')
  const refused = await refusedBy(as('secretary').paper.print({ params: { tag, id } }))
  expect(refused.code).toBe(422)
  expect(refused.message).toContain('𠮷')
})

it('prints values as the details of the record show them: masked, and none without the right', async () => {
  const { id } = await ask()
  const save = async (more: object) => {
    const stored = await as('admin').design.load({ params: { tag } })
    const definition = withoutStoredKeys(stored)
    const fields = definition.fields.map((field) =>
      field.attrName === 'reason' ? { ...field, ...more } : field,
    )
    await as('admin').design.save({
      params: { tag },
      body: { ...definition, fields, version: stored.version } as never,
    })
  }
  await sql`update ${sql.table('biz.status_change')} set reason = '13812345678'
    where tenant_id = ${defaultTenant}::int8 and id = ${id}::int8`.execute(
    app.services.database.kysely,
  )
  await save({ pii: 'mobile' })
  const { reason } = await as('secretary').entityData.get({ params: { tag, id } })
  expect(reason).toBe('138****5678')
  const masked = await readSheet(as('secretary'), id)
  expect(masked).toContain('138****5678')
  expect(masked).not.toContain('13812345678')
  await save({ isDetail: 0, isList: 0, isEdit: 0 })
  expect(await readSheet(as('secretary'), id)).not.toContain('138')
})
