// Timers of flows: hours and working days, fired once, by the path that decisions take.
import type { Flow } from '@jiaowu/api/entity/definition/flow'
import { fireDue, stopQueue } from '@jiaowu/server/testing/rounds'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Draft } from '../../flows/good-flows.ts'
import { stateAt } from '../../flows/holes.ts'
import { type Api, createFlowSchool, type FlowSchool, refusedBy, tag } from './flow-school.ts'

const hour = 3_600_000
let school: FlowSchool
/** Cases that the tests take, made while the first session lasts. */
const cases: string[] = []
beforeAll(async () => {
  school = await createFlowSchool()
  // The rounds are the tests' own.
  for (const kind of ['notice', 'timer'] as const) await stopQueue(school.app.services, kind)
  await saveFlow((flow) => {
    stateAt(flow, 'faculty').after = {
      '2 h': {
        target: 'rejected',
        effects: [{ notify: { who: [{ applicant: true }], template: 'NOTICE' } }],
      },
    }
    stateAt(flow, 'office').after = { '3 workdays': { target: 'rejected' } }
  })
  for (let no = 0; no < 4; no += 1) cases.push(await school.make(school.teacher))
})
afterAll(() => school.app.close())

async function saveFlow(change: (flow: Draft) => void) {
  const { design } = school.admin
  const stored = await design.load({ params: { tag } })
  const flow = structuredClone(stored.options.flow) as Draft
  change(flow)
  const { findings: _findings, drift: _drift, ...body } = stored
  return await design.save({
    params: { tag },
    body: { ...body, options: { ...stored.options, flow: flow as Flow } },
  })
}

/** Sessions end when the clock of the school moves on. */
const again = (by: string) => school.app.signIn(`fix-${by}`)

async function decideAs(by: Api, id: string, event: string, note?: string): Promise<void> {
  const { version } = await by.flow.read({ params: { tag, id } })
  await by.flow.send({
    params: { tag, id, event },
    body: { version, ...(note !== undefined && { note }) },
  })
}

const countTimers = async (id: string) => {
  const { rows } = await sql<{ event: string }>`
    select t.event from sys.flow_timer t
    join sys.flow_case c on c.tenant_id = t.tenant_id and c.id = t.case_id
    where t.tenant_id = 10000 and c.row_id = ${id}::text`.execute(
    school.app.services.database.kysely,
  )
  return rows.map(({ event }) => event)
}

it('warns of working days that no calendar counts, and of none with one', async () => {
  const { design, entityData } = school.admin
  const find = async () =>
    (
      await design.check({ body: { ...(await design.load({ params: { tag } })) } })
    ).findings.flatMap(({ flow }) => flow?.id ?? [])
  expect(await find()).toEqual(['flow.fault.calendar'])
  await entityData.create({
    params: { tag: 'SYS_CALENDAR_DAY' },
    body: { day: '2099-10-01', name: '国庆节', isWork: '0' },
  })
  expect(await find()).toEqual([])
})

it('fires a timer once, whoever looks for it, and leaves a state that is left in time alone', async () => {
  const { app, teacher, secretary, gradeOf } = school
  const [late = '', early = ''] = cases
  expect(await countTimers(late)).toEqual([])
  for (const id of [late, early]) await decideAs(teacher, id, 'SUBMIT')
  await decideAs(secretary, early, 'APPROVE')
  expect(await countTimers(late)).toEqual(['faculty@2 h'])
  expect(await countTimers(early)).toEqual(['office@3 workdays'])
  const due = (await teacher.flow.read({ params: { tag, id: late } })).due ?? ''
  const { records } = await secretary.flow.todo({ body: {} })
  expect(records.find(({ id }) => id === late)?.due).toBe(due)
  const listStarted = async (more: object) =>
    (await teacher.flow.todo({ body: { mine: 'started', ...more } })).records.map(({ id }) => id)
  const newest = await listStarted({})
  expect(newest.indexOf(early)).toBeLessThan(newest.indexOf(late))
  expect((await listStarted({ order: 'due' })).slice(0, 2)).toEqual([late, early])
  expect(await listStarted({ dueWithin: 1 })).toEqual([late])
  expect(await listStarted({ dueWithin: 0 })).toEqual([])
  expect(await listStarted({ dueWithin: 30, order: 'due' })).toEqual([late, early])
  expect(await fireDue(app.services)).toBe(0)
  app.advance(2 * hour)
  const rounds = await Promise.all([fireDue(app.services), fireDue(app.services)])
  expect(rounds.toSorted()).toEqual([0, 1])
  const applicant = await again('teacher')
  const after = await applicant.flow.read({ params: { tag, id: late } })
  expect([after.state, after.log.map(({ by, event, to }) => [by === null, event, to])]).toEqual([
    'rejected',
    [
      [false, 'SUBMIT', 'faculty'],
      [true, '2 h', 'rejected'],
    ],
  ])
  expect([after.isDone, after.due]).toEqual([true, undefined])
  const { records: messages } = await applicant.messages.mine({ query: { kind: 'flow' } })
  expect(messages.map(({ row }) => row?.id)).toEqual([late])
  expect(messages[0]?.content).toContain('系统 “到期”，现为“已驳回”')
  expect(await countTimers(late)).toEqual([])
  await decideAs(await again('office'), early, 'APPROVE')
  expect(await countTimers(early)).toEqual([])
  expect(await gradeOf(early)).toBe('91')
})

it('begins anew when a state is entered again', async () => {
  const { app } = school
  const [teacher, secretary] = [await again('teacher'), await again('secretary')]
  const id = cases[2] ?? ''
  await decideAs(teacher, id, 'SUBMIT')
  const first = (await teacher.flow.read({ params: { tag, id } })).due ?? ''
  app.advance(hour / 60)
  await decideAs(secretary, id, 'RETURN', '请补充')
  expect(await countTimers(id)).toEqual([])
  await decideAs(teacher, id, 'SUBMIT')
  const second = (await teacher.flow.read({ params: { tag, id } })).due ?? ''
  expect(second > first).toBe(true)
})

it('says so where the calendar leaves no working day', async () => {
  const { app } = school
  const { kysely } = app.services.database
  await sql`
    insert into sys.calendar_day (tenant_id, id, day, name, is_work)
    select 10000, 900000 + n, (now() + n * interval '1 day')::date, '停课', '0'
    from generate_series(0, 500) n`.execute(kysely)
  const [teacher, secretary] = [await again('teacher'), await again('secretary')]
  const id = cases[3] ?? ''
  await decideAs(teacher, id, 'SUBMIT')
  const refused = await refusedBy(decideAs(secretary, id, 'APPROVE'))
  expect(refused.texts).toEqual([
    '工作日历里一年内没有工作日，算不出“3 workdays”的到期时间。请在“工作日历”中改正。',
  ])
  expect((await teacher.flow.read({ params: { tag, id } })).state).toBe('faculty')
})
