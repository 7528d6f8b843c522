import type { MachineWords } from './machine-words.ts'

export const session = {
  name: ['教职工登录与会话', 'Sign-in and session of staff'],
  place: ['在浏览器打开系统首页', 'Open the console in a browser'],
  starts: {
    stored: ['之前登录过，登录状态仍有效', 'Signed in earlier; the session is still valid'],
    once: [
      '之前登录过，但登录状态已过期，需要换新',
      'Signed in earlier; the session must be renewed',
    ],
    none: ['没有登录过（或已清除浏览器数据）', 'Not signed in (or the browser’s data are cleared)'],
  },
  states: {
    starting: ['正在打开', 'starting'],
    signedOut: ['登录页', 'the sign-in page'],
    signingIn: ['正在登录', 'signing in'],
    present: ['已登录', 'signed in'],
    'present.token': ['登录凭据', 'the token'],
    'present.token.fresh': ['登录凭据有效', 'the token is valid'],
    'present.token.refreshing': ['正在换新登录凭据', 'the token is renewed'],
    'present.profile': ['个人资料', 'the profile'],
    'present.profile.loading': ['正在读取个人资料', 'the profile is loaded'],
    'present.profile.failed': ['个人资料读取失败', 'the profile could not be loaded'],
    'present.profile.known': ['首页可用', 'the console is ready'],
    'present.profile.reloading': ['正在重新读取个人资料', 'the profile is loaded again'],
    expired: ['登录已失效', 'the session has ended'],
    'expired.reminder': ['提示登录已失效', 'a dialog says that the session has ended'],
    'expired.form': ['就地重新登录', 'the sign-in form over the page'],
    'expired.signingIn': ['正在重新登录', 'signing in again'],
    'expired.joining': ['正在核对是否同一人', 'checking that it is the same person'],
    signingOut: ['正在退出', 'signing out'],
  },
  events: {
    'session.signIn': [
      '填“{signIn.account}”和“{signIn.password}”（有图片验证码时也填），按“{signIn.submit}”',
      'Fill in “{signIn.account}” and “{signIn.password}” (and the picture’s characters, if asked), press “{signIn.submit}”',
    ],
    'factor.answer': ['填二次验证码并确认', 'Enter the second factor and confirm'],
    'factor.answer(totp)': [
      '在“{signIn.factorCode}”中填验证器上的 6 位数字，按“{signIn.confirm}”',
      'Type the 6 digits of the authenticator app into “{signIn.factorCode}”, press “{signIn.confirm}”',
    ],
    'factor.answer(recovery)': [
      '按“{signIn.useRecovery}”，填一个恢复码，勾选“{signIn.remember}”，按“{signIn.confirm}”',
      'Press “{signIn.useRecovery}”, enter a recovery code, tick “{signIn.remember}”, press “{signIn.confirm}”',
    ],
    'factor.leave': ['按“{signIn.back}”', 'Press “{signIn.back}”'],
    'session.signOut': [
      '打开右上角的个人菜单，按“{shell.signOut}”',
      'Open the menu with your name at the top right, press “{shell.signOut}”',
    ],
    'session.invalid': [
      '在另一处结束本次会话，再在页面上做任意操作（如刷新列表）',
      'End this session somewhere else, then do anything on the page (such as refreshing a list)',
    ],
    'token.stale': [
      '放置页面约 27 分钟，再做任意操作（如刷新列表）',
      'Leave the page for about 27 minutes, then do anything (such as refreshing a list)',
    ],
    'reminder.confirm': ['按“{signIn.again}”', 'Press “{signIn.again}”'],
    'reminder.leave': ['按“{signIn.leave}”', 'Press “{signIn.leave}”'],
    'profile.retry': ['按“{common.retry}”', 'Press “{common.retry}”'],
    'profile.reload': [
      '按右上角的“{shell.language}”切换语言',
      'Press “{shell.language}” at the top right to change the language',
    ],
    'storage.changed': ['在另一个标签页登录或退出', 'Sign in or out in another tab'],
    'storage.changed(gone)': ['在另一个标签页退出登录', 'Sign out in another tab'],
    'storage.changed(unsaved)': [
      '本页有未保存的修改时，在另一个标签页退出登录',
      'With unsaved changes on this page, sign out in another tab',
    ],
    'storage.changed(other)': ['在另一个标签页重新登录', 'Sign in again in another tab'],
  },
  calls: {
    signIn: ['登录', 'signing in'],
    refresh: ['换新登录凭据', 'renewing the token'],
    signOut: ['退出登录', 'signing out'],
    loadProfile: ['读取个人资料', 'loading the profile'],
  },
  endings: {
    'signIn.first': ['成功', 'it succeeds'],
    'signIn.second': ['成功，但是另一个人的账号', 'it succeeds, with another person’s account'],
    'signIn.picture': [
      '被拒绝，下次要填图片验证码',
      'it is refused; the next try needs the picture’s characters',
    ],
    'signIn.asked': [
      '密码正确，还要二次验证',
      'the password is right; a second factor is asked for',
    ],
    'signIn.wrongCode': ['二次验证码不对', 'the second factor is wrong'],
    'refresh.fresh': ['成功', 'it succeeds'],
    'refresh.reused': ['被拒绝，登录已失效', 'it is refused: the session has ended'],
    'loadProfile.first': ['成功，是本人', 'it succeeds: the same person'],
    'loadProfile.promoted': ['成功，权限有变化', 'it succeeds; the person’s rights have changed'],
    'loadProfile.second': ['成功，是另一个人', 'it succeeds: another person'],
  },
} as const satisfies MachineWords
