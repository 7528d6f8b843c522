import { revealView } from '@jiaowu/machines/reveal/view'
import { useSelector } from '@xstate/react'
import {
  type RevealActor,
  RevealScreen,
} from '../../../apps/cli/src/screens/form/reveal-screen.tsx'
import { Keys, useBindings } from '../../../apps/cli/src/screens/ui.tsx'
import {
  by,
  createTerminalDriver,
  on,
  showWhen,
  read,
  countSeconds,
  type Shown,
  formatMessages,
  zh,
} from '../../surfaces/terminal/driver.ts'
import { revealModels } from './model.ts'

type View = Shown<typeof revealView>
const label = '身份证号'
const [ask, hide, cancel] = ['查看', zh('pii.hide'), zh('common.cancel')]
const isShowing = on('showing')
const canClose = ({ s }: View) => s.can({ type: 'reveal.close' })
const isRevealOpen = ({ s }: View) => s.hasTag('open')

export const driver = createTerminalDriver({
  model: revealModels,
  view: revealView,
  readings: {
    value: [({ c }) => c.value ?? '', read.match(/│ (\d{17}[\dX]) /)],
    reason: [
      showWhen(isRevealOpen, ({ reason }) => reason.trim()),
      read.readTypedValue(zh('pii.reason')),
    ],
    problem: [({ fault, problem }) => formatMessages(fault ?? problem), read.red],
  },
  says: {
    'pii.showTitle': ({ s }) => !s.matches('hidden') && { name: label },
    'pii.reasonHint': isRevealOpen,
    'pii.left': ({ left }) => countSeconds(left('revealTime')),
    'common.loading': ({ s }) => s.hasTag('busy'),
  },
  hints: {
    [hide]: (v) => canClose(v) && isShowing(v),
    [cancel]: (v) => canClose(v) && !isShowing(v),
  },
  gestures: {
    'reveal.ask': by.key(ask),
    'reason.change': ({ reason }) => by.retype(reason, `${zh('pii.reason')}: `),
    'reveal.confirm': by.key(zh('pii.show')),
    'reveal.close': by.unlistedKey(cancel, hide),
  },
  screen: RevealPage,
})

/** The key of the form, which asks where the cursor is on a mask. */
function RevealPage({ actor }: { readonly actor: RevealActor }) {
  const isHidden = useSelector(actor, (s) => s.matches('hidden'))
  const bindings = [{ key: '^v', label: ask, run: () => actor.send({ type: 'reveal.ask' }) }]
  useBindings(bindings, isHidden)
  return isHidden ? (
    <Keys bindings={bindings} />
  ) : (
    <RevealScreen actor={actor} label={label} locale="zh-CN" />
  )
}
