import { type Flow, flowSchema, studentTag } from '@jiaowu/api/entity/definition/flow'
import { messageText } from '@jiaowu/api/texts/index'
import {
  type FlowFacts,
  type FlowField,
  proveFlow,
  unknownFacts,
} from '@jiaowu/machines/flow/prove'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { buildCommittee, buildGradeChange, buildStatusChange, type Draft } from './good-flows.ts'
import { eventAt, holes, plain, stateAt } from './holes.ts'

/** Every role has people, and every relation is filled in. */
function buildFacts(holders: Readonly<Record<string, number>> = {}): FlowFacts {
  const field: FlowField = {
    relation: null,
    items: null,
    isRequired: true,
    hasDefault: false,
    isText: true,
    isWritten: true,
    isEdited: true,
  }
  return {
    fields: new Map([
      ...['state', 'score', 'reason', 'kind', 'result'].map((name) => [name, field] as const),
      ...['faculty', 'grade', 'tutor', 'student'].map(
        (name) => [name, { ...field, relation: `T_${name}` }] as const,
      ),
    ]),
    fieldsOf: () => new Set(['score', 'status']),
    hasCalendar: true,
    ownerOf: () => undefined,
    templates: new Set(['NOTICE', 'REMIND']),
    holders: (role) => holders[role] ?? 9,
  }
}

const goodFlows = [
  ['a correction in two steps', buildGradeChange],
  ['a leave with four offices side by side', buildStatusChange],
  ['a committee with timers', buildCommittee],
] as const

describe('the prover of flows', () => {
  it.each(goodFlows)(
    'finds nothing in %s, with or without the facts of a school',
    (_name, build) => {
      expect(
        proveFlow(build() as Flow, unknownFacts).map(({ id, params }) => [id, params]),
      ).toEqual([])
      expect(
        proveFlow(build() as Flow, buildFacts()).map(({ id, params }) => [id, params]),
      ).toEqual([])
    },
  )
  it('is given at least thirty holes', () => expect(holes.length).toBeGreaterThanOrEqual(30))
  it.each(holes)('finds that %s (%s)', (_name, id, [build, change]) => {
    const flow = build()
    change(flow)
    v.parse(flowSchema, flow)
    const found = proveFlow(flow as Flow, buildFacts())
    expect(found.map((fault) => fault.id)).toContain(`flow.fault.${id}`)
    expect(found.some(({ severity }) => severity === 'error')).toBe(true)
    for (const { id: key, params } of found)
      for (const locale of ['zh-CN', 'en'] as const)
        expect(messageText(locale, { key, params })).not.toMatch(/\{\w+\}/)
  })
  it('tells the path in words, who and by which event, with its states', () => {
    const flow = buildGradeChange()
    plain(eventAt(flow, 'office', 'APPROVE'))
    const [fault] = proveFlow(flow as Flow).filter(({ id }) => id === 'flow.fault.selfDecision')
    expect(fault?.at).toBe('options.flow.states.office.on.APPROVE')
    expect(fault?.params['path']).toEqual([
      '甲 提交 → 乙（SECRETARY） 同意 → 甲（OFFICE） 同意',
      'A 提交 → B (SECRETARY) 同意 → A (OFFICE) 同意',
    ])
    expect(fault?.states).toEqual(['faculty', 'office'])
  })
  it('names the effect at the end of the path', () => {
    const flow = buildGradeChange()
    eventAt(flow, 'draft', 'SUBMIT').effects = [{ set: { score: '95' } }, { set: { result: '1' } }]
    const [fault] = proveFlow(flow as Flow)
    expect(fault?.params['path']).toEqual(['甲 提交 → result = 1', 'A 提交 → result = 1'])
  })
  it('warns of a state that nobody in this school can leave, and of deciders that a row may lack', () => {
    const nobody = proveFlow(buildGradeChange() as Flow, buildFacts({ OFFICE: 0 }))
    expect(nobody.map(({ id, severity, states }) => [id, severity, states])).toEqual([
      ['flow.fault.nobody', 'warning', ['faculty', 'office']],
    ])
    const facts = buildFacts()
    const tutor = facts.fields?.get('tutor')
    if (tutor === undefined) throw new Error('no tutor')
    const flow = buildStatusChange()
    delete stateAt(flow, 'tutor').after
    const absent = proveFlow(flow as Flow, {
      ...facts,
      fields: new Map([...(facts.fields ?? []), ['tutor', { ...tutor, isRequired: false }]]),
    })
    expect(absent.map(({ id, severity }) => [id, severity])).toEqual([
      ['flow.fault.absent', 'warning'],
    ])
  })
  it('names what is wrong with an application by students', () => {
    const facts = buildFacts()
    const fields = new Map(
      [...(facts.fields ?? [])].map(([name, field]) => [
        name,
        {
          ...field,
          isRequired: name === 'score',
          relation: name === 'student' ? studentTag : field.relation,
        },
      ]),
    )
    const prove = (student: Flow['student']) =>
      proveFlow({ ...(buildGradeChange() as Flow), student }, { ...facts, fields }).map(
        ({ id, params }) => [id, params['name']],
      )
    expect(prove({ field: 'student', fill: ['score', 'reason'] })).toEqual([])
    expect(prove({ field: 'grade', fill: ['score', 'reason'] })).toEqual([
      ['flow.fault.student', 'grade'],
    ])
    expect(prove({ field: 'student', fill: ['score', 'state', 'nothing'] })).toEqual([
      ['flow.fault.studentFill', 'state'],
      ['flow.fault.studentFill', 'nothing'],
    ])
    expect(prove({ field: 'student', fill: ['reason'] })).toEqual([
      ['flow.fault.studentLacks', 'score'],
    ])
  })
  it('is bounded, and says by how much', () => {
    const [bounded] = proveFlow(buildStatusChange() as Flow, unknownFacts, 20)
    expect(bounded).toMatchObject({ id: 'flow.fault.bounded', severity: 'warning' })
    expect(
      messageText('en', { key: 'flow.fault.bounded', params: bounded?.params ?? {} }),
    ).toContain('the first 20 situations')
  })
  it.each([
    [
      'target',
      (f: Draft) => {
        eventAt(f, 'office', 'REJECT').target = 'nowhere'
      },
      'Event “REJECT” of state “office” leads to “nowhere”, which is no state.',
    ],
    [
      'who',
      (f: Draft) => {
        eventAt(f, 'office', 'REJECT').who = ['others']
      },
      'Event “REJECT” of state “office” has nobody to decide: name people in who; all and n stand alone or with others.',
    ],
    [
      'initial',
      (f: Draft) => {
        f.initial = 'begin'
      },
      'State “*” has no initial state “begin”. Set initial to the key of one of its states.',
    ],
    [
      'final',
      (f: Draft) => {
        stateAt(f, 'approved').edit = ['score']
      },
      'The final state “approved” can have no events, timers, inner states or editable fields.',
    ],
    [
      'expression',
      (f: Draft) => {
        eventAt(f, 'office', 'REJECT').when = 'row.score >'
      },
      'An expression of event “REJECT” in state “office” is wrong: row.score >',
    ],
    [
      'reads',
      (f: Draft) => {
        eventAt(f, 'office', 'REJECT').when = "user.name == 'x'"
      },
      'An expression of event “REJECT” in state “office” reads “user”: only fields of row are read, at most one step into a relation.',
    ],
    [
      'document',
      (f: Draft) => {
        eventAt(f, 'office', 'REJECT').effects = [{ document: 'X' }]
      },
      'Event “REJECT” of state “office” issues the document “X”, which is not defined. Add its title and paragraphs to documents.',
    ],
    [
      'set',
      (f: Draft) => {
        eventAt(f, 'office', 'REJECT').effects = [{ set: { state: "'draft'" } }]
      },
      'Event “REJECT” of state “office” sets “state”, which does not exist, is not written, or holds the state.',
    ],
    [
      'ask',
      (f: Draft) => {
        eventAt(f, 'office', 'REJECT').ask = [{ attrName: 'no', required: true }]
      },
      'Event “REJECT” of state “office” asks for “no”, which does not exist or holds the state.',
    ],
    [
      'edit',
      (f: Draft) => {
        stateAt(f, 'draft').edit = ['no']
      },
      'State “draft” opens the field “no”, which does not exist or holds the state.',
    ],
  ] as const)(
    'names state and event of a flow that cannot be compiled (%s)',
    (id, change, text) => {
      const flow = buildGradeChange()
      change(flow)
      const [fault] = proveFlow(flow as Flow, buildFacts())
      expect(fault?.id).toBe(`flow.fault.${id}`)
      expect(
        messageText('en', { key: fault?.id ?? 'flow.fault.bounded', params: fault?.params ?? {} }),
      ).toBe(text)
    },
  )
})
