import type { sessionMachine, smsCodeMachine } from '@jiaowu/machines'
import { useSelector } from '@xstate/react'
import { Text } from 'ink'
import type { SnapshotFrom } from 'xstate'
import type { SessionActor } from '../../../apps/cli/src/session/connect.ts'
import { SignInOver } from '../../../apps/cli/src/screens/sign-in-over.tsx'
import { EntryForm } from '../../../apps/cli/src/screens/student/entry-form.tsx'
import type { SmsActor } from '../../../apps/cli/src/screens/student/sms-part.tsx'
import type { Spec } from '../../machines/spec.ts'
import { sessionModel } from '../../machines/session/model.ts'
import { smsCodeModel } from '../../machines/sms-code/model.ts'
import type { TerminalScreen } from './screen.tsx'

/** The session on a terminal: nothing is shown until it ends over an open screen. */
export interface TerminalSessionSeen {
  readonly page: boolean
  readonly over: 'reminder' | 'form' | null
  readonly ended: string | null
  readonly problem: string | null
  readonly captcha: boolean
  readonly busy: boolean
  readonly canSignIn: boolean
}
type Session = SnapshotFrom<typeof sessionMachine>

export const sessionOnTerminal: Spec<TerminalSessionSeen> = {
  ...(sessionModel as unknown as Spec<TerminalSessionSeen>),
  unhandled: [],
  events: { ...sessionModel.events, 'session.signIn': {} },
  // Over a page the user is known: only the password is typed, and the captcha when one is shown.
  eventsIn: (snapshot) => {
    const { profile, captchaKey } = (snapshot as Session).context
    return {
      'session.signIn': {
        form: snapshot.hasTag('expired')
          ? {
              account: profile?.user.account ?? '',
              password: 'p',
              tenant: profile?.user.tenant ?? '',
              captcha: captchaKey === null ? '' : 'c',
            }
          : { account: 'a', password: 'p', tenant: '', captcha: 'c' },
      },
    }
  },
  // Ctrl-C leaves the reminder, and with it the command.
  hidden: (_snapshot, event) => event.type === 'reminder.leave',
  project: (snapshot) => {
    const s = snapshot as Session
    const isOver = s.matches('expired')
    const stage =
      s.matches({ expired: 'reminder' }) || s.matches({ expired: 'joining' })
        ? ('reminder' as const)
        : ('form' as const)
    return {
      page: true,
      over: isOver ? stage : null,
      ended: isOver ? sentence(s.context.ended) : null,
      problem: isOver ? sentence(s.context.problem) : null,
      captcha: isOver && stage === 'form' && s.context.captchaKey !== null,
      busy: isOver && s.hasTag('busy'),
      canSignIn: isOver && (s.matches({ expired: 'form' }) || s.matches({ expired: 'reminder' })),
    }
  },
}

function sentence(problem: { readonly message: unknown } | null) {
  return problem === null ? null : String(problem.message)
}

export function sessionTerminal(): TerminalScreen<TerminalSessionSeen> {
  return {
    element: (actor) => (
      <SignInOver
        session={actor as unknown as SessionActor}
        locale="zh-CN"
        picture={() => Promise.resolve([])}
      >
        {() => <Text>页面</Text>}
      </SignInOver>
    ),
    gesture: ({ event }, user, actor) => {
      if (event.type === 'reminder.confirm')
        return user.keyFor('登录') === null ? null : user.press('enter')
      // `jiaowu login` asks questions line by line and is not a screen; this is the sign-in over a
      // page.
      if (event.type === 'session.signIn' && /密码：/.test(user.frame()))
        return (async () => {
          await user.type('p')
          await user.press('enter')
          if (/图片中的字符/.test(user.frame())) {
            await user.type('c')
            await user.press('enter')
          }
        })()
      actor.send(event) // told by the file, the server or another terminal
      return Promise.resolve()
    },
    read: (user) => {
      const frame = user.frame()
      const isOver = frame.includes('╭')
      const form = /│ a\d 密码：(?:-|[•*]+)?\s*│/.test(frame)
      return Promise.resolve({
        page: user.says('页面'),
        over: isOver ? (form ? 'form' : 'reminder') : null,
        ended: isOver ? (/│ (m\d+)/.exec(frame)?.[1] ?? null) : null,
        problem: isOver ? (/✗ (\S+)/.exec(frame)?.[1] ?? null) : null,
        captcha: /│ 图片中的字符：(?:-|[a-z]+)?\s*│/.test(frame),
        busy: user.says('加载中…'),
        canSignIn: user.keyFor('登录') !== null,
      })
    },
  }
}

/** The SMS code beside its field, and the captcha before it. */
export interface TerminalSmsSeen {
  readonly captcha: string | null
  readonly busy: boolean
  readonly image: boolean
  readonly answer: string
  readonly problem: string | null
  readonly left: number | null
  readonly offers: string
}
type Sms = SnapshotFrom<typeof smsCodeMachine>
// Without the lock of an hour, since every second is drawn.
const { absurd: _absurd, ...replies } = smsCodeModel.outcomes.smsCode as Readonly<
  Record<string, never>
>
// A captcha before a try with a code opens in the walks of the sign-in.
const { 'captcha.prove': _proof, ...smsEvents } = smsCodeModel.events
export const smsOnTerminal: Spec<TerminalSmsSeen> = {
  ...(smsCodeModel as unknown as Spec<TerminalSmsSeen>),
  events: smsEvents,
  unhandled: [],
  outcomes: { ...smsCodeModel.outcomes, smsCode: replies },
  project: (snapshot, left) => {
    const s = snapshot as Sms
    const isOpen = s.hasTag('captcha')
    const seconds = left('smsLock')
    return {
      captcha: isOpen ? 'open' : null,
      busy:
        (isOpen && s.context.picture === null && !s.matches({ captcha: 'failed' })) ||
        s.matches('sending'),
      image: isOpen && s.context.picture !== null,
      answer: isOpen ? s.context.answer.trim() : '',
      problem: sentence(s.context.problem),
      left: seconds === null ? null : Math.ceil(seconds / 1000),
      offers: [
        ...(s.can({ type: 'sms.ask', mobile: '' }) ? ['获取验证码'] : []),
        ...(s.can({ type: 'captcha.submit' }) ? ['确定'] : []),
        ...(s.can({ type: 'captcha.renew' }) ? ['换一张'] : []),
        ...(s.can({ type: 'captcha.cancel' }) ? ['取消'] : []),
      ].join(),
    }
  },
}

export function smsTerminal(): TerminalScreen<TerminalSmsSeen> {
  return {
    element: (actor) => <SmsForm actor={actor as unknown as SmsActor} />,
    gesture: ({ event }, user) => {
      const label = {
        'sms.ask': '获取验证码',
        'captcha.submit': '确定',
        'captcha.renew': '换一张',
        'captcha.cancel': '取消',
      }[event.type]
      const key = label === undefined ? null : user.keyFor(label)
      if (event.type === 'captcha.type')
        return user.frame().includes('图中的字符')
          ? (async () => {
              await user.press('^u')
              const { answer } = event as unknown as { answer: string }
              if (answer !== '') await user.type(answer)
            })()
          : null
      return key === null ? null : user.press(key)
    },
    read: (user) => {
      const frame = user.frame()
      const isOpen = user.says('填写验证码')
      return Promise.resolve({
        captcha: isOpen ? 'open' : null,
        busy: user.says('加载中…'),
        image: frame.includes('▀▄▀'),
        answer: isOpen ? (/│ 图中的字符: (\S*)/.exec(frame)?.[1] ?? '?').replace(/^[-│]$/, '') : '',
        problem: /✗ (.*?)\s*(?:│|$)/m.exec(frame)?.[1] ?? null,
        left: ((found) => (found === null ? null : Number(found[1])))(
          /(\d+) 秒后重新发送(?:\s|$)/.exec(frame),
        ),
        offers: ['获取验证码', '确定', '换一张', '取消']
          .filter((label) => user.keyFor(label) !== null)
          .join(),
      })
    },
  }
}

function SmsForm({ actor }: { readonly actor: SmsActor }) {
  const isBusy = useSelector(actor, () => false)
  const none = () => {}
  return (
    <EntryForm
      focus="code"
      onFocus={none}
      title="门"
      fields={[['code', '验证码']]}
      values={{ code: '' }}
      faults={{}}
      problem={null}
      busy={isBusy}
      canAsk
      submitText="登录"
      onChange={none}
      onBlur={none}
      onAsk={() => actor.send({ type: 'sms.ask', mobile: '13800000001' })}
      onSubmit={none}
      sms={actor}
      draw={() => ({ lines: ['▀▄▀'], path: null })}
      locale="zh-CN"
      more={[]}
    />
  )
}
