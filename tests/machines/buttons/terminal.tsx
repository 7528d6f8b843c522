import type { buttonsMachine, ButtonsEvent } from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { type ButtonsActor, PressScreen } from '../../../apps/cli/src/screens/form/press-screen.tsx'
import { sentence, zh } from '../../surfaces/sentences.ts'
import { key, sent } from '../../surfaces/terminal/gestures.ts'
import { redLines, seen } from '../../surfaces/terminal/reads.ts'
import { terminalDriverOf } from '../../surfaces/terminal/table.ts'
import { buttonsModels } from './model.ts'
import { buttons } from './samples.ts'

type Snapshot = SnapshotFrom<typeof buttonsMachine>
const pressedIn = (s: Snapshot) => (s.matches('closed') ? null : s.context.pressed)
const ownQuestions = Object.values(buttons).flatMap(({ confirm }) => confirm ?? [])

export const buttonsTerminal = terminalDriverOf<Snapshot, ButtonsEvent, Snapshot>({
  model: buttonsModels,
  view: (s) => s,
  readings: {
    name: { model: (s) => pressedIn(s)?.button.name ?? '', screen: seen(/^\s*(按钮\w+)\s*$/m) },
    ownQuestion: {
      model: (s) => (s.matches('asking') && pressedIn(s)?.button.confirm) || '',
      screen: (user) => ownQuestions.filter(user.says).join(),
    },
    problem: {
      model: (s) => (pressedIn(s) === null ? '' : sentence(s.context.problem?.message)),
      screen: redLines,
    },
  },
  says: {
    'press.ask': (s) => {
      const pressed = pressedIn(s)
      return (
        s.matches('asking') &&
        pressed !== null &&
        (pressed.button.confirm ?? '') === '' && {
          name: pressed.row?.id ?? '',
          button: pressed.button.name,
        }
      )
    },
    'cli.press.busy': (s) => s.hasTag('busy') && { name: pressedIn(s)?.button.name ?? '' },
  },
  gestures: {
    // By the command line, before the screen.
    'button.press': sent,
    'press.confirm': key(zh('cli.key.yes')),
    'press.cancel': key(zh('cli.key.no')),
    'press.retry': key(zh('common.retry')),
    'press.dismiss': key(zh('cli.key.leave')),
    'buttons.close': key(zh('cli.press.abort')),
  },
  // The command presses once; a screen without a call under way ends by other keys than abort.
  hidden: (s, { type }) =>
    type === 'button.press' ? s.hasTag('refused') : type === 'buttons.close' && !s.hasTag('busy'),
  element: (actor) => <PressScreen actor={actor as unknown as ButtonsActor} locale="zh-CN" />,
})
