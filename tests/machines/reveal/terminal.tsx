import { type Field, messageText } from '@jiaowu/api'
import type { revealMachine } from '@jiaowu/machines'
import { useSelector } from '@xstate/react'
import type { SnapshotFrom } from 'xstate'
import type { Spec } from '../spec.ts'
import {
  type RevealActor,
  RevealScreen,
} from '../../../apps/cli/src/screens/form/reveal-screen.tsx'
import { Keys, useBindings } from '../../../apps/cli/src/screens/ui.tsx'
import type { TerminalScreen } from '../../surfaces/terminal/screen.tsx'

/** What a user reads of a value of personal data on a terminal. */
export interface TerminalRevealSeen {
  readonly open: boolean
  readonly reason: string
  readonly value: string
  readonly left: number | null
  readonly busy: boolean
  /** What becomes of the reason. */
  readonly hint: boolean
  readonly problem: string | null
  readonly offers: string
}
type Snapshot = SnapshotFrom<typeof revealMachine>
const label: Field['uiLabel'] = '身份证号'
const ask = '查看'

export function revealOnTerminal(model: Spec<unknown>): Spec<TerminalRevealSeen> {
  return {
    ...model,
    project: (snapshot, left) => {
      const s = snapshot as Snapshot
      const { fault, problem, value, reason } = s.context
      const ms = left('revealTime')
      const message = fault ?? problem?.message ?? null
      return {
        open: !s.matches('hidden'),
        reason: s.hasTag('open') ? reason.trim() : '',
        value,
        left: ms === null ? null : Math.ceil(ms / 1000),
        busy: s.hasTag('busy'),
        hint: s.hasTag('open'),
        problem:
          message === null || typeof message === 'string' ? message : messageText('zh-CN', message),
        offers: [
          ...(s.can({ type: 'reveal.ask' }) ? [ask] : []),
          ...(s.can({ type: 'reveal.confirm' }) ? ['显示'] : []),
          ...(s.can({ type: 'reveal.close' }) ? [s.matches('showing') ? '隐藏' : '取消'] : []),
        ].join(),
      }
    },
  }
}

export function revealTerminal(): TerminalScreen<TerminalRevealSeen> {
  return {
    element: (actor) => <Page actor={actor as unknown as RevealActor} />,
    gesture: ({ event }, user) => {
      const frame = user.frame()
      if (event.type === 'reason.change')
        return frame.includes('事由: ')
          ? (async () => {
              await user.press('^u')
              await user.type((event as unknown as { reason: string }).reason)
            })()
          : null
      const key =
        event.type === 'reveal.ask'
          ? user.keyFor(ask)
          : event.type === 'reveal.confirm'
            ? user.keyFor('显示')
            : (user.keyFor('取消') ?? user.keyFor('隐藏'))
      return key === null ? null : user.press(key)
    },
    read: (user) => {
      const frame = user.frame()
      return Promise.resolve({
        open: user.says(`显示${label}`),
        reason: (/│ 事由: *(\S*)/.exec(frame)?.[1] ?? '').replace(/^[-│]$/, ''),
        value: /│ (\d{17}[\dX]) /.exec(frame)?.[1] ?? '',
        left: ((found) => (found === null ? null : Number(found[1])))(
          /(\d+) 秒后隐藏(?=\s)/.exec(frame),
        ),
        busy: user.says('加载中…'),
        hint: user.says('事由将连同您的账号、时间和记录写入审计日志。'),
        problem: /✗ (.*?)\s*(?:│|$)/m.exec(frame)?.[1] ?? null,
        offers: [ask, '显示', '取消', '隐藏'].filter((each) => user.keyFor(each) !== null).join(),
      })
    },
  }
}

/** The key of the form, which asks where the cursor is on a mask. */
function Page({ actor }: { readonly actor: RevealActor }) {
  const isHidden = useSelector(actor, (s) => s.matches('hidden'))
  const bindings = [{ key: '^v', label: ask, run: () => actor.send({ type: 'reveal.ask' }) }]
  useBindings(bindings, isHidden)
  return isHidden ? (
    <Keys bindings={bindings} />
  ) : (
    <RevealScreen actor={actor} label={label} locale="zh-CN" />
  )
}
