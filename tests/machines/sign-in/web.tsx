import type { SignInField, signInMachine, StudentSignInEvent } from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { byRole, field } from '../../surfaces/web/dom/by-role.ts'
import { effectLog } from '../../surfaces/web/dom/effects.ts'
import { blur, fill, press, unlisted } from '../../surfaces/web/dom/gestures.ts'
import { answered } from '../../surfaces/web/http/held-fetch.ts'
import { loadingButtons, text, texts, value } from '../../surfaces/web/dom/reads.ts'
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
import { signInModels } from './model.ts'

type Snapshot = SnapshotFrom<typeof signInMachine>
const labels = {
  mobile: zh('studentPage.mobile'),
  code: zh('studentPage.smsCode'),
} as const satisfies Record<SignInField, string>
const ids = { 'student-mobile': 'mobile', 'student-code': 'code' } as const
const fields = Object.keys(labels) as SignInField[]
const input = (name: SignInField) => field(labels[name], signInForm)
let isSignedIn = false

export const signInWeb = webDriverOf<Snapshot, StudentSignInEvent, Snapshot>({
  model: signInModels,
  view: (s) => s,
  isGone: { model: (s) => s.matches('done'), screen: () => isSignedIn },
  readings: {
    loading: {
      model: (s) =>
        s.matches('submitting') || s.matches('proving') ? zh('studentPage.login') : '',
      screen: texts(loadingButtons),
    },
    mobile: { model: (s) => s.context.values.mobile, screen: value(input('mobile')) },
    code: { model: (s) => s.context.values.code, screen: value(input('code')) },
    faults: {
      model: ({ context: { faults } }) => fields.map((name) => sentence(faults[name])).join('|'),
      screen: faultsUnder(Object.values(labels), signInForm),
    },
    problem: {
      model: (s) => sentence(s.context.problem?.message),
      screen: text(byRole('alert', undefined, signInForm)),
    },
  },
  says: {
    'studentPage.mobile': () => true,
    'studentPage.smsCode': () => true,
    'studentPage.getCode': () => true,
    'studentPage.login': () => true,
  },
  gestures: {
    'field.change': (event) => unlisted(fill(input(event.field), event.value)),
    'field.blur': (event) => blur(input(event.field)),
    'code.ask': askForCode(signInForm),
    'form.submit': press(submitButton(signInForm)),
    'captcha.solved': solveProof,
    'captcha.cancelled': cancelProof,
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
  host,
})

function host(): Host {
  const effects = effectLog()
  let isProof = false
  isSignedIn = false
  return {
    mount: (_start, held) => {
      focusWatch.start((id) => {
        if (id in ids) effects.add({ type: 'invalid', field: ids[id as keyof typeof ids] })
      })
      const onSignedIn = (facts: object) => {
        isSignedIn = true
        effects.add({ type: 'signedIn', facts })
      }
      return {
        element: inConsole(held, <SignInPage onSignedIn={onSignedIn} />),
        stop: () => focusWatch.stop(),
      }
    },
    background: ({ path }) => captchaReply(path, effects, isProof ? null : value(input('mobile'))),
    reply: () =>
      answered({
        userInfo: {
          id: '1',
          account: 'a',
          name: '甲',
          avatar: null,
          workDescribe: null,
          tenant: '10000',
        },
        token: 't',
        refreshToken: 'r',
        expiresIn: 1,
      }),
    before: ({ event }) => {
      isProof = event.type === 'form.submit'
      focusWatch.listen(event.type === 'code.ask' || isProof)
    },
    takeEffects: effects.take,
  }
}
