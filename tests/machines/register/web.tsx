import type { RegisterField } from '@jiaowu/machines/register/machine'
import { registerView } from '@jiaowu/machines/register/view'
import { always, sentence, under, zh } from '../../surfaces/sentences.ts'
import { loadingButtons, page } from '../../surfaces/web/dom/by-role.ts'
import { type EffectLog, newToasts } from '../../surfaces/web/dom/effects.ts'
import { withoutOffer } from '../../surfaces/web/dom/gestures.ts'
import { createRead } from '../../surfaces/web/dom/reads.ts'
import { wrapData } from '../../surfaces/web/http/held-fetch.ts'
import * as signIn from '../../surfaces/web/student-sign-in.tsx'
import { type Host, type Shown, createWebDriver } from '../../surfaces/web/table.ts'
import { registerModels } from './model.ts'

type View = Shown<typeof registerView>
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
const form = page.dialog(zh('studentPage.registerTitle'))
const findRegisterInput = (name: RegisterField) => form.field(labels[name])
const isRegisterOpen = ({ step }: View) => step !== 'closed'
const isWaiting = ({ step }: View) => step === 'waiting'
const isForm = (view: View) => isRegisterOpen(view) && !isWaiting(view)

export const registerWeb = createWebDriver<typeof registerView>({
  model: registerModels,
  view: registerView,
  readings: {
    isOpen: form.isShown.is(isRegisterOpen),
    loading: loadingButtons.texts.is(({ step }) =>
      step === 'submitting' || step === 'proving' ? zh('studentPage.register') : '',
    ),
    values: createRead(() => fields.map((name) => findRegisterInput(name).value()).join('|')).is(
      (view) => fields.map((name) => (isForm(view) ? view.values[name] : '')).join('|'),
    ),
    faults: signIn.faultsUnder(labels, form),
    problem: form.alert.text.is(({ problem }) => sentence(problem?.message)),
  },
  says: {
    ...under('studentPage', always, 'firstTime', 'register', 'mobile', 'smsCode', 'getCode'),
    'studentPage.registerTitle': isRegisterOpen,
    ...under('studentPage', isForm, 'registerHint', 'idNumber', 'major'),
    ...under('studentPage', isWaiting, 'waiting', 'waitingWrong'),
    'studentPage.waitingAbout': ({ waitingDays: days }) => (days === null ? null : { days }),
  },
  gestures: {
    // The page behind the dialog keeps its button.
    'register.open': withoutOffer(signIn.signInForm.button(zh('studentPage.register')).press),
    'register.close': form.button('关闭').press,
    'field.change': ({ field, value }) => withoutOffer(findRegisterInput(field).fill(value)),
    'field.blur': ({ field }) => findRegisterInput(field).blur,
    ...signIn.codeGestures(form),
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
  toasts: null,
  host: createRegisterHost,
})

function createRegisterHost(effects: EffectLog): Host {
  const toasts = newToasts()
  return {
    ...signIn.codeHost(effects, ids, findRegisterInput('mobile')),
    reply: (_port, { output }) => wrapData(output),
    end: () => {
      signIn.focusWatch.listen(false)
      return false
    },
    // The toast, and the number that the sign-in beside it receives.
    takeEffects: () => {
      for (const toast of toasts())
        effects.add({
          type: 'registered',
          mobile: signIn.signInForm.field(labels.mobile).value(),
          message: toast.textContent?.includes(zh('studentFlow.registered'))
            ? { key: 'studentFlow.registered' }
            : toast.textContent,
        })
      return effects.take()
    },
  }
}
