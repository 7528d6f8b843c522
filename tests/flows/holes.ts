// Holes in flows: each leads a sound flow to harm, by the id of the finding that has to name it.
import type { FlowEvent, FlowState } from '@jiaowu/api/entity/definition/flow'
import {
  buildCommittee,
  buildGradeChange,
  buildStatusChange,
  type Draft,
  type Editable,
  regions,
} from './good-flows.ts'

export const stateAt = (flow: Draft, path: string): Editable<FlowState> => {
  let found: Editable<FlowState> | undefined
  let states = flow.states as Record<string, Editable<FlowState>> | undefined
  for (const key of path.split('.')) {
    found = states?.[key]
    states = found?.states as typeof states
  }
  if (found === undefined) throw new Error(path)
  return found
}
export const eventAt = (flow: Draft, path: string, key: string, no = 0): Editable<FlowEvent> => {
  const event = (stateAt(flow, path).on as Record<string, unknown>)[key]
  return (Array.isArray(event) ? event[no] : event) as Editable<FlowEvent>
}
/** Lets the applicant and earlier deciders decide too. */
export const plain = (event: { who: unknown }) => {
  event.who = (event.who as unknown[]).filter((part) => part !== 'others')
}
const grade = (change: (flow: Draft) => void) => [buildGradeChange, change] as const
const status = (change: (flow: Draft) => void) => [buildStatusChange, change] as const
const committee = (change: (flow: Draft) => void) => [buildCommittee, change] as const

type Hole = readonly [build: () => Draft, change: (flow: Draft) => void]
export const holes: readonly (readonly [name: string, id: string, hole: Hole])[] = [
  [
    'the secretary may decide on her own application',
    'selfDecision',
    grade((f) => plain(eventAt(f, 'faculty', 'APPROVE'))),
  ],
  [
    'the office may decide on its own application',
    'selfDecision',
    grade((f) => plain(eventAt(f, 'office', 'APPROVE'))),
  ],
  [
    'the tutor may decide on his own application',
    'selfDecision',
    status((f) => plain(eventAt(f, 'tutor', 'APPROVE', 1))),
  ],
  [
    'an office of four may decide on its own application',
    'selfDecision',
    status((f) => plain(eventAt(f, 'offices.labs.open', 'APPROVE'))),
  ],
  [
    'a member of the committee votes on his own application',
    'selfDecision',
    committee((f) => plain(eventAt(f, 'committee', 'APPROVE'))),
  ],
  [
    'one person in both offices decides twice',
    'sameDecider',
    grade((f) => plain(eventAt(f, 'office', 'APPROVE'))),
  ],
  [
    'one person in two of four offices decides twice',
    'sameDecider',
    status((f) => plain(eventAt(f, 'offices.dorm.open', 'APPROVE'))),
  ],
  [
    'a member of the committee decides as a head as well',
    'sameDecider',
    committee((f) => plain(eventAt(f, 'heads', 'APPROVE'))),
  ],
  [
    'a state that nothing leads to',
    'unreachable',
    grade((f) => {
      eventAt(f, 'faculty', 'APPROVE').target = 'approved'
    }),
  ],
  [
    'an end that nothing leads to',
    'unreachable',
    grade((f) => {
      delete (stateAt(f, 'draft').on as Record<string, unknown>)['CANCEL']
    }),
  ],
  [
    'an end within a region that nothing leads to',
    'unreachable',
    status((f) => {
      eventAt(f, 'offices.labs.open', 'APPROVE').target = 'dean'
    }),
  ],
  [
    'a state without a way on',
    'noEnd',
    grade((f) => {
      delete stateAt(f, 'office').on
    }),
  ],
  [
    'two states that lead to each other for ever',
    'noEnd',
    grade((f) => {
      eventAt(f, 'office', 'APPROVE').target = 'faculty'
      eventAt(f, 'office', 'REJECT').target = 'faculty'
      delete (stateAt(f, 'draft').on as Record<string, unknown>)['CANCEL']
    }),
  ],
  [
    'a region that never ends',
    'noEnd',
    status((f) => {
      stateAt(f, 'offices').on = undefined
      delete stateAt(f, 'offices.labs.agreed').final
      for (const key of regions)
        delete (stateAt(f, `offices.${key}.open`).on as Record<string, unknown>)['REJECT']
    }),
  ],
  [
    'rows of a kind that no alternative takes',
    'noEnd',
    status((f) => {
      eventAt(f, 'tutor', 'APPROVE', 1).when = "row.kind == '2'"
      delete (stateAt(f, 'tutor').on as Record<string, unknown>)['REJECT']
      delete stateAt(f, 'tutor').after
    }),
  ],
  [
    'the applicant makes the mark change',
    'noDecision',
    grade((f) => {
      eventAt(f, 'draft', 'SUBMIT').effects = [
        { update: { relation: 'grade', set: { score: 'row.score' } } },
      ]
    }),
  ],
  [
    'a timer makes the change without a decision',
    'noDecision',
    status((f) => {
      const after = stateAt(f, 'tutor').after as Record<
        string,
        { target: string; effects?: unknown }
      >
      after['5 workdays'] = {
        target: 'done',
        effects: [{ update: { relation: 'student', set: { status: 'row.kind' } } }],
      }
    }),
  ],
  [
    'the applicant reaches the good end alone',
    'noDecision',
    grade((f) => {
      eventAt(f, 'draft', 'CANCEL').target = 'approved'
    }),
  ],
  [
    'the applicant sets a field that was closed',
    'noDecision',
    committee((f) => {
      eventAt(f, 'draft', 'SUBMIT').effects = [{ set: { result: "'1'" } }]
    }),
  ],
  [
    'a region leads past the others to the dean',
    'skippedRegion',
    status((f) => {
      eventAt(f, 'offices.finance.open', 'APPROVE').target = 'dean'
    }),
  ],
  [
    'an event of all regions leads past them',
    'skippedRegion',
    status((f) => {
      eventAt(f, 'offices', 'RETURN').target = 'dean'
    }),
  ],
  [
    'a region begins at its end',
    'skippedRegion',
    status((f) => {
      stateAt(f, 'offices.library').initial = 'agreed'
    }),
  ],
  [
    'timers lead to each other',
    'timerLoop',
    committee((f) => {
      const after = stateAt(f, 'heads').after as Record<string, { target: string }>
      after['48 h'] = { target: 'committee' }
    }),
  ],
  [
    'a timer restarts itself',
    'timerLoop',
    status((f) => {
      stateAt(f, 'dean').after = { '24 h': { target: 'dean' } }
    }),
  ],
  [
    'a condition that no row meets',
    'whenNever',
    status((f) => {
      eventAt(f, 'tutor', 'APPROVE', 0).when = "row.kind == '1' && row.kind == '2'"
    }),
  ],
  [
    'a condition on numbers that no row meets',
    'whenNever',
    grade((f) => {
      eventAt(f, 'office', 'APPROVE').when = 'row.score > 100 && row.score < 60'
    }),
  ],
  [
    'an event for the applicant that excludes them',
    'eventNever',
    grade((f) => {
      eventAt(f, 'faculty', 'WITHDRAW').who = [{ applicant: true }, 'others']
    }),
  ],
  [
    'one decision where two persons are the rule',
    'twoPersons',
    committee((f) => {
      eventAt(f, 'draft', 'SUBMIT').target = 'heads'
      eventAt(f, 'heads', 'APPROVE').who = [{ role: 'HEAD' }, 'others']
    }),
  ],
  [
    'two persons of one office where two offices are the rule',
    'twoOffices',
    grade((f) => {
      eventAt(f, 'office', 'APPROVE').who = [{ role: 'SECRETARY', within: 'row.faculty' }, 'others']
    }),
  ],
  [
    'a refusal without a reason',
    'reasons',
    grade((f) => {
      delete eventAt(f, 'office', 'REJECT').note
    }),
  ],
  [
    'a return without a reason',
    'reasons',
    grade((f) => {
      eventAt(f, 'faculty', 'RETURN').note = 'optional'
    }),
  ],
  [
    'a step without a timer where the end is limited',
    'endsWithin',
    committee((f) => {
      delete stateAt(f, 'heads').after
    }),
  ],
  [
    'timers that add up to more than the limit',
    'endsWithin',
    committee((f) => {
      f.rules = ['twoPersons', { endsWithin: 6 }]
    }),
  ],
  [
    'an effect on rows that must not change',
    'noEffectWhen',
    status((f) => {
      f.rules = [{ noEffectWhen: "row.student.status == '3'" }]
    }),
  ],
  [
    'a notice of a text that does not exist',
    'template',
    grade((f) => {
      eventAt(f, 'office', 'APPROVE').effects?.push({
        notify: { who: [{ applicant: true }], template: 'NONE' },
      })
    }),
  ],
  [
    'a reminder that stands for a decision',
    'noDecision',
    grade((f) => {
      stateAt(f, 'faculty').on = {
        ...stateAt(f, 'faculty').on,
        REMIND: {
          name: { zh: '催办', en: 'Remind' },
          who: [{ role: 'OFFICE' }],
          effects: [{ notify: { who: 'asked', template: 'REMIND' } }],
        },
        PASS: {
          name: { zh: '通过', en: 'Pass' },
          target: 'approved',
          who: [{ applicant: true }],
          effects: [{ update: { relation: 'grade', set: { score: 'row.score' } } }],
        },
      }
    }),
  ],
]
