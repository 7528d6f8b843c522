// A flow on faculties, whose state is a field without a column.
import type { contract } from '@jiaowu/api/contract/contract'
import type { Client } from '@jiaowu/api/endpoint'
import { withoutStoredKeys } from '@jiaowu/api/entity/definition/stored'

export const facultyTag = 'EDU_FACULTY'
export const facultyFlow = {
  field: 'flowState',
  initial: 'draft',
  states: {
    draft: {
      name: { zh: '草稿', en: 'Draft' },
      edit: ['name', 'remarks'],
      on: {
        SUBMIT: {
          name: { zh: '提交', en: 'Submit' },
          target: 'review',
          who: [{ applicant: true }],
        },
      },
    },
    review: {
      name: { zh: '审核', en: 'Review' },
      on: {
        APPROVE: {
          name: { zh: '同意', en: 'Agree' },
          target: 'done',
          who: [{ role: 'ROLE_ADMIN' }, 'others'],
          ask: [{ attrName: 'dean', required: true }],
        },
        REJECT: {
          name: { zh: '驳回', en: 'Refuse' },
          target: 'refused',
          who: [{ role: 'ROLE_ADMIN' }, 'others'],
          note: 'required',
        },
        WITHDRAW: {
          name: { zh: '撤回', en: 'Withdraw' },
          target: 'draft',
          who: [{ applicant: true }],
        },
      },
    },
    done: { name: { zh: '已同意', en: 'Agreed' }, tone: 'green', final: true },
    refused: { name: { zh: '已驳回', en: 'Refused' }, tone: 'red', final: true },
  },
}

export async function saveFacultyFlow(
  api: Pick<Client<typeof contract>, 'design'>,
  flow: object = facultyFlow,
): Promise<void> {
  const now = await api.design.load({ params: { tag: facultyTag } })
  const definition = withoutStoredKeys(now)
  const state = { id: '-1', attrName: 'flowState', uiLabel: '流程', uiType: 'input', isDetail: 1 }
  await api.design.save({
    params: { tag: facultyTag },
    body: {
      ...definition,
      fields: [...definition.fields, state],
      options: { ...definition.options, flow },
      version: now.version,
    } as never,
  })
}
