import { type Flow, flowSchema } from '@jiaowu/api/entity/definition/flow'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import {
  compileFlow,
  type CompiledFlow,
  decide,
  findOffer,
  type FlowCase,
  listEditable,
  listOffers,
  listTimers,
  listWaits,
  readStateKey,
  startCase,
  startCaseAt,
} from './flow.ts'
import type { FlowPerson } from './people.ts'

const buildName = (zh: string) => ({ zh, en: zh })
const office = (role: string) => ({
  name: buildName(role),
  initial: 'open',
  states: {
    open: {
      name: buildName('办理'),
      on: {
        APPROVE: { name: buildName('同意'), target: 'agreed', who: [{ role }, 'others'] },
        RETURN: { name: buildName('退回'), target: 'draft', who: [{ role }, 'others'] },
      },
    },
    agreed: { name: buildName('同意'), final: true },
  },
})
const flow: Flow = v.parse(flowSchema, {
  field: 'state',
  initial: 'draft',
  states: {
    draft: {
      name: buildName('草稿'),
      edit: ['reason'],
      on: {
        SUBMIT: [
          {
            name: buildName('提交'),
            target: 'offices',
            who: [{ applicant: true }],
            when: 'row.days > 3',
          },
          { name: buildName('提交'), target: 'pair', who: [{ applicant: true }] },
        ],
      },
    },
    offices: {
      name: buildName('会签'),
      type: 'parallel',
      states: { finance: office('FINANCE'), library: office('LIBRARY') },
      onDone: { target: 'pair', effects: [{ set: { reason: "'x'" } }] },
    },
    pair: {
      name: buildName('两人'),
      on: {
        APPROVE: {
          name: buildName('同意'),
          target: 'done',
          who: [{ all: [{ role: 'HEAD' }, { role: 'DEAN' }] }, 'others'],
        },
      },
      after: { '48 h': { target: 'lapsed' } },
    },
    done: { name: buildName('完成'), final: true },
    lapsed: { name: buildName('逾期'), final: true },
  },
  on: { VOID: { name: buildName('作废'), target: 'lapsed', who: [{ role: 'ADMIN' }, 'others'] } },
})
const compiled: CompiledFlow = compileFlow(flow)
const row = { days: 5 }
const person = (id: string, ...roles: readonly string[]): FlowPerson => ({
  id,
  terms: roles.map((role) => `role ${role}`),
})
const names = (flowCase: FlowCase, by: FlowPerson, of = row) =>
  listOffers(compiled, flowCase, by, of).map(({ name }) => name)

function act(flowCase: FlowCase, by: FlowPerson, name: string, of = row) {
  const offer = findOffer(listOffers(compiled, flowCase, by, of), name)
  const step = offer === undefined ? null : decide(compiled, flowCase, offer.part, by, of)
  if (step === null) throw new Error(`${by.id} may not ${name}`)
  return step
}

describe('a compiled flow', () => {
  const draft = startCase(compiled, 'a')
  const inOffices = act(draft, person('a'), 'SUBMIT').next
  it('offers what a person may do now, by the first alternative whose condition the row meets', () => {
    expect(names(draft, person('a'))).toEqual(['SUBMIT'])
    expect(names(draft, person('b', 'FINANCE'))).toEqual([])
    expect(readStateKey(inOffices)).toBe('offices')
    expect(readStateKey(act(draft, person('a'), 'SUBMIT', { days: 1 }).next)).toBe('pair')
    expect([...listEditable(compiled, draft)]).toEqual(['reason'])
    expect([...listEditable(compiled, inOffices)]).toEqual([])
  })
  it('names regions where the same event is offered in several, and takes one of them alone', () => {
    const both = person('b', 'FINANCE', 'LIBRARY')
    expect(names(inOffices, both)).toEqual([
      'finance.APPROVE',
      'finance.RETURN',
      'library.APPROVE',
      'library.RETURN',
    ])
    const { next } = act(inOffices, both, 'library.APPROVE')
    expect(next.value).toEqual({ offices: { finance: 'open', library: 'agreed' } })
    // 'others': who has decided in one office decides in no second one.
    expect(names(next, both)).toEqual([])
    // A person who holds one of the roles need not name the region.
    expect(
      findOffer(listOffers(compiled, inOffices, person('c', 'FINANCE'), row), 'APPROVE')?.part.path,
    ).toBe('offices.finance.open')
  })
  it('goes on when all regions are through, with the effects of that', () => {
    const first = act(inOffices, person('b', 'FINANCE'), 'APPROVE')
    expect(first.performs).toEqual([])
    const last = act(first.next, person('c', 'LIBRARY'), 'APPROVE')
    expect(readStateKey(last.next)).toBe('pair')
    expect(last.performs).toEqual([
      { effects: [{ set: { reason: "'x'" } }], state: 'offices', event: 'onDone' },
    ])
  })
  it('loses nothing when one region returns the case: it starts afresh, with all offices asked again', () => {
    const one = act(inOffices, person('b', 'FINANCE'), 'APPROVE').next
    const back = act(one, person('c', 'LIBRARY'), 'RETURN').next
    expect(back.value).toBe('draft')
    const again = act(back, person('a'), 'SUBMIT').next
    expect(again.value).toEqual({ offices: { finance: 'open', library: 'open' } })
    expect(listWaits(compiled, again).map(({ part }) => part.type)).toContain(
      'offices.finance.open:APPROVE',
    )
    // The same office decides in its own state again.
    expect(names(again, person('b', 'FINANCE'))).toEqual(['finance.APPROVE', 'finance.RETURN'])
  })
  it('waits for a person of their own for each of `all`, whoever comes first', () => {
    const pair = act(draft, person('a'), 'SUBMIT', { days: 1 }).next
    const both = person('b', 'HEAD', 'DEAN')
    const first = act(pair, both, 'APPROVE').next
    expect(first.value).toBe('pair')
    expect(names(first, both)).toEqual([])
    // The one with both roles stands for the other role then.
    expect(readStateKey(act(first, person('c', 'HEAD'), 'APPROVE').next)).toBe('done')
    const head = act(pair, person('c', 'HEAD'), 'APPROVE').next
    expect(names(head, person('d', 'HEAD'))).toEqual([])
    expect(listWaits(compiled, head).find(({ part }) => part.key === 'APPROVE')?.terms).toEqual([
      { role: 'DEAN' },
    ])
  })
  it('lets nobody decide on their own case where others are asked, not even to void it', () => {
    expect(names(inOffices, person('a', 'FINANCE', 'LIBRARY', 'ADMIN'))).toEqual([])
    expect(names(inOffices, person('z', 'ADMIN'))).toEqual(['VOID'])
  })
  it('takes a timer where the case waits, and nothing after the end', () => {
    const pair = act(draft, person('a'), 'SUBMIT', { days: 1 }).next
    const [timer] = listTimers(compiled, pair)
    expect(timer?.key).toBe('48 h')
    const over = timer === undefined ? null : decide(compiled, pair, timer, null, row)
    expect(over?.next).toMatchObject({ value: 'lapsed', isDone: true })
    expect(listTimers(compiled, over?.next ?? pair)).toEqual([])
    expect(names(over?.next ?? pair, person('z', 'ADMIN'))).toEqual([])
  })
  it('takes up a row where it stands, and from the beginning where its state is none of the flow', () => {
    expect(readStateKey(startCaseAt(compiled, 'a', 'pair'))).toBe('pair')
    expect(startCaseAt(compiled, 'a', 'done').isDone).toBe(true)
    expect(startCaseAt(compiled, 'a', 'offices').value).toEqual({
      offices: { finance: 'open', library: 'open' },
    })
    expect(readStateKey(startCaseAt(compiled, 'a', 'other'))).toBe('draft')
  })
  it('survives being written down between any two steps', () => {
    const kept = JSON.parse(JSON.stringify(inOffices)) as FlowCase
    expect(act(kept, person('b', 'FINANCE'), 'APPROVE').next).toEqual(
      act(inOffices, person('b', 'FINANCE'), 'APPROVE').next,
    )
  })
})
