import { group } from '../group.ts'

export const ssoTexts = group({
  'sso.title': ['统一身份认证', 'Single sign-on'],
  'sso.signInBy': ['用 {name} 登录', 'Sign in with {name}'],
  'sso.or': ['或', 'or'],
  'sso.downNamed': [
    '{name} 暂时无法连接，请稍后再试，或使用本页的其他登录方式。',
    '{name} cannot be reached at the moment. Try again later, or sign in on this page.',
  ],
  'sso.directoryDown': [
    '{name} 暂时无法连接。请稍后再试，或用本系统的账号和密码登录。',
    '{name} cannot be reached at the moment. Try again later, or sign in with an account and password of this system.',
  ],
  'sso.withAccountOf': [
    '请输入 {name} 的账号和密码。',
    'Enter the account and password of {name}.',
  ],
  'sso.otherWay': ['使用其他登录方式', 'Sign in another way'],
  'sso.entering': ['正在登录…', 'Signing in…'],
  'sso.failed': ['登录未完成', 'The sign-in was not completed'],
  'sso.back': ['返回登录页', 'Back to the sign-in page'],
  'sso.again': ['重新登录', 'Try again'],
  'sso.codeOver': [
    '登录代码已失效，请重新登录',
    'The code of this sign-in is over; sign in once more',
  ],
  'sso.otherPerson': [
    '验证的不是当前登录的账号，或验证已失效。请重新验证。',
    'That was not the account that is signed in here, or the proof is over. Try again.',
  ],
  'sso.proveBy': ['用统一身份认证验证（新窗口）', 'Confirm at the identity provider (new window)'],
  'sso.proving': ['正在前往认证页面…', 'Going to the provider…'],
  'sso.proved': [
    '已验证。请回到原来的窗口，此窗口可以关闭。',
    'Done. Go back to the window that you came from; this one can be closed.',
  ],
  'sso.fault.busy': [
    '该网络的登录请求过多，请几分钟后再试。',
    'Too many sign-ins from this network. Try again in some minutes.',
  ],
  'sso.fault.browser': [
    '登录是在另一个浏览器中开始的，或浏览器没有保存本站的 Cookie。请在此浏览器中重新登录。',
    'The sign-in was begun in another browser, or this one keeps no cookies of this site. Sign in once more here.',
  ],
  'sso.fault.cancelled': ['您在认证页面取消了登录。', 'You cancelled the sign-in at the provider.'],
  'sso.fault.clock': [
    '认证服务器与本系统的时间不一致，登录无法确认。请稍后再试，若仍如此请告知管理员。',
    'The clocks of the provider and of this system differ, so that the sign-in cannot be confirmed. Try again later; if it stays like this, tell the administrator.',
  ],
  'sso.fault.disabled': [
    '您的账号或学校已停用，请联系管理员。',
    'Your account or school is disabled. Contact the administrator.',
  ],
  'sso.fault.down': [
    '暂时无法连接认证服务器。请稍后再试，或使用其他登录方式。',
    'The provider cannot be reached at the moment. Try again later, or sign in another way.',
  ],
  'sso.fault.expired': [
    '登录用时超过 10 分钟，已失效。请重新登录。',
    'The sign-in took more than 10 minutes and is over. Sign in once more.',
  ],
  'sso.fault.invalid': [
    '认证服务器的答复无法核实，登录被拒绝。',
    'The answer of the provider could not be verified, so the sign-in was refused.',
  ],
  'sso.fault.mixed': [
    '答复来自另一个认证服务器，或不属于此次登录。登录被拒绝。',
    'The answer came from another provider, or belongs to no sign-in here. It was refused.',
  ],
  'sso.fault.network': [
    '您的网络不在允许教职工登录的范围内。',
    'Staff may not sign in from your network.',
  ],
  'sso.fault.redirect': [
    '链接指向本系统以外的地址，未予打开。',
    'The link leads out of this system and was not followed.',
  ],
  'sso.fault.refused': [
    '认证服务器拒绝了登录。请稍后再试，或联系管理员。',
    'The provider refused the sign-in. Try again later, or contact the administrator.',
  ],
  'sso.fault.replayed': [
    '此登录已经完成过一次，不能重复使用。请重新登录。',
    'This sign-in has already been completed and cannot be used twice. Sign in once more.',
  ],
  'sso.fault.stale': [
    '认证服务器没有让您重新登录，身份未得到验证。',
    'The provider did not ask you to sign in anew, so nothing was proved.',
  ],
  'sso.fault.unknown': [
    '认证成功，但本系统没有与之对应的账号。请联系管理员。',
    'You signed in there, but no account here belongs to you. Contact the administrator.',
  ],
})
