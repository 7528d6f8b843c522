import { type Message, say, t, type TextKey } from '@jiaowu/api'
import type {
  RegisterEvent,
  RegisterField,
  registerMachine,
  SignInField,
  signInMachine,
  SmsCodeEvent,
  smsCodeMachine,
  StudentSignInEvent,
} from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { StudentSignIn } from '../../../apps/web/src/features/student/sign-in/student-sign-in.tsx'
import { emitEffect, sendEffect, type Spec } from '@jiaowu/path-tests'
import type { RegisterSeen } from '../../machines/register/model.ts'
import type { SignInSeen } from '../../machines/sign-in/model.ts'
import type { SmsCodeSeen } from '../../machines/sms-code/model.ts'
import { all, click, enter, find, leave, need, offers, textOf } from './dom.ts'
import { answered, type Asked, type PortCall } from './held-fetch.ts'
import { gestureOf, type Gestures, inConsole, type Screen } from './screen.tsx'
import { newToasts, watchStorage } from './told.ts'

const zh = (key: TextKey): string => (t as (...all: unknown[]) => string)('zh-CN', key)
const input = (id: string) => need<HTMLInputElement>(`#${id}`)
const faultOf = (id: string) => textOf(find(`#${id}-fault`))
const captcha = '.jw-captcha'
const refusesFields = (type: string) => type === 'code.ask' || type === 'form.submit'

interface Watched {
  told(): string[]
  stop(): void
}

// The form of a student's sign-in.

export interface SignInScreen {
  readonly step: 'form' | 'submitting' | 'done'
  readonly mobile: string
  readonly code: string
  readonly faults: string
  readonly problem: string
  readonly words: string
  readonly offers: string
}
const signInIds = { mobile: 'student-mobile', code: 'student-code' } as const satisfies Record<
  SignInField,
  string
>
const door = '.jw-test-door'
const gone: SignInScreen = {
  step: 'done',
  mobile: '',
  code: '',
  faults: '',
  problem: '',
  words: '',
  offers: '',
}
const said = (...keys: readonly TextKey[]): string => keys.map(zh).join('|')

export function signInOnScreen(spec: Spec<SignInSeen>): Spec<SignInScreen> {
  return {
    ...spec,
    project: ((s: SnapshotFrom<typeof signInMachine>): SignInScreen => {
      const { values, faults, problem } = s.context
      if (s.matches('done')) return gone
      const may = (['code.ask', 'form.submit'] as const).filter((type) => s.can({ type }))
      return {
        step: s.matches('submitting') ? 'submitting' : 'form',
        ...values,
        faults: [faults.mobile, faults.code].map(sentence).join('|'),
        problem: sentence(problem?.message),
        words: said(
          'studentPage.mobile',
          'studentPage.smsCode',
          'studentPage.getCode',
          'studentPage.login',
        ),
        offers: may.join(),
      }
    }) as never,
  }
}

function sentence(message: Message | string | undefined): string {
  return message === undefined ? '' : typeof message === 'string' ? message : say('zh-CN', message)
}

export function signInScreen(): Screen<SignInScreen> {
  let watched: Watched | null = null
  let isIn = false
  let listens = false
  let tellNow: (effect: string) => void = () => {}
  const onSignedIn = (facts: object) => {
    isIn = true
    tellNow(emitEffect({ type: 'signedIn', facts }))
  }
  return {
    mount: (_start, held) => {
      watched = telling((tell) => {
        tellNow = tell
        return [
          watchFocus(
            (id) => {
              const field = Object.entries(signInIds).find(([, each]) => each === id)?.[0]
              if (field !== undefined) tell(emitEffect({ type: 'invalid', field }))
            },
            () => listens,
          ),
        ]
      })
      return {
        element: inConsole(
          held,
          <div className="jw-test-door">
            <StudentSignIn onSignedIn={onSignedIn} />
          </div>,
        ),
        stop: () => watched?.stop(),
      }
    },
    callOf: ({ path, body }: Asked): PortCall | null =>
      path === '/login'
        ? { port: 'signIn', input: { mobile: body.account, code: body.password } }
        : null,
    background: ({ path }) => {
      if (path === '/stuLogin/captcha')
        tellNow(
          sendEffect('smsCode', { type: 'sms.ask', mobile: input(signInIds.mobile).value.trim() }),
        )
      return answered({ key: 'k', image: 'data:,' })
    },
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
    user: (step, held) => {
      listens = refusesFields(step.event.type)
      return gestureOf(
        signInGestures((on) => {
          listens = on
        }),
        step,
        held,
      )
    },
    read: () =>
      isIn
        ? gone
        : {
            step:
              find(`${door} button[type=submit].bp6-loading`) === undefined ? 'form' : 'submitting',
            mobile: input(signInIds.mobile).value,
            code: input(signInIds.code).value,
            faults: [signInIds.mobile, signInIds.code].map(faultOf).join('|'),
            problem: textOf(find(`${door} .jw-fault`)),
            words: wordsIn(door),
            offers: [
              ...(offers(`${door} .jw-sms__ask`) ? ['code.ask'] : []),
              ...(offers(`${door} button[type=submit]`) ? ['form.submit'] : []),
            ].join(),
          },
    told: () => watched?.told() ?? [],
  }
}

function telling(begin: (tell: (effect: string) => void) => readonly { stop(): void }[]): Watched {
  let effects: string[] = []
  const watching = begin((effect) => effects.push(effect))
  return {
    told: () => {
      const now = effects
      effects = []
      return now
    },
    stop: () => {
      for (const each of watching) each.stop()
    },
  }
}

/**
 * Where the page puts the focus: what the machine says of a field, or of a code that is on its way. Dialogs that shut give it back, too; so it
 * counts only while `listens`. It is told and not taken: a field that loses it again would be one more gesture.
 */
function watchFocus(tell: (id: string) => void, listens: () => boolean) {
  const { focus } = HTMLInputElement.prototype
  HTMLInputElement.prototype.focus = function put(this: HTMLInputElement, ...how: []) {
    if (listens()) tell(this.id)
    else focus.apply(this, how)
  }
  return {
    stop: () => {
      HTMLInputElement.prototype.focus = focus
    },
  }
}

function signInGestures(listen: (on: boolean) => void): Gestures<StudentSignInEvent> {
  return {
    'field.change': ({ field, value }) => enter(input(signInIds[field]), value),
    'field.blur': ({ field }) => leave(input(signInIds[field])),
    'code.ask': () => askAndShut(door, listen),
    'form.submit': () => click(`${door} button[type=submit]`),
  }
}

/** A code that was asked for opens a dialog, which the driver shuts at once: it is another machine's. */
function askAndShut(within: string, listen: (on: boolean) => void) {
  click(`${within} .jw-sms__ask`)
  return () => {
    listen(false)
    if (find(captcha) !== undefined) click(`${captcha} button`, zh('studentPage.cancel'))
  }
}

/** Labels, and what the two buttons say. */
function wordsIn(within: string): string {
  return [
    ...all(`${within} .jw-line > label`),
    find(`${within} .jw-sms__ask`),
    find(`${within} button[type=submit]`),
  ]
    .map((each) => textOf(each))
    .join('|')
}

// The dialog of registration.

export interface RegisterScreen {
  readonly step: 'closed' | 'form' | 'submitting'
  readonly values: string
  readonly faults: string
  readonly problem: string
  readonly words: string
  readonly offers: string
}
const registerIds = {
  idNumber: 'register-id',
  major: 'register-major',
  mobile: 'register-mobile',
  code: 'register-code',
} as const satisfies Record<RegisterField, string>
const fields = Object.keys(registerIds) as readonly RegisterField[]
const dialog = '.jw-register'
const shut: RegisterScreen = {
  step: 'closed',
  values: '',
  faults: '',
  problem: '',
  words: `${zh('studentPage.firstTime')} ${zh('studentPage.register')}`,
  offers: 'register.open',
}

export function registerOnScreen(spec: Spec<RegisterSeen>): Spec<RegisterScreen> {
  return {
    ...spec,
    project: ((s: SnapshotFrom<typeof registerMachine>): RegisterScreen => {
      const { values, faults, problem } = s.context
      if (s.matches('closed')) return shut
      const may = (['register.close', 'code.ask', 'form.submit'] as const).filter((type) =>
        s.can({ type }),
      )
      return {
        step: s.matches({ open: 'submitting' }) ? 'submitting' : 'form',
        values: fields.map((field) => values[field]).join('|'),
        faults: fields.map((field) => sentence(faults[field])).join('|'),
        problem: sentence(problem?.message),
        words: said(
          'studentPage.registerTitle',
          'studentPage.registerHint',
          'studentPage.idNumber',
          'studentPage.major',
          'studentPage.mobile',
          'studentPage.smsCode',
          'studentPage.getCode',
          'studentPage.register',
        ),
        offers: may.join(),
      }
    }) as never,
  }
}

export function registerScreen(): Screen<RegisterScreen> {
  let watched: Watched | null = null
  let tellNow: (effect: string) => void = () => {}
  let listens = false
  const toasts = newToasts()
  return {
    mount: (_start, held) => {
      watched = telling((tell) => {
        tellNow = tell
        return [
          watchFocus(
            (id) => {
              const field = Object.entries(registerIds).find(([, each]) => each === id)?.[0]
              if (field !== undefined) tell(emitEffect({ type: 'invalid', field }))
            },
            () => listens,
          ),
        ]
      })
      return {
        element: inConsole(held, <StudentSignIn onSignedIn={() => {}} />),
        stop: () => watched?.stop(),
      }
    },
    callOf: ({ path, body }: Asked): PortCall | null =>
      path === '/stu/oauth/regist'
        ? {
            port: 'register',
            input: {
              idNumber: body.sfzh,
              major: body.zymc,
              mobile: body.mobile,
              code: body.verCode,
            },
          }
        : null,
    background: ({ path }) => {
      if (path === '/stuLogin/captcha')
        tellNow(
          sendEffect('smsCode', {
            type: 'sms.ask',
            mobile: input(registerIds.mobile).value.trim(),
          }),
        )
      return answered({ key: 'k', image: 'data:,' })
    },
    reply: () => answered(null),
    end: () => {
      listens = false
      return false
    },
    user: (step, held) => {
      listens = refusesFields(step.event.type)
      return gestureOf(
        registerGestures((on) => {
          listens = on
        }),
        step,
        held,
      )
    },
    read: () =>
      find(dialog) === undefined
        ? { ...shut, words: textOf(find('.jw-door__first')) }
        : {
            step:
              find(`${dialog} button[type=submit].bp6-loading`) === undefined
                ? 'form'
                : 'submitting',
            values: fields.map((field) => input(registerIds[field]).value).join('|'),
            faults: fields.map((field) => faultOf(registerIds[field])).join('|'),
            problem: textOf(find(`${dialog} .jw-fault`)),
            words: `${textOf(find(`${dialog} .bp6-heading`))}|${textOf(find(`${dialog} .jw-muted`))}|${wordsIn(dialog)}`,
            offers: [
              ...(offers(`${dialog} .bp6-dialog-close-button`) ? ['register.close'] : []),
              ...(offers(`${dialog} .jw-sms__ask`) ? ['code.ask'] : []),
              ...(offers(`${dialog} button[type=submit]`) ? ['form.submit'] : []),
            ].join(),
          },
    // The toast and the number that is handed to the sign-in beside it.
    told: () => [
      ...(watched?.told() ?? []),
      ...toasts().map((toast) =>
        emitEffect({
          type: 'registered',
          mobile: input(signInIds.mobile).value,
          message:
            toast.textContent?.includes(zh('studentFlow.registered')) === true
              ? { key: 'studentFlow.registered' }
              : toast.textContent,
        }),
      ),
    ],
  }
}

function registerGestures(listen: (on: boolean) => void): Gestures<RegisterEvent> {
  return {
    'register.open': () => click('.jw-door__first button'),
    'register.close': () => click(`${dialog} .bp6-dialog-close-button`),
    'field.change': ({ field, value }) => enter(input(registerIds[field]), value),
    'field.blur': ({ field }) => leave(input(registerIds[field])),
    'code.ask': () => askAndShut(dialog, listen),
    'form.submit': () => click(`${dialog} button[type=submit]`),
  }
}

// The code request, as the sign-in shows it.

export interface SmsScreen {
  readonly dialog: boolean
  readonly image: boolean
  readonly answer: string
  readonly problem: string
  readonly waiting: string
  /** The button that asks, what is said of it, and the dialog. */ readonly words: string
  readonly offers: string
}
const lockKey = 'JIAOWU_SMS_LOCK'
type SmsStarts = Readonly<
  Record<
    string,
    (clock: { now(): number }) => {
      readonly facts: { readonly lockedUntil: number } | null
      readonly now: () => number
    }
  >
>

export function smsOnScreen(spec: Spec<SmsCodeSeen>): Spec<SmsScreen> {
  const starts = spec.input as SmsStarts
  // An hour is what the bare machine waits for; here every second is drawn.
  const { absurd: _absurd, ...replies } = spec.outcomes.smsCode as Readonly<Record<string, never>>
  return {
    ...spec,
    outcomes: { ...spec.outcomes, smsCode: replies },
    // The sign-in's code request; a registration's is the same part of the page.
    input: Object.fromEntries(
      Object.entries(starts).map(([name, make]) => [
        name,
        (clock: { now(): number }) => ({ ...make(clock), purpose: '1' }),
      ]),
    ),
    project: ((
      s: SnapshotFrom<typeof smsCodeMachine>,
      left: (child: string) => number | null,
    ): SmsScreen => {
      const may = (['captcha.submit', 'captcha.renew', 'captcha.cancel'] as const).filter((type) =>
        s.can({ type }),
      )
      const ms = left('smsLock')
      const said =
        ms === null
          ? [zh('studentPage.getCode'), '']
          : [
              t('zh-CN', 'studentPage.resendIn', { n: Math.ceil(ms / 1000) }),
              zh('studentPage.codeSent'),
            ]
      return {
        words: [
          ...said,
          ...(s.hasTag('captcha')
            ? (['studentPage.captchaTitle', 'studentPage.captchaHint', 'common.ok'] as const)
            : []
          ).map((key) => zh(key)),
        ].join('|'),
        dialog: s.hasTag('captcha'),
        image: s.hasTag('captcha') && s.context.picture !== null,
        answer: s.hasTag('captcha') ? s.context.answer : '',
        problem: sentence(s.context.problem?.message),
        waiting: ms !== null ? String(Math.ceil(ms / 1000)) : s.matches('sending') ? 'sending' : '',
        offers: [
          ...(s.can({ type: 'sms.ask', mobile: '1' }) ? ['sms.ask'] : []),
          ...may,
          ...(s.can({ type: 'captcha.type', answer: '' }) ? ['captcha.type'] : []),
        ].join(),
      }
    }) as never,
  }
}

const smsGestures: Gestures<SmsCodeEvent> = {
  'sms.ask': ({ mobile }) => {
    enter(input(signInIds.mobile), mobile)
    return () => click(`${door} .jw-sms__ask`)
  },
  'captcha.type': ({ answer }) => enter(need<HTMLInputElement>(`${captcha} input`), answer),
  'captcha.submit': () => click(`${captcha} button[type=submit]`),
  'captcha.renew': () => click(`${captcha} [aria-label="${zh('studentPage.captchaNew')}"]`),
  'captcha.cancel': () => click(`${captcha} button`, zh('studentPage.cancel')),
}

export function smsScreen(model: Spec<SmsCodeSeen>): Screen<SmsScreen> {
  let watched: Watched | null = null
  let isAnswered = false
  return {
    mount: (start, held) => {
      const facts = (model.input as SmsStarts)[start]?.({ now: Date.now }).facts ?? null
      if (facts !== null) sessionStorage.setItem(lockKey, JSON.stringify(facts))
      watched = telling((tell) => [
        watchStorage(lockKey, (facts) =>
          tell(emitEffect({ type: 'facts', facts: facts === null ? null : JSON.parse(facts) })),
        ),
        watchFocus(
          (id) => {
            if (id === signInIds.code)
              tell(emitEffect({ type: 'sent', mobile: input(signInIds.mobile).value }))
          },
          () => isAnswered,
        ),
      ])
      return {
        element: inConsole(
          held,
          <div className="jw-test-door">
            <StudentSignIn onSignedIn={() => {}} />
          </div>,
        ),
        stop: () => watched?.stop(),
      }
    },
    callOf: ({ path, body, query, headers }: Asked): PortCall | null => {
      if (path === '/stuLogin/captcha') return { port: 'captcha', input: undefined }
      if (path === '/stuLogin/verify')
        return { port: 'verify', input: { key: body.key, answer: body.verifyTxt } }
      return path === '/stu/oauth/code'
        ? {
            port: 'smsCode',
            input: {
              mobile: query.mobile,
              purpose: query.isType,
              ticket: headers.get('x-captcha-ticket'),
            },
          }
        : null
    },
    background: () => answered(null),
    user: (step, held) => {
      isAnswered = false
      return gestureOf(smsGestures, step, held)
    },
    end: (_held, port) => {
      isAnswered = port === 'smsCode'
      return false
    },
    read: () => {
      const isOpen = find(captcha) !== undefined
      const button = find(`${door} .jw-sms__ask`)
      return {
        dialog: isOpen,
        image: find(`${captcha} img`) !== undefined,
        answer: isOpen ? need<HTMLInputElement>(`${captcha} input`).value : '',
        problem: isOpen ? textOf(find('.jw-captcha__fault')) : textOf(find('.jw-sms__refused')),
        words: [
          find(`${door} .jw-sms__ask`),
          find(`${door} .jw-unseen`),
          ...(isOpen
            ? [
                find(`${captcha} .bp6-heading`),
                find(`${captcha} .jw-muted`),
                find(`${captcha} button[type=submit]`),
              ]
            : []),
        ]
          .map(textOf)
          .join('|'),
        waiting:
          /\d+/.exec(textOf(button))?.[0] ??
          (button?.classList.contains('bp6-loading') === true ? 'sending' : ''),
        offers: [
          ...(offers(`${door} .jw-sms__ask`) ? ['sms.ask'] : []),
          ...(offers(`${captcha} button[type=submit]`) ? ['captcha.submit'] : []),
          ...(offers(`${captcha} [aria-label="${zh('studentPage.captchaNew')}"]`)
            ? ['captcha.renew']
            : []),
          ...(offers(`${captcha} button`, zh('studentPage.cancel')) ? ['captcha.cancel'] : []),
          ...(offers(`${captcha} input`) && !need<HTMLInputElement>(`${captcha} input`).readOnly
            ? ['captcha.type']
            : []),
        ].join(),
      }
    },
    told: () => watched?.told() ?? [],
  }
}
