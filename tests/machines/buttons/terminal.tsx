import { messageText } from '@jiaowu/api'
import type { buttonsMachine, ButtonsEvent } from '@jiaowu/machines'
import type { EventObject, SnapshotFrom } from 'xstate'
import type { Spec } from '../spec.ts'
import { type ButtonsActor, PressScreen } from '../../../apps/cli/src/screens/form/press-screen.tsx'
import type { TerminalScreen } from '../../surfaces/terminal/screen.tsx'

/** What a user reads of a pressed button on a terminal. */
export interface TerminalPressSeen {
  readonly name: string | null
  readonly question: boolean
  readonly busy: boolean
  readonly problem: string | null
  readonly offers: string
}

type Snapshot = SnapshotFrom<typeof buttonsMachine>
const labels = {
  'press.confirm': '确定',
  'press.cancel': '取消',
  'press.retry': '重试',
  'press.dismiss': '离开',
  'buttons.close': '中止',
} as const
type Key = keyof typeof labels
const question = '删除吗？'

export function buttonsOnTerminal(model: Spec<unknown>): Spec<TerminalPressSeen> {
  return {
    ...model,
    hidden: hidden as unknown as NonNullable<Spec<TerminalPressSeen>['hidden']>,
    project: (snapshot) => {
      const s = snapshot as Snapshot
      const pressed = s.matches('closed') ? null : s.context.pressed
      const { problem } = s.context
      return {
        name: pressed?.button.name ?? null,
        question: s.matches('asking'),
        busy: s.hasTag('busy'),
        problem:
          problem === null || pressed === null
            ? null
            : typeof problem.message === 'string'
              ? problem.message
              : messageText('zh-CN', problem.message),
        offers: (Object.keys(labels) as Key[])
          .filter((type) => (type === 'buttons.close' ? s.hasTag('busy') : s.can({ type })))
          .map((type) => labels[type])
          .sort()
          .join(),
      }
    },
  }
}

/** The command presses once; a screen without a call under way ends by other keys than abort. */
function hidden(s: Snapshot, given: EventObject): boolean {
  const { type } = given as ButtonsEvent
  return type === 'button.press'
    ? s.hasTag('refused')
    : type === 'buttons.close' && !s.hasTag('busy')
}

export function buttonsTerminal(): TerminalScreen<TerminalPressSeen> {
  return {
    element: (actor) => <PressScreen actor={actor as unknown as ButtonsActor} locale="zh-CN" />,
    gesture: ({ event }, person, actor) => {
      if (event.type === 'button.press') {
        actor.send(event) // by the command line, before the screen
        return Promise.resolve()
      }
      const key = person.keyFor(labels[event.type as Key])
      return key === null ? null : person.press(key)
    },
    read: (person) => {
      const frame = person.frame()
      return Promise.resolve({
        name: /^\s*(按钮\w+)\s*$/m.exec(frame)?.[1] ?? null,
        question: person.says(question) || /确定对「1?」执行「按钮send」？/.test(frame),
        busy: /正在执行「按钮\w+」…/.test(frame),
        problem: /✗ (\S+)/.exec(frame)?.[1] ?? null,
        offers: Object.values(labels)
          .filter((label) => person.keyFor(label) !== null)
          .sort()
          .join(),
      })
    },
  }
}
