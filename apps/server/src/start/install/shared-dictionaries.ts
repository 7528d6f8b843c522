import type { Flow } from '@jiaowu/api/entity/definition/flow'
import type { ItemTone } from '@jiaowu/api/entity/values'
import type { Kysely } from 'kysely'
import { gradeChangeFlow } from '../../model/shipped/flows/grade-change.ts'
import { deferralFlow } from '../../model/shipped/flows/deferral.ts'
import { statusChangeFlow } from '../../model/shipped/flows/status-change.ts'
import { exactlyOne } from '../../platform/database/tables/row-count.ts'
import type { Tables } from '../../platform/database/tables/tables.ts'
import { schoolSettings } from '../../platform/settings/school-settings.ts'

type Word = readonly [code: string, name: string, nameEn: string, tone?: ItemTone | undefined]
/** Names of audit actions. Actions without an entry are shown by their code. */
export const actions: readonly Word[] = [
  ['session.signIn', '登录', 'Sign in'],
  ['session.signOut', '退出', 'Sign out'],
  ['session.changePassword', '修改密码', 'Change password'],
  ['session.refreshReused', '登录凭证重复使用', 'Refresh token used twice'],
  ['session.reauthenticate', '再次验证身份', 'Prove who one is again'],
  ['session.deviceAgree', '允许设备登录', 'Let a device sign in'],
  ['session.deviceRefuse', '拒绝设备登录', 'Refuse a device'],
  ['session.end', '结束会话', 'End a session'],
  ['factor.check', '二次验证', 'Second factor'],
  ['factor.offer', '发放二次验证密钥', 'Offer the secret of a second factor'],
  ['factor.enrol', '设置二次验证', 'Set up a second factor'],
  ['factor.remove', '移除二次验证', 'Remove a second factor'],
  ['factor.recovery', '更换恢复码', 'New recovery codes'],
  ['account.askFactorReset', '申请重置他人的二次验证', 'Ask to reset a second factor'],
  ['account.resetFactors', '重置他人的二次验证', 'Reset a second factor'],
  ['account.resetPassword', '重置密码', 'Reset password'],
  ['session.endedByProvider', '认证服务器结束会话', 'Session ended by the provider'],
  ['account.mapRoles', '按统一身份认证的组更新角色', 'Roles by groups of the provider'],
  ['account.createByProvider', '由统一身份认证创建账号', 'Account made by the provider'],
  ['account.endSessions', '结束他人会话', 'End the sessions of an account'],
  ['student.signIn', '学生登录', 'Student sign-in'],
  ['student.register', '学生注册', 'Student registration'],
  ['student.requestRegistration', '申请用新手机号注册', 'Ask to register with a new mobile'],
  ['registration.approve', '通过注册申请', 'Approve a registration'],
  ['registration.refuse', '拒绝注册申请', 'Refuse a registration'],
  ['view.create', '新建共享视图', 'Create a shared view'],
  ['view.save', '修改共享视图', 'Save a shared view'],
  ['view.delete', '删除共享视图', 'Delete a shared view'],
  ['entity.add', '新增', 'Add'],
  ['entity.update', '修改', 'Change'],
  ['entity.delete', '删除', 'Delete'],
  ['entity.restore', '从回收站恢复', 'Restore from the bin'],
  ['entity.purge', '彻底删除', 'Delete for good'],
  ['entity.expire', '到期彻底删除', 'Gone for good by age'],
  ['entity.move', '移动', 'Move'],
  ['entity.order', '排序', 'Put in order'],
  ['entity.export', '导出', 'Export'],
  ['flow.decide', '流程处理', 'Decide in a flow'],
  ['flow.transfer', '转办', 'Hand a task over'],
  ['flow.add', '加签', 'Add somebody to a step'],
  ['flow.delegate', '委托', 'Name a substitute'],
  ['flow.delegate.end', '结束委托', 'End a substitution'],
  ['flow.copy', '抄送', 'Send a copy'],
  ['flow.print', '打印审批表', 'Print the sheet of a case'],
  ['token.create', '新建 API 令牌', 'Make an API token'],
  ['token.revoke', '撤销 API 令牌', 'Revoke an API token'],
  ['proposal.propose', '代理提议', 'An agent proposes'],
  ['proposal.confirm', '确认代理的提议', 'Confirm what an agent proposed'],
  ['proposal.refuse', '拒绝代理的提议', 'Refuse what an agent proposed'],
  ['hook.create', '新增回调', 'Add a hook'],
  ['hook.remove', '删除回调', 'Remove a hook'],
  ['hook.repeat', '重发回调', 'Repeat the call of a hook'],
  ['entry.submit', '提交录入表', 'Submit an entry sheet'],
  ['entry.unlock', '解锁录入表', 'Unlock an entry sheet'],
  ['pii.reveal', '查看敏感信息', 'Show personal data'],
  ['pii.search', '按敏感信息查找', 'Search in personal data'],
  ['pii.export', '导出完整敏感信息', 'Export personal data'],
  ['pii.unmark', '取消敏感信息标记', 'Take a mark of personal data away'],
  ['entity.import', '导入', 'Import'],
  ['entity.import.upload', '上传导入文件', 'Upload an import'],
  ['entity.import.resume', '继续导入', 'Resume an import'],
  ['entity.import.mend', '更正导入的单元格', 'Correct cells of an import'],
  ['entity.import.cancel', '取消导入', 'Cancel an import'],
  ['entity.bulk.update', '批量修改', 'Bulk change'],
  ['entity.bulk.delete', '批量删除', 'Bulk delete'],
  ['entity.bulk.update.apply', '执行批量修改', 'Apply a bulk change'],
  ['entity.bulk.delete.apply', '执行批量删除', 'Apply a bulk delete'],
  ['entity.bulk.update.cancel', '取消批量修改', 'Cancel a bulk change'],
  ['entity.bulk.delete.cancel', '取消批量删除', 'Cancel a bulk delete'],
  ['entity.design.create', '新建实体定义', 'Create a definition'],
  ['entity.design.save', '修改实体定义', 'Save a definition'],
  ['entity.design.delete', '删除实体定义', 'Delete a definition'],
  ['table.create', '新建数据表', 'Make a table'],
  ['table.drop', '删除数据表', 'Drop a table'],
  ['table.add', '新增列', 'Add a column'],
  ['table.archive', '归档列', 'Archive a column'],
  ['table.restore', '恢复列', 'Restore a column'],
  ['provider.smsTest', '发送测试短信', 'Send a test message'],
  ['upload.refuse', '拒收带病毒的文件', 'Refuse an infected file'],
  ['audit.archive', '归档操作日志', 'Archive the audit log'],
  ['administrators.split', '设立三员', 'Appoint three administrators'],
  ['administrators.join', '恢复单一管理员', 'Appoint one administrator'],
  ['role.permissions', '修改角色权限', 'Change permissions'],
  ['tenant.create', '新增租户', 'Add a school'],
  ['tenant.enable', '启用租户', 'Open a school'],
  ['tenant.disable', '停用租户', 'Close a school'],
  ['attachment.upload', '上传附件', 'Upload a file'],
  ['attachment.download', '下载附件', 'Download a file'],
  ['attachment.delete', '删除附件', 'Delete a file'],
  ['document.preview', '预览报表', 'Preview a document'],
  ['document.download', '下载报表', 'Download a document'],
  ['document.issue', '签发文件', 'Issue a document'],
  ['document.revoke', '吊销文件', 'Revoke a document'],
  ['order.create', '创建订单', 'Create an order'],
  ['order.cancel', '取消订单', 'Cancel an order'],
  ['order.expire', '订单到期关闭', 'Order closed by age'],
  ['order.issue', '教务出具', 'Issue by the school'],
  ['pay.settle', '支付入账', 'Book a payment'],
  ['pay.mismatch', '支付不符', 'Payment mismatch'],
  ['pay.refund', '退款', 'Refund'],
  ['refund.request', '申请退款', 'Request a refund'],
  ['refund.approve', '批准退款', 'Approve a refund'],
  ['refund.reject', '拒绝退款', 'Reject a refund'],
  ['pay.reconcile', '对账', 'Compare the bill'],
  ['pay.discrepancy.settle', '处理对账差异', 'Settle a difference'],
  ['pay.discrepancy.check', '复核对账差异', 'Second look at a difference'],
  ['pay.discrepancy.reopen', '退回对账差异', 'Reopen a difference'],
]
const results: readonly Word[] = [
  ['ok', '成功', 'Done'],
  ['denied', '拒绝', 'Denied'],
  ['failed', '失败', 'Failed'],
]

/** Entities whose rows may have an account; a school adds others in the dictionary of its own. */
const persons: readonly Word[] = [
  ['EDU_TEACHER', '教师', 'Teacher'],
  ['EDU_STUDENT', '学生', 'Student'],
]

/** States of requests to register with a mobile that is not on file. */
const registrationStates: readonly Word[] = [
  ['PENDING', '待审核', 'Waiting', 'orange'],
  ['APPROVED', '已通过', 'Approved', 'green'],
  ['DONE', '已注册', 'Registered', 'blue'],
  ['REFUSED', '已拒绝', 'Refused', 'red'],
  ['EXPIRED', '已过期', 'Expired', 'grey'],
]

/** The states of a shipped flow, as its chart names them. */
const listStates = ({ states }: Flow): readonly Word[] =>
  Object.entries(states).map(([code, { name, tone }]) => [code, name.zh, name.en, tone])

const changeKinds: readonly Word[] = [
  ['suspend', '休学', 'Suspension'],
  ['resume', '复学', 'Return'],
  ['withdraw', '退学', 'Withdrawal'],
]

const sharedTenant = '0'
/** Adds and renames entries of the dictionaries that belong to the product and not to a tenant. */
export async function installSharedDictionaries(
  db: Kysely<Tables>,
  newId: () => string,
): Promise<void> {
  const names = [
    ['auditAction', '审计操作'],
    ['auditResult', '审计结果'],
    ['personTag', '账号所属人员'],
    ['schoolSetting', '参数说明'],
    ['registrationState', '注册申请状态'],
    ['gradeChangeState', '成绩更正状态'],
    ['statusChangeState', '学籍异动状态'],
    ['statusChangeKind', '学籍异动类别'],
    ['deferralState', '缓考状态'],
  ] as const
  const listed = new Set(
    (
      await db.selectFrom('sys.dict').select('code').where('tenant_id', '=', sharedTenant).execute()
    ).map(({ code }) => code),
  )
  const unlisted = names
    .filter(([code]) => !listed.has(code))
    .map(([code, name]) => ({ id: newId(), tenant_id: sharedTenant, code, name }))
  if (unlisted.length > 0) await db.insertInto('sys.dict').values(unlisted).execute()
  const words = [
    ...actions.map((word) => ['auditAction', word] as const),
    ...results.map((word) => ['auditResult', word] as const),
    ...persons.map((word) => ['personTag', word] as const),
    ...registrationStates.map((word) => ['registrationState', word] as const),
    ...listStates(gradeChangeFlow).map((word) => ['gradeChangeState', word] as const),
    ...listStates(statusChangeFlow).map((word) => ['statusChangeState', word] as const),
    ...changeKinds.map((word) => ['statusChangeKind', word] as const),
    ...listStates(deferralFlow).map((word) => ['deferralState', word] as const),
    ...schoolSettings.map(({ code, description }): readonly [string, Word] => [
      'schoolSetting',
      [code, ...description],
    ]),
  ]
  const rows = await db
    .selectFrom('sys.dict_item')
    .select(['id', 'dict_code', 'item_code', 'name', 'name_en'])
    .where('tenant_id', '=', sharedTenant)
    .execute()
  const known = new Map(rows.map((row) => [`${row.dict_code} ${row.item_code}`, row]))
  const fresh = words.flatMap(([dict_code, [item_code, name, name_en, tone = null]], i) =>
    known.has(`${dict_code} ${item_code}`)
      ? []
      : [
          {
            id: newId(),
            tenant_id: sharedTenant,
            dict_code,
            item_code,
            name,
            name_en,
            tone,
            sort: i + 1,
          },
        ],
  )
  if (fresh.length > 0) await db.insertInto('sys.dict_item').values(fresh).execute()
  for (const [dict_code, [item_code, name, name_en]] of words) {
    const row = known.get(`${dict_code} ${item_code}`)
    if (row === undefined || (row.name === name && row.name_en === name_en)) continue
    exactlyOne(
      await db
        .updateTable('sys.dict_item')
        .set({ name, name_en })
        .where('tenant_id', '=', sharedTenant)
        .where('id', '=', row.id)
        .executeTakeFirst(),
      item_code,
    )
  }
}
