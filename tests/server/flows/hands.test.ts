// Tasks that are handed over, shared and decided by substitutes, and copies of cases (docs/rules/contract.md#flows).
import { schoolDay } from '@jiaowu/api/formats'
import { defaultTenant } from '@jiaowu/api/limits'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Api, createFlowSchool, type FlowSchool, refusedBy, tag } from './flow-school.ts'

let school: FlowSchool
beforeAll(async () => {
  school = await createFlowSchool()
})
afterAll(() => school.app.close())

let id: string
beforeEach(async () => {
  id = await school.make(school.teacher)
  await sendAs(school.teacher, 'SUBMIT')
})

const read = (by: Api) => by.flow.read({ params: { tag, id } })
const names = async (by: Api) => (await read(by)).can.map(({ event }) => event)
const readVersion = async () => (await read(school.admin)).version
async function sendAs(by: Api, event: string, more: Readonly<Record<string, unknown>> = {}) {
  return await by.flow.send({
    params: { tag, id, event },
    body: { version: await readVersion(), ...more },
  })
}
async function transfer(by: Api, to: string, more: Readonly<Record<string, unknown>> = {}) {
  return await by.flow.transfer({
    body: { tag, id, version: await readVersion(), to: school.idOf(to), note: '出差', ...more },
  })
}
async function addTo(
  by: Api,
  way: 'before' | 'after' | 'beside',
  whom: Readonly<Record<string, unknown>>,
) {
  return await by.flow.add({ body: { tag, id, version: await readVersion(), way, ...whom } })
}
const isOpenFor = async (by: Api) =>
  (await by.flow.todo({ body: { pageSize: 100 } })).records.some((each) => each.id === id)
const listMessages = async (by: Api) => {
  const { records } = await by.messages.mine({ query: {} })
  return records
    .filter(({ row }) => row?.id === id)
    .map(({ title, content }) => `${title} ${content}`)
}

it('hands a task over: another decides it, the log says whom it went to, and they are told', async () => {
  const { secretary, helper, office } = school
  expect((await read(secretary)).tasks).toMatchObject([{ path: 'faculty', transfer: true }])
  expect((await read(helper)).tasks).toEqual([])
  const preview = await transfer(secretary, 'helper', { preview: true })
  expect(preview).toEqual({ whom: 'helper', step: '学院审核', flow: null })
  expect(await isOpenFor(helper)).toBe(false)
  const { flow } = await transfer(secretary, 'helper')
  expect(flow?.can).toEqual([])
  expect(flow?.log.at(-1)).toMatchObject({
    by: { name: 'secretary' },
    event: 'transfer',
    name: '转办',
    whom: 'helper',
    note: '出差',
  })
  expect(flow?.open.map(({ who }) => who)).toContain('helper')
  expect([await isOpenFor(secretary), await isOpenFor(helper)]).toEqual([false, true])
  expect(await names(helper)).toEqual(['APPROVE', 'RETURN'])
  expect((await listMessages(helper)).join()).toContain('secretary 将“更正')
  await sendAs(helper, 'APPROVE')
  expect((await sendAs(office, 'APPROVE')).state).toBe('approved')
})

it('refuses to give a task to the applicant, to oneself, to nobody, and to one who may not view the record', async () => {
  const { secretary, admin, helper } = school
  const refused = async (call: Promise<unknown>) => {
    const { code, texts, message } = await refusedBy(call)
    return `${String(code)} ${texts[0] ?? message}`
  }
  expect(await refused(transfer(secretary, 'teacher'))).toMatch(/^42200 teacher 是申请人/)
  expect(await refused(transfer(secretary, 'secretary'))).toMatch(/^42200 不能选自己/)
  expect(await refused(transfer(secretary, 'unknown'))).toMatch(/^42200 找不到这个人/)
  expect(await refused(transfer(secretary, 'outsider'))).toMatch(/^42200 outsider 无权查看/)
  // Whoever has no task has nothing to hand over, be it the administrator.
  expect(await refused(transfer(admin, 'helper'))).toMatch(/^403 这一步没有等您办理/)
  expect(await refused(transfer(helper, 'secretary'))).toMatch(/^403/)
  const { rows } = await sql<{ action: string }>`
    select action from sys.audit_log where tenant_id = ${defaultTenant}::int8 and object_id = ${id}
      and result = 'denied'`.execute(school.app.services.database.kysely)
  expect(rows.map(({ action }) => action)).toEqual(['flow.transfer', 'flow.transfer'])
})

it('lets nobody decide twice by a task that is handed over', async () => {
  const { secretary, office, helper } = school
  await transfer(secretary, 'helper')
  await sendAs(helper, 'APPROVE')
  const { code, texts } = await refusedBy(transfer(office, 'helper'))
  expect([code, texts[0]]).toEqual([
    42200,
    'helper 已在这个流程中办理过，不能再办理这一步。请另选一人。',
  ])
})

it('gives a task away once, and tells the second what happened', async () => {
  const { secretary, helper } = school
  const version = await readVersion()
  const body = { tag, id, version, to: school.idOf('helper'), note: '出差' }
  const calls = await Promise.allSettled([
    secretary.flow.transfer({ body }),
    secretary.flow.send({ params: { tag, id, event: 'APPROVE' }, body: { version } }),
  ])
  expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const [failed] = calls.flatMap((each) =>
    each.status === 'rejected' ? [each.reason as unknown] : [],
  )
  expect(failed).toMatchObject({
    problem: { code: 40900, data: { log: [{}, { by: { name: 'secretary' } }] } },
  })
  const isGiven = calls[0]?.status === 'fulfilled'
  expect(await names(helper)).toEqual(isGiven ? ['APPROVE', 'RETURN'] : [])
})

it('adds somebody before a step, beside it and after it', async () => {
  const { secretary, helper, office } = school
  await addTo(secretary, 'before', { to: school.idOf('helper') })
  expect(await names(secretary)).toEqual([])
  expect([await isOpenFor(secretary), await isOpenFor(helper)]).toEqual([false, true])
  const first = await sendAs(helper, 'APPROVE', { note: '材料齐全' })
  expect(first.state).toBe('faculty')
  expect(await isOpenFor(secretary)).toBe(true)
  await sendAs(secretary, 'APPROVE')
  // The helper has decided before.
  expect(
    (await refusedBy(addTo(office, 'after', { to: school.idOf('helper') }))).texts[0],
  ).toContain('已在这个流程中办理过')
  await addTo(office, 'after', { role: 'SECRETARY' })
  const agreed = await sendAs(office, 'APPROVE')
  expect(agreed).toMatchObject({ state: 'office', isDone: false })
  expect(agreed.open.map(({ who }) => who)).toEqual(['SECRETARY'])
  expect(await names(secretary)).toEqual([])
  // The stranger holds the office, and has decided nothing here.
  expect((await sendAs(school.stranger, 'APPROVE')).state).toBe('approved')
  expect((await read(office)).log.map(({ name, whom }) => [name, whom])).toEqual([
    ['提交', undefined],
    ['前加签', 'helper'],
    ['同意', undefined],
    ['同意', undefined],
    ['后加签', 'SECRETARY'],
    ['同意', undefined],
    ['同意', undefined],
  ])
})

it('lets those who were added refuse, and asks them anew after a return', async () => {
  const { secretary, helper, teacher } = school
  await addTo(secretary, 'beside', { to: school.idOf('helper') })
  expect((await sendAs(secretary, 'APPROVE')).state).toBe('faculty')
  const back = await sendAs(helper, 'RETURN', { note: '缺证明' })
  expect(back.state).toBe('draft')
  await sendAs(teacher, 'SUBMIT')
  expect(await names(helper)).toEqual([])
  expect((await sendAs(secretary, 'APPROVE')).state).toBe('office')
})

it('allows no more than the flow says', async () => {
  const { admin, secretary, teacher } = school
  const stored = await admin.design.load({ params: { tag } })
  const { flow } = stored.options
  if (flow === undefined) throw new Error('the table has a flow')
  const save = async (allow: Readonly<Record<string, unknown>> | undefined) => {
    const { version, ...definition } = await admin.design.load({ params: { tag } })
    await admin.design.save({
      params: { tag },
      body: {
        ...definition,
        version,
        options: {
          ...definition.options,
          flow: { ...flow, ...(allow !== undefined && { allow }) },
        },
      } as never,
    })
  }
  await save({ transfer: false, add: ['beside'], copy: false, substitute: false })
  id = await school.make(teacher)
  await sendAs(teacher, 'SUBMIT')
  expect(await read(secretary)).toMatchObject({
    tasks: [{ path: 'faculty', transfer: false, add: ['beside'] }],
    copy: false,
  })
  expect((await refusedBy(transfer(secretary, 'helper'))).texts[0]).toContain('流程不允许')
  expect((await refusedBy(addTo(secretary, 'after', { role: 'OFFICE' }))).texts[0]).toContain(
    '流程不允许',
  )
  const to = [school.idOf('helper')]
  expect((await refusedBy(secretary.flow.copy({ body: { tag, id, to } }))).code).toBe(403)
  await save(undefined)
})

it('lets a substitute decide in the name of another, and says so', async () => {
  const { secretary, helper, office, everything } = school
  const today = schoolDay(new Date())
  const { given } = await secretary.flow.delegate({
    body: { to: school.idOf('helper'), from: today, until: addDays(today, 5) },
  })
  expect(given).toMatchObject([{ to: { name: 'helper' }, isActive: true, tags: [] }])
  expect((await helper.flow.delegations({})).received).toHaveLength(1)
  expect(await isOpenFor(helper)).toBe(true)
  const can = (await read(helper)).can
  expect(can.map(({ event, for: by }) => [event, by?.name])).toEqual([
    ['APPROVE', 'secretary'],
    ['RETURN', 'secretary'],
  ])
  const next = await sendAs(helper, 'APPROVE')
  expect(next.log.at(-1)).toMatchObject({ by: { name: 'helper' }, for: { name: 'secretary' } })
  const { rows } = await sql<{ detail: { for?: string } }>`
    select detail from sys.audit_log where tenant_id = ${defaultTenant}::int8 and object_id = ${id}
      and action = 'flow.decide' order by id desc limit 1`.execute(
    school.app.services.database.kysely,
  )
  expect(rows[0]?.detail.for).toBe(school.idOf('secretary'))
  // Both have decided now: neither does so again.
  await office.flow.delegate({
    body: { to: school.idOf('helper'), from: today, until: addDays(today, 1) },
  })
  await office.flow.delegate({
    body: { to: school.idOf('secretary'), from: today, until: addDays(today, 1) },
  })
  expect(await names(helper)).toEqual([])
  expect(await names(secretary)).toEqual([])
  expect(
    (await secretary.flow.todo({ body: { mine: 'decided', pageSize: 100 } })).records.some(
      (each) => each.id === id,
    ),
  ).toBe(true)
  expect((await sendAs(everything, 'APPROVE')).state).toBe('approved')
})

it('lets no substitute decide on their own case, nor in the name of its applicant', async () => {
  const { teacher, everything, secretary, helper } = school
  const today = schoolDay(new Date())
  const until = addDays(today, 1)
  await secretary.flow.delegate({ body: { to: school.idOf('teacher'), from: today, until } })
  expect(await names(teacher)).toEqual(['WITHDRAW'])
  expect((await refusedBy(sendAs(teacher, 'APPROVE'))).code).toBe(403)
  id = await school.make(everything)
  await sendAs(everything, 'SUBMIT')
  const { given } = await everything.flow.delegate({
    body: { to: school.idOf('office'), from: today, until },
  })
  expect(await names(school.office)).toEqual([])
  await everything.flow.endDelegation({ params: { id: given[0]?.id ?? '' } })
  // Another's is not found.
  const own = await secretary.flow.delegations({})
  expect(
    (await refusedBy(helper.flow.endDelegation({ params: { id: own.given[0]?.id ?? '' } }))).code,
  ).toBe(404)
  for (const each of own.given) await secretary.flow.endDelegation({ params: { id: each.id } })
  expect((await secretary.flow.delegations({})).given).toEqual([])
})

it('counts a substitute only from day to day, and refuses periods without sense', async () => {
  const { secretary, helper } = school
  const today = schoolDay(new Date())
  const to = school.idOf('helper')
  const refused = async (from: string, until: string, who = to) =>
    (await refusedBy(secretary.flow.delegate({ body: { to: who, from, until } }))).texts[0]
  expect(await refused(addDays(today, 2), addDays(today, 1))).toContain('截止日期')
  expect(await refused(addDays(today, -9), addDays(today, -8))).toContain('截止日期')
  expect(await refused(today, addDays(today, 400))).toBe('委托最长 366 天。')
  expect(await refused(today, today, school.idOf('secretary'))).toContain('不能选自己')
  const { given } = await secretary.flow.delegate({
    body: { to, from: addDays(today, 3), until: addDays(today, 4) },
  })
  expect(given.at(-1)).toMatchObject({ isActive: false })
  expect(await names(helper)).toEqual([])
  await secretary.flow.endDelegation({ params: { id: given.at(-1)?.id ?? '' } })
})

it('sends copies: the case is read and nothing more, once unread, and by nobody else', async () => {
  const { secretary, outsider, helper, teacher } = school
  const to = [school.idOf('outsider')]
  expect((await refusedBy(helper.flow.copy({ body: { tag, id, to } }))).code).toBe(403)
  expect(await secretary.flow.copy({ body: { tag, id, to, note: '供参考' } })).toEqual({
    copied: 1,
  })
  const list = async () =>
    (await outsider.flow.todo({ body: { mine: 'copied' } })).records.filter(
      (each) => each.id === id,
    )
  const [copied] = await list()
  expect(copied).toMatchObject({ can: [], copy: { by: 'secretary', isRead: false } })
  expect((await refusedBy(outsider.entityData.get({ params: { tag, id } }))).code).toBe(403)
  expect((await refusedBy(outsider.flow.read({ params: { tag, id } }))).code).toBe(403)
  const own = { params: { id: copied?.copy?.id ?? '' } }
  expect(await outsider.flow.openCopy(own)).toMatchObject({
    title: copied?.title,
    note: '供参考',
    by: 'secretary',
    flow: { state: 'faculty', can: [], edit: [], tasks: [], copy: false },
  })
  expect((await list())[0]?.copy?.isRead).toBe(true)
  expect((await refusedBy(helper.flow.openCopy(own))).code).toBe(404)
  expect((await listMessages(outsider)).join()).toContain('抄送')
  // Sent again, it is unread again; the applicant may send copies as well.
  expect(await teacher.flow.copy({ body: { tag, id, to } })).toEqual({ copied: 1 })
  expect(await list()).toMatchObject([{ copy: { by: 'teacher', isRead: false } }])
})

it('gives nothing to people of another school, and shows them none', async () => {
  const { secretary, app } = school
  const other = app.services.newId()
  await sql`
    insert into sys.app_user (id, tenant_id, account, name, password_hash, status)
    select ${other}::int8, 10001, 'fix-foreign', 'foreign', 'x', '1'`.execute(
    app.services.database.kysely,
  )
  const today = schoolDay(new Date())
  const version = await readVersion()
  const calls = [
    secretary.flow.transfer({ body: { tag, id, version, to: other, note: '出差' } }),
    secretary.flow.add({ body: { tag, id, version, way: 'beside', to: other } }),
    secretary.flow.copy({ body: { tag, id, to: [other] } }),
    secretary.flow.delegate({ body: { to: other, from: today, until: today } }),
  ]
  for (const call of calls) expect((await refusedBy(call)).texts[0]).toContain('找不到这个人')
  const found = await secretary.flow.people({ query: { q: 'fix-' } })
  expect(found.people.map(({ name }) => name)).toEqual([
    'everything',
    'helper',
    'office',
    'outsider',
    'stranger',
    'teacher',
  ])
  expect((await secretary.flow.people({ query: { q: 'OFFICE' } })).roles).toContainEqual({
    code: 'OFFICE',
    name: 'OFFICE',
  })
})

function addDays(day: string, n: number): string {
  return new Date(Date.parse(day) + n * 86_400_000).toISOString().slice(0, 10)
}

it('hands the tasks of a leaving person over, those that name them, and leaves those of an office', async () => {
  const { secretary, helper, admin, office, idOf } = school
  await transfer(secretary, 'helper')
  const taken = id
  const give = (to: string, preview: boolean) =>
    admin.account.handOver({ params: { id: idOf('helper') }, body: { to: idOf(to), preview } })
  // The receiver may not view the records.
  expect(await give('outsider', false)).toMatchObject({
    done: 0,
    results: expect.arrayContaining([expect.objectContaining({ id: taken, ok: false })]),
  })
  const checked = await give('everything', true)
  expect(checked.results).toContainEqual({
    tag,
    name: '成绩更正',
    id: taken,
    path: 'faculty',
    step: '学院审核',
    ok: true,
    msg: null,
  })
  expect(await isOpenFor(helper)).toBe(true)
  expect((await give('everything', false)).done).toBe(checked.done)
  expect([await isOpenFor(helper), await isOpenFor(school.everything)]).toEqual([false, true])
  expect((await read(admin)).log.at(-1)).toMatchObject({
    event: 'transfer',
    by: { name: '系统管理员' },
    for: { name: 'helper' },
    whom: 'everything',
  })
  expect(await give('everything', false)).toMatchObject({ done: 0, results: [] })
  // The secretary is asked as one of an office.
  const rest = await admin.account.handOver({
    params: { id: idOf('office') },
    body: { to: idOf('everything') },
  })
  expect(rest.results).toEqual([])
  await sendAs(school.everything, 'APPROVE')
  expect(await isOpenFor(office)).toBe(true)
  const { shared } = await admin.account.handOver({
    params: { id: idOf('office') },
    body: { to: idOf('everything'), preview: true },
  })
  expect(shared).toBeGreaterThan(0)
})
