import type { Flow, FlowWho } from '@jiaowu/api/entity/definition/flow'
import { agree, refuse, sendBack, tell } from './common.ts'

const applicant: FlowWho = [{ applicant: true }]
/** The secretary of the faculty that the grade belongs to. */
const secretary: FlowWho = [{ role: 'ROLE_SECRETARY', within: 'row.grade' }, 'others']
const registrar: FlowWho = [{ role: 'ROLE_REGISTRAR' }, 'others']

/**
 * 成绩更正: the teacher asks, the secretary of the faculty and the registrar agree, and the grade changes; its
 * entry sheet stays submitted.
 */
export const gradeChangeFlow: Flow = {
  field: 'state',
  initial: 'draft',
  states: {
    draft: {
      name: { zh: '草稿', en: 'Draft' },
      tone: 'grey',
      edit: ['grade', 'score', 'reason'],
      on: {
        SUBMIT: { name: { zh: '提交', en: 'Submit' }, target: 'faculty', who: applicant },
        CANCEL: { name: { zh: '作废', en: 'Cancel' }, target: 'cancelled', who: applicant },
      },
    },
    faculty: {
      name: { zh: '学院审核', en: 'At the faculty' },
      tone: 'orange',
      on: {
        APPROVE: { name: agree, target: 'office', who: secretary, note: 'optional' },
        RETURN: {
          name: sendBack,
          target: 'draft',
          who: secretary,
          note: 'required',
          effects: [tell],
        },
        REJECT: {
          name: refuse,
          target: 'rejected',
          who: secretary,
          note: 'required',
          effects: [tell],
        },
        WITHDRAW: { name: { zh: '撤回', en: 'Withdraw' }, target: 'draft', who: applicant },
      },
    },
    office: {
      name: { zh: '教务处审核', en: 'At the registrar' },
      tone: 'blue',
      on: {
        APPROVE: {
          name: agree,
          target: 'approved',
          who: registrar,
          note: 'optional',
          effects: [{ update: { relation: 'grade', set: { score: 'row.score' } } }, tell],
        },
        RETURN: {
          name: { zh: '退回学院', en: 'Send back to the faculty' },
          target: 'faculty',
          who: registrar,
          note: 'required',
        },
        REJECT: {
          name: refuse,
          target: 'rejected',
          who: registrar,
          note: 'required',
          effects: [tell],
        },
      },
    },
    approved: { name: { zh: '已更正', en: 'Corrected' }, tone: 'green', final: true },
    rejected: { name: { zh: '已驳回', en: 'Refused' }, tone: 'red', final: true },
    cancelled: { name: { zh: '已作废', en: 'Cancelled' }, tone: 'grey', final: true },
  },
  rules: ['twoPersons', 'twoOffices', 'reasons'],
}
