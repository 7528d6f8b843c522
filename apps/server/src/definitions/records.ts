import { entity, times } from './build.ts'

export const records = [
  entity({
    no: 401, tag: 'SYS_NOTICE', name: '公告', nameEn: 'Notice', table: 'sys.notice', titled: 'noticeTitle', options: { sorts: [{ column: 'issueTime', asc: false }] },
    fields: [
      ['noticeTitle', '公告标题', 'Title', { uses: 'LQDXAE', query: 'like', required: true, max: 200, width: 100, column: { width: 320 } }], ['issueTime', '发布时间', 'Issued', { as: 'datetime', uses: 'LQDXAE', query: 'datetime_range', context: 'currentTime' }],
      ['noticeStatus', '状态', 'Status', { as: 'select', dict: 'noticeStatus', uses: 'LQDXAE', required: true, default: '1', column: { align: 'center' } }], ['createUser', '发布人', 'Publisher', { as: 'select', ref: 'SYS_USER.name', uses: 'LDX' }],
      ['noticeContent', '公告内容', 'Content', { as: 'richTextEditor', uses: 'DAE', width: 100, required: true }], ...times,
    ],
  }),
  entity({
    no: 402, tag: 'SYS_LOG', name: '操作日志', nameEn: 'Audit log', table: 'sys.audit_log', titled: 'action', options: { selection: false, multiSelect: false, sorts: [{ column: 'seq', asc: false }] },
    fields: [
      ['seq', '序号', 'No.', { as: 'inputNumber', uses: 'LDX', column: { width: 90, align: 'right' } }], ['at', '时间', 'Time', { as: 'datetime', uses: 'LQDX', query: 'datetime_range', column: { width: 170 } }], ['account', '账号', 'Account', { uses: 'LQDX', query: 'like' }], ['ip', '地址', 'Address', { uses: 'LQDX', column: { width: 140 } }],
      ['action', '操作', 'Action', { as: 'select', dict: 'auditAction', uses: 'LQDX', query: 'in', column: { width: 160 } }], ['object', '对象', 'Object', { uses: 'LQDX', column: { width: 160 } }], ['objectId', '对象编号', 'Object id', { uses: 'LQDX', column: { width: 180 } }], ['result', '结果', 'Result', { as: 'select', dict: 'auditResult', uses: 'LQDX', column: { align: 'center', width: 90 } }],
      ['traceId', '请求编号', 'Request', { uses: 'DX' }], ['detail', '详情', 'Details', { as: 'textarea', uses: 'D', width: 100 }],
    ],
  }),
  entity({ no: 403, tag: 'SYS_SMS_TEMPLATE', name: '短信模板', nameEn: 'SMS template', table: 'sys.sms_template', fields: [['code', '模板代码', 'Code', { uses: 'LQDXAe', required: true, max: 64, column: { width: 180 } }], ['name', '模板名称', 'Name', { uses: 'LQDXAE', query: 'like', required: true, max: 100, column: { width: 180 } }], ['content', '内容', 'Content', { as: 'textarea', required: true, width: 100, max: 500, column: { width: 420 } }], ['status', '启用', 'Enabled', { as: 'switch', default: '1' }], ...times] }),
  entity({ no: 404, tag: 'SYS_SMS_TASK', name: '短信任务', nameEn: 'SMS task', table: 'sys.sms_task', titled: 'mobile', fields: [['templateCode', '模板', 'Template', { uses: 'LQDX', column: { width: 160 } }], ['mobile', '手机号', 'Mobile', { uses: 'LQDX', column: { width: 130 } }], ['status', '状态', 'Status', { as: 'select', dict: 'smsStatus', uses: 'LQDX' }], ['sentAt', '发送时间', 'Sent', { as: 'datetime', uses: 'LDX' }], ['failure', '失败原因', 'Failure', { uses: 'LDX', column: { width: 240 } }], ['createTime', '创建时间', 'Created', { as: 'datetime', uses: 'LDX' }]] }),
  entity({ no: 405, tag: 'SYS_MESSAGE', name: '消息', nameEn: 'Message', table: 'sys.message', titled: 'title', fields: [['title', '标题', 'Title', { uses: 'LQDXAE', query: 'like', required: true, max: 200, width: 100, column: { width: 280 } }], ['receiver', '接收人', 'Receiver', { as: 'select', ref: 'SYS_USER.name', columnName: 'receiver_id', uses: 'LQDXAE', required: true }], ['status', '状态', 'Status', { as: 'select', dict: 'messageStatus', uses: 'LQDX' }], ['readAt', '阅读时间', 'Read', { as: 'datetime', uses: 'LDX' }], ['content', '内容', 'Content', { as: 'textarea', uses: 'DAE', width: 100, max: 2000 }], ...times] }),
  entity({ no: 406, tag: 'SYS_ATTACHMENT', name: '附件', nameEn: 'Attachment', table: 'sys.attachment', fields: [['name', '文件名', 'File', { uses: 'LQDX', query: 'like', column: { width: 280 } }], ['type', '类型', 'Type', { uses: 'LQDX', column: { width: 180 } }], ['size', '大小（字节）', 'Bytes', { as: 'inputNumber', uses: 'LDX', column: { align: 'right' } }], ['bizType', '实体', 'Entity', { uses: 'LQDX', column: { width: 150 } }], ['bizId', '记录编号', 'Record', { uses: 'LQDX', column: { width: 180 } }], ['createUser', '上传人', 'Uploaded by', { as: 'select', ref: 'SYS_USER.name', uses: 'LDX' }], ['createTime', '上传时间', 'Uploaded', { as: 'datetime', uses: 'LQDX', query: 'datetime_range' }]] }),
]
