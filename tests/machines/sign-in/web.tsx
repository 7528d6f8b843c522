import type { SignInField } from '@jiaowu/machines/sign-in/machine'
import { signInView } from '@jiaowu/machines/sign-in/view'
import { always, sentence, under, zh } from '../../surfaces/sentences.ts'
import { loadingButtons } from '../../surfaces/web/dom/by-role.ts'
import type { EffectLog } from '../../surfaces/web/dom/effects.ts'
import { withoutOffer } from '../../surfaces/web/dom/gestures.ts'
import { createRead } from '../../surfaces/web/dom/reads.ts'
import { wrapData } from '../../surfaces/web/http/held-fetch.ts'
import * as signIn from '../../surfaces/web/student-sign-in.tsx'
import { type Host, createWebDriver } from '../../surfaces/web/table.ts'
import { signInModels } from './model.ts'

const labels = {
  mobile: zh('studentPage.mobile'),
  code: zh('studentPage.smsCode'),
} as const satisfies Record<SignInField, string>
const ids = { 'student-mobile': 'mobile', 'student-code': 'code' } as const
const form = signIn.signInForm
const findSignInInput = (name: SignInField) => form.field(labels[name])
let isSignedIn = false

export const signInWeb = createWebDriver<typeof signInView>({
  model: signInModels,
  view: signInView,
  isGone: createRead<boolean>(() => isSignedIn).is(({ step }) => step === 'done'),
  readings: {
    loading: loadingButtons.texts.is(({ step }) =>
      step === 'submitting' || step === 'proving' ? zh('studentPage.login') : '',
    ),
    mobile: findSignInInput('mobile').value.is(({ values }) => values.mobile),
    code: findSignInInput('code').value.is(({ values }) => values.code),
    faults: signIn.faultsUnder(labels, form),
    problem: form.alert.text.is(({ problem }) => sentence(problem?.message)),
  },
  says: under('studentPage', always, 'mobile', 'smsCode', 'getCode', 'login'),
  gestures: {
    'field.change': ({ field, value }) => withoutOffer(findSignInInput(field).fill(value)),
    'field.blur': ({ field }) => findSignInInput(field).blur,
    ...signIn.codeGestures(form),
  },
  calls: {
    '/login': [
      'signIn',
      ({ body, headers }) => ({
        mobile: body.account,
        code: body.password,
        ticket: headers.get('x-captcha-ticket') ?? '',
      }),
    ],
  },
  host: createSignInHost,
})

function createSignInHost(effects: EffectLog): Host {
  isSignedIn = false
  const onSignedIn = (facts: object) => {
    isSignedIn = true
    effects.add({ type: 'signedIn', facts })
  }
  const names = { avatar: null, workDescribe: null, tenant: '10000' }
  return {
    ...signIn.codeHost(effects, ids, findSignInInput('mobile'), onSignedIn),
    reply: () =>
      wrapData({
        userInfo: { id: '1', account: 'a', name: '甲', ...names },
        token: 't',
        refreshToken: 'r',
        expiresIn: 1,
      }),
  }
}
