import type { Flow } from '@jiaowu/api/entity/definition/flow'
import { describe, expect, it } from 'vitest'
import {
  compileFlow,
  decide,
  type FlowCase,
  handTask,
  listOffers,
  listWaits,
  startCase,
} from './flow.ts'
import { findHandFault, type FlowHand } from './hands.ts'
import type { FlowPerson } from './people.ts'

const name = { zh: '步', en: 'Step' }
const flow: Flow = {
  field: 'state',
  initial: 'first',
  states: {
    first: {
      name,
      on: {
        APPROVE: { name, target: 'second', who: [{ role: 'A' }, 'others'] },
        REJECT: { name, target: 'rejected', who: [{ role: 'A' }, 'others'] },
      },
    },
    second: {
      name,
      allow: { transfer: false, add: ['beside'] },
      on: {
        APPROVE: { name, target: 'approved', who: [{ n: 2, of: [{ role: 'B' }] }, 'others'] },
        RETURN: { name, target: 'first', who: [{ role: 'B' }, 'others'] },
      },
    },
    approved: { name, tone: 'green', final: true },
    rejected: { name, tone: 'red', final: true },
  },
}
const compiled = compileFlow(flow)
const buildPerson = (id: string, role: string, more: Partial<FlowPerson> = {}): FlowPerson => ({
  id,
  terms: role === '' ? [] : [`role ${role}`],
  ...more,
})
const can = (flowCase: FlowCase, by: FlowPerson) =>
  listOffers(compiled, flowCase, by, {}).map((offer) => offer.name)
function decideBy(flowCase: FlowCase, by: FlowPerson, event: string): FlowCase {
  const offer = listOffers(compiled, flowCase, by, {}).find((each) => each.name === event)
  const step = offer === undefined ? null : decide(compiled, flowCase, offer.part, by, {})
  if (step === null) throw new Error(`${by.id} may not ${event}`)
  return step.next
}
const startFirst = () => startCase(compiled, 'applicant')
const ann = buildPerson('ann', 'A')
const eve = buildPerson('eve', '')
const buildTransfer = (from: FlowPerson, to: string, state = 'first'): FlowHand => ({
  kind: 'transfer',
  state,
  from,
  to,
})
const buildAddition = (
  way: 'before' | 'after' | 'beside',
  who: string,
  state = 'first',
): FlowHand => ({
  kind: 'add',
  state,
  from: ann,
  way,
  person: who,
  role: null,
})
function giveTask(flowCase: FlowCase, given: FlowHand): FlowCase {
  const next = handTask(compiled, flowCase, given)
  if (next === null) throw new Error(String(findHandFault(compiled.parts, flowCase.context, given)))
  return next
}
const findFault = (flowCase: FlowCase, given: FlowHand) => {
  const found = findHandFault(compiled.parts, flowCase.context, given)
  expect(handTask(compiled, flowCase, given) === null).toBe(found !== null)
  return found
}

describe('a task that is handed over', () => {
  it('is decided by the other person, and no more by whoever gave it', () => {
    const handed = giveTask(startFirst(), buildTransfer(ann, 'eve'))
    expect(can(handed, eve)).toEqual(['APPROVE', 'REJECT'])
    expect(can(handed, ann)).toEqual([])
    expect(can(handed, buildPerson('art', 'A'))).toEqual(['APPROVE', 'REJECT'])
    expect(listWaits(compiled, handed)[0]?.handed).toMatchObject([{ from: 'ann', to: 'eve' }])
    const next = decideBy(handed, eve, 'APPROVE')
    expect(next.context.decided).toEqual([{ by: 'eve', state: 'first' }])
    // Ann has decided nothing, eve has.
    expect(can(next, buildPerson('ann', 'B'))).toEqual(['APPROVE', 'RETURN'])
    expect(can(next, buildPerson('eve', 'B'))).toEqual([])
  })

  it('comes back, and goes on to a third person', () => {
    const handed = giveTask(startFirst(), buildTransfer(ann, 'eve'))
    const back = giveTask(handed, buildTransfer(eve, 'ann'))
    expect(can(back, ann)).toEqual(['APPROVE', 'REJECT'])
    expect(can(back, eve)).toEqual([])
    const on = giveTask(handed, buildTransfer(eve, 'joe'))
    expect(can(on, buildPerson('joe', ''))).toEqual(['APPROVE', 'REJECT'])
    expect(can(on, ann)).toEqual([])
    expect(can(on, eve)).toEqual([])
  })

  it('goes neither to the applicant, nor to whoever decided before, nor where the state forbids it', () => {
    expect(findFault(startFirst(), buildTransfer(ann, 'applicant'))).toBe('applicant')
    expect(findFault(startFirst(), buildTransfer(ann, 'ann'))).toBe('self')
    expect(findFault(startFirst(), buildTransfer(eve, 'joe'))).toBe('notAsked')
    const second = decideBy(startFirst(), ann, 'APPROVE')
    expect(findFault(second, buildTransfer(buildPerson('ben', 'B'), 'joe', 'second'))).toBe(
      'notAllowed',
    )
  })
})

describe('somebody who is added', () => {
  it('before: decides first, and the step then goes on with its people', () => {
    const added = giveTask(startFirst(), buildAddition('before', 'eve'))
    expect(can(added, ann)).toEqual([])
    expect(
      listWaits(compiled, added).map(({ terms, added: who }) => [terms.length, who.length]),
    ).toEqual([
      [0, 1],
      [0, 1],
    ])
    const agreed = decideBy(added, eve, 'APPROVE')
    expect(agreed.value).toBe('first')
    expect(can(agreed, eve)).toEqual([])
    expect(decideBy(agreed, ann, 'APPROVE').value).toBe('second')
  })

  it('after: decides when the people of the step have agreed', () => {
    const added = giveTask(startFirst(), buildAddition('after', 'eve'))
    expect(can(added, eve)).toEqual([])
    const agreed = decideBy(added, ann, 'APPROVE')
    expect(agreed.value).toBe('first')
    expect(can(agreed, buildPerson('art', 'A'))).toEqual([])
    expect(can(agreed, eve)).toEqual(['APPROVE', 'REJECT'])
    expect(decideBy(agreed, eve, 'APPROVE').value).toBe('second')
    expect(decideBy(agreed, eve, 'REJECT').value).toBe('rejected')
  })

  it('beside: both agree in either order, and each may refuse alone', () => {
    const added = giveTask(startFirst(), buildAddition('beside', 'eve'))
    expect(decideBy(decideBy(added, ann, 'APPROVE'), eve, 'APPROVE').value).toBe('second')
    expect(decideBy(decideBy(added, eve, 'APPROVE'), ann, 'APPROVE').value).toBe('second')
    expect(decideBy(added, eve, 'REJECT').value).toBe('rejected')
  })

  it('counts for no one else, where several are asked', () => {
    const second = decideBy(startFirst(), ann, 'APPROVE')
    const ben = buildPerson('ben', 'B')
    const given: FlowHand = {
      kind: 'add',
      state: 'second',
      from: ben,
      way: 'beside',
      person: 'bob',
      role: null,
    }
    const added = giveTask(second, given)
    // Bob holds the role as well, and is counted once.
    const voted = decideBy(decideBy(added, buildPerson('bob', 'B'), 'APPROVE'), ben, 'APPROVE')
    expect(voted.value).toBe('second')
    expect(can(voted, buildPerson('bob', 'B'))).toEqual([])
    expect(decideBy(voted, buildPerson('bea', 'B'), 'APPROVE').value).toBe('approved')
    expect(findFault(added, given)).toBe('alreadyAdded')
    expect(findFault(second, { ...given, way: 'before' })).toBe('notAllowed')
    expect(findFault(second, { ...given, person: 'ann' })).toBe('barred')
  })

  it('as an office: any holder but the person who asked for it, and gone when the state is entered anew', () => {
    const given: FlowHand = {
      kind: 'add',
      state: 'first',
      from: ann,
      way: 'beside',
      person: null,
      role: 'C',
    }
    const added = giveTask(startFirst(), given)
    const both = { ...ann, terms: ['role A', 'role C'] }
    const voted = decideBy(added, both, 'APPROVE')
    expect(voted.value).toBe('first')
    const next = decideBy(voted, buildPerson('cleo', 'C'), 'APPROVE')
    expect(next.value).toBe('second')
    expect(next.context.added).toBeDefined()
    const again = decideBy(next, buildPerson('ben', 'B'), 'RETURN')
    expect(again.context.added).toBeUndefined()
    expect(again.context.agreed).toBeUndefined()
  })
})

describe('a substitute', () => {
  const sub = (id: string, by: string, role: string) => buildPerson(id, role, { for: by })

  it('decides in the name of another, and both have decided then', () => {
    const next = decideBy(startFirst(), sub('eve', 'ann', 'A'), 'APPROVE')
    expect(next.context.decided).toEqual([
      { by: 'eve', state: 'first' },
      { by: 'ann', state: 'first' },
    ])
    expect(can(next, buildPerson('ann', 'B'))).toEqual([])
    expect(can(next, buildPerson('eve', 'B'))).toEqual([])
  })

  it('decides neither on own cases, nor on those of whom they stand for', () => {
    expect(can(startFirst(), sub('applicant', 'ann', 'A'))).toEqual([])
    expect(can(startFirst(), sub('eve', 'applicant', 'A'))).toEqual([])
  })

  it('is one person where two are asked', () => {
    const second = decideBy(startFirst(), ann, 'APPROVE')
    const voted = decideBy(second, buildPerson('ben', 'B'), 'APPROVE')
    expect(can(voted, sub('ben', 'bob', 'B'))).toEqual(['RETURN'])
    expect(can(voted, sub('eve', 'ben', 'B'))).toEqual(['RETURN'])
    const twice = decideBy(second, sub('eve', 'bob', 'B'), 'APPROVE')
    expect(can(twice, buildPerson('bob', 'B'))).toEqual(['RETURN'])
    expect(can(twice, sub('eve', 'bea', 'B'))).toEqual(['RETURN'])
    expect(decideBy(twice, buildPerson('bea', 'B'), 'APPROVE').value).toBe('approved')
  })
})
