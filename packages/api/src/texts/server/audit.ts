import { group } from '../group.ts'

/** Messages of the system about sessions and the audit log. */
export const auditTexts = group({
  'session.ended.title': ['管理员结束了您的登录', 'An administrator ended your sessions'],
  'session.ended.content': [
    '{name} 结束了您账号的全部登录。请重新登录；如果您不知道原因，请询问管理员。',
    '{name} ended all sessions of your account. Sign in again; ask an administrator if you do not know why.',
  ],
  'session.reused.title': ['登录凭证被重复使用', 'A refresh token was used twice'],
  'session.reused.content': [
    '您的一个登录凭证在更换后又被使用，来自地址 {ip}。该登录已结束。若非本人操作，请修改密码。',
    'A token of one of your sessions was used again after it had been replaced, from {ip}. The session was ended. If this was not you, change your password.',
  ],
  'backup.failed.title': ['数据备份失败', 'The backup failed'],
  'backup.failed.content': [
    '昨夜的数据备份没有完成：{problem}',
    'The nightly backup was not made: {problem}',
  ],
  'audit.broken.title': ['审计日志校验失败', 'The audit log is broken'],
  'audit.broken.content': [
    '审计链在第 {number} 条处断开（{why}）。请勿改动数据库，保留备份，并运行 npm run server -- audit verify。',
    'The audit chain is broken at line {number} ({why}). Leave the database as it is, keep the backups, and run npm run server -- audit verify.',
  ],
  'audit.verify': ['校验', 'Verify'],
  'audit.intact': ['审计链完整，共校验 {n} 条', 'The audit chain is intact: {n} lines checked'],
  'audit.partly': [
    '已校验 {n} 条，未发现问题；全部校验请运行 npm run server -- audit verify',
    '{n} lines checked, none broken; run npm run server -- audit verify for all',
  ],
  'audit.broken': [
    '审计链在第 {number} 条处断开：{why}',
    'The audit chain is broken at line {number}: {why}',
  ],
  'audit.why.changed': ['该条被改动', 'the line was changed'],
  'audit.why.missing': ['此处缺少记录', 'lines are missing here'],
  'audit.why.end': ['末尾的记录与链不符', 'the end does not match the chain'],
  'audit.why.anchor': ['归档锚点没有有效签名', 'an archive anchor has no valid signature'],
  'audit.why.unkeyed': ['该条没有密钥', 'the line has no key'],
  'audit.why.key': ['该条所用的密钥不在本机', 'the key of the line is not here'],
  'audit.why.mark': ['启用密钥的标记被改动', 'the mark of where the key began was changed'],
})
