import type { Flow, FlowState, FlowWho } from '@jiaowu/api/entity/definition/flow'
import { agree, refuse, sendBack, tell } from './common.ts'

const applicant: FlowWho = [{ applicant: true }]
const dean: FlowWho = [{ role: 'ROLE_DEAN', within: 'row.student' }, 'others']
const registrar: FlowWho = [{ role: 'ROLE_REGISTRAR' }, 'others']

/** An office that clears the student, beside the others. */
function buildOffice(zh: string, en: string, role: string): FlowState {
  const who: FlowWho = [{ role }, 'others']
  return {
    name: { zh, en },
    initial: 'open',
    states: {
      open: {
        name: { zh: '办理', en: 'Open' },
        on: {
          CLEAR: { name: { zh: '办结', en: 'Clear' }, target: 'cleared', who, note: 'optional' },
          RETURN: { name: sendBack, target: 'draft', who, note: 'required', effects: [tell] },
        },
      },
      cleared: { name: { zh: '已办结', en: 'Cleared' }, final: true },
    },
  }
}

/**
 * 学籍异动: the secretary of the faculty or the student asks, the dean agrees, library, finance and dormitory
 * clear a student who leaves, the registrar decides, and the status of the student changes.
 */
export const statusChangeFlow: Flow = {
  field: 'state',
  initial: 'draft',
  student: { field: 'student', fill: ['kind', 'term', 'reason'] },
  states: {
    draft: {
      name: { zh: '草稿', en: 'Draft' },
      tone: 'grey',
      edit: ['student', 'kind', 'term', 'reason'],
      on: {
        SUBMIT: { name: { zh: '提交', en: 'Submit' }, target: 'dean', who: applicant },
        CANCEL: { name: { zh: '作废', en: 'Cancel' }, target: 'cancelled', who: applicant },
      },
    },
    dean: {
      name: { zh: '院长审核', en: 'At the dean' },
      tone: 'orange',
      on: {
        APPROVE: [
          // A student who comes back has nothing to return to the offices.
          {
            name: agree,
            target: 'registrar',
            who: dean,
            when: "row.kind == 'resume'",
            note: 'optional',
          },
          {
            name: agree,
            target: 'offices',
            who: dean,
            when: "row.kind != 'resume'",
            note: 'optional',
          },
        ],
        RETURN: { name: sendBack, target: 'draft', who: dean, note: 'required', effects: [tell] },
        REJECT: { name: refuse, target: 'rejected', who: dean, note: 'required', effects: [tell] },
        WITHDRAW: { name: { zh: '撤回', en: 'Withdraw' }, target: 'draft', who: applicant },
      },
    },
    offices: {
      name: { zh: '离校会签', en: 'At the offices' },
      tone: 'orange',
      type: 'parallel',
      states: {
        library: buildOffice('图书馆', 'Library', 'ROLE_LIBRARY'),
        finance: buildOffice('财务处', 'Finance', 'ROLE_FINANCE'),
        dormitory: buildOffice('宿管中心', 'Dormitory', 'ROLE_DORMITORY'),
      },
      onDone: 'registrar',
    },
    registrar: {
      name: { zh: '教务处审核', en: 'At the registrar' },
      tone: 'blue',
      on: {
        APPROVE: {
          name: agree,
          target: 'approved',
          who: registrar,
          note: 'optional',
          effects: [
            {
              update: {
                relation: 'student',
                set: {
                  status: "row.kind == 'resume' ? '1' : row.kind == 'suspend' ? '2' : '4'",
                },
              },
            },
            { document: 'NOTICE' },
            tell,
          ],
        },
        RETURN: {
          name: { zh: '退回学院', en: 'Send back to the faculty' },
          target: 'dean',
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
    approved: { name: { zh: '已生效', en: 'In force' }, tone: 'green', final: true },
    rejected: { name: { zh: '已驳回', en: 'Refused' }, tone: 'red', final: true },
    cancelled: { name: { zh: '已作废', en: 'Cancelled' }, tone: 'grey', final: true },
  },
  rules: ['twoPersons', 'twoOffices', 'reasons'],
  owns: ['student.status'],
  documents: {
    NOTICE: {
      title: { zh: '学籍异动通知书', en: 'Notice of a change of status' },
      language: 'zh',
      person: 'row.student',
      paragraphs: [
        '{row.student.name}同学（学号 {row.student.studentNo}）：',
        '你提出的{row.kind}申请，经所在院系和教务处审核，予以同意，自{row.term}起生效。',
        '现学籍状态为：{row.student.status}。请凭本通知书到有关部门办理相应手续。',
      ],
    },
  },
}
