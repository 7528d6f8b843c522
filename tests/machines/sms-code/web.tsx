import { smsCodeView } from '@jiaowu/machines/sms-code/view'
import { sentence, under, zh } from '../../surfaces/sentences.ts'
import { findFirst, loadingButtons } from '../../surfaces/web/dom/by-role.ts'
import type { EffectLog } from '../../surfaces/web/dom/effects.ts'
import { inTurn, noControl, offeredAs } from '../../surfaces/web/dom/gestures.ts'
import * as signIn from '../../surfaces/web/student-sign-in.tsx'
import { type Host, type Shown, createWebDriver } from '../../surfaces/web/table.ts'
import type { Spec } from '../spec.ts'
import { smsCodeModel, smsCodeModels } from './model.ts'

type View = Shown<typeof smsCodeView>
type Clock = { now(): number }
type Facts = { readonly lockedUntil: number }
type Starts = Readonly<
  Record<string, (clock: Clock) => { readonly facts: Facts | null; readonly now: () => number }>
>
const lockKey = 'JIAOWU_SMS_LOCK'
const { captcha, focusWatch, signInForm: form } = signIn
const mobile = form.field(zh('studentPage.mobile'))
const code = form.field(zh('studentPage.smsCode'))
const ask = signIn.codeButton(form).press
const answer = captcha.field(zh('studentPage.captchaInput'))
const isCaptchaOpen = (view: View) => view.captcha !== null
/** Seconds until another code may be requested; null when one may. */
const seconds = ({ left }: View) => {
  const ms = left('smsLock')
  return ms === null ? null : Math.ceil(ms / 1000)
}

export const smsCodeWeb = createWebDriver<typeof smsCodeView>({
  model: smsCodeModels,
  adapt: adaptSmsSpec,
  view: smsCodeView,
  readings: {
    image: captcha
      .css('img')
      .isShown.is(({ c, ...view }) => isCaptchaOpen(view as View) && c.picture !== null),
    answer: answer.value.is((view) => view.captcha?.answer ?? ''),
    problem: findFirst(captcha.alert, form.alert).text.is(({ c }) => sentence(c.problem?.message)),
    loading: loadingButtons.texts.is((view) =>
      view.step === 'sending' && seconds(view) === null
        ? zh('studentPage.getCode')
        : view.captcha?.step === 'verifying'
          ? zh('common.ok')
          : '',
    ),
  },
  says: {
    'studentPage.getCode': (view) => seconds(view) === null,
    'studentPage.resendIn': (view) => seconds(view) !== null && { n: seconds(view) ?? 0 },
    'studentPage.codeSent': (view) => seconds(view) !== null,
    ...under('studentPage', isCaptchaOpen, 'captchaTitle', 'captchaHint'),
    'common.ok': isCaptchaOpen,
  },
  gestures: {
    'sms.ask': (event) => offeredAs(inTurn(mobile.fill(event.mobile), ask), ask),
    'captcha.type': (event) => answer.editable.fill(event.answer),
    'captcha.submit': signIn.submitButton(captcha).press,
    // A captcha before a try with a code opens in the walks of the sign-in.
    'captcha.prove': noControl,
    'captcha.renew': captcha.button(zh('studentPage.captchaNew')).press,
    'captcha.cancel': signIn.cancelCaptcha.press,
  },
  calls: {
    '/stuLogin/captcha': ['captcha'],
    '/stuLogin/verify': ['verify', ({ body }) => ({ key: body.key, answer: body.verifyTxt })],
    '/stu/oauth/code': [
      'smsCode',
      ({ query, headers }) => ({
        mobile: query.mobile,
        purpose: query.isType,
        ticket: headers.get('x-captcha-ticket'),
      }),
    ],
  },
  host: createSmsHost,
})

/** The code request of the sign-in; without the lock of an hour, since every second is drawn. */
function adaptSmsSpec(spec: Spec<unknown>): Partial<Spec<unknown>> {
  const { absurd: _absurd, ...replies } = spec.outcomes.smsCode as Readonly<Record<string, never>>
  const { 'captcha.prove': _proof, ...events } = spec.events
  return {
    events,
    outcomes: { ...spec.outcomes, smsCode: replies },
    input: Object.fromEntries(
      Object.entries(spec.input as Starts).map(([name, make]) => [
        name,
        (clock: Clock) => ({ ...make(clock), purpose: '1' }),
      ]),
    ),
  }
}

function createSmsHost(effects: EffectLog): Host {
  return {
    show: (start) => {
      const facts = (smsCodeModel.input as Starts)[start]?.({ now: Date.now }).facts ?? null
      if (facts !== null) sessionStorage.setItem(lockKey, JSON.stringify(facts))
      focusWatch.start((id) => {
        if (id === code.first?.id) effects.add({ type: 'sent', mobile: mobile.value() })
      })
      return <signIn.SignInPage />
    },
    stop: focusWatch.stop,
    stored: [
      lockKey,
      (facts) => ({ type: 'facts', facts: facts === null ? null : JSON.parse(facts) }),
    ],
    end: (_held, port) => {
      focusWatch.listen(port === 'smsCode')
      return false
    },
    before: () => focusWatch.listen(false),
  }
}
