import type { Message } from '@jiaowu/api'
import {
  type RegisterEvent,
  registerMachine,
  signInMachine,
  smsCodeActors,
  smsCodeMachine,
  type StudentSignInEvent,
} from '@jiaowu/machines'
import { type AnyMachineSnapshot, createActor } from 'xstate'
import {
  type RegisterActor,
  type SignInActor,
  SignInScreen,
} from '../../../apps/cli/src/screens/student/sign-in-screen.tsx'
import { registerModels } from '../../machines/register/model.ts'
import { signInModels } from '../../machines/sign-in/model.ts'
import { sentence, zh } from '../sentences.ts'
import { atCursor, cursorOf, type Leaving } from './cursor.ts'
import { custom, key, type TerminalGesture, typeOver } from './gestures.ts'
import type { TerminalUser } from './screen.tsx'
import { terminalDriverOf, type TerminalTable } from './table.ts'

interface FormContext {
  readonly values: Readonly<Record<string, string>>
  readonly faults: Readonly<Record<string, Message | undefined>>
  readonly problem: { readonly message: Message | string } | null
}
type Form = 'signIn' | 'register'
/** What the terminal shows of a student's sign-in or registration. */
interface View {
  readonly s: AnyMachineSnapshot
  readonly form: Form
  readonly busy: boolean
  readonly cursor: string
  readonly moves: boolean
  readonly values: string
  /** The red lines, each with the field above it. */
  readonly red: string
}

const names = {
  idNumber: zh('studentPage.idNumber'),
  major: zh('studentPage.major'),
  mobile: zh('studentPage.mobile'),
  code: zh('studentPage.smsCode'),
} as const
type Name = keyof typeof names
const fieldsOf: Readonly<Record<Form, readonly Name[]>> = {
  signIn: ['mobile', 'code'],
  register: ['idNumber', 'major', 'mobile', 'code'],
}
const titles = { signIn: zh('studentPage.title'), register: zh('studentPage.registerTitle') }
const captchaTitle = zh('studentPage.captchaTitle')
const [getCode, register] = [zh('studentPage.getCode'), zh('studentPage.register')]

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
const readings: TerminalTable<AnyMachineSnapshot, StudentSignInEvent, View>['readings'] = {
  form: { model: ({ form }) => form, screen: formIn },
  cursor: { model: ({ cursor }) => cursor, screen: (user) => fieldsIn(user).cursor },
  moves: {
    model: ({ moves }) => moves,
    screen: (user) => user.frame().includes(`↓ ${zh('cli.key.move')}`),
  },
  values: { model: ({ values }) => values, screen: (user) => fieldsIn(user).values },
  red: { model: ({ red }) => red, screen: (user) => fieldsIn(user).red },
}
const says = { 'common.loading': ({ busy }: View) => busy } as const
const gestures = {
  'field.change': ({ value }: { readonly value: string }) =>
    custom((user) => typeOver(user, value)),
  'field.blur': (event: { readonly type: string }) => custom((user) => leave(user, event)),
  'code.ask': {
    ...key(getCode),
    run: (user: TerminalUser) => press(user, getCode, () => closeCaptcha(user)),
  },
  'captcha.solved': inCaptcha(async (user) => {
    await user.type('AB12')
    await user.press('enter')
  }),
  'captcha.cancelled': inCaptcha((user) => user.press('esc')),
} as const
const isCovered = (user: TerminalUser) => user.frame().includes(captchaTitle)

/** Registration is another machine: the sign-in always lists its key, and it is not pressed. */
export const signInTerminal = terminalDriverOf<AnyMachineSnapshot, StudentSignInEvent, View>({
  model: signInModels,
  adapt: (model) =>
    atCursor(
      { ...model, machine: signInMachine.provide({ actors: { smsCode } }) },
      fieldsOf.signIn,
      { still: isHeld },
    ),
  view: (s) => shownOf(s, 'signIn'),
  isGone: { model: ({ s }) => s.matches('done'), screen: (user) => formIn(user) === 'gone' },
  readings,
  says,
  hints: { [register]: ({ s }) => !isHeld(s) },
  isCovered,
  gestures: { ...gestures, 'form.submit': uncovered(key(zh('studentPage.login'))) },
  element: (actor) => (
    <Screen
      signIn={actor as unknown as SignInActor}
      // The machine beside the one that is walked stays idle.
      register={createActor(registerMachine, { input: { now: Date.now } }).start()}
    />
  ),
})

export const registerTerminal = terminalDriverOf<AnyMachineSnapshot, RegisterEvent, View>({
  model: registerModels,
  adapt: (model) =>
    atCursor(
      { ...model, machine: registerMachine.provide({ actors: { smsCode } }) },
      fieldsOf.register,
      { anew: 'register.open', still: (s) => isHeld(s) || s.matches('closed') },
    ),
  view: (s) =>
    s.matches('closed')
      ? { s, form: 'signIn', busy: false, cursor: 'mobile', moves: true, values: '|', red: '' }
      : shownOf(s, 'register'),
  readings,
  says,
  // The sign-in, which shows when the registration is closed.
  hints: {
    [getCode]: ({ form }) => form === 'signIn',
    [zh('studentPage.login')]: ({ form }) => form === 'signIn',
  },
  isCovered,
  gestures: {
    ...gestures,
    'form.submit': uncovered(key(register)),
    'register.open': uncovered(key(register)),
    'register.close': uncovered(key(zh('common.cancel'))),
  },
  element: (actor) => (
    <Screen
      signIn={createActor(signInMachine, { input: { smsFacts: null, now: Date.now } }).start()}
      register={actor as unknown as RegisterActor}
    />
  ),
})

interface ScreenProps {
  readonly signIn: SignInActor
  readonly register: RegisterActor
}

function Screen({ signIn, register: registration }: ScreenProps) {
  return (
    <SignInScreen
      actor={signIn}
      register={registration}
      locale="zh-CN"
      draw={() => ({ lines: ['▀▄▀'], path: null })}
      leave={() => {}}
    />
  )
}

function shownOf(s: AnyMachineSnapshot, form: Form): View {
  const { values, faults, problem } = s.context as FormContext
  return {
    s,
    form,
    busy: s.hasTag('busy'),
    cursor: cursorOf(s),
    moves: !isHeld(s),
    values: fieldsOf[form].map((field) => values[field]?.trim()).join('|'),
    red: [
      ...fieldsOf[form].flatMap((field) => {
        const fault = faults[field]
        return fault === undefined ? [] : [`${field} ${sentence(fault)}`]
      }),
      ...(problem === null ? [] : [`code ${sentence(problem.message)}`]),
    ].join('|'),
  }
}

/** A call is on its way, or the captcha of a try takes the keys. */
function isHeld(s: AnyMachineSnapshot): boolean {
  return s.hasTag('busy') || s.matches('proving') || s.matches({ open: 'proving' })
}

function formIn(user: TerminalUser): Form | 'gone' {
  if (user.says(titles.register)) return 'register'
  return user.says(titles.signIn) ? 'signIn' : 'gone'
}

/** The fields of the form with their values, the one with the cursor, and the red lines below them. */
function fieldsIn(user: TerminalUser): Pick<View, 'cursor' | 'values' | 'red'> {
  const form = formIn(user)
  const fields = form === 'gone' ? [] : fieldsOf[form]
  const values = new Map<Name, string>()
  const red: string[] = []
  let cursor = '',
    under = ''
  for (const line of user.frame().split('\n')) {
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
  return custom((user) => (isCovered(user) ? run(user) : null))
}

/** A key of the form, which the captcha covers. */
function uncovered(gesture: TerminalGesture): TerminalGesture {
  return { ...gesture, run: (user, actor) => (isCovered(user) ? null : gesture.run(user, actor)) }
}

function press(user: TerminalUser, label: string, then: () => Promise<void>): Promise<void> | null {
  const found = user.keyFor(label)
  return found === null ? null : user.press(found).then(then)
}

async function closeCaptcha(user: TerminalUser): Promise<void> {
  if (isCovered(user)) await user.press('esc')
}
