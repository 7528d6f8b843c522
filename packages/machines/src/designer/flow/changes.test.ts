import { entityDefinitionSchema } from '@jiaowu/api/entity/definition/definition'
import type { Flow } from '@jiaowu/api/entity/definition/flow'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { proveDefinition } from '../../flow/prove-definition.ts'
import type { Draft } from '../draft.ts'
import { applyFlowChange, type FlowChange } from './changes.ts'
import { newStateField } from './start.ts'
import { eventWords, findState, listEvents, listStatePaths } from './states.ts'
import { buildEvent } from './vocabulary.ts'

const empty: Draft = v.parse(entityDefinitionSchema, {
  tag: 'A_B',
  name: '甲',
  tableName: 'loan',
  fields: [
    { id: '1', attrName: 'id', uiLabel: 'ID', isPk: 1 },
    { id: '2', attrName: 'reason', uiLabel: '理由' },
    { id: '3', attrName: 'due', uiLabel: '期限', isEdit: 0 },
  ],
})
const name = (zh: string) => ({ zh, en: zh })
const run = (draft: Draft, ...changes: readonly FlowChange[]) =>
  changes.reduce(applyFlowChange, draft)
const start = (...roles: readonly string[]): FlowChange => ({
  type: 'start',
  field: newStateField,
  roles,
})
function readFlow({ options: { flow } }: Draft): Flow {
  if (flow === undefined) throw new Error('no flow')
  return flow
}
const fits = (draft: Draft) => v.safeParse(entityDefinitionSchema, draft).success

describe('a flow that is started', () => {
  it.each([[['A']], [['A', 'B']], [['A', 'A', 'B', 'C']]])(
    'asks %j one after the other, and is proved',
    (roles) => {
      const draft = run(empty, start(...roles))
      expect(proveDefinition(draft)).toEqual([])
      expect(fits(draft)).toBe(true)
      expect(Object.keys(readFlow(draft).states)).toEqual([
        'draft',
        ...roles.map((_role, i) => `review${String(i + 1)}`),
        'approved',
        'refused',
      ])
    },
  )
  it('adds the field of its state, which no form offers, and opens the others in the draft', () => {
    const draft = run(empty, start('A'))
    expect(draft.fields.at(-1)).toMatchObject({ attrName: newStateField, isAdd: 0, isEdit: 0 })
    expect(readFlow(draft).states['draft']?.edit).toEqual(['reason'])
    const own = run(empty, { type: 'start', field: 'reason', roles: [] })
    expect(own.fields).toHaveLength(3)
    expect(readFlow(own)).toEqual({
      field: 'reason',
      initial: 'draft',
      states: { draft: { name: { zh: '草稿', en: 'Draft' }, tone: 'grey' } },
    })
  })
  it('is one: a second start changes nothing, and neither does a name that no field can have', () => {
    const draft = run(empty, start('A'))
    expect(run(draft, start('B'))).toBe(draft)
    expect(run(empty, { type: 'start', field: '1x', roles: [] })).toBe(empty)
  })
  it('goes again', () =>
    expect(run(empty, start('A'), { type: 'drop' }).options).toEqual(empty.options))
})

describe('states', () => {
  const draft = run(empty, start('A', 'B'))
  it('are added at the end, and within others', () => {
    const added = run(
      draft,
      { type: 'state.add', within: '', name: name('会签') },
      { type: 'state.add', within: 'state6', name: name('财务') },
      { type: 'state.add', within: 'state6', name: name('图书馆') },
    )
    expect(listStatePaths(readFlow(added))).toEqual([
      'draft',
      'review1',
      'review2',
      'state6',
      'state6.state1',
      'state6.state2',
      'approved',
      'refused',
    ])
    expect(findState(readFlow(added), 'state6')?.initial).toBe('state1')
    expect(fits(added)).toBe(true)
  })
  it('change, and lose a setting that becomes undefined', () => {
    const changed = run(
      draft,
      { type: 'state.set', path: 'draft', patch: { tone: 'orange', edit: undefined } },
      { type: 'state.set', path: 'nothing', patch: { tone: 'red' } },
    )
    expect(findState(readFlow(changed), 'draft')).toMatchObject({ tone: 'orange' })
    expect(findState(readFlow(changed), 'draft')).not.toHaveProperty('edit')
  })
  it('stand where they are put in the chart, until it is arranged again', () => {
    const moved = run(draft, { type: 'state.set', path: 'review1', patch: { at: { x: 5, y: -3 } } })
    expect(fits(moved)).toBe(true)
    expect(findState(readFlow(moved), 'review1')?.at).toEqual({ x: 5, y: -3 })
    expect(run(moved, { type: 'arrange' })).toEqual(draft)
  })
  it('keep the ways that lead to them under another key', () => {
    const renamed = run(
      draft,
      { type: 'state.rename', path: 'draft', key: 'created' },
      { type: 'state.rename', path: 'review2', key: 'office' },
    )
    expect(readFlow(renamed).initial).toBe('created')
    expect(listStatePaths(readFlow(renamed))).toEqual([
      'created',
      'review1',
      'office',
      'approved',
      'refused',
    ])
    expect(proveDefinition(renamed)).toEqual([])
    for (const key of ['review1', '1x', ''])
      expect(run(draft, { type: 'state.rename', path: 'draft', key })).toBe(draft)
  })
  it('keep the ways into inner states, the ends of regions and timers under another key', () => {
    const flow: Flow = {
      field: 'reason',
      initial: 'a',
      states: {
        a: {
          name: name('a'),
          on: {
            GO: [
              { name: name('go'), target: 'b.x', who: [{ applicant: true }] },
              { name: name('stay'), who: [{ applicant: true }] },
            ],
          },
          after: { '2 h': { target: 'b' } },
        },
        b: {
          name: name('b'),
          initial: 'x',
          states: {
            x: {
              name: name('x'),
              on: { OUT: { name: name('o'), target: 'b.y', who: [{ role: 'R' }] } },
            },
            y: { name: name('y'), final: true },
          },
          onDone: 'c',
        },
        c: { name: name('c'), final: true },
      },
      on: { ALL: { name: name('all'), target: 'b', who: [{ role: 'R' }] } },
    }
    const own: Draft = { ...empty, options: { ...empty.options, flow } }
    const renamed = readFlow(
      run(
        own,
        { type: 'state.rename', path: 'b', key: 'bb' },
        { type: 'state.rename', path: 'bb.x', key: 'xx' },
        { type: 'state.rename', path: 'c', key: 'cc' },
      ),
    )
    expect(listEvents(renamed, 'a')[0]?.alternatives.map(({ target }) => target)).toEqual([
      'bb.xx',
      undefined,
    ])
    expect(renamed.states['a']?.after).toEqual({ '2 h': { target: 'bb' } })
    expect(renamed.states['bb']).toMatchObject({ initial: 'xx', onDone: 'cc' })
    expect(findState(renamed, 'bb.xx')?.on).toMatchObject({ OUT: { target: 'bb.y' } })
    expect(renamed.on).toMatchObject({ ALL: { target: 'bb' } })
  })
  it('are listed as cases come to them, whatever order the database gives their keys', () => {
    const flow = readFlow(draft)
    const reversed = Object.fromEntries(Object.entries(flow.states).toReversed())
    expect(listStatePaths({ ...flow, states: reversed })).toEqual([
      'draft',
      'review1',
      'review2',
      'approved',
      'refused',
    ])
  })
  it('go, but for the last one; the proof names the ways that led there', () => {
    const without = run(draft, { type: 'state.remove', path: 'draft' })
    expect(readFlow(without).initial).toBe('review1')
    expect(proveDefinition(without).map(({ id }) => id)).toContain('flow.fault.target')
    const one = run(empty, start())
    expect(run(one, { type: 'state.remove', path: 'draft' })).toBe(one)
    const inner = run(
      draft,
      { type: 'state.add', within: 'review1', name: name('内') },
      { type: 'state.remove', path: 'review1.state1' },
    )
    expect(inner).toEqual(draft)
  })
})

describe('events', () => {
  const draft = run(empty, start('A', 'B'))
  const at = { path: 'review1', key: 'APPROVE', no: 0 }
  const events = (given: Draft, path = 'review1') =>
    listEvents(readFlow(given), path).map(
      ({ key, alternatives }) => `${key} ${String(alternatives.length)}`,
    )
  it('of known words lead where they usually do', () => {
    const flow = readFlow(draft)
    const targets = eventWords.map((word) => buildEvent(word, flow, 'review1', 'A').target)
    expect(targets).toEqual(['review2', 'review2', 'draft', 'refused', 'draft', 'refused'])
    expect(buildEvent('VOID', flow, 'review2', 'A').who).toEqual([{ role: 'B' }, 'others'])
    expect(buildEvent('VOID', flow, '', 'A')).toMatchObject({ note: 'required', target: 'refused' })
    expect(buildEvent('APPROVE', flow, '', 'A')).not.toHaveProperty('target')
  })
  it('are added under a free key, in a state and everywhere', () => {
    const event = buildEvent('APPROVE', readFlow(draft), 'review1', 'A')
    const added = run(
      draft,
      { type: 'event.add', path: 'review1', key: 'APPROVE', event },
      { type: 'event.add', path: '', key: 'VOID', event },
    )
    expect(events(added).slice(0, 3)).toEqual(['APPROVE 1', 'APPROVE2 1', 'RETURN 1'])
    expect(events(added, '')).toEqual(['VOID 1'])
    expect(fits(added)).toBe(true)
  })
  it('have alternatives, which change and go by themselves', () => {
    const two = run(draft, { type: 'event.copy', ...at })
    expect(events(two)[0]).toBe('APPROVE 2')
    const changed = run(two, {
      type: 'event.set',
      ...at,
      no: 1,
      patch: { when: 'row.reason == 1', note: undefined },
    })
    expect(listEvents(readFlow(changed), 'review1')[0]?.alternatives[1]).toMatchObject({
      when: 'row.reason == 1',
    })
    expect(fits(changed)).toBe(true)
    expect(run(two, { type: 'event.remove', ...at, no: 1 })).toEqual(draft)
    expect(events(run(draft, { type: 'event.remove', ...at }))).toEqual([
      'RETURN 1',
      'REJECT 1',
      'WITHDRAW 1',
    ])
    expect(run(draft, { type: 'event.remove', ...at, no: 4 })).toBe(draft)
  })
  it('take another key in their place, unless it is taken', () => {
    const rename = { type: 'event.rename', path: 'review1', key: 'APPROVE' } as const
    expect(events(run(draft, { ...rename, to: 'AGREE' }))).toContain('AGREE 1')
    expect(run(draft, { ...rename, to: 'REJECT' })).toBe(draft)
    expect(run(draft, { ...rename, to: 'a b' })).toBe(draft)
  })
})
