import { sessionView } from '@jiaowu/machines/session/view'
import { Text } from 'ink'
import { type SessionActor, toAnswer } from '../../../apps/cli/src/session/connect.ts'
import { SignInOver } from '../../../apps/cli/src/screens/sign-in-over.tsx'
import {
  by,
  createTerminalDriver,
  on,
  read,
  always,
  type Shown,
  formatMessages,
  zh,
} from '../../surfaces/terminal/driver.ts'
import { mapValues } from '../../surfaces/samples.ts'
import { sessionModel, sessionModels } from './model.ts'

type View = Shown<typeof sessionView>
const [signIn, password, captcha] = [zh('cli.login'), zh('cli.askPassword'), zh('cli.askCaptcha')]
const [factorCode, back] = [zh('cli.askFactor'), zh('signIn.back')]
const [isOver, isReminded] = [on('expired'), on('expired.reminder', 'expired.joining')]
const hasBox = (v: View) => isOver(v) && !isReminded(v)
const isForm = (v: View) => hasBox(v) && v.factor === null
const isAsked = (v: View) => hasBox(v) && v.factor !== null
/** A line of the box over the page: a field, and what is typed into it. */
const matchBoxLine = (label: string, letters: string) =>
  read.has(new RegExp(`│ ${label}(?:-|[${letters}]+)?\\s*│`))

const { unsaved: _unsaved, ...changes } = sessionModel.events['storage.changed'] ?? {}
/** A terminal has no second window. */
const alone = { ...sessionModel, events: { ...sessionModel.events, 'storage.changed': changes } }
/** The session on a terminal: nothing is shown until it ends over an open screen. */
export const driver = createTerminalDriver({
  model: { ...sessionModels, parts: { session: alone } },
  adapt: ({ events }) => ({
    // A terminal is not remembered: it keeps its session.
    events: {
      ...events,
      'session.signIn': {},
      'factor.answer': mapValues(events['factor.answer'] ?? {}, (answer) => ({
        ...answer,
        remember: false,
      })),
    },
    eventsIn: (snapshot) => ({ 'session.signIn': { form: typedAt(snapshot as View['s']) } }),
  }),
  view: sessionView,
  readings: {
    page: [always, read.says('页面')],
    isOver: [isOver, read.has('╭')],
    isForm: [isForm, matchBoxLine(`a\\d ${password}`, '•*')],
    factor: [isAsked, matchBoxLine(factorCode, '0-9a-z')],
    captcha: [(v) => isForm(v) && v.captchaKey !== null, matchBoxLine(captcha, 'a-z')],
    ended: [(v) => formatMessages(isOver(v) && v.c.ended), read.match(/│ (m\d+)/)],
    problem: [(v) => formatMessages(isOver(v) && v.problem), read.red],
  },
  says: { 'common.loading': (v) => isOver(v) && v.busy },
  hints: {
    [signIn]: on('expired.form', 'expired.reminder'),
    [back]: (v) => isOver(v) && v.can.leaveFactor,
  },
  gestures: {
    // `jiaowu login` asks questions line by line and is not a screen; this is the sign-in over a page.
    'session.signIn': (event) =>
      by.custom(async (user, actor) => {
        if (!user.frame().includes(password)) return actor.send(event)
        await user.type('p')
        await user.press('enter')
        if (!user.frame().includes(captcha)) return undefined
        await user.type('c')
        return user.press('enter')
      }),
    'factor.answer': ({ code }) =>
      by.custom(async (user, actor) => {
        if (!user.frame().includes(factorCode))
          return actor.send({ type: 'factor.answer', ...toAnswer(code) })
        await user.type(code)
        return user.press('enter')
      }),
    'factor.leave': by.custom(async (user, actor) => {
      if (user.frame().includes(factorCode)) return user.press('esc')
      return actor.send({ type: 'factor.leave' })
    }),
    'reminder.confirm': by.unlistedKey(signIn),
    // Ctrl-C leaves the reminder, and with it the command.
    'reminder.leave': by.noKey,
    ...by.gestureForEach(by.sendEvent, 'session.signOut', 'session.invalid', 'token.stale'),
    ...by.gestureForEach(by.sendEvent, 'profile.retry', 'profile.reload', 'storage.changed'),
  },
  hidden: { 'reminder.leave': true },
  screen: SessionPage,
})

function SessionPage({ actor }: { readonly actor: SessionActor }) {
  return (
    <SignInOver session={actor} locale="zh-CN" picture={() => Promise.resolve([])}>
      {() => <Text>页面</Text>}
    </SignInOver>
  )
}

/** Over a page the user is known: only the password is typed, and the captcha when one is shown. */
function typedAt(s: View['s']) {
  const { profile, captchaKey } = s.context
  return s.hasTag('expired')
    ? {
        account: profile?.user.account ?? '',
        password: 'p',
        tenant: profile?.user.tenant ?? '',
        captcha: captchaKey === null ? '' : 'c',
      }
    : { account: 'a', password: 'p', tenant: '', captcha: 'c' }
}
