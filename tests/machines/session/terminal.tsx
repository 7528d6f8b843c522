import type { SessionEvent, sessionMachine } from '@jiaowu/machines'
import { Text } from 'ink'
import type { SnapshotFrom } from 'xstate'
import type { SessionActor } from '../../../apps/cli/src/session/connect.ts'
import { SignInOver } from '../../../apps/cli/src/screens/sign-in-over.tsx'
import { sentence, zh } from '../../surfaces/sentences.ts'
import { custom, key, noKey, sent, unlisted } from '../../surfaces/terminal/gestures.ts'
import { redLines, seen, shows } from '../../surfaces/terminal/reads.ts'
import { terminalDriverOf } from '../../surfaces/terminal/table.ts'
import { sessionModel, sessionModels } from './model.ts'

type Snapshot = SnapshotFrom<typeof sessionMachine>
interface View {
  readonly s: Snapshot
  readonly isOver: boolean
  readonly isForm: boolean
}
const signIn = zh('cli.login')
const [password, captcha] = [zh('cli.askPassword'), zh('cli.askCaptcha')]

/** The session on a terminal: nothing is shown until it ends over an open screen. */
export const sessionTerminal = terminalDriverOf<Snapshot, SessionEvent, View>({
  model: { ...sessionModels, parts: { session: sessionModel } },
  adapt: ({ events }) => ({
    events: { ...events, 'session.signIn': {} },
    eventsIn: (snapshot) => ({ 'session.signIn': { form: typedAt(snapshot as Snapshot) } }),
  }),
  view: (s) => {
    const isOver = s.matches('expired')
    const isReminded = s.matches({ expired: 'reminder' }) || s.matches({ expired: 'joining' })
    return { s, isOver, isForm: isOver && !isReminded }
  },
  readings: {
    page: { model: () => true, screen: shows('页面') },
    isOver: { model: ({ isOver }) => isOver, screen: (user) => user.frame().includes('╭') },
    isForm: {
      model: ({ isForm }) => isForm,
      screen: (user) => new RegExp(`│ a\\d ${password}(?:-|[•*]+)?\\s*│`).test(user.frame()),
    },
    captcha: {
      model: ({ s, isForm }) => isForm && s.context.captchaKey !== null,
      screen: (user) => new RegExp(`│ ${captcha}(?:-|[a-z]+)?\\s*│`).test(user.frame()),
    },
    ended: {
      model: ({ s, isOver }) => (isOver ? sentence(s.context.ended?.message) : ''),
      screen: seen(/│ (m\d+)/),
    },
    problem: {
      model: ({ s, isOver }) => (isOver ? sentence(s.context.problem?.message) : ''),
      screen: redLines,
    },
  },
  says: { 'common.loading': ({ s, isOver }) => isOver && s.hasTag('busy') },
  hints: {
    [signIn]: ({ s }) => s.matches({ expired: 'form' }) || s.matches({ expired: 'reminder' }),
  },
  gestures: {
    // `jiaowu login` asks questions line by line and is not a screen; this is the sign-in over a page.
    'session.signIn': (event) =>
      custom(async (user, actor) => {
        if (!user.frame().includes(password)) return actor.send(event)
        await user.type('p')
        await user.press('enter')
        if (!user.frame().includes(captcha)) return undefined
        await user.type('c')
        return user.press('enter')
      }),
    'reminder.confirm': unlisted(key(signIn, 'enter')),
    // Ctrl-C leaves the reminder, and with it the command.
    'reminder.leave': noKey,
    'session.signOut': sent,
    'session.invalid': sent,
    'token.stale': sent,
    'profile.retry': sent,
    'profile.reload': sent,
    'storage.changed': sent,
  },
  hidden: (_snapshot, { type }) => type === 'reminder.leave',
  element: (actor) => (
    <SignInOver
      session={actor as unknown as SessionActor}
      locale="zh-CN"
      picture={() => Promise.resolve([])}
    >
      {() => <Text>页面</Text>}
    </SignInOver>
  ),
})

/** Over a page the user is known: only the password is typed, and the captcha when one is shown. */
function typedAt(s: Snapshot) {
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
