// Students as applicants: the shipped deferral of an exam, applied for in the student service
// (docs/rules/contract.md#students-as-applicants).
import { defaultTenant } from '@jiaowu/api/limits'
import { proveFlow } from '@jiaowu/machines/flow/prove'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deferralFlow } from '../../../apps/server/src/model/shipped/flows/deferral.ts'
import { playDemoFlows } from '../../../apps/server/src/start/demo/play-flows.ts'
import { readPages } from '../../support/documents/pdf.ts'
import { captchaEnv, studentClient } from '../../support/student.ts'
import { type Api, refusedBy } from './flow-school.ts'

const tag = 'EDU_DEFERRAL'
const term = '2025-2026-2'
const toChoice = (id: string) => [{ id, name: '' }]
let app: TestApp
let me: Api
let other: Api
let [myId, otherId] = ['', '']
const staff = new Map<string, Api>()

beforeAll(async () => {
  app = await testApp(captchaEnv)
  for (const account of ['admin', 'secretary', 'registrar'])
    staff.set(account, await app.signIn(account))
  me = await studentClient(app, '13800000001')
  other = await studentClient(app, '13800000002')
  myId = (await me.session.whoami({})).id
  otherId = (await other.session.whoami({})).id
  // Both belong to the faculty of the secretary.
  await sql`update biz.student set org_id = (select org_id from sys.app_user where tenant_id = ${defaultTenant}::int8
      and account = 'secretary') where tenant_id = ${defaultTenant}::int8 and id in (${myId}::int8, ${otherId}::int8)`.execute(
    app.services.database.kysely,
  )
})
afterAll(() => app.close())

function as(account: string): Api {
  const api = staff.get(account)
  if (api === undefined) throw new Error(`${account} is not signed in`)
  return api
}

let courses = 0
/** A course of the student without a mark yet. */
async function enrol(student: string): Promise<string> {
  const { records } = await as('admin').entityData.page({
    params: { tag: 'EDU_COURSE' },
    body: { pageSize: 100, sorts: [{ column: 'id', asc: true }] },
  })
  const course = records[courses]?.id ?? ''
  courses += 1
  const { id } = await as('registrar').entityData.create({
    params: { tag: 'EDU_GRADE' },
    body: { student: toChoice(student), course: toChoice(course), term: toChoice(term) },
  })
  return id
}
async function createDeferral(api: Api, student: string, reason = '因病住院') {
  const grade = await enrol(student)
  const made = await api.application.create({
    params: { tag },
    body: { term: toChoice(term), grade: toChoice(grade), reason },
  })
  return { ...made, grade }
}
async function send(api: Api, id: string, event: string) {
  const { version } = await api.application.get({ params: { tag, id } })
  return await api.application.send({ params: { tag, id, event }, body: { version } })
}
async function attachFile(api: Api, id: string, name: string) {
  const file = new File(['证明'], name, { type: 'text/plain' })
  return await api.attachment.upload({ body: { file, bizType: tag, bizId: id } })
}
async function decideAs(account: string, id: string, event: string, note?: string) {
  const { version } = await as(account).flow.read({ params: { tag, id } })
  return await as(account).flow.send({
    params: { tag, id, event },
    body: { version, ...(note === undefined ? {} : { note }) },
  })
}
const readGrade = (id: string) => as('admin').entityData.get({ params: { tag: 'EDU_GRADE', id } })

describe('the deferral of an exam', () => {
  it('is proved, also by the rules that the school chose', () => {
    expect(proveFlow(deferralFlow)).toEqual([])
  })

  it('is offered to students with their fields alone, in both languages', async () => {
    const kinds = await me.application.kinds({})
    expect(kinds.map((kind) => [kind.tag, kind.title])).toEqual([
      [tag, { zh: '缓考', en: 'Deferred exam' }],
      ['EDU_STATUS_CHANGE', { zh: '学籍异动', en: 'Change of status' }],
    ])
    const [deferral] = kinds
    expect(deferral?.help?.en).toContain('before the exam')
    const filled = deferral?.config.fields.filter(({ isAdd }) => isAdd === 1)
    expect(filled?.map(({ attrName }) => attrName)).toEqual(['term', 'grade', 'reason'])
  })

  it('offers own courses of the term, and nothing of other students', async () => {
    const [mine, theirs] = [await enrol(myId), await enrol(otherId)]
    const { records } = await me.application.choices({
      params: { tag },
      body: { fieldId: 'grade', cascades: { term: toChoice(term) }, pageSize: 100 },
    })
    expect(records.map(({ id }) => id)).toContain(mine)
    expect(records.map(({ id }) => id)).not.toContain(theirs)
    expect(records.find(({ id }) => id === mine)?.name).not.toBe('')
    const refused = await refusedBy(
      me.application.create({
        params: { tag },
        body: { term: toChoice(term), grade: toChoice(theirs), reason: '因病' },
      }),
    )
    expect(refused.code).toBe(42200)
    const { records: students } = await me.application.choices({
      params: { tag },
      body: { fieldId: 'student', pageSize: 100 },
    })
    expect(students.map(({ id }) => id)).toEqual([myId])
  })

  it('is printed by its student with offices and no people of them, and by no other', async () => {
    const { id } = await createDeferral(me, myId, '因病住院，附病历')
    await attachFile(me, id, '住院证明.txt')
    await send(me, id, 'SUBMIT')
    // The name of the account is that of its office.
    const rename = (name: string) =>
      sql`update sys.app_user set name = ${name} where tenant_id = ${defaultTenant}::int8
        and account = 'secretary'`.execute(app.services.database.kysely)
    await rename('周晓岚')
    await decideAs('secretary', id, 'APPROVE', '属实')
    const { applicant, log } = await as('admin').flow.read({ params: { tag, id } })
    await attachFile(as('admin'), id, '内部.txt')
    const { stream } = await me.application.print({ params: { tag, id } })
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
    const text = (await readPages(bytes)).join('').replace(/\s/g, '')
    for (const part of ['缓考审批表', '因病住院，附病历', applicant?.name ?? '', '属实'])
      expect(text).toContain(part)
    expect(log.at(-1)?.by?.name).toBe('周晓岚')
    expect(text).not.toContain('周晓岚')
    expect(text).toContain('附件住院证明.txt')
    expect(text).not.toContain('内部.txt')
    expect(text).toContain('学院审核·学院秘书')
    await rename('学院秘书')
    expect((await refusedBy(other.application.print({ params: { tag, id } }))).code).toBe(404)
  })

  it('goes from the phone over the faculty to the registrar, and the grade says so', async () => {
    const { id, grade, state, can, edit, row, next } = await createDeferral(me, myId)
    expect([state, can.map(({ event }) => event), edit]).toEqual([
      'draft',
      ['SUBMIT', 'CANCEL'],
      ['term', 'grade', 'reason'],
    ])
    expect(next).toEqual([])
    expect(row).toMatchObject({ student: [{ id: myId }], reason: '因病住院' })
    const sent = await send(me, id, 'SUBMIT')
    expect([sent.state, sent.next]).toEqual(['faculty', ['学院秘书（信息工程学院）']])
    await decideAs('secretary', id, 'APPROVE', '已核对住院证明')
    expect((await readGrade(grade))['remarks'] ?? '').toBe('')
    await decideAs('registrar', id, 'APPROVE')
    expect((await readGrade(grade))['remarks']).toBe('缓考')
    const done = await me.application.get({ params: { tag, id } })
    expect([done.stateName, done.isDone, done.can, done.next]).toEqual(['已批准', true, [], []])
    expect(done.log.map(({ name, note, isOwn }) => [name, note, isOwn])).toEqual([
      ['提交', null, true],
      ['同意', '已核对住院证明', false],
      ['同意', null, false],
    ])
    expect(JSON.stringify(done)).not.toContain('学院秘书')
    const [line] = await me.application.list({})
    expect(line).toMatchObject({ tag, id, state: 'approved', isDone: true })
  })

  it('comes back for correction, is corrected by the student and sent again', async () => {
    const { id } = await createDeferral(me, myId, '生病')
    const { row } = await send(me, id, 'SUBMIT')
    const closed = await refusedBy(
      me.application.update({
        params: { tag, id },
        body: { reason: '改', version: row.version ?? 0 },
      }),
    )
    expect([closed.code, closed.rules]).toEqual([42200, ['flow']])
    await decideAs('secretary', id, 'RETURN', '请写明住院日期')
    const back = await me.application.get({ params: { tag, id } })
    expect(back.log.at(-1)).toMatchObject({
      name: '退回修改',
      note: '请写明住院日期',
      isOwn: false,
    })
    const corrected = await me.application.update({
      params: { tag, id },
      body: { reason: '6 月 1 日至 20 日住院', version: back.row.version ?? 0 },
    })
    expect(corrected.row['reason']).toBe('6 月 1 日至 20 日住院')
    expect((await send(me, id, 'SUBMIT')).state).toBe('faculty')
    expect((await send(me, id, 'WITHDRAW')).state).toBe('draft')
    expect((await send(me, id, 'CANCEL')).isDone).toBe(true)
  })

  it('answers a stale event with the application, without a name of the office', async () => {
    const { id } = await createDeferral(me, myId)
    const { version } = await send(me, id, 'SUBMIT')
    await decideAs('secretary', id, 'APPROVE')
    const stale = await refusedBy(
      me.application.send({ params: { tag, id, event: 'WITHDRAW' }, body: { version } }),
    )
    expect(stale.code).toBe(40900)
    expect(stale.message).toContain('教务处审核')
    expect(stale.data).toMatchObject({ id, state: 'office' })
    expect(JSON.stringify(stale)).not.toContain('"by"')
  })

  it('cannot be approved for a course that has a mark by then', async () => {
    const { id, grade } = await createDeferral(me, myId)
    await send(me, id, 'SUBMIT')
    await decideAs('secretary', id, 'APPROVE')
    await sql`update biz.grade set score = 70 where tenant_id = ${defaultTenant}::int8 and id = ${grade}::int8`.execute(
      app.services.database.kysely,
    )
    expect((await refusedBy(decideAs('registrar', id, 'APPROVE'))).rules).toContain('flow')
    expect((await decideAs('registrar', id, 'REJECT', '该课程已有成绩')).isDone).toBe(true)
  })
})

describe('an applicant', () => {
  it('gets 404 for the application of another student, however it is asked for', async () => {
    const { id, version } = await createDeferral(other, otherId)
    const params = { tag, id }
    const body = { version }
    const calls = [
      () => me.application.get({ params }),
      () => me.application.update({ params, body: { reason: '改', version: 1 } }),
      () => me.application.send({ params: { ...params, event: 'SUBMIT' }, body }),
      () => me.application.send({ params: { ...params, event: 'APPROVE' }, body }),
      () => me.attachment.list({ query: { bizType: tag, bizId: id } }),
      () =>
        me.attachment.upload({
          body: {
            file: new File(['证明'], 'a.txt', { type: 'text/plain' }),
            bizType: tag,
            bizId: id,
          },
        }),
    ]
    for (const call of calls) expect((await refusedBy(call())).code).toBe(404)
    expect((await me.application.list({})).map((line) => line.id)).not.toContain(id)
    expect((await other.application.get({ params })).state).toBe('draft')
  })

  it('is the student who signed in: state, student and other fields are refused', async () => {
    const grade = await enrol(myId)
    const body = { term: toChoice(term), grade: toChoice(grade), reason: '因病' }
    for (const more of [
      { student: toChoice(otherId) },
      { state: toChoice('approved') },
      { createTime: '2020-01-01 00:00:00' },
    ]) {
      const refused = await refusedBy(
        me.application.create({ params: { tag }, body: { ...body, ...more } }),
      )
      expect([refused.code, Object.keys(more)]).toEqual([42200, Object.keys(more)])
    }
    const { id, row } = await me.application.create({ params: { tag }, body })
    for (const more of [{ student: toChoice(otherId) }, { state: toChoice('approved') }])
      expect(
        (
          await refusedBy(
            me.application.update({
              params: { tag, id },
              body: { ...more, version: row.version ?? 0 },
            }),
          )
        ).code,
      ).toBe(42200)
    expect((await refusedBy(send(me, id, 'APPROVE'))).code).toBe(42200)
  })

  it('reaches nothing else: other entities, lists and the calls of staff stay closed', async () => {
    const params = { tag }
    expect(
      (await refusedBy(me.application.create({ params: { tag: 'EDU_GRADE' }, body: {} }))).code,
    ).toBe(404)
    for (const call of [
      () => me.entityData.page({ params, body: {} }),
      () => me.entityData.create({ params, body: {} }),
      () => me.flow.todo({ body: {} }),
    ])
      expect((await refusedBy(call())).code).toBe(403)
    expect((await refusedBy(as('secretary').application.list({}))).code).toBe(403)
  })

  it('adds files while the application is open, and sees no file of the office', async () => {
    const { id } = await createDeferral(me, myId)
    const upload = (api: Api, name: string) => attachFile(api, id, name)
    const file = await upload(me, '住院证明.txt')
    const internal = await upload(as('admin'), '内部.txt')
    const query = { bizType: tag, bizId: id }
    expect((await me.attachment.list({ query })).map(({ name }) => name)).toEqual(['住院证明.txt'])
    expect((await refusedBy(me.attachment.download({ query: { ids: internal.id } }))).code).toBe(
      404,
    )
    expect((await refusedBy(me.attachment.ticket({ body: query }))).code).toBe(403)
    expect((await as('secretary').attachment.list({ query })).length).toBe(2)
    await send(me, id, 'SUBMIT')
    expect((await refusedBy(upload(me, '更多.txt'))).code).toBe(409)
    expect((await refusedBy(me.attachment.remove({ query: { ids: file.id } }))).code).toBe(409)
    expect(
      await (await me.attachment.download({ query: { ids: file.id } })).stream.getReader().read(),
    ).toMatchObject({ done: false })
  })

  it('creates and sends once under one Idempotency-Key', async () => {
    const grade = await enrol(myId)
    const body = { term: toChoice(term), grade: toChoice(grade), reason: '因病' }
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const first = await me.application.create({ params: { tag }, body, headers })
    const again = await me.application.create({ params: { tag }, body, headers })
    expect(again.id).toBe(first.id)
    const { rows } = await sql<{ n: number }>`select count(*)::int4 as n from biz.deferral
      where tenant_id = ${defaultTenant}::int8 and grade_id = ${grade}::int8`.execute(
      app.services.database.kysely,
    )
    expect(rows).toEqual([{ n: 1 }])
  })

  it('does not decide on himself through an account of staff that is linked to his record', async () => {
    await sql`update sys.app_user set person_tag = 'EDU_STUDENT', person_id = ${myId}::text
      where tenant_id = ${defaultTenant}::int8 and account = 'secretary'`.execute(
      app.services.database.kysely,
    )
    const { id } = await createDeferral(me, myId)
    await send(me, id, 'SUBMIT')
    const linked = await app.signIn('secretary')
    const { version, can } = await linked.flow.read({ params: { tag, id } })
    expect(can.map(({ event }) => event)).not.toContain('APPROVE')
    const refused = await refusedBy(
      linked.flow.send({ params: { tag, id, event: 'APPROVE' }, body: { version } }),
    )
    expect(refused.code).toBe(403)
    await sql`update sys.app_user set person_tag = null, person_id = null
      where tenant_id = ${defaultTenant}::int8 and account = 'secretary'`.execute(
      app.services.database.kysely,
    )
  })

  it('is not shown what an office began about the student', async () => {
    const { id } = await as('secretary').entityData.create({
      params: { tag: 'EDU_STATUS_CHANGE' },
      body: {
        student: toChoice(myId),
        kind: toChoice('withdraw'),
        term: toChoice(term),
        reason: '多门课程不及格',
      },
    })
    expect(
      (await refusedBy(me.application.get({ params: { tag: 'EDU_STATUS_CHANGE', id } }))).code,
    ).toBe(404)
    expect((await me.application.list({})).map((line) => line.id)).not.toContain(id)
  })

  it('applies for a change of status too, which the dean decides on', async () => {
    const params = { tag: 'EDU_STATUS_CHANGE' }
    const { id, version } = await me.application.create({
      params,
      body: { kind: toChoice('suspend'), term: toChoice(term), reason: '因病休养一年' },
    })
    const sent = await me.application.send({
      params: { ...params, id, event: 'SUBMIT' },
      body: { version },
    })
    expect(sent.state).toBe('dean')
    const dean = await app.signIn('dean')
    const { records } = await dean.flow.todo({ body: {} })
    expect(records.find((each) => each.id === id)?.applicant?.id).toBe(myId)
    expect((await dean.flow.read({ params: { ...params, id } })).can.length).toBeGreaterThan(0)
  })
})

it('fills the demonstration with deferrals in every state', async () => {
  await playDemoFlows(app.services)
  const { rows } = await sql<{ state: string }>`
    select distinct state from biz.deferral
    where tenant_id = ${defaultTenant}::int8 and student_id not in (${myId}::int8, ${otherId}::int8)`.execute(
    app.services.database.kysely,
  )
  expect(rows.map(({ state }) => state).toSorted()).toEqual(
    Object.keys(deferralFlow.states).toSorted(),
  )
})

describe('the student who applied', () => {
  const mine = async (id: string) =>
    (await me.messages.mine({})).records.filter(({ row }) => row?.id === id)

  it('is told of each decision once, by the bell and by e-mail, and of offices, not of people', async () => {
    await sql`update biz.student set email = 'me@stu.example.edu.cn'
      where tenant_id = ${defaultTenant}::int8 and id = ${myId}::int8`.execute(
      app.services.database.kysely,
    )
    expect((await me.messages.choices({})).open).toContain('message')
    const { id } = await createDeferral(me, myId)
    await send(me, id, 'SUBMIT')
    expect(await mine(id)).toEqual([])
    await decideAs('secretary', id, 'RETURN', '缺少证明')
    const [told, ...more] = await mine(id)
    expect(more).toEqual([])
    expect(told).toMatchObject({ kind: 'flow', row: { tag, id }, sender: null })
    expect(told?.content).toContain('学校 “退回修改”，现为“草稿”')
    const { name } = await as('secretary').session.whoami({})
    expect(JSON.stringify(told)).not.toContain(name)
    const { rows } = await sql<{ channel: string; content: string }>`
      select channel, content from sys.notice_task
      where tenant_id = ${defaultTenant}::int8 and receiver_id = ${myId}::int8 and done_at is null`.execute(
      app.services.database.kysely,
    )
    expect(rows).toEqual([{ channel: 'mail', content: told?.content }])
  })

  it('is not told of the applications of others, nor by a way that is switched off', async () => {
    const { id } = await createDeferral(other, otherId)
    await send(other, id, 'SUBMIT')
    await other.messages.choose({
      body: { choices: [{ kind: 'flow', channel: 'message', isOn: false }] },
    })
    await decideAs('secretary', id, 'REJECT', '不符合')
    expect(await mine(id)).toEqual([])
    expect((await other.messages.mine({})).records.filter(({ row }) => row?.id === id)).toEqual([])
  })
})

it('names records in notices as people know them, by the pattern of their entity', async () => {
  const { rows } = await sql<{ content: string }>`
    select m.content from sys.message m join biz.deferral d on d.id::text = m.row_id::text
    where m.tenant_id = ${defaultTenant}::int8 and m.tag = ${tag}`.execute(
    app.services.database.kysely,
  )
  expect(rows.length).toBeGreaterThan(5)
  expect(rows.filter(({ content }) => /“\d{6,}”/.test(content))).toEqual([])
  expect(rows.some(({ content }) => /“\S+ \d{10} · /.test(content))).toBe(true)
})
