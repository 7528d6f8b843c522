import type { summaries } from './summaries.ts'

interface Example {
  readonly body?: unknown
  /** `data` of the answer. */
  readonly data?: unknown
}

const student = {
  id: '4000001',
  version: 1,
  studentNo: '2022010000',
  name: '姚霞',
  faculty: [{ id: '1101', name: '信息工程学院' }],
  status: [{ id: '1', name: '在读' }],
}
const onePage = { records: [student], total: 2000, size: 20, current: 1 }

/** Requests and answers of the calls that programs use most, of the demonstration school. */
export const examples: Readonly<Partial<Record<keyof typeof summaries, Example>>> = {
  'session.signIn': {
    body: { grant_type: 'password', username: 'admin', password: 'correct horse battery staple' },
  },
  'entityData.page': {
    body: {
      pageNum: 1,
      pageSize: 20,
      sorts: [{ column: 'studentNo', asc: true }],
      queries: { name: '姚' },
      where: { and: [{ column: 'updateTime', op: 'ge', value: '2026-11-01' }] },
      footer: [],
    },
    data: onePage,
  },
  'entityData.count': { body: { queries: { name: '姚' } }, data: { total: 31 } },
  'entityData.get': { data: student },
  'entityData.create': {
    body: { code: 'LAW', name: '法学院' },
    data: { id: '385006008350429184', version: 1, code: 'LAW', name: '法学院' },
  },
  'entityData.update': {
    body: { version: 1, name: '姚夏' },
    data: { ...student, version: 2, name: '姚夏' },
  },
  'entityData.remove': { data: { deleted: 2 } },
  'entityData.export': {
    body: { pageNum: -1, pageSize: -1, format: 'csv', columns: ['studentNo', 'name'] },
  },
  'entityData.lookup': {
    body: { fieldId: '1000107', searchKey: '信息', pageNum: 1, pageSize: 20 },
    data: { records: [{ id: '1101', name: '信息工程学院' }], total: 1 },
  },
  'account.createMany': {
    body: { accounts: [{ account: 'zhang', name: '张三' }] },
    data: [
      {
        index: 0,
        account: 'zhang',
        id: '385006008350429185',
        password: 'k7Qx2mVnRt4WpE',
        issues: [],
      },
    ],
  },
  'flow.send': { body: { version: '3', note: '同意' } },
  'print.requestRefund': { body: { orderNo: 'T20261128000001', reason: '重复付款' } },
  'verify.revoke': {
    body: { number: 'T-2026-000123', reason: '信息有误' },
    data: { number: 'T-2026-000123', revokedAt: '2026-11-28 09:00:00' },
  },
}
