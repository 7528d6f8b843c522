// @vitest-environment happy-dom
import { noticesModels } from '../../machines/notices/model.ts'
import { registerModels } from '../../machines/register/model.ts'
import { signInModels } from '../../machines/sign-in/model.ts'
import { smsCodeModel, smsCodeModels } from '../../machines/sms-code/model.ts'
import { gateWeb } from './gate-web.tsx'
import {
  registerOnScreen,
  registerScreen,
  signInOnScreen,
  signInScreen,
  smsOnScreen,
  smsScreen,
} from './student-door.tsx'
import { noticesOnScreen, noticesScreen } from '../../machines/notices/web.tsx'

const elsewhere = 'belongs to the machine beside this one'
const toast = 'a toast goes by itself'
gateWeb(noticesModels, noticesOnScreen, noticesScreen, {
  survivors: { 'jw-html': 'the sanitiser makes nothing of the emulated browser' },
})
gateWeb(signInModels, signInOnScreen, signInScreen, {
  survivors: { 'jw-link': elsewhere, 'jw-door__first': elsewhere },
})
gateWeb(registerModels, registerOnScreen, registerScreen, {
  survivors: { 'button 登录': elsewhere, 'button Close': toast, ' span text': toast },
})
gateWeb(smsCodeModels, smsOnScreen, () => smsScreen(smsCodeModel), {
  survivors: {
    'jw-sms input code': elsewhere,
    'jw-test-door button 登录': elsewhere,
    'jw-link': elsewhere,
    'jw-line label': elsewhere,
    'jw-door__first': elsewhere,
    'jw-calm button Close': 'a second way to cancel',
    'jw-sms__ask button 0 秒后重新发送':
      'the countdown: a press does nothing before the code may be asked for again, which is read',
  },
})
