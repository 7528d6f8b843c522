import { revealView } from '@jiaowu/machines/reveal/view'
import { useSelector } from '@xstate/react'
import {
  type RevealActor,
  RevealScreen,
} from '../../../apps/cli/src/screens/form/reveal-screen.tsx'
import { Keys, useBindings } from '../../../apps/cli/src/screens/ui.tsx'
import {
  by,
  driverOf,
  on,
  only,
  read,
  secondsOf,
  type Shown,
  told,
  zh,
} from '../../surfaces/terminal/driver.ts'
import { revealModels } from './model.ts'

type View = Shown<typeof revealView>
const label = '身份证号'
const [ask, hide, cancel] = ['查看', zh('pii.hide'), zh('common.cancel')]
const isShowing = on('showing')
const canClose = ({ s }: View) => s.can({ type: 'reveal.close' })
const isOpen = ({ s }: View) => s.hasTag('open')

export const driver = driverOf({
  model: revealModels,
  view: revealView,
  readings: {
    value: [({ c }) => c.value ?? '', read.match(/│ (\d{17}[\dX]) /)],
    reason: [only(isOpen, ({ reason }) => reason.trim()), read.typed(zh('pii.reason'))],
    problem: [({ fault, problem }) => told(fault ?? problem), read.red],
  },
  says: {
    'pii.showTitle': ({ s }) => !s.matches('hidden') && { name: label },
    'pii.reasonHint': isOpen,
    'pii.left': ({ left }) => secondsOf(left('revealTime')),
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
  screen: Page,
})

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
