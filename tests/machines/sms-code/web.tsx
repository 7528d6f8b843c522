import type { SmsCodeEvent, smsCodeMachine } from '@jiaowu/machines'
import type { Left } from '@jiaowu/path-tests'
import type { Spec } from '../spec.ts'
import type { SnapshotFrom } from 'xstate'
import {
  button,
  byRole,
  bySelector,
  either,
  field,
  having,
} from '../../surfaces/web/dom/by-role.ts'
import { effectLog, watchStorage } from '../../surfaces/web/dom/effects.ts'
import { fill, inTurn, noControl, offeredAs, press } from '../../surfaces/web/dom/gestures.ts'
import { answered } from '../../surfaces/web/http/held-fetch.ts'
import { isShown, loadingButtons, text, texts, value } from '../../surfaces/web/dom/reads.ts'
import { inConsole } from '../../surfaces/web/screen.tsx'
import { sentence, zh } from '../../surfaces/web/dom/sentences.ts'
import {
  cancelCaptcha,
  captcha,
  codeButton,
  focusWatch,
  signInForm,
  SignInPage,
  submitButton,
} from '../../surfaces/web/student-sign-in.tsx'
import { type Host, webDriverOf } from '../../surfaces/web/table.ts'
import { smsCodeModel, smsCodeModels } from './model.ts'

type Snapshot = SnapshotFrom<typeof smsCodeMachine>
type Clock = { now(): number }
type Starts = Readonly<
  Record<
    string,
    (clock: Clock) => {
      readonly facts: { readonly lockedUntil: number } | null
      readonly now: () => number
    }
  >
>
interface View {
  readonly s: Snapshot
  /** Seconds until another code may be requested; null when one may. */
  readonly seconds: number | null
  readonly isOpen: boolean
}
const lockKey = 'JIAOWU_SMS_LOCK'
const mobile = field(zh('studentPage.mobile'), signInForm)
const code = field(zh('studentPage.smsCode'), signInForm)
const ask = press(codeButton(signInForm))
const answer = field(zh('studentPage.captchaInput'), captcha)

export const smsCodeWeb = webDriverOf<Snapshot, SmsCodeEvent, View>({
  model: smsCodeModels,
  adapt,
  view: (s, left) => ({ s, seconds: secondsOf(left), isOpen: s.hasTag('captcha') }),
  readings: {
    image: {
      model: ({ s, isOpen }) => isOpen && s.context.picture !== null,
      screen: isShown(bySelector('img', captcha)),
    },
    answer: {
      model: ({ s, isOpen }) => (isOpen ? s.context.answer : ''),
      screen: value(answer),
    },
    problem: {
      model: ({ s }) => sentence(s.context.problem?.message),
      screen: text(
        either(byRole('alert', undefined, captcha), byRole('alert', undefined, signInForm)),
      ),
    },
    loading: {
      model: ({ s, seconds }) =>
        s.matches('sending') && seconds === null
          ? zh('studentPage.getCode')
          : s.matches({ captcha: 'verifying' })
            ? zh('common.ok')
            : '',
      screen: texts(loadingButtons),
    },
  },
  says: {
    'studentPage.getCode': ({ seconds }) => seconds === null,
    'studentPage.resendIn': ({ seconds }) => seconds !== null && { n: seconds },
    'studentPage.codeSent': ({ seconds }) => seconds !== null,
    'studentPage.captchaTitle': ({ isOpen }) => isOpen,
    'studentPage.captchaHint': ({ isOpen }) => isOpen,
    'common.ok': ({ isOpen }) => isOpen,
  },
  gestures: {
    'sms.ask': (event) => offeredAs(inTurn(fill(mobile, event.mobile), ask), ask),
    'captcha.type': (event) =>
      fill(
        having(answer, (each) => !each.readOnly),
        event.answer,
      ),
    'captcha.submit': press(submitButton(captcha)),
    // A captcha before a try with a code opens in the walks of the sign-in.
    'captcha.prove': noControl,
    'captcha.renew': press(button(zh('studentPage.captchaNew'))),
    'captcha.cancel': press(cancelCaptcha),
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
  host,
})

/** The code request of the sign-in; without the lock of an hour, since every second is drawn. */
function adapt(spec: Spec<unknown>): Partial<Spec<unknown>> {
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

function secondsOf(left: Left): number | null {
  const ms = left('smsLock')
  return ms === null ? null : Math.ceil(ms / 1000)
}

function host(): Host {
  const effects = effectLog()
  return {
    mount: (start, held) => {
      const facts = (smsCodeModel.input as Starts)[start]?.({ now: Date.now }).facts ?? null
      if (facts !== null) sessionStorage.setItem(lockKey, JSON.stringify(facts))
      const storage = watchStorage(lockKey, (stored) =>
        effects.add({ type: 'facts', facts: stored === null ? null : JSON.parse(stored) }),
      )
      focusWatch.start((id) => {
        if (id === code.all()[0]?.id) effects.add({ type: 'sent', mobile: value(mobile)() })
      })
      return {
        element: inConsole(held, <SignInPage />),
        stop: () => {
          storage.stop()
          focusWatch.stop()
        },
      }
    },
    background: () => answered(null),
    end: (_held, port) => {
      focusWatch.listen(port === 'smsCode')
      return false
    },
    before: () => focusWatch.listen(false),
    takeEffects: effects.take,
  }
}
