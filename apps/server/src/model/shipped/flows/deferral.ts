import type { Flow, FlowEffect, FlowWho } from '@jiaowu/api/entity/definition/flow'
import { agree, refuse, sendBack, tell } from './common.ts'

const applicant: FlowWho = [{ applicant: true }]
/** The secretary of the student's faculty. */
const secretary: FlowWho = [{ role: 'ROLE_SECRETARY', within: 'row.student' }, 'others']
const registrar: FlowWho = [{ role: 'ROLE_REGISTRAR' }, 'others']
/** A mark that stands shows that the exam was taken. */
const isOpen = 'row.grade.score == null'
const remind: FlowEffect = { notify: { who: 'asked', template: 'REMIND' } }

/**
 * 缓考: the student asks, the secretary of the faculty and the registrar agree, and the grade of the course says so
 * until its exam is taken.
 */
export const deferralFlow: Flow = {
  field: 'state',
  initial: 'draft',
  student: {
    field: 'student',
    fill: ['term', 'grade', 'reason'],
    help: {
      zh: '因病等原因不能参加考试的，请在考试前申请，并附医院证明等材料。已有成绩的课程不能缓考。',
      en: 'Apply before the exam when illness or another cause keeps you from it, with a certificate. A course with a mark cannot be deferred.',
    },
  },
  states: {
    draft: {
      name: { zh: '草稿', en: 'Draft' },
      tone: 'grey',
      edit: ['student', 'term', 'grade', 'reason'],
      on: {
        SUBMIT: {
          name: { zh: '提交', en: 'Submit' },
          target: 'faculty',
          who: applicant,
          effects: [remind],
        },
        CANCEL: { name: { zh: '作废', en: 'Cancel' }, target: 'cancelled', who: applicant },
      },
    },
    faculty: {
      name: { zh: '学院审核', en: 'At the faculty' },
      tone: 'orange',
      on: {
        APPROVE: {
          name: agree,
          target: 'office',
          who: secretary,
          note: 'optional',
          effects: [remind],
        },
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
          when: isOpen,
          note: 'optional',
          effects: [{ update: { relation: 'grade', set: { remarks: "'缓考'" } } }, tell],
        },
        RETURN: {
          name: sendBack,
          target: 'draft',
          who: registrar,
          note: 'required',
          effects: [tell],
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
    approved: { name: { zh: '已批准', en: 'Granted' }, tone: 'green', final: true },
    rejected: { name: { zh: '已驳回', en: 'Refused' }, tone: 'red', final: true },
    cancelled: { name: { zh: '已作废', en: 'Cancelled' }, tone: 'grey', final: true },
  },
  rules: ['twoPersons', 'twoOffices', 'reasons', { noEffectWhen: 'row.grade.score != null' }],
}
