// @vitest-environment happy-dom
import { gateWeb } from './gate-web.tsx'
import { registerWeb } from '../../machines/register/web.tsx'
import { signInWeb } from '../../machines/sign-in/web.tsx'
import { smsCodeWeb } from '../../machines/sms-code/web.tsx'
import { noticesWeb } from '../../machines/notices/web.tsx'

const elsewhere = 'part of another machine'
const toast = 'a toast closes by itself'
gateWeb(noticesWeb, {
  survivors: { 'jw-html': 'the sanitiser returns nothing in happy-dom' },
})
gateWeb(signInWeb, {
  survivors: {
    'jw-link': elsewhere,
    'jw-door__first': elsewhere,
    'jw-captcha__row button 换一张': elsewhere,
    'jw-calm button 关闭': elsewhere,
    'jw-calm button 确定': elsewhere,
    'jw-muted p text': elsewhere,
  },
})
gateWeb(registerWeb, {
  survivors: {
    'jw-test-sign-in button 登录': elsewhere,
    'jw-captcha__row button 换一张': elsewhere,
    'jw-calm button 确定': elsewhere,
    'button 关闭': toast,
    ' span text': toast,
  },
})
gateWeb(smsCodeWeb, {
  survivors: {
    'jw-sms input code': elsewhere,
    'jw-test-sign-in button 登录': elsewhere,
    'jw-link': elsewhere,
    'jw-door__first': elsewhere,
    'jw-calm button 关闭': 'a second way to cancel',
    'jw-sms__ask button 0 秒后重新发送':
      'the countdown; a press does nothing until a code may be requested again, which is compared',
  },
})
