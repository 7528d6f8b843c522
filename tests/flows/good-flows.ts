// Sound flows, each of which the tests break in many ways.
import { type Flow, type FlowEvent, flowSchema } from '@jiaowu/api/entity/definition/flow'
import * as v from 'valibot'

export type Editable<T> = { -readonly [K in keyof T]: T[K] extends object ? Editable<T[K]> : T[K] }
export type Draft = Editable<Flow>

const buildName = (zh: string) => ({ zh, en: zh })
const applicant = [{ applicant: true as const }]
/** The terms, without the applicant and earlier deciders. */
const excludeInsiders = (...terms: readonly object[]) => [...terms, 'others'] as FlowEvent['who']

/** A teacher corrects a mark: the secretary of the faculty, then the office. */
export function buildGradeChange(): Draft {
  return v.parse(flowSchema, {
    field: 'state',
    initial: 'draft',
    states: {
      draft: {
        name: buildName('草稿'),
        edit: ['score', 'reason'],
        on: {
          SUBMIT: { name: buildName('提交'), target: 'faculty', who: applicant },
          CANCEL: { name: buildName('撤销'), target: 'cancelled', who: applicant },
        },
      },
      faculty: {
        name: buildName('学院审核'),
        on: {
          APPROVE: {
            name: buildName('同意'),
            target: 'office',
            who: excludeInsiders({ role: 'SECRETARY', within: 'row.faculty' }),
            note: 'optional',
          },
          RETURN: {
            name: buildName('退回'),
            target: 'draft',
            who: excludeInsiders({ role: 'SECRETARY', within: 'row.faculty' }),
            note: 'required',
          },
          WITHDRAW: { name: buildName('撤回'), target: 'draft', who: applicant },
        },
      },
      office: {
        name: buildName('教务处审核'),
        on: {
          APPROVE: {
            name: buildName('同意'),
            target: 'approved',
            who: excludeInsiders({ role: 'OFFICE' }),
            effects: [{ update: { relation: 'grade', set: { score: 'row.score' } } }],
          },
          REJECT: {
            name: buildName('驳回'),
            target: 'rejected',
            who: excludeInsiders({ role: 'OFFICE' }),
            note: 'required',
          },
          RETURN: {
            name: buildName('退回学院'),
            target: 'faculty',
            who: excludeInsiders({ role: 'OFFICE' }),
            note: 'required',
          },
        },
      },
      approved: { name: buildName('已更正'), tone: 'green', final: true },
      rejected: { name: buildName('已驳回'), tone: 'red', final: true },
      cancelled: { name: buildName('已撤销'), tone: 'grey', final: true },
    },
    rules: ['twoPersons', 'twoOffices', 'reasons'],
  }) as Draft
}

export const regions = ['finance', 'library', 'dorm', 'labs']
const buildOffice = (key: string) => ({
  name: buildName(key),
  initial: 'open',
  states: {
    open: {
      name: buildName('办理'),
      on: {
        APPROVE: {
          name: buildName('同意'),
          target: 'agreed',
          who: excludeInsiders({ role: key.toUpperCase() }),
        },
        REJECT: {
          name: buildName('驳回'),
          target: 'rejected',
          who: excludeInsiders({ role: key.toUpperCase() }),
          note: 'required',
        },
      },
    },
    agreed: { name: buildName('已同意'), final: true },
  },
})

const tutorState = {
  name: buildName('导师'),
  on: {
    APPROVE: [
      {
        name: buildName('同意'),
        target: 'offices',
        who: excludeInsiders({ person: 'row.tutor' }),
        when: "row.kind == '1'",
      },
      {
        name: buildName('同意'),
        target: 'dean',
        who: excludeInsiders({ person: 'row.tutor' }),
        when: "row.kind != '1'",
      },
    ],
    REJECT: {
      name: buildName('驳回'),
      target: 'rejected',
      who: excludeInsiders({ person: 'row.tutor' }),
      note: 'required',
    },
  },
  after: { '5 workdays': { target: 'dean' } },
}
/** A student leaves: the tutor, four offices side by side, the dean by kind. */
export function buildStatusChange(): Draft {
  return v.parse(flowSchema, {
    field: 'state',
    initial: 'draft',
    states: {
      draft: {
        name: buildName('草稿'),
        edit: ['kind', 'reason'],
        on: { SUBMIT: { name: buildName('提交'), target: 'tutor', who: applicant } },
      },
      tutor: tutorState,
      offices: {
        name: buildName('会签'),
        type: 'parallel',
        states: Object.fromEntries(regions.map((key) => [key, buildOffice(key)])),
        onDone: 'dean',
        on: {
          RETURN: {
            name: buildName('退回'),
            target: 'draft',
            who: excludeInsiders({ role: 'DEAN' }),
            note: 'required',
          },
        },
      },
      dean: {
        name: buildName('院长'),
        on: {
          APPROVE: {
            name: buildName('同意'),
            target: 'done',
            who: excludeInsiders({ role: 'DEAN' }),
            effects: [{ update: { relation: 'student', set: { status: 'row.kind' } } }],
          },
          REJECT: {
            name: buildName('驳回'),
            target: 'rejected',
            who: excludeInsiders({ role: 'DEAN' }),
            note: 'required',
          },
        },
      },
      done: { name: buildName('已生效'), tone: 'green', final: true },
      rejected: { name: buildName('已驳回'), tone: 'red', final: true },
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
        name: buildName('草稿'),
        edit: ['reason'],
        on: { SUBMIT: { name: buildName('提交'), target: 'committee', who: applicant } },
      },
      committee: {
        name: buildName('委员会'),
        on: {
          APPROVE: {
            name: buildName('同意'),
            target: 'heads',
            who: [{ n: 2, of: [{ role: 'MEMBER' }] }, 'others'],
          },
          REJECT: {
            name: buildName('驳回'),
            target: 'rejected',
            who: excludeInsiders({ role: 'MEMBER' }),
            note: 'required',
          },
          REMIND: { name: buildName('催办'), who: applicant },
        },
        after: { '5 workdays': { target: 'heads' } },
      },
      heads: {
        name: buildName('负责人'),
        on: {
          APPROVE: {
            name: buildName('同意'),
            target: 'done',
            who: [{ all: [{ role: 'HEAD' }, { role: 'RECTOR' }] }, 'others'],
            effects: [{ set: { result: "'1'" } }],
          },
          REJECT: {
            name: buildName('驳回'),
            target: 'rejected',
            who: excludeInsiders({ role: 'HEAD' }),
            note: 'required',
          },
        },
        after: { '48 h': { target: 'lapsed' } },
      },
      done: { name: buildName('通过'), tone: 'green', final: true },
      rejected: { name: buildName('驳回'), tone: 'red', final: true },
      lapsed: { name: buildName('逾期'), tone: 'grey', final: true },
    },
    rules: ['twoPersons', { endsWithin: 15 }],
  }) as Draft
}
