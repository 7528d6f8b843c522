import { group } from '../group.ts'

export const sessionTexts = group({
  'session.wrongPassword': ['账号或密码错误', 'Wrong account or password'],
  'session.captchaNeeded': ['请输入图片验证码', 'Enter the characters in the picture'],
  'session.captchaWrong': ['验证码错误！', 'Captcha error!'],
  'session.waitMinutes': [
    '尝试次数过多，请 {minutes} 分钟后再试',
    'Too many attempts, try again in {minutes} minutes',
  ],
  'session.triedTitle': ['您的密码正被尝试', 'Your password is being tried'],
  'session.triedContent': [
    '{minutes} 分钟内有 {failures} 次登录失败。如果不是您本人，请修改密码并告知管理员；登录没有被锁定，只是需要输入图片验证码。',
    '{failures} sign-ins failed within {minutes} minutes. If that was not you, change your password and tell the administrator; nothing is locked, the sign-in only asks for a captcha.',
  ],
  'session.oldPasswordWrong': ['原密码不正确', 'Old password incorrect'],
  'session.weakPassword': [
    '密码至少 8 位，且不能是常见密码或原密码',
    'At least 8 characters, not a common password and not the old one',
  ],
})
