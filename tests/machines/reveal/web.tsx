import type { Field } from '@jiaowu/api'
import type { RevealEvent, revealMachine } from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { RevealValue } from '../../../apps/web/src/features/entity-form/reveal-value.tsx'
import { button, byRole, dialog, either, field, having } from '../../surfaces/web/dom/by-role.ts'
import { effectLog } from '../../surfaces/web/dom/effects.ts'
import { fill, press, reachable } from '../../surfaces/web/dom/gestures.ts'
import { answered } from '../../surfaces/web/http/held-fetch.ts'
import { loadingButtons, text, texts, textsLike, value } from '../../surfaces/web/dom/reads.ts'
import { inConsole } from '../../surfaces/web/screen.tsx'
import { sentence, zh } from '../../surfaces/web/dom/sentences.ts'
import { type Host, webDriverOf } from '../../surfaces/web/table.ts'
import { formConfig } from '../entity-form/model.ts'
import { revealModels } from './model.ts'

type Snapshot = SnapshotFrom<typeof revealMachine>
interface View {
  readonly s: Snapshot
  /** Seconds until the value is hidden; null when none is shown. */
  readonly seconds: number | null
}
const shown: Field = {
  ...(formConfig.fields.find(({ attrName }) => attrName === 'name') as Field),
  attrName: 'idCard',
  uiLabel: '身份证号',
  pii: 'idCard',
}
const title = zh('pii.showTitle', { name: shown.uiLabel })
const question = dialog(title)
const reason = field(zh('pii.reason'), question)
const isOpen = ({ s }: View) => s.hasTag('open')

export const revealWeb = webDriverOf<Snapshot, RevealEvent, View>({
  model: revealModels,
  view: (s, left) => {
    const ms = left('revealTime')
    return { s, seconds: ms === null ? null : Math.ceil(ms / 1000) }
  },
  readings: {
    value: {
      model: ({ s }) => s.context.value,
      screen: textsLike(/^\d{17}[\dX]$/),
    },
    reason: {
      model: (view) => (isOpen(view) ? view.s.context.reason : ''),
      screen: value(reason),
    },
    problem: {
      model: ({ s }) => sentence(s.context.fault ?? s.context.problem?.message),
      screen: text(byRole('alert', undefined, question)),
    },
    loading: {
      model: ({ s }) => (s.matches('loading') ? zh('pii.show') : ''),
      screen: texts(loadingButtons),
    },
  },
  says: {
    'pii.showTitle': (view) => isOpen(view) && { name: shown.uiLabel },
    'pii.reason': isOpen,
    'pii.reasonHint': isOpen,
    'pii.left': ({ seconds }) => seconds !== null && { n: seconds },
  },
  gestures: {
    // The page behind the dialog keeps its button.
    'reveal.ask': press(having(button(title), () => question.all().length === 0)),
    'reason.change': (event) =>
      fill(
        having(reason, (each) => !each.readOnly),
        event.reason,
      ),
    'reveal.confirm': press(reachable(button(zh('pii.show'), question))),
    'reveal.close': press(either(button(zh('common.cancel'), question), button(zh('pii.hide')))),
  },
  calls: {
    '/entity/A/data/7/reveal': [
      'reveal',
      ({ body }) => ({ tag: 'A', rowId: '7', field: body.field, reason: body.reason }),
    ],
  },
  host,
})

function host(): Host {
  const effects = effectLog(null)
  return {
    mount: (_start, held) => ({
      element: inConsole(
        held,
        // A form around it, as on the page: the question must not submit it.
        <form onSubmit={() => effects.add({ type: 'formSubmitted' })}>
          <RevealValue tag="A" rowId="7" field={shown} value="110105********002X" />
        </form>,
      ),
    }),
    takeEffects: effects.take,
    background: () => answered(null),
  }
}
