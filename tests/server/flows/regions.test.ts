// Offices side by side and votes, kept between calls: one decision counts in one region, and a return loses none.
import { type Flow, flowSchema } from '@jiaowu/api/entity/definition/flow'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, createFlowSchool, type FlowSchool, refusedBy, tag } from './flow-school.ts'

const buildName = (zh: string) => ({ zh, en: zh })
function buildOffice(role: string) {
  return {
    name: buildName(role),
    initial: 'open',
    states: {
      open: {
        name: buildName('待办'),
        on: {
          APPROVE: { name: buildName('同意'), target: 'agreed', who: [{ role }, 'others'] },
          RETURN: { name: buildName('退回'), target: 'draft', who: [{ role }, 'others'] },
        },
      },
      agreed: { name: buildName('已同意'), final: true },
    },
  }
}
const flow: Flow = v.parse(flowSchema, {
  field: 'state',
  initial: 'draft',
  states: {
    draft: {
      name: buildName('草稿'),
      edit: ['score', 'reason'],
      on: { SUBMIT: { name: buildName('提交'), target: 'offices', who: [{ applicant: true }] } },
    },
    offices: {
      name: buildName('会签'),
      type: 'parallel',
      states: { secretaries: buildOffice('SECRETARY'), office: buildOffice('OFFICE') },
      onDone: {
        target: 'vote',
        effects: [{ set: { reason: "concat(row.reason, '，会签通过')" } }],
      },
    },
    vote: {
      name: buildName('表决'),
      on: {
        AGREE: {
          name: buildName('赞成'),
          target: 'done',
          who: [{ n: 2, of: [{ role: 'TEACHER' }] }, 'others'],
          effects: [{ update: { relation: 'grade', set: { score: 'row.score' } } }],
        },
      },
    },
    done: { name: buildName('通过'), tone: 'green', final: true },
  },
})

let school: FlowSchool
beforeAll(async () => {
  school = await createFlowSchool()
  const stored = await school.admin.design.load({ params: { tag } })
  await school.admin.design.save({
    params: { tag },
    body: { ...stored, options: { ...stored.options, flow } },
  })
})
afterAll(() => school.app.close())

const readState = (by: Api, id: string) => by.flow.read({ params: { tag, id } })
async function send(by: Api, id: string, event: string) {
  const { version } = await readState(by, id)
  return await by.flow.send({ params: { tag, id, event }, body: { version } })
}

it('counts one decision in one region, and asks who holds both roles which', async () => {
  const { teacher, everything, office, make } = school
  const id = await make(teacher)
  await send(teacher, id, 'SUBMIT')
  const begun = await readState(office, id)
  expect(begun.open.map(({ path, who }) => [path, who]).toSorted()).toEqual([
    ['offices.office.open', 'OFFICE'],
    ['offices.secretaries.open', 'SECRETARY'],
  ])
  expect(begun.next.filter(({ path }) => path === 'offices.office.open')).toEqual([
    { path: 'offices.office.open', event: '同意', to: '已同意' },
    { path: 'offices.office.open', event: '退回', to: '草稿' },
  ])
  expect((await readState(everything, id)).can.map(({ event }) => event).toSorted()).toEqual([
    'office.APPROVE',
    'office.RETURN',
    'secretaries.APPROVE',
    'secretaries.RETURN',
  ])
  expect(await refusedBy(send(everything, id, 'APPROVE'))).toMatchObject({
    rules: ['flow'],
    texts: [expect.stringContaining('secretaries.APPROVE')],
  })
  const one = await send(everything, id, 'secretaries.APPROVE')
  expect(one.state).toBe('offices')
  expect(one.active.map(({ path }) => path).toSorted()).toEqual([
    'offices',
    'offices.office',
    'offices.office.open',
    'offices.secretaries',
    'offices.secretaries.agreed',
  ])
  expect(one.can).toEqual([])
  const both = await send(office, id, 'APPROVE')
  expect(both.state).toBe('vote')
  const row = await teacher.entityData.get({ params: { tag, id } })
  expect(row['reason']).toBe('登记有误，会签通过')
})

it('returns out of the regions and asks all of them again', async () => {
  const { teacher, secretary, office, make } = school
  const id = await make(teacher)
  await send(teacher, id, 'SUBMIT')
  await send(secretary, id, 'APPROVE')
  expect((await send(office, id, 'RETURN')).state).toBe('draft')
  const waiting = async (by: Api) =>
    (await by.flow.todo({ body: { tag, pageSize: 200 } })).records.some((each) => each.id === id)
  expect(await Promise.all([teacher, secretary, office].map(waiting))).toEqual([true, false, false])
  await send(teacher, id, 'SUBMIT')
  expect(await Promise.all([teacher, secretary, office].map(waiting))).toEqual([false, true, true])
  await send(secretary, id, 'APPROVE')
  expect((await send(office, id, 'APPROVE')).state).toBe('vote')
})

it('keeps votes until there are enough, each person once', async () => {
  const { teacher, everything, secretary, office, admin, make, gradeOf } = school
  const id = await make(admin)
  await send(admin, id, 'SUBMIT')
  await send(secretary, id, 'APPROVE')
  await send(office, id, 'APPROVE')
  expect((await send(teacher, id, 'AGREE')).state).toBe('vote')
  expect((await refusedBy(send(teacher, id, 'AGREE'))).code).toBe(403)
  expect((await refusedBy(send(office, id, 'AGREE'))).code).toBe(403)
  expect((await send(everything, id, 'AGREE')).isDone).toBe(true)
  expect(await gradeOf(id)).toBe('91')
})
