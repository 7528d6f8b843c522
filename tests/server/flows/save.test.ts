// A definition with a flow is proved when it is saved, by its school's roles and its author's rights.
import { proveDue, stopQueue } from '@jiaowu/server/testing/rounds'
import { defaultTenant } from '@jiaowu/api/limits'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Draft } from '../../flows/good-flows.ts'
import { eventAt } from '../../flows/holes.ts'
import { buildFlow, createFlowSchool, type FlowSchool, refusedBy, tag } from './flow-school.ts'

let school: FlowSchool
beforeAll(async () => {
  school = await createFlowSchool()
})
afterAll(() => school.app.close())

async function saveFlow(change: (flow: Draft) => void, by = school.admin) {
  const stored = await school.admin.design.load({ params: { tag } })
  const flow = buildFlow() as Draft
  change(flow)
  const { findings: _findings, drift: _drift, ...body } = stored
  return await by.design.save({
    params: { tag },
    body: { ...body, options: { ...stored.options, flow } },
  })
}

it('refuses a flow in which the applicant may decide, and tells the path with its states', async () => {
  const refused = await refusedBy(
    saveFlow((flow) => {
      eventAt(flow, 'office', 'APPROVE').who = [{ role: 'OFFICE' }]
    }),
  )
  expect(refused.code).toBe(42200)
  expect(refused.texts[0]).toBe(
    '流程：申请人可以办理自己的申请（状态“教务处审核”，“同意”）：甲 提交 → 乙（SECRETARY） 同意 → 甲（OFFICE） 同意。请在该事件的办理人中勾选“不能是申请人或前面的办理人”（who 的 others）。',
  )
  expect((refused.data as { findings: unknown[] }).findings[0]).toMatchObject({
    id: 'flow.fault.selfDecision',
    path: [
      { who: '甲', event: '提交' },
      { who: '乙（SECRETARY）', event: '同意' },
      { who: '甲（OFFICE）', event: '同意' },
    ],
    states: ['faculty', 'office'],
  })
  const stored = await school.admin.design.load({ params: { tag } })
  const { findings } = await school.admin.design.check({
    body: {
      ...stored,
      options: {
        ...stored.options,
        flow: { ...buildFlow(), initial: 'nowhere' },
      },
    },
  })
  expect(findings.map(({ id, flow }) => [id, flow?.id])).toEqual([
    ['entity.E121', 'flow.fault.initial'],
  ])
})

it('refuses a document that is not defined', async () => {
  for (const change of [
    (flow: Draft) => {
      eventAt(flow, 'office', 'REJECT').effects = [{ document: 'X' }]
    },
  ])
    expect((await refusedBy(saveFlow(change))).texts[0]).toContain('没有定义')
})

it('names what its author may not do: a flow lends nobody a right', async () => {
  const { app } = school
  const designer = await createDesigner(app)
  const refused = await refusedBy(
    saveFlow((flow) => {
      flow.rules = []
      eventAt(flow, 'faculty', 'RETURN').effects = [
        { update: { relation: 'grade', set: { score: '100' } } },
      ]
    }, designer),
  )
  expect(refused.rules).toContain('flow.right')
  expect(refused.texts.join()).toContain('EDU_GRADE')
})

async function createDesigner(app: FlowSchool['app']): Promise<FlowSchool['admin']> {
  const { kysely: db } = app.services.database
  const [id, user] = [app.services.newId(), app.services.newId()]
  await db
    .insertInto('sys.role')
    .values({ id, tenant_id: '10000', code: 'FLOW_DESIGNER', name: 'FLOW_DESIGNER' })
    .execute()
  for (const code of [
    'entity:design',
    `entity:${tag}:view`,
    'entity:EDU_GRADE:view',
    'entity:EDU_FACULTY:view',
  ])
    await db
      .insertInto('sys.role_permission')
      .values({ tenant_id: '10000', role_id: id, code })
      .execute()
  const { password_hash } = await db
    .selectFrom('sys.app_user')
    .select('password_hash')
    .where('tenant_id', '=', '10000')
    .where('account', '=', 'admin')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('sys.app_user')
    .values({
      id: user,
      tenant_id: '10000',
      account: 'flow-designer',
      name: 'flow-designer',
      password_hash,
      must_change_password: false,
      role_ids: [id],
    })
    .execute()
  return await app.signIn('flow-designer')
}

it('lets running cases finish as they began, also when the flow is taken out', async () => {
  const { teacher, secretary, make, admin } = school
  const id = await make(teacher)
  const read = async () => await teacher.flow.read({ params: { tag, id } })
  await teacher.flow.send({
    params: { tag, id, event: 'SUBMIT' },
    body: { version: (await read()).version },
  })
  await saveFlow((flow) => {
    // New cases go to the office at once.
    eventAt(flow, 'draft', 'SUBMIT').target = 'office'
    eventAt(flow, 'office', 'RETURN').target = 'draft'
    delete flow.states['faculty']
    flow.rules = []
  })
  expect(
    (await secretary.flow.read({ params: { tag, id } })).can.map(({ event }) => event),
  ).toEqual(['APPROVE', 'RETURN'])
  const fresh = await make(teacher)
  await teacher.flow.send({
    params: { tag, id: fresh, event: 'SUBMIT' },
    body: { version: (await teacher.flow.read({ params: { tag, id: fresh } })).version },
  })
  expect((await teacher.flow.read({ params: { tag, id: fresh } })).state).toBe('office')
  const stored = await admin.design.load({ params: { tag } })
  const { flow: _flow, ...options } = stored.options
  await admin.design.save({ params: { tag }, body: { ...stored, options } })
  const left = await secretary.flow.read({ params: { tag, id } })
  expect(left).toMatchObject({ state: 'faculty', can: [], log: [{ event: 'SUBMIT' }] })
  const refused = await refusedBy(
    secretary.flow.send({ params: { tag, id, event: 'APPROVE' }, body: { version: left.version } }),
  )
  expect(refused).toMatchObject({ code: 409 })
  expect(refused.message).toContain('流程已从定义中删除')
})

it('moves running cases to a changed flow by a mapping of states, once it is asked to', async () => {
  const { teacher, secretary, office, make, admin, app } = school
  await saveFlow(() => {})
  const submit = async () => {
    const id = await make(teacher)
    const { version } = await teacher.flow.read({ params: { tag, id } })
    await teacher.flow.send({ params: { tag, id, event: 'SUBMIT' }, body: { version } })
    return id
  }
  const [id, decided] = [await submit(), await submit()]
  await saveFlow((flow) => {
    eventAt(flow, 'draft', 'SUBMIT').target = 'office'
    eventAt(flow, 'office', 'RETURN').target = 'draft'
    delete flow.states['faculty']
    flow.rules = []
  })
  const move = async (map: Record<string, string>, preview: boolean) =>
    await admin.design.moveCases({ body: { tag, map, preview, note: '流程简化' } })
  const found = (await move({}, true)).states.find(({ state }) => state === 'faculty')
  expect(found).toMatchObject({ name: '学院审核', to: null, toName: null })
  // A move decides nothing: it ends no case.
  expect((await refusedBy(move({ faculty: 'approved' }, true))).code).toBe(42200)
  expect((await refusedBy(move({ faculty: 'nowhere' }, false))).code).toBe(42200)
  expect(await move({ faculty: 'office' }, true)).toMatchObject({ moved: 0 })
  expect((await teacher.flow.read({ params: { tag, id } })).state).toBe('faculty')
  // A decision between the preview and the move leads by the earlier flow.
  const { version } = await secretary.flow.read({ params: { tag, id: decided } })
  await secretary.flow.send({
    params: { tag, id: decided, event: 'RETURN' },
    body: { version, note: '重填' },
  })
  const { moved, refused } = await move({ faculty: 'office' }, false)
  expect([moved, refused]).toEqual([found?.count === undefined ? -1 : found.count - 1, []])
  const { log, state, can } = await office.flow.read({ params: { tag, id } })
  expect([state, can.map(({ event }) => event)]).toEqual([
    'office',
    ['APPROVE', 'RETURN', 'REJECT'],
  ])
  expect(log.at(-1)).toMatchObject({ from: 'faculty', to: 'office', note: '流程简化' })
  expect((await admin.entityData.get({ params: { tag, id } }))['state']).toBe('office')
  expect((await teacher.flow.read({ params: { tag, id: decided } })).state).toBe('draft')
  const todo = await office.flow.todo({ body: { tag } })
  expect(todo.records.map((each) => each.id)).toContain(id)
  // A second move finds nothing left, and the case ends by the flow of now.
  expect((await move({ faculty: 'office' }, false)).moved).toBe(0)
  await office.flow.send({
    params: { tag, id, event: 'APPROVE' },
    body: { version: (await office.flow.read({ params: { tag, id } })).version },
  })
  expect((await teacher.flow.read({ params: { tag, id } })).isDone).toBe(true)
  const { rows } = await sql<{ detail: { from: string } }>`
    select detail from sys.audit_log where tenant_id = ${defaultTenant}::int8 and object_id = ${id}
      and detail ->> 'event' = 'move'`.execute(app.services.database.kysely)
  expect(rows.map(({ detail }) => detail.from)).toEqual(['faculty'])
})

it('is proved again when roles, people or the flow change, and tells the designers once', async () => {
  const { app, admin } = school
  const { database, newId } = app.services
  await stopQueue(app.services, 'proof')
  await saveFlow((flow) => {
    Object.assign(flow, buildFlow())
  })
  const role = async (code: string) => {
    const { records } = await admin.entityData.page({
      params: { tag: 'SYS_ROLE' },
      body: { queries: { code } },
    })
    return records[0] ?? { id: '', version: 0 }
  }
  const listTold = async () => {
    const { rows } = await sql<{ title: string; content: string }>`
      select m.title, m.content from sys.message m join sys.app_user u on u.id = m.receiver_id
      where u.account = 'admin' and m.event_key like 'proof:%' order by m.id`.execute(
      database.kysely,
    )
    return rows
  }
  const proofs = async () => {
    await proveDue(app.services)
    return (await admin.design.proveFlows({})).find((each) => each.tag === tag)?.findings ?? []
  }
  expect(await proofs()).toEqual([])
  expect(await listTold()).toEqual([])
  // Two people hold the role; the first of them leaves, and nothing breaks.
  const officers = await admin.entityData.page({
    params: { tag: 'SYS_USER' },
    body: { queries: { roles: (await role('OFFICE')).id } },
  })
  expect(officers.total).toBe(2)
  const [first, second] = officers.records
  await admin.entityData.remove({ params: { tag: 'SYS_USER', ids: first?.id ?? '' } })
  expect(await proofs()).toEqual([])
  expect(await listTold()).toEqual([])
  await admin.entityData.remove({ params: { tag: 'SYS_USER', ids: second?.id ?? '' } })
  expect((await proofs()).map(({ flow }) => flow?.id)).toContain('flow.fault.nobody')
  const told = await listTold()
  expect(told.length).toBeGreaterThan(0)
  expect(told[0]?.title).toContain('流程需要修改：成绩更正')
  expect(told[0]?.content).toContain('教务处审核')
  // Each finding is told once.
  await admin.entityData.create({
    params: { tag: 'SYS_ROLE' },
    body: { code: `ROLE_X${newId().slice(-4)}`, name: '另一个', status: '1' },
  })
  await proofs()
  expect(await listTold()).toEqual(told)
  // A change while it is proved is proved by the next run.
  expect(await proveDue(app.services)).toBe(0)
})

it('says what a flow leaves behind, and is not deleted with its definition while it has cases', async () => {
  const { admin, teacher, make } = school
  const id = await make(teacher)
  const { version } = await teacher.flow.read({ params: { tag, id } })
  await teacher.flow.send({ params: { tag, id, event: 'SUBMIT' }, body: { version } })
  const stored = await admin.design.load({ params: { tag } })
  const { flow: _flow, ...options } = stored.options
  const { impact } = await admin.design.check({ body: { ...stored, options } })
  expect(impact.filter(({ kind }) => kind === 'flowCases')).toMatchObject([
    { breaks: false, msg: expect.stringMatching(/^流程有 [1-9]\d* 件未办结/) },
  ])
  const refused = await refusedBy(admin.design.remove({ params: { id: stored.id } }))
  expect([refused.code, refused.message]).toEqual([409, expect.stringContaining('请先办结')])
  expect((await admin.design.load({ params: { tag } })).id).toBe(stored.id)
})
