import { group } from '../group.ts'

export const sessionTexts = group({
  'session.endedElsewhere': [
    '您已在另一个窗口退出登录。此窗口还有未保存的内容：重新登录后可继续，离开则放弃。',
    'You signed out in another window. This window has unsaved input: sign in again to go on, or leave to give it up.',
  ],
  'session.wrongPassword': ['账号或密码错误', 'Wrong account or password'],
  'session.captchaNeeded': ['请输入图片验证码', 'Enter the characters in the picture'],
  'session.captchaWrong': ['验证码错误！', 'Captcha error!'],
  'session.workNeeded': [
    '没有收到计算证明，请按新的图片再试一次',
    'The proof of work is missing: try again with the new picture',
  ],
  'session.crowded': [
    '登录的人太多，请稍后再试',
    'Too many people are signing in, try again in a moment',
  ],
  'session.place': [
    '登录的人较多，您前面还有 {before} 人，约需 {seconds} 秒',
    'Many people are signing in: {before} before you, about {seconds} s',
  ],
  'session.waitMinutes': [
    '尝试次数过多，请 {minutes} 分钟后再试',
    'Too many attempts, try again in {minutes} minutes',
  ],
  'session.waitHours': [
    '尝试次数过多，请 {hours} 小时后再试',
    'Too many attempts, try again in {hours} hours',
  ],
  'session.triedTitle': ['您的密码正被尝试', 'Your password is being tried'],
  'session.triedContent': [
    '{minutes} 分钟内有 {failures} 次登录失败。如果不是您本人，请修改密码并告知管理员；登录没有被锁定，只是需要输入图片验证码。',
    '{failures} sign-ins failed within {minutes} minutes. If that was not you, change your password and tell the administrator; nothing is locked, the sign-in only asks for a captcha.',
  ],
  'session.oldPasswordWrong': ['原密码不正确', 'Old password incorrect'],
  'session.weakPassword': [
    '密码至少 {n} 位，且不能是常见密码或原密码',
    'At least {n} characters, not a common password and not the old one',
  ],
  'session.proofWrong': ['密码不正确', 'The password is not correct'],
  'session.proof': ['验证身份', 'Confirm that it is you'],
  'session.proofAbout': [
    '此操作较为敏感，请输入 {account} 的登录密码。之后一段时间内不再询问，已填写的内容不会丢失。',
    'This needs your password, {account}. You are not asked again for a while, and nothing that you have entered is lost.',
  ],
  'session.proofCode': [
    '设置了二次验证的账号也可输入验证器的 6 位验证码。',
    'With a second factor, the 6 digits of the authenticator app will do.',
  ],
  'session.own': ['我的会话', 'My sessions'],
  'session.ownAbout': [
    '您的账号当前登录的设备。不认识的请结束它，并修改密码。',
    'Where your account is signed in. End what you do not recognise, and change your password.',
  ],
  'session.current': ['此会话', 'This session'],
  'session.unknownDevice': ['未知设备', 'Unknown device'],
  'session.by.password': ['密码登录', 'by password'],
  'session.by.sms': ['短信验证码登录', 'by SMS code'],
  'session.by.oidc': ['统一身份认证登录', 'by the identity provider'],
  'session.by.cas': ['统一身份认证（CAS）登录', 'by CAS'],
  'session.by.ldap': ['学校目录（LDAP）登录', 'by a directory (LDAP)'],
  'session.by.device': ['由浏览器确认', 'confirmed in a browser'],
  'session.beganAt': ['登录于 {at}', 'Signed in {at}'],
  'session.usedAt': ['最近使用：{at}', 'last used {at}'],
  'session.end': ['结束', 'End'],
  'session.endNamed': ['结束 {device}', 'End {device}'],
  'session.endOthers': ['结束其他全部会话', 'End all others'],
  'session.endOthersAsk': [
    '除此会话外，其他设备都需要重新登录。',
    'All other devices will have to sign in again.',
  ],
  'session.endedCount': ['已结束 {n} 个会话', '{n} sessions ended'],
})
