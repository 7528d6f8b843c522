// Sound flows, each of which the tests break in many ways.
import { type Flow, type FlowEvent, flowSchema } from '@jiaowu/api/entity/definition/flow'
import * as v from 'valibot'

export type Editable<T> = { -readonly [K in keyof T]: T[K] extends object ? Editable<T[K]> : T[K] }
export type Draft = Editable<Flow>

const named = (zh: string) => ({ zh, en: zh })
const applicant = [{ applicant: true as const }]
const others = (...terms: readonly object[]) => [...terms, 'others'] as FlowEvent['who']

/** A teacher corrects a mark: the secretary of the faculty, then the office. */
export function buildGradeChange(): Draft {
  return v.parse(flowSchema, {
    field: 'state',
    initial: 'draft',
    states: {
      draft: {
        name: named('草稿'),
        edit: ['score', 'reason'],
        on: {
          SUBMIT: { name: named('提交'), target: 'faculty', who: applicant },
          CANCEL: { name: named('撤销'), target: 'cancelled', who: applicant },
        },
      },
      faculty: {
        name: named('学院审核'),
        on: {
          APPROVE: {
            name: named('同意'),
            target: 'office',
            who: others({ role: 'SECRETARY', within: 'row.faculty' }),
            note: 'optional',
          },
          RETURN: {
            name: named('退回'),
            target: 'draft',
            who: others({ role: 'SECRETARY', within: 'row.faculty' }),
            note: 'required',
          },
          WITHDRAW: { name: named('撤回'), target: 'draft', who: applicant },
        },
      },
      office: {
        name: named('教务处审核'),
        on: {
          APPROVE: {
            name: named('同意'),
            target: 'approved',
            who: others({ role: 'OFFICE' }),
            effects: [{ update: { relation: 'grade', set: { score: 'row.score' } } }],
          },
          REJECT: {
            name: named('驳回'),
            target: 'rejected',
            who: others({ role: 'OFFICE' }),
            note: 'required',
          },
          RETURN: {
            name: named('退回学院'),
            target: 'faculty',
            who: others({ role: 'OFFICE' }),
            note: 'required',
          },
        },
      },
      approved: { name: named('已更正'), tone: 'green', final: true },
      rejected: { name: named('已驳回'), tone: 'red', final: true },
      cancelled: { name: named('已撤销'), tone: 'grey', final: true },
    },
    rules: ['twoPersons', 'twoOffices', 'reasons'],
  }) as Draft
}

export const regions = ['finance', 'library', 'dorm', 'labs']
/** A student leaves: the tutor, four offices side by side, the dean by kind. */
export function buildStatusChange(): Draft {
  const office = (key: string) => ({
    name: named(key),
    initial: 'open',
    states: {
      open: {
        name: named('办理'),
        on: {
          APPROVE: {
            name: named('同意'),
            target: 'agreed',
            who: others({ role: key.toUpperCase() }),
          },
          REJECT: {
            name: named('驳回'),
            target: 'rejected',
            who: others({ role: key.toUpperCase() }),
            note: 'required',
          },
        },
      },
      agreed: { name: named('已同意'), final: true },
    },
  })
  return v.parse(flowSchema, {
    field: 'state',
    initial: 'draft',
    states: {
      draft: {
        name: named('草稿'),
        edit: ['kind', 'reason'],
        on: { SUBMIT: { name: named('提交'), target: 'tutor', who: applicant } },
      },
      tutor: {
        name: named('导师'),
        on: {
          APPROVE: [
            {
              name: named('同意'),
              target: 'offices',
              who: others({ person: 'row.tutor' }),
              when: "row.kind == '1'",
            },
            {
              name: named('同意'),
              target: 'dean',
              who: others({ person: 'row.tutor' }),
              when: "row.kind != '1'",
            },
          ],
          REJECT: {
            name: named('驳回'),
            target: 'rejected',
            who: others({ person: 'row.tutor' }),
            note: 'required',
          },
        },
        after: { '5 workdays': { target: 'dean' } },
      },
      offices: {
        name: named('会签'),
        type: 'parallel',
        states: Object.fromEntries(regions.map((key) => [key, office(key)])),
        onDone: 'dean',
        on: {
          RETURN: {
            name: named('退回'),
            target: 'draft',
            who: others({ role: 'DEAN' }),
            note: 'required',
          },
        },
      },
      dean: {
        name: named('院长'),
        on: {
          APPROVE: {
            name: named('同意'),
            target: 'done',
            who: others({ role: 'DEAN' }),
            effects: [{ update: { relation: 'student', set: { status: 'row.kind' } } }],
          },
          REJECT: {
            name: named('驳回'),
            target: 'rejected',
            who: others({ role: 'DEAN' }),
            note: 'required',
          },
        },
      },
      done: { name: named('已生效'), tone: 'green', final: true },
      rejected: { name: named('已驳回'), tone: 'red', final: true },
    },
    rules: ['reasons', { noEffectWhen: "row.kind == '9' && row.kind == '1'" }],
  }) as Draft
}

/** Two of a committee, then both heads; timers escalate. */
export function buildCommittee(): Draft {
  return v.parse(flowSchema, {
    field: 'state',
    initial: 'draft',
    states: {
      draft: {
        name: named('草稿'),
        edit: ['reason'],
        on: { SUBMIT: { name: named('提交'), target: 'committee', who: applicant } },
      },
      committee: {
        name: named('委员会'),
        on: {
          APPROVE: {
            name: named('同意'),
            target: 'heads',
            who: [{ n: 2, of: [{ role: 'MEMBER' }] }, 'others'],
          },
          REJECT: {
            name: named('驳回'),
            target: 'rejected',
            who: others({ role: 'MEMBER' }),
            note: 'required',
          },
          REMIND: { name: named('催办'), who: applicant },
        },
        after: { '5 workdays': { target: 'heads' } },
      },
      heads: {
        name: named('负责人'),
        on: {
          APPROVE: {
            name: named('同意'),
            target: 'done',
            who: [{ all: [{ role: 'HEAD' }, { role: 'RECTOR' }] }, 'others'],
            effects: [{ set: { result: "'1'" } }],
          },
          REJECT: {
            name: named('驳回'),
            target: 'rejected',
            who: others({ role: 'HEAD' }),
            note: 'required',
          },
        },
        after: { '48 h': { target: 'lapsed' } },
      },
      done: { name: named('通过'), tone: 'green', final: true },
      rejected: { name: named('驳回'), tone: 'red', final: true },
      lapsed: { name: named('逾期'), tone: 'grey', final: true },
    },
    rules: ['twoPersons', { endsWithin: 15 }],
  }) as Draft
}
