import type { Message } from '@jiaowu/api/texts/index'
import type { Problem } from '@jiaowu/api/problem'
import { registerMachine } from '@jiaowu/machines/register/machine'
import { registerView } from '@jiaowu/machines/register/view'
import { signInMachine } from '@jiaowu/machines/sign-in/machine'
import { signInView } from '@jiaowu/machines/sign-in/view'
import { smsCodeActors } from '@jiaowu/machines/sms-code/ports'
import { smsCodeMachine } from '@jiaowu/machines/sms-code/machine'
import { createActor, type SnapshotFrom } from 'xstate'
import {
  type RegisterActor,
  type SignInActor,
  SignInScreen,
} from '../../../apps/cli/src/screens/student/sign-in-screen.tsx'
import { registerModels } from '../../machines/register/model.ts'
import { signInModels } from '../../machines/sign-in/model.ts'
import { atCursor, readCursor, type Leaving } from './cursor.ts'
import {
  by,
  createTerminalDriver,
  on,
  read,
  formatMessages,
  zh,
  type TerminalGesture,
  type TerminalUser,
} from './driver.ts'

type Held = Parameters<typeof isHeld>[0]
type SignInSnapshot = SnapshotFrom<typeof signInMachine>
type RegisterSnapshot = SnapshotFrom<typeof registerMachine>
const names = {
  idNumber: zh('studentPage.idNumber'),
  major: zh('studentPage.major'),
  mobile: zh('studentPage.mobile'),
  code: zh('studentPage.smsCode'),
} as const
type Name = keyof typeof names
type Form = 'signIn' | 'register'
/** The terminal's view of a student's sign-in or registration. */
interface View {
  readonly form: Form
  readonly cursor: string
  readonly values: Readonly<Partial<Record<Name, string>>>
  readonly faults: Readonly<Partial<Record<Name, Message>>>
  readonly problem: Problem | null
}

const fieldsOf: Readonly<Record<Form, readonly Name[]>> = {
  signIn: ['mobile', 'code'],
  register: ['idNumber', 'major', 'mobile', 'code'],
}
const titles = { signIn: zh('studentPage.title'), register: zh('studentPage.registerTitle') }
const [getCode, register] = [zh('studentPage.getCode'), zh('studentPage.register')]
const [logIn, cancel, close] = [zh('studentPage.login'), zh('common.cancel'), zh('common.close')]
/** A call is on its way, the captcha of a try takes the keys, or there is no form any more. */
const isHeld = on('submitting', 'proving', 'open.submitting', 'open.proving', 'open.waiting')
const isCovered = read.has(zh('studentPage.captchaTitle'))

/**
 * The captcha belongs to another machine, walked in sms-code/terminal.tsx: here every answer is right, and the
 * driver closes the captcha of a request for a code.
 */
const smsCode = smsCodeMachine.provide({
  actors: smsCodeActors({
    captcha: () => Promise.resolve({ key: 'k', image: 'data:,' }),
    verify: () => Promise.resolve({ ticket: 't' }),
    smsCode: () => new Promise<never>(() => {}),
  }),
})

const props = {
  locale: 'zh-CN',
  draw: () => ({ lines: ['▀▄▀'], path: null }),
  leave: () => {},
} as const
const shared = {
  isCovered,
  readings: {
    form: [({ form }: View) => form, formIn],
    cursor: [({ cursor }: View) => cursor, (user: TerminalUser) => fieldsIn(user).cursor],
    moves: [(v: Held) => !isHeld(v), read.has(`↓ ${zh('cli.key.move')}`)],
    values: [formatSignInValues, (user: TerminalUser) => fieldsIn(user).values],
    red: [formatRedLines, (user: TerminalUser) => fieldsIn(user).red],
  },
  says: { 'common.loading': on('submitting', 'open.submitting') },
} as const
const gestures = {
  'field.change': ({ value }: { readonly value: string }) =>
    by.custom((user) => by.typeOver(user, value)),
  'field.blur': (event: { readonly type: string }) => by.custom((user) => leave(user, event)),
  'code.ask': {
    ...by.afterKey(getCode, async (user, listed) => {
      await user.press(listed)
      if (isCovered(user)) await user.press('esc')
    }),
    label: getCode,
  },
  'captcha.solved': inCaptcha(async (user) => {
    await user.type('AB12')
    await user.press('enter')
  }),
  'captcha.cancelled': inCaptcha((user) => user.press('esc')),
} as const

/** Registration is another machine: the sign-in always lists its key, and it is not pressed. */
export const signInTerminal = createTerminalDriver({
  ...shared,
  model: signInModels,
  adapt: (model) =>
    atCursor(
      { ...model, machine: signInMachine.provide({ actors: { smsCode } }) },
      fieldsOf.signIn,
      { still: (s) => isHeld({ s }) },
    ),
  view: (s: SignInSnapshot) => ({
    ...signInView(s),
    form: 'signIn' as const,
    cursor: readCursor(s),
  }),
  isGone: [on('done'), (user) => formIn(user) === 'gone'],
  hints: { [register]: (v) => !isHeld(v) },
  gestures: { ...gestures, 'form.submit': unlessCovered(by.key(logIn)) },
  screen: SignIn,
})

export const registerTerminal = createTerminalDriver({
  ...shared,
  model: registerModels,
  adapt: (model) =>
    atCursor(
      { ...model, machine: registerMachine.provide({ actors: { smsCode } }) },
      fieldsOf.register,
      {
        anew: 'register.open',
        still: (s) => isHeld({ s }) || s.matches('closed'),
      },
    ),
  view: (s: RegisterSnapshot): View =>
    s.matches('closed')
      ? { form: 'signIn', cursor: 'mobile', values: {}, faults: {}, problem: null }
      : s.matches({ open: 'waiting' })
        ? { form: 'register', cursor: '', values: {}, faults: {}, problem: null }
        : { ...registerView(s), form: 'register', cursor: readCursor(s) },
  hints: {
    // The sign-in, which shows when the registration is closed.
    [getCode]: on('closed'),
    [logIn]: on('closed'),
    [cancel]: on('open.editing', 'open.refused'),
    [close]: on('open.waiting'),
  },
  gestures: {
    ...gestures,
    'form.submit': unlessCovered(by.key(register)),
    'register.open': unlessCovered(by.key(register)),
    'register.close': unlessCovered(by.unlistedKey(cancel, close)),
  },
  screen: Registration,
})

// The machine beside the one that is walked stays idle.
function SignIn({ actor }: { readonly actor: SignInActor }) {
  const register = createActor(registerMachine, { input: { now: Date.now } }).start()
  return <SignInScreen {...props} actor={actor} register={register} />
}

function Registration({ actor }: { readonly actor: RegisterActor }) {
  const signIn = createActor(signInMachine, { input: { smsFacts: null, now: Date.now } }).start()
  return <SignInScreen {...props} actor={signIn} register={actor} />
}

function formatSignInValues({ form, values }: View): string {
  return fieldsOf[form].map((field) => values[field]?.trim()).join('|')
}

/** The red lines, each with the field above it. */
function formatRedLines({ form, faults, problem }: View): string {
  const lines = fieldsOf[form].map((field) => [field, formatMessages(faults[field])] as const)
  return [...lines, ['code', formatMessages(problem)] as const]
    .flatMap(([field, text]) => (text === '' ? [] : [`${field} ${text}`]))
    .join('|')
}

function formIn(user: TerminalUser): Form | 'gone' {
  if (user.says(titles.register)) return 'register'
  return user.says(titles.signIn) ? 'signIn' : 'gone'
}

/** The fields of the form with their values, the one with the cursor, and the red lines below them. */
function fieldsIn(user: TerminalUser) {
  const form = formIn(user)
  const fields = form === 'gone' ? [] : fieldsOf[form]
  const values = new Map<Name, string>()
  const red: string[] = []
  let cursor = '',
    under = ''
  for (const line of user.lines()) {
    const field = fields.find(
      (each) => /^[❯ ] /.test(line) && `${line.slice(2)} `.startsWith(`${names[each]} `),
    )
    if (field !== undefined) {
      under = field
      const value = line.slice(2 + names[field].length).trim()
      values.set(field, value === '-' ? '' : value)
      if (line.startsWith('❯')) cursor = field
    } else if (line.startsWith('✗ ')) red.push(`${under} ${line.slice(2).trim()}`)
  }
  return { cursor, values: fields.map((field) => values.get(field)).join('|'), red: red.join('|') }
}

function leave(user: TerminalUser, event: object): Promise<void> | null {
  const { field, to } = event as Leaving
  const form = formIn(user)
  if (form === 'gone') return null
  const fields: readonly string[] = fieldsOf[form]
  return user.press(fields[(fields.indexOf(field) + 1) % fields.length] === to ? '↓' : '↑')
}

function inCaptcha(run: (user: TerminalUser) => Promise<void>): TerminalGesture {
  return by.custom((user) => (isCovered(user) ? run(user) : null))
}

/** A key of the form, which the captcha covers. */
function unlessCovered(gesture: TerminalGesture): TerminalGesture {
  return { ...gesture, run: (user, actor) => (isCovered(user) ? null : gesture.run(user, actor)) }
}
