import type { Field } from '@jiaowu/api'
import type { RevealEvent, revealMachine } from '@jiaowu/machines'
import { useSelector } from '@xstate/react'
import type { SnapshotFrom } from 'xstate'
import {
  type RevealActor,
  RevealScreen,
} from '../../../apps/cli/src/screens/form/reveal-screen.tsx'
import { Keys, useBindings } from '../../../apps/cli/src/screens/ui.tsx'
import { sentence, zh } from '../../surfaces/sentences.ts'
import { key, keyOfAny, retype } from '../../surfaces/terminal/gestures.ts'
import { redLines, seen, typedIn } from '../../surfaces/terminal/reads.ts'
import { terminalDriverOf } from '../../surfaces/terminal/table.ts'
import { revealModels } from './model.ts'

type Snapshot = SnapshotFrom<typeof revealMachine>
interface View {
  readonly s: Snapshot
  /** Seconds until the value is hidden; null when none is shown. */
  readonly seconds: number | null
}
const label: Field['uiLabel'] = '身份证号'
const [ask, hide, cancel] = ['查看', zh('pii.hide'), zh('common.cancel')]
const isOpen = ({ s }: View) => s.hasTag('open')
const canClose = ({ s }: View) => s.can({ type: 'reveal.close' })

export const revealTerminal = terminalDriverOf<Snapshot, RevealEvent, View>({
  model: revealModels,
  view: (s, left) => {
    const ms = left('revealTime')
    return { s, seconds: ms === null ? null : Math.ceil(ms / 1000) }
  },
  readings: {
    value: { model: ({ s }) => s.context.value, screen: seen(/│ (\d{17}[\dX]) /) },
    reason: {
      model: (view) => (isOpen(view) ? view.s.context.reason.trim() : ''),
      screen: typedIn(zh('pii.reason')),
    },
    problem: {
      model: ({ s }) => sentence(s.context.fault ?? s.context.problem?.message),
      screen: redLines,
    },
  },
  says: {
    'pii.showTitle': ({ s }) => !s.matches('hidden') && { name: label },
    'pii.reasonHint': isOpen,
    'pii.left': ({ seconds }) => seconds !== null && { n: seconds },
    'common.loading': ({ s }) => s.hasTag('busy'),
  },
  hints: {
    [hide]: (view) => canClose(view) && view.s.matches('showing'),
    [cancel]: (view) => canClose(view) && !view.s.matches('showing'),
  },
  gestures: {
    'reveal.ask': key(ask),
    'reason.change': ({ reason }) => retype(reason, `${zh('pii.reason')}: `),
    'reveal.confirm': key(zh('pii.show')),
    'reveal.close': keyOfAny(cancel, hide),
  },
  element: (actor) => <Page actor={actor as unknown as RevealActor} />,
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
