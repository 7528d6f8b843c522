import { group } from '../group.ts'

// docs/spec/1-entity-console.md §8, docs/spec/2-student-service-and-designer.md §8
export const problemTexts = group({
  'problem.timeout': ['请求超时', 'Request timed out'],
  'problem.network': ['网络异常，无法连接服务器', 'Network error: the server cannot be reached'],
  'problem.away': [
    '暂时连接不上服务器，已输入的内容都还在，请稍后再试',
    'The server cannot be reached just now; what you typed is kept. Try again shortly',
  ],
  'entity.newer': [
    '系统正在升级，此实体的配置已由新版本保存；请稍后刷新页面再试',
    'The system is being updated, and the new version has saved this definition already. Reload the page shortly and try again',
  ],
  'problem.withId': ['{text}（编号 {id}）', '{text} (ref. {id})'],
  'problem.fault': [
    '程序出错，操作没有完成；已输入的内容都还在。请重试；若仍出错，请复制要保留的内容并刷新页面，再告知系统管理员',
    'The program failed and did not finish this; what you typed is kept. Try again; if it fails again, copy what you need, reload, and tell the system administrator',
  ],
  'problem.notJson': [
    '服务器返回了无法识别的内容',
    'The server sent something that could not be read',
  ],
  'problem.notFound': ['抱歉，资源未找到', 'Sorry, resource not found'],
  'problem.forbidden': [
    '抱歉，您没有此操作权限',
    'Sorry, you have no permission for this operation',
  ],
  'problem.staffNetwork': [
    '教职工只能在学校允许的网络中使用，当前地址为 {ip}；请连接校园网或 VPN，或联系系统管理员',
    'Staff work from the networks that the school allows, and your address is {ip}. Use the campus network or its VPN, or ask the system administrator',
  ],
  'problem.unauthorized': [
    '抱歉，认证已失效，请重新登录',
    'Sorry, authentication has expired, please log in again',
  ],
  'problem.internal': [
    '系统内部错误，请联系网站管理员',
    'Internal system error, contact the site administrator',
  ],
  'problem.loginFailed': ['登录失败', 'Login failed'],
  'problem.dataFailed': ['获取数据失败', 'Failed to get data'],
  'problem.uploadFailed': ['上传失败', 'Upload failed'],
  'problem.updateFailed': ['更新失败', 'Update failed'],
  'problem.captchaFailed': ['获取图片验证码失败', 'Failed to get the image captcha'],
  'problem.downloadFailed': ['下载失败', 'Download failed'],
  'problem.reminder': ['提示', 'Reminder'],
  'problem.pleaseLogin': ['请先登录', 'Please log in first'],
  'problem.sessionUnknown': [
    '登录状态无效，请重新登录',
    'Session not recognised, please log in again',
  ],
  'problem.tokenExpired': ['登录已过期，请重新登录', 'Session has expired, please log in again'],
  'problem.tokenMalformed': ['登录凭证格式不正确', 'Malformed token'],
  'problem.endedElsewhere': ['您的登录已在别处结束', 'Your session was ended elsewhere'],
  'problem.proofNeeded': [
    '此操作需要再次验证身份，请输入登录密码',
    'This needs a proof that it is you: enter your password again',
  ],
  'problem.endedByPerson': [
    '您已在会话列表中结束了这次登录',
    'You ended this session in the list of your sessions',
  ],
  'problem.endedByAdministrator': [
    '管理员结束了您的登录，请重新登录',
    'An administrator ended your session. Please sign in again',
  ],
  'problem.endedByProvider': [
    '您已在统一身份认证退出登录，请重新登录',
    'You signed out at the identity provider. Please sign in again',
  ],
  'problem.accountDisabled': ['账号已停用', 'The account is disabled'],
  'problem.refreshExpired': ['登录已过期，请重新登录', 'Session has expired, please log in again'],
  'problem.refreshReused': [
    '登录凭证被重复使用，已强制下线',
    'A refresh token was used twice; the session was ended',
  ],
  'problem.methodNotAllowed': ['不支持的请求方法', 'Method not allowed'],
  'problem.unsupportedType': ['不支持的内容类型', 'Unsupported content type'],
  'problem.tooLarge': ['内容过大', 'Content too large'],
  'problem.invalid': ['提交的内容有误，请检查', 'Some of the content is not valid, please check'],
  'problem.computed': [
    '「{entity}」没有保存：表中的触发器或计算列由所填内容得出的值，数据库放不下或读不懂；请检查文字的长度和数的大小，或请维护这张表的人查看',
    '“{entity}” was not saved: what a trigger or computed column of its table makes of the values does not fit or cannot be read; check lengths and numbers, or ask whoever maintains the table',
  ],
  'problem.stale': [
    '数据已被他人修改，请核对后再保存',
    'The record was changed by someone else; review before saving',
  ],
  'problem.keyRunning': [
    '相同的请求正在处理，请稍候',
    'The same request is being processed, please wait',
  ],
  'problem.keyOtherBody': [
    '此 Idempotency-Key 已用于另一份内容：请为新的内容使用新的值',
    'This Idempotency-Key was used with another body: use a new one for a new request',
  ],
  'problem.keyUnanswered': [
    '相同的请求已经执行，但其结果未能保存：请先查看结果，需要再次执行时使用新的 Idempotency-Key',
    'The same request was carried out, but its answer was lost: look at the result first, and use a new Idempotency-Key to run it again',
  ],
  'problem.unreadable': [
    '无法读取「{entity}」：数据库在计算 {table} 的内容时出错（SQLSTATE {state}）。请维护这张表或视图的人查看服务器日志',
    '“{entity}” cannot be read: the database failed to compute {table} (SQLSTATE {state}). Ask whoever maintains this table or view to look at the server log',
  ],
  'problem.raised': ['数据库拒绝了这次保存：{text}', 'The database refused the save: {text}'],
  'problem.noTarget': [
    '所引用的记录不存在：请重新选择',
    'A record that this one refers to does not exist: choose again',
  ],
  'problem.columnEmpty': [
    '列 {column} 不能为空，而表单中没有字段填写它：请让管理员给该列设置默认值或添加字段',
    'Column {column} may not be empty, and no field of the form fills it: ask an administrator for a default or a field',
  ],
  'problem.check': [
    '所填内容不符合数据库的约束 {name}',
    'The values do not meet the constraint {name} of the database',
  ],
  'problem.inUseBy': [
    '「{entity}」中有 {n} 条记录引用它（{names}），不能删除；请先修改或删除这些记录',
    '{n} records of “{entity}” refer to it ({names}), so it cannot be deleted; change or delete them first',
  ],
  'problem.inUseByTable': [
    '表 {table} 中有记录引用它，不能删除',
    'Records of the table {table} refer to it, so it cannot be deleted',
  ],
  'problem.notStored': [
    '数据库没有保存这条记录：表上的触发器或规则拒绝了它',
    'The database did not store the record: a trigger or rule of the table refused it',
  ],
  'problem.rowCount': [
    '「{name}」：应改动 {expected} 行，实际为 {changed} 行，已全部撤销。记录可能已被删除，或表的主键列不唯一；请刷新后重试，仍然如此请联系管理员',
    '“{name}”: {expected} row(s) should change, but {changed} would, so nothing was saved. The record may be gone, or the key column of its table is not unique; refresh and try again, then tell an administrator',
  ],
  'problem.conflict': ['数据冲突：{what} 已存在', 'Conflict: {what} already exists'],
  'problem.duplicate': ['数据冲突：相同的数据已存在', 'Conflict: the same data already exists'],
  'problem.inUse': [
    '数据正被其他记录引用，不能删除',
    'The record is used by other records and cannot be deleted',
  ],
  'problem.tooMany': ['操作过于频繁，请稍后再试', 'Too many requests, please try again later'],
  'problem.unavailable': [
    '系统维护或繁忙，请稍后再试',
    'System maintenance or heavy load, please try again later',
  ],
  'problem.unanswered': [
    '数据库没有应答。正在保存的更改可能已生效，也可能没有：请刷新核对后再重试',
    'The database did not answer. A change that was being saved may or may not have taken effect: ' +
      'reload and check before you try again',
  ],
  'problem.readOnly': [
    '数据库暂时只读，可能正在切换服务器；未做任何更改，请稍后再试',
    'The database takes no changes at the moment, probably while it moves to another server. ' +
      'Nothing was changed; please try again shortly',
  ],
  'problem.diskFull': [
    '存储空间不足，暂不能保存',
    'Not enough storage space; changes cannot be saved now',
  ],
  'problem.notImplemented': ['不支持此操作', 'This operation is not supported'],
})
