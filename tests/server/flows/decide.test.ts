// A correction of a mark from its table to the mark, and every way around its flow (docs/rules/contract.md#flows).
import { isJobOver } from '@jiaowu/api/contract/job'
import { importFile, toCsv } from '../../support/imports.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defaultTenant } from '@jiaowu/api/limits'
import { sql } from 'kysely'
import {
  type Api,
  createFlowSchool,
  type FlowSchool,
  grade,
  refusedBy,
  tag,
} from './flow-school.ts'

let school: FlowSchool
beforeAll(async () => {
  school = await createFlowSchool()
})
afterAll(() => school.app.close())

const readState = (by: Api, id: string) => by.flow.read({ params: { tag, id } })
async function send(
  by: Api,
  id: string,
  event: string,
  more: Readonly<Record<string, unknown>> = {},
) {
  const { version } = await readState(by, id)
  return await by.flow.send({ params: { tag, id, event }, body: { version, ...more } })
}
const names = async (by: Api, id: string) => (await readState(by, id)).can.map(({ event }) => event)
const row = (id: string) => school.admin.entityData.get({ params: { tag, id } })

it('goes from the teacher over the faculty and the office to the mark, and tells who did what', async () => {
  const { teacher, secretary, office, make, gradeOf, admin } = school
  const id = await make(teacher)
  expect(await gradeOf(id)).not.toBe('91')
  expect(await readState(teacher, id)).toMatchObject({
    state: 'draft',
    isDone: false,
    can: [
      { event: 'SUBMIT', name: '提交', ask: [], note: null },
      { event: 'CANCEL', name: '撤销' },
    ],
    edit: ['score', 'reason'],
    log: [],
  })
  await send(teacher, id, 'SUBMIT')
  expect((await row(id))['state']).toBe('faculty')
  const waiting = await readState(secretary, id)
  expect(waiting.can.map(({ event, note }) => [event, note])).toEqual([
    ['APPROVE', 'optional'],
    ['RETURN', 'required'],
  ])
  expect(waiting.open).toHaveLength(1)
  expect(waiting.next).toEqual([
    { path: 'faculty', event: '同意', to: '教务处审核' },
    { path: 'faculty', event: '退回', to: '草稿' },
  ])
  const open = await secretary.entityData.page({ params: { tag }, body: { withOpen: true } })
  expect(open.open?.[id]).toEqual([])
  const draft = await make(teacher)
  const drafts = await teacher.entityData.page({
    params: { tag },
    body: { withOpen: true, sorts: [{ column: 'id', asc: false }] },
  })
  expect(drafts.open?.[draft]).toEqual((await readState(teacher, draft)).edit)
  const grades = await admin.entityData.page({ params: { tag: grade }, body: { withOpen: true } })
  expect(grades.open).toBeUndefined()
  expect(waiting.open[0]?.who).toContain('SECRETARY')
  await send(secretary, id, 'APPROVE', { note: '属实' })
  const end = await send(office, id, 'APPROVE')
  expect(end).toMatchObject({ state: 'approved', tone: 'green', isDone: true, can: [], open: [] })
  expect(end.next).toEqual([])
  expect(end.log.every(({ seconds }) => seconds >= 0)).toBe(true)
  expect(end.log.map(({ by, event, from, to, note }) => [by?.name, event, from, to, note])).toEqual(
    [
      ['teacher', 'SUBMIT', 'draft', 'faculty', null],
      ['secretary', 'APPROVE', 'faculty', 'office', '属实'],
      ['office', 'APPROVE', 'office', 'approved', null],
    ],
  )
  expect(await gradeOf(id)).toBe('91')
  const { entries } = await admin.history.of({ params: { tag, id } })
  expect(entries.flatMap(({ changes }) => changes.map(({ to }) => to))).toContain('approved')
})

it('lets nobody decide on their own case, whatever roles they hold', async () => {
  const { everything, secretary, office, make, gradeOf } = school
  const id = await make(everything)
  const before = await gradeOf(id)
  await send(everything, id, 'SUBMIT')
  expect(await names(everything, id)).toEqual(['WITHDRAW'])
  expect(await refusedBy(send(everything, id, 'APPROVE'))).toMatchObject({
    code: 403,
    message: '“同意”不由您办理（当前状态“学院审核”）。等待：SECRETARY。',
  })
  await send(secretary, id, 'APPROVE')
  expect(await refusedBy(send(everything, id, 'APPROVE'))).toMatchObject({ code: 403 })
  expect(await gradeOf(id)).toBe(before)
  await send(office, id, 'REJECT', { note: '证据不足' })
  const { rows } = await sql<{ result: string; detail: unknown }>`
    select result, detail from sys.audit_log where tenant_id = ${defaultTenant}::int8 and action = 'flow.decide' and object_id = ${id}
    order by id`.execute(school.app.services.database.kysely)
  expect(rows.map(({ result }) => result)).toEqual(['ok', 'denied', 'ok', 'denied', 'ok'])
})

it('lets nobody decide twice where two are asked, and nobody of another faculty', async () => {
  const { teacher, everything, stranger, make } = school
  const id = await make(teacher)
  await send(teacher, id, 'SUBMIT')
  expect(await names(stranger, id)).toEqual([])
  expect((await refusedBy(send(stranger, id, 'APPROVE'))).code).toBe(403)
  await send(everything, id, 'APPROVE')
  expect(await names(everything, id)).toEqual([])
  expect((await refusedBy(send(everything, id, 'APPROVE'))).code).toBe(403)
})

it('changes the state by no other way: a form, a new row, an import, a bulk change, a second entity', async () => {
  const { teacher, admin, make, gradeOf } = school
  const id = await make(teacher)
  const before = await gradeOf(id)
  const { version } = await row(id)
  const direct = await refusedBy(
    admin.entityData.update({ params: { tag, id }, body: { version, state: 'approved' } }),
  )
  expect(direct).toMatchObject({ code: 42200, rules: ['flow'] })
  expect(direct.texts[0]).toContain('jiaowu flow decide')
  expect(
    await refusedBy(
      teacher.entityData.update({ params: { tag, id }, body: { version, state: 'approved' } }),
    ),
  ).toMatchObject({ rules: ['flow'] })
  expect(await refusedBy(make(teacher, { state: 'approved' }))).toMatchObject({ rules: ['flow'] })
  const update = { mode: 'update', key: 'id', onError: 'skip' } as const
  const file = toCsv(`id,state\n${id},approved`)
  expect(await importFile(admin, tag, file, update)).toMatchObject({ updated: 0, failed: 1 })
  const added = toCsv('title,state\n新的,approved')
  expect(await importFile(admin, tag, added, { mode: 'insert', onError: 'skip' })).toMatchObject({
    inserted: 0,
    failed: 1,
  })
  const bulk = await admin.bulk.update({
    params: { tag },
    body: { ids: [id], set: { state: 'approved' } },
  })
  expect(await waitForBulkEnd(bulk.id)).toMatchObject({ changed: 0 })
  const { definition } = await admin.design.draft({ params: { name: 'biz.mark_fix' } })
  await admin.design.create({
    body: { ...definition, tag: 'MARK_SECOND', name: '另一个', options: {} },
  })
  const second = await refusedBy(
    admin.entityData.update({
      params: { tag: 'MARK_SECOND', id },
      body: { version, state: 'approved' },
    }),
  )
  expect(second).toMatchObject({ rules: ['flow'] })
  expect((await row(id))['state']).toBe('draft')
  expect(await gradeOf(id)).toBe(before)
})

it('begins a case for each row of an import, for whoever imports it', async () => {
  const { teacher } = school
  const added = toCsv('title,reason\n导入的,来自文件')
  await importFile(school.admin, tag, added, { mode: 'insert', onError: 'skip' })
  const { records } = await school.admin.entityData.page({
    params: { tag },
    body: { queries: { state: 'draft' }, pageSize: 200 },
  })
  const imported = records.find(({ title }) => title === '导入的')
  expect(imported).toBeDefined()
  expect(await names(school.admin, imported?.id ?? '')).toEqual(['SUBMIT', 'CANCEL'])
  expect(await names(teacher, imported?.id ?? '')).toEqual([])
})

async function waitForBulkEnd(id: string) {
  for (;;) {
    const job = await school.admin.bulk.get({ params: { id } })
    if (isJobOver(job) || job.status === 'paused') return job
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}

it('opens fields where the state says, and keeps a running case from being deleted', async () => {
  const { teacher, admin, secretary, make } = school
  const id = await make(teacher)
  const first = await row(id)
  await teacher.entityData.update({
    params: { tag, id },
    body: { version: first.version, score: 92 },
  })
  const closed = await refusedBy(
    teacher.entityData.update({
      params: { tag, id },
      body: { version: Number(first.version) + 1, title: 'x' },
    }),
  )
  expect(closed).toMatchObject({ rules: ['flow'] })
  await send(teacher, id, 'SUBMIT')
  const { version } = await row(id)
  expect(
    await refusedBy(
      admin.entityData.update({ params: { tag, id }, body: { version, score: 100 } }),
    ),
  ).toMatchObject({ rules: ['flow'] })
  expect(await refusedBy(admin.entityData.remove({ params: { tag, ids: id } }))).toMatchObject({
    rules: ['flow'],
  })
  await send(secretary, id, 'RETURN', { note: '请写明理由' })
  const back = await row(id)
  await teacher.entityData.update({
    params: { tag, id },
    body: { version: back.version, reason: '卷面漏加' },
  })
  await admin.entityData.remove({ params: { tag, ids: id } })
})

it('asks for the note that the flow wants, and for what it offers', async () => {
  const { teacher, secretary, make } = school
  const id = await make(teacher)
  await send(teacher, id, 'SUBMIT')
  expect(await refusedBy(send(secretary, id, 'RETURN'))).toMatchObject({
    rules: ['required'],
    texts: ['请填写意见。'],
  })
  expect(await refusedBy(send(secretary, id, 'APPROVE', { fields: { score: 1 } }))).toMatchObject({
    rules: ['flow'],
  })
  expect(await refusedBy(send(secretary, id, 'REJECT', { note: 'x' }))).toMatchObject({
    rules: ['flow'],
  })
  expect((await refusedBy(send(secretary, id, 'NOTHING'))).code).toBe(404)
})

it('tells the second of two deciders what happened', async () => {
  const { teacher, secretary, everything, make } = school
  const id = await make(teacher)
  await send(teacher, id, 'SUBMIT')
  const { version } = await readState(secretary, id)
  const both = await Promise.allSettled(
    [secretary, everything].map((by) =>
      by.flow.send({ params: { tag, id, event: 'APPROVE' }, body: { version } }),
    ),
  )
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const lost = both.find((each) => each.status === 'rejected')
  const told = await refusedBy(Promise.reject(lost?.reason as Error))
  expect(told.code).toBe(40900)
  expect(told.message).toMatch(/已被他人办理：(secretary|everything) .*“同意”，现为“教务处审核”/)
  expect(told.data).toMatchObject({ state: 'office' })
})

it('refuses a decision on what has changed since it was read', async () => {
  const { teacher, make } = school
  const id = await make(teacher)
  const { version } = await readState(teacher, id)
  const stored = await row(id)
  await teacher.entityData.update({
    params: { tag, id },
    body: { version: stored.version, score: 99 },
  })
  const told = await refusedBy(
    teacher.flow.send({ params: { tag, id, event: 'SUBMIT' }, body: { version } }),
  )
  expect(told).toMatchObject({ code: 40900, message: '记录已被修改，请刷新后再办理。' })
})

it('answers a repeated decision with the same key as the first one, and decides once', async () => {
  const { teacher, make } = school
  const id = await make(teacher)
  const { version } = await readState(teacher, id)
  const again = () =>
    teacher.flow.send({
      params: { tag, id, event: 'SUBMIT' },
      body: { version },
      headers: { 'idempotency-key': 'one-decision-0001' },
    })
  const [first, second] = [await again(), await again()]
  expect(second).toEqual(first)
  expect(second.log).toHaveLength(1)
})

it('lists what waits for a person, what they began, and what they decided', async () => {
  const { teacher, secretary, stranger, office, make } = school
  const id = await make(teacher)
  const list = async (by: Api, mine: 'open' | 'started' | 'decided') =>
    (await by.flow.todo({ body: { mine, tag, pageSize: 200 } })).records
  expect((await list(teacher, 'open')).map((each) => each.id)).toContain(id)
  await send(teacher, id, 'SUBMIT')
  expect((await list(teacher, 'open')).map((each) => each.id)).not.toContain(id)
  expect((await list(teacher, 'started')).find((each) => each.id === id)).toMatchObject({
    entity: '成绩更正',
    state: 'faculty',
    name: '学院审核',
    applicant: { name: 'teacher' },
  })
  const waiting = (await list(secretary, 'open')).find((each) => each.id === id)
  expect(waiting?.title).toMatch(/^更正 \d+$/)
  expect(waiting?.can).toEqual((await readState(secretary, id)).can)
  expect(waiting?.can.map(({ event }) => event)).toEqual(['APPROVE', 'RETURN'])
  expect((await list(teacher, 'started')).every(({ can }) => can.length === 0)).toBe(true)
  const kinds = async (by: Api) => (await by.flow.todo({ body: { tag: 'OTHER' } })).entities
  expect(await kinds(secretary)).toEqual([{ tag, name: '成绩更正' }])
  expect(await kinds(stranger)).toEqual([])
  expect((await list(stranger, 'open')).map((each) => each.id)).not.toContain(id)
  const preview = await secretary.flow.decide({
    body: {
      preview: true,
      items: [{ tag, id, event: 'APPROVE', version: waiting?.version ?? '' }],
    },
  })
  expect(preview.results).toEqual([
    { tag, id, ok: true, state: 'office', name: '教务处审核', msg: null },
  ])
  expect((await readState(secretary, id)).state).toBe('faculty')
  const done = await secretary.flow.decide({
    body: {
      items: [
        { tag, id, event: 'APPROVE', version: waiting?.version ?? '' },
        { tag, id, event: 'APPROVE', version: waiting?.version ?? '' },
      ],
    },
  })
  expect(done.results.map(({ ok }) => ok)).toEqual([true, false])
  expect((await list(secretary, 'decided')).map((each) => each.id)).toContain(id)
  expect((await list(office, 'open')).map((each) => each.id)).toContain(id)
})

it('corrects one mark of a submitted sheet, which stays locked', async () => {
  const { teacher, secretary, office, admin, make, gradeOf } = school
  const id = await make(teacher, { score: 88 })
  const correction = await row(id)
  const [chosen] = correction['grade'] as readonly { id: string }[]
  const params = { tag: grade, id: chosen?.id ?? '' }
  const mark = await admin.entityData.get({ params })
  const by = {
    course: (mark['course'] as readonly { id: string }[])[0]?.id,
    term: (mark['term'] as readonly { id: string }[])[0]?.id ?? mark['term'],
  }
  const sheet = await admin.entry.read({ params: { tag: grade }, body: { by } })
  await admin.entry.submit({ params: { tag: grade }, body: { by, entered: sheet.entered } })
  expect(
    (
      await refusedBy(
        admin.entityData.update({ params, body: { version: mark.version, score: 88 } }),
      )
    ).code,
  ).toBe(409)
  await send(teacher, id, 'SUBMIT')
  await send(secretary, id, 'APPROVE')
  await send(office, id, 'APPROVE')
  expect(await gradeOf(id)).toBe('88')
  expect((await admin.entry.read({ params: { tag: grade }, body: { by } })).locked).not.toBeNull()
  expect(
    (
      await refusedBy(
        admin.entityData.update({ params, body: { version: Number(mark.version) + 1, score: 1 } }),
      )
    ).code,
  ).toBe(409)
})
