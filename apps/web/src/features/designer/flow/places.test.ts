import type { Flow, FlowWho } from '@jiaowu/api/entity/definition/flow'
import { t as translate } from '@jiaowu/api/texts/index'
import { describe, expect, it } from 'vitest'
import { describeWho, findPlace, hasPlace, nameStatePath, type Translate } from './places.ts'
import { mergeFindings } from './use-findings.ts'

const t = ((key: 'common.ok', ...params: []) => translate('zh-CN', key, ...params)) as Translate
const flow: Flow = {
  field: 'state',
  initial: 'a',
  states: {
    a: {
      name: { zh: '会签', en: 'Offices' },
      states: { b: { name: { zh: '财务', en: 'Finance' } } },
    },
  },
}

describe('places in a flow', () => {
  it.each([
    ['options.flow', { path: '' }],
    ['options.flow.states.a', { path: 'a' }],
    ['options.flow.states.a.states.b.on.GO', { path: 'a.b', key: 'GO', no: 0 }],
    ['options.flow.on.VOID', { path: '', key: 'VOID', no: 0 }],
    ['options.flow.states.a.after.48 h', { path: 'a' }],
    ['options.flow.states.states', { path: 'states' }],
  ])('are read from %s', (at, place) => expect(findPlace(at)).toEqual(place))
  it('are named with the states around them, and may be gone', () => {
    expect(nameStatePath(flow, 'a.b', 'en')).toBe('Offices / Finance')
    expect([hasPlace(flow, { path: 'a.b' }), hasPlace(flow, { path: 'c' })]).toEqual([true, false])
    expect(hasPlace(flow, { path: 'a', key: 'GO', no: 0 })).toBe(false)
  })
})

it.each<[FlowWho, string]>([
  [[{ role: 'R' }, { applicant: true }], '教务处、申请人'],
  [[{ role: 'S', within: 'row.faculty' }, 'others'], 'S (院系) · 非本人'],
  [[{ all: [{ role: 'R' }, { person: 'row.tutor' }] }], '教务处、tutor · 各一人，全部同意'],
  [[{ n: 2, of: [{ role: 'R' }] }, 'others'], '教务处 · 2 人 · 非本人'],
  [['others'], '没有人'],
])('people %j read %s', (who, text) => {
  const names = {
    roles: [{ value: 'R', text: '教务处' }],
    fields: [{ value: 'faculty', text: '院系' }],
  }
  expect(describeWho({ name: { zh: 'x', en: 'x' }, who }, t, names)).toBe(text)
})

it('of the findings of the server those are shown that the browser cannot have, once', () => {
  const flowFinding = (id: string, severity: 'error' | 'warning' = 'error') => ({
    id: 'entity.E121',
    severity,
    path: 'options.flow.states.a',
    attrName: null,
    msg: id,
    flow: { id, path: [], states: ['a'] },
  })
  const own = [
    {
      key: 'flow.fault.set options.flow.states.a error',
      severity: 'error' as const,
      at: 'options.flow.states.a',
      msg: 'own',
      path: [],
      states: [],
    },
  ]
  const found = mergeFindings(own, [
    flowFinding('flow.fault.nobody', 'warning'),
    flowFinding('flow.fault.set'),
    flowFinding('flow.fault.noEnd'),
    flowFinding('flow.fault.role'),
  ])
  expect(found.map(({ msg }) => msg)).toEqual(['own', 'flow.fault.role', 'flow.fault.nobody'])
})
