import type { FlowEffect } from '@jiaowu/api/entity/definition/flow'

/** Names and effects that the shipped flows share. */
export const agree = { zh: '同意', en: 'Agree' }
export const refuse = { zh: '驳回', en: 'Refuse' }
export const sendBack = { zh: '退回修改', en: 'Send back' }
/** Tells the applicant of the decision. */
export const tell: FlowEffect = { notify: { who: [{ applicant: true }], template: 'NOTICE' } }
