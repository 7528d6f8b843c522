import type { RegisterEvent, RegisterField, registerMachine } from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { button, byRole, dialog, field } from '../../surfaces/web/dom/by-role.ts'
import { effectLog, newToasts } from '../../surfaces/web/dom/effects.ts'
import { blur, fill, press, unlisted } from '../../surfaces/web/dom/gestures.ts'
import { answered } from '../../surfaces/web/http/held-fetch.ts'
import { isShown, loadingButtons, text, texts, value } from '../../surfaces/web/dom/reads.ts'
import { inConsole } from '../../surfaces/web/screen.tsx'
import { sentence, zh } from '../../surfaces/web/dom/sentences.ts'
import {
  askForCode,
  cancelProof,
  captchaReply,
  faultsUnder,
  focusWatch,
  signInForm,
  SignInPage,
  solveProof,
  submitButton,
} from '../../surfaces/web/student-sign-in.tsx'
import { type Host, webDriverOf } from '../../surfaces/web/table.ts'
import { registerModels } from './model.ts'

type Snapshot = SnapshotFrom<typeof registerMachine>
const labels = {
  idNumber: zh('studentPage.idNumber'),
  major: zh('studentPage.major'),
  mobile: zh('studentPage.mobile'),
  code: zh('studentPage.smsCode'),
} as const satisfies Record<RegisterField, string>
const ids: Readonly<Record<string, RegisterField>> = {
  'register-id': 'idNumber',
  'register-major': 'major',
  'register-mobile': 'mobile',
  'register-code': 'code',
}
const fields = Object.keys(labels) as RegisterField[]
const form = dialog(zh('studentPage.registerTitle'))
const input = (name: RegisterField) => field(labels[name], form)
const open = button(zh('studentPage.register'), signInForm)
const isHeld = (s: Snapshot) => s.matches({ open: 'submitting' }) || s.matches({ open: 'proving' })
const isOpen = (s: Snapshot) => !s.matches('closed')

export const registerWeb = webDriverOf<Snapshot, RegisterEvent, Snapshot>({
  model: registerModels,
  view: (s) => s,
  readings: {
    isOpen: { model: isOpen, screen: isShown(form) },
    loading: {
      model: (s) => (isHeld(s) ? zh('studentPage.register') : ''),
      screen: texts(loadingButtons),
    },
    values: {
      model: (s) => (isOpen(s) ? fields.map((name) => s.context.values[name]).join('|') : '|||'),
      screen: () => fields.map((name) => value(input(name))()).join('|'),
    },
    faults: {
      model: ({ context: { faults } }) => fields.map((name) => sentence(faults[name])).join('|'),
      screen: faultsUnder(Object.values(labels), form),
    },
    problem: {
      model: (s) => sentence(s.context.problem?.message),
      screen: text(byRole('alert', undefined, form)),
    },
  },
  says: {
    'studentPage.firstTime': () => true,
    'studentPage.register': () => true,
    'studentPage.registerTitle': isOpen,
    'studentPage.registerHint': isOpen,
    'studentPage.idNumber': isOpen,
    'studentPage.major': isOpen,
    'studentPage.mobile': () => true,
    'studentPage.smsCode': () => true,
    'studentPage.getCode': () => true,
  },
  gestures: {
    // The page behind the dialog keeps its button.
    'register.open': unlisted(press(open)),
    'register.close': press(button('关闭', form)),
    'field.change': (event) => unlisted(fill(input(event.field), event.value)),
    'field.blur': (event) => blur(input(event.field)),
    'code.ask': askForCode(form),
    'form.submit': press(submitButton(form)),
    'captcha.solved': solveProof,
    'captcha.cancelled': cancelProof,
  },
  calls: {
    '/stu/oauth/regist': [
      'register',
      ({ body, headers }) => ({
        idNumber: body.sfzh,
        major: body.zymc,
        mobile: body.mobile,
        code: body.verCode,
        ticket: headers.get('x-captcha-ticket') ?? '',
      }),
    ],
  },
  host,
})

function host(): Host {
  const effects = effectLog(null)
  const toasts = newToasts()
  let isProof = false
  return {
    mount: (_start, held) => {
      focusWatch.start((id) => {
        const name = ids[id]
        if (name !== undefined) effects.add({ type: 'invalid', field: name })
      })
      return { element: inConsole(held, <SignInPage />), stop: () => focusWatch.stop() }
    },
    background: ({ path }) => captchaReply(path, effects, isProof ? null : value(input('mobile'))),
    reply: () => answered(null),
    end: () => {
      focusWatch.listen(false)
      return false
    },
    before: ({ event }) => {
      isProof = event.type === 'form.submit'
      focusWatch.listen(event.type === 'code.ask' || isProof)
    },
    // The toast, and the number that the sign-in beside it receives.
    takeEffects: () => {
      for (const toast of toasts())
        effects.add({
          type: 'registered',
          mobile: value(field(labels.mobile, signInForm))(),
          message: toast.textContent?.includes(zh('studentFlow.registered'))
            ? { key: 'studentFlow.registered' }
            : toast.textContent,
        })
      return effects.take()
    },
  }
}
