import { entityDefinitionSchema } from '@jiaowu/api/entity/definition/definition'
import type { Flow } from '@jiaowu/api/entity/definition/flow'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { applyFlowChange } from './changes.ts'
import { newStateField } from './start.ts'
import {
  addTrialPerson,
  isPlayable,
  listTrialRows,
  listTrialTerms,
  playTrial,
  startTrial,
  toggleTrialTerm,
  type Trial,
} from './trial.ts'

function buildApproval(): Flow {
  const empty = v.parse(entityDefinitionSchema, {
    tag: 'A_B',
    name: '甲',
    tableName: 'loan',
    fields: [],
  })
  const { flow } = applyFlowChange(empty, {
    type: 'start',
    field: newStateField,
    roles: ['A', 'B'],
  }).options
  if (flow === undefined) throw new Error('no flow')
  return flow
}
const flow = buildApproval()
const play = (trial: Trial, ...moves: readonly (readonly [number, string])[]) =>
  playTrial(flow, {
    ...trial,
    moves: moves.map(([at, type]) => ({ by: trial.people[at]?.id ?? null, type, no: 0 })),
  })
const listOffered = ({ offers }: ReturnType<typeof play>) =>
  offers.map(({ offers: each }) => each.map(({ name }) => name).join())

describe('a case that is played', () => {
  const trial = startTrial(flow)
  it('has the applicant and one person for each role, who are offered what the machine offers', () => {
    expect([...listTrialTerms(flow).keys()]).toEqual(['role A', 'role B'])
    expect(trial.people.map(({ terms }) => terms.join())).toEqual(['', 'role A', 'role B'])
    expect(listOffered(play(trial))).toEqual(['SUBMIT', '', ''])
    expect(listOffered(play(trial, [0, 'draft:SUBMIT']))).toEqual([
      'WITHDRAW',
      'APPROVE,RETURN,REJECT',
      '',
    ])
  })
  it('comes to its end', () => {
    const end = play(trial, [0, 'draft:SUBMIT'], [1, 'review1:APPROVE'], [2, 'review2:APPROVE'])
    expect([end.active, end.isDone, end.steps.length]).toEqual([['approved'], true, 3])
    expect(listOffered(end)).toEqual(['', '', ''])
  })
  it('goes as far as its people may: one in both roles decides once', () => {
    const both = toggleTrialTerm(trial, trial.people[1]?.id ?? '', 'role B')
    const stuck = play(both, [0, 'draft:SUBMIT'], [1, 'review1:APPROVE'], [1, 'review2:APPROVE'])
    expect([stuck.active, stuck.steps.length]).toEqual([['review2'], 2])
    expect(toggleTrialTerm(both, trial.people[1]?.id ?? '', 'role B')).toEqual(trial)
  })
  it('takes more people', () => {
    const { people } = addTrialPerson(addTrialPerson(trial))
    expect(new Set(people.map(({ id }) => id)).size).toBe(5)
  })
  it('knows the rows that its conditions tell apart, and the time that passes', () => {
    const timed: Flow = {
      ...flow,
      states: {
        ...flow.states,
        draft: {
          name: { zh: '草稿', en: 'Draft' },
          after: { '2 h': { target: 'refused' } },
          on: {
            SUBMIT: {
              name: { zh: '提交', en: 'Submit' },
              target: 'review1',
              when: 'row.days > 3',
              who: [{ applicant: true }],
            },
          },
        },
      },
    }
    expect(listTrialRows(timed).length).toBe(2)
    const late = playTrial(timed, {
      ...startTrial(timed),
      moves: [{ by: null, type: 'draft@2 h', no: 0 }],
    })
    expect([late.active, late.isDone]).toEqual([['refused'], true])
  })
  it('needs a flow that can be compiled', () => {
    expect(isPlayable(flow)).toBe(true)
    expect(isPlayable({ ...flow, initial: 'nowhere' })).toBe(false)
  })
})
