import { type Message, messageText, t, type TextKey } from '@jiaowu/api'
import { registerMachine, signInMachine, smsCodeActors, smsCodeMachine } from '@jiaowu/machines'
import { type Actor, type AnyMachineSnapshot, type AnyStateMachine, createActor } from 'xstate'
import {
  type RegisterActor,
  type SignInActor,
  SignInScreen,
} from '../../../apps/cli/src/screens/student/sign-in-screen.tsx'
import type { UserStep } from '@jiaowu/path-tests'
import type { Spec } from '../../machines/spec.ts'
import type { RegisterSeen } from '../../machines/register/model.ts'
import type { SignInSeen } from '../../machines/sign-in/model.ts'
import { atCursor, cursorOf, type Leaving } from './cursor.ts'
import { type TerminalUser, saysIn, type TerminalScreen } from './screen.tsx'

/** What the terminal shows of a student's sign-in or registration. */
export interface TerminalDoorSeen {
  readonly form: 'signIn' | 'register' | 'gone'
  readonly busy: boolean
  readonly cursor: string
  readonly moves: boolean
  readonly values: string
  /** The red lines, each with the field above it. */
  readonly red: string
  readonly offers: string
}
interface FormContext {
  readonly values: Readonly<Record<string, string>>
  readonly faults: Readonly<Record<string, Message | undefined>>
  readonly problem: { readonly message: Message | string } | null
}

const zh = (key: TextKey): string => (t as (...all: unknown[]) => string)('zh-CN', key)
const words = {
  idNumber: zh('studentPage.idNumber'),
  major: zh('studentPage.major'),
  mobile: zh('studentPage.mobile'),
  code: zh('studentPage.smsCode'),
} as const
const fieldsOf = {
  signIn: ['mobile', 'code'],
  register: ['idNumber', 'major', 'mobile', 'code'],
} as const
const titles = {
  signIn: zh('studentPage.title'),
  register: zh('studentPage.registerTitle'),
} as const
const captchaTitle = zh('studentPage.captchaTitle')

/** Events, the form that offers them, and the labels of their keys. */
const labels = [
  ['code.ask', 'signIn', zh('studentPage.getCode')],
  ['form.submit', 'signIn', zh('studentPage.login')],
  ['register.open', 'signIn', zh('studentPage.register')],
  ['code.ask', 'register', zh('studentPage.getCode')],
  ['form.submit', 'register', zh('studentPage.register')],
  ['register.close', 'register', zh('common.cancel')],
] as const
const gone: TerminalDoorSeen = {
  form: 'gone',
  busy: false,
  cursor: '',
  moves: false,
  values: '',
  red: '',
  offers: '',
}
const blank: TerminalDoorSeen = {
  form: 'signIn',
  busy: false,
  cursor: 'mobile',
  moves: true,
  values: '|',
  red: '',
  offers: 'code.ask,form.submit,register.open',
}

/**
 * The captcha belongs to another machine, walked in small.tsx: here every answer is right, and the
 * driver closes the captcha of a request for a code.
 */
const smsCode = smsCodeMachine.provide({
  actors: smsCodeActors({
    captcha: () => Promise.resolve({ key: 'k', image: 'data:,' }),
    verify: () => Promise.resolve({ ticket: 't' }),
    smsCode: () => new Promise<never>(() => {}),
  }),
})

// Registration is another machine: the sign-in always lists its key, and it is not pressed.
export function signInOnTerminal(model: Spec<SignInSeen>): Spec<TerminalDoorSeen> {
  return {
    ...atCursor(
      {
        ...(model as unknown as Spec<TerminalDoorSeen>),
        machine: signInMachine.provide({ actors: { smsCode } }),
      },
      fieldsOf.signIn,
      { still: isHeld },
    ),
    project: (s) =>
      s.matches('done')
        ? gone
        : formSeen(s, 'signIn', (type) =>
            type === 'register.open' ? !isHeld(s) : s.can({ type }),
          ),
  }
}

function formSeen(
  s: AnyMachineSnapshot,
  form: 'signIn' | 'register',
  may: (type: string) => boolean,
): TerminalDoorSeen {
  const { values, faults, problem } = s.context as FormContext
  const fields: readonly string[] = fieldsOf[form]
  return {
    form,
    busy: s.hasTag('busy'),
    cursor: cursorOf(s),
    moves: !isHeld(s),
    values: fields.map((field) => values[field]?.trim()).join('|'),
    red: [
      ...fields.flatMap((field) => {
        const fault = faults[field]
        return fault === undefined ? [] : [`${field} ${sentence(fault)}`]
      }),
      ...(problem === null ? [] : [`code ${sentence(problem.message)}`]),
    ].join('|'),
    offers: offered(form, may),
  }
}

/** A call is on its way, or the captcha of a try takes the keys. */
function isHeld(s: AnyMachineSnapshot): boolean {
  return s.hasTag('busy') || s.matches('proving') || s.matches({ open: 'proving' })
}

function sentence(message: Message | string): string {
  return typeof message === 'string' ? message : messageText('zh-CN', message)
}

function offered(form: string, may: (type: string, label: string) => boolean): string {
  return labels
    .filter(([type, at, label]) => at === form && may(type, label))
    .map(([type]) => type)
    .sort()
    .join()
}

export function registerOnTerminal(model: Spec<RegisterSeen>): Spec<TerminalDoorSeen> {
  return {
    ...atCursor(
      {
        ...(model as unknown as Spec<TerminalDoorSeen>),
        machine: registerMachine.provide({ actors: { smsCode } }),
      },
      fieldsOf.register,
      { anew: 'register.open', still: (s) => isHeld(s) || s.matches('closed') },
    ),
    project: (s) =>
      s.matches('closed') ? blank : formSeen(s, 'register', (type) => s.can({ type })),
  }
}

type Running = Actor<AnyStateMachine>

/** The machine beside the one that is walked stays idle. */
export function signInTerminal() {
  return door((actor) => ({
    signIn: actor as unknown as SignInActor,
    register: createActor(registerMachine, { input: { now: Date.now } }).start(),
  }))
}

function door(
  pair: (actor: Running) => { readonly signIn: SignInActor; readonly register: RegisterActor },
): TerminalScreen<TerminalDoorSeen> {
  return {
    element: (actor) => {
      const { signIn, register } = pair(actor)
      return (
        <SignInScreen
          actor={signIn}
          register={register}
          locale="zh-CN"
          draw={() => ({ lines: ['▀▄▀'], path: null })}
          leave={() => {}}
        />
      )
    },
    gesture,
    read,
  }
}

function gesture({ event }: UserStep, user: TerminalUser): Promise<void> | null {
  const form = formIn(user.frame())
  const label = labels.find(([type, at]) => type === event.type && at === form)?.[2]
  const key = label === undefined ? null : user.keyFor(label)
  const { field, to, value } = event as unknown as Leaving & { readonly value: string }
  switch (event.type) {
    case 'field.change':
      return (async () => {
        await user.press('^u')
        if (value !== '') await user.type(value)
      })()
    case 'field.blur': {
      if (form === 'gone') return null
      const fields: readonly string[] = fieldsOf[form]
      return user.press(fields[(fields.indexOf(field) + 1) % fields.length] === to ? '↓' : '↑')
    }
    case 'captcha.solved':
      return user.frame().includes(captchaTitle)
        ? (async () => {
            await user.type('AB12')
            await user.press('enter')
          })()
        : null
    case 'captcha.cancelled':
      return user.frame().includes(captchaTitle) ? user.press('esc') : null
    case 'code.ask':
      return key === null
        ? null
        : (async () => {
            await user.press(key)
            if (user.frame().includes(captchaTitle)) await user.press('esc')
          })()
    default:
      return key === null || user.frame().includes(captchaTitle) ? null : user.press(key)
  }
}

function formIn(frame: string): TerminalDoorSeen['form'] {
  return saysIn(frame, titles.register)
    ? 'register'
    : saysIn(frame, titles.signIn)
      ? 'signIn'
      : 'gone'
}

function read(user: TerminalUser): Promise<TerminalDoorSeen> {
  const frame = user.frame()
  const form = formIn(frame)
  if (form === 'gone') return Promise.resolve(gone)
  const values = new Map<string, string>()
  const red: string[] = []
  let cursor = '',
    under = ''
  for (const line of frame.split('\n')) {
    const field = fieldsOf[form].find(
      (each) => /^[❯ ] /.test(line) && `${line.slice(2)} `.startsWith(`${words[each]} `),
    )
    if (field !== undefined) {
      under = field
      values.set(
        field,
        line
          .slice(2 + words[field].length)
          .trim()
          .replace(/^-$/, ''),
      )
      if (line.startsWith('❯')) cursor = field
    } else if (line.startsWith('✗ ')) red.push(`${under} ${line.slice(2).trim()}`)
  }
  return Promise.resolve({
    form,
    busy: user.says(zh('common.loading')),
    cursor,
    moves: frame.includes(`↓ ${zh('cli.key.move')}`),
    values: fieldsOf[form].map((field) => values.get(field)).join('|'),
    red: red.join('|'),
    offers: offered(
      form,
      (_type, label) => !frame.includes(captchaTitle) && user.keyFor(label) !== null,
    ),
  })
}

export function registerTerminal() {
  return door((actor) => ({
    signIn: createActor(signInMachine, { input: { smsFacts: null, now: Date.now } }).start(),
    register: actor as unknown as RegisterActor,
  }))
}
