import { buttonsView } from '@jiaowu/machines/buttons/view'
import { PressScreen } from '../../../apps/cli/src/screens/form/press-screen.tsx'
import {
  by,
  createTerminalDriver,
  on,
  read,
  formatMessages,
  zh,
} from '../../surfaces/terminal/driver.ts'
import { buttonsModels } from './model.ts'
import { buttons } from './samples.ts'

const isAsking = on('asking')
const isClosed = on('closed')
const ownQuestions = Object.values(buttons).flatMap(({ confirm }) => confirm ?? [])

export const driver = createTerminalDriver({
  model: buttonsModels,
  view: buttonsView,
  readings: {
    name: [(v) => (isClosed(v) ? '' : (v.pressed?.name ?? '')), read.match(/^\s*(按钮\w+)\s*$/m)],
    ownQuestion: [
      (v) => (isAsking(v) && v.c.pressed?.button.confirm) || '',
      (user) => ownQuestions.filter(user.says).join(),
    ],
    problem: [(v) => formatMessages(!isClosed(v) && v.c.pressed !== null && v.problem), read.red],
  },
  says: {
    'press.ask': (v) =>
      isAsking(v) &&
      v.c.pressed !== null &&
      (v.c.pressed.button.confirm ?? '') === '' && {
        name: v.c.pressed.row?.id ?? '',
        button: v.c.pressed.button.name,
      },
    'cli.press.busy': ({ s, pressed }) => s.hasTag('busy') && { name: pressed?.name ?? '' },
  },
  gestures: {
    // By the command line, before the screen.
    'button.press': by.sendEvent,
    'press.confirm': by.key(zh('cli.key.yes')),
    'press.cancel': by.key(zh('cli.key.no')),
    'press.retry': by.key(zh('common.retry')),
    'press.dismiss': by.key(zh('cli.key.leave')),
    'buttons.close': by.key(zh('cli.press.abort')),
  },
  // The command presses once; a screen without a call under way ends by other keys than abort.
  hidden: {
    'button.press': ({ s }) => s.hasTag('refused'),
    'buttons.close': ({ s }) => !s.hasTag('busy'),
  },
  screen: PressScreen,
})
