import type { Field } from '@jiaowu/api/entity/config'
import { revealView } from '@jiaowu/machines/reveal/view'
import { RevealValue } from '../../../apps/web/src/features/entity-form/reveal-value.tsx'
import { sentence, under, zh } from '../../surfaces/sentences.ts'
import { findFirst, loadingButtons, page } from '../../surfaces/web/dom/by-role.ts'
import { textsLike } from '../../surfaces/web/dom/reads.ts'
import { body } from '../../surfaces/web/http/calls.ts'
import { type Shown, createStepTest, createWebDriver } from '../../surfaces/web/table.ts'
import { formConfig } from '../entity-form/model.ts'
import { revealModels } from './model.ts'

type View = Shown<typeof revealView>
const at = createStepTest<View>()
const shown: Field = {
  ...(formConfig.fields.find(({ attrName }) => attrName === 'name') as Field),
  attrName: 'idCard',
  uiLabel: '身份证号',
  pii: 'idCard',
}
const title = zh('pii.showTitle', { name: shown.uiLabel })
const question = page.dialog(title)
const reason = question.field(zh('pii.reason'))
const isRevealed = ({ s }: View) => s.hasTag('open')

export const revealWeb = createWebDriver<typeof revealView>({
  model: revealModels,
  view: revealView,
  readings: {
    value: textsLike(/^\d{17}[\dX]$/).is(({ c }) => c.value),
    reason: reason.value.while(isRevealed, (view) => view.reason),
    problem: question.alert.text.is(({ fault, problem }) => sentence(fault ?? problem?.message)),
    loading: loadingButtons.texts.while(at('loading'), () => zh('pii.show')),
  },
  says: {
    'pii.showTitle': (view) => isRevealed(view) && { name: shown.uiLabel },
    ...under('pii', isRevealed, 'reason', 'reasonHint'),
    'pii.left': ({ left }) => {
      const ms = left('revealTime')
      return ms !== null && { n: Math.ceil(ms / 1000) }
    },
  },
  gestures: {
    // The page behind the dialog keeps its button.
    'reveal.ask': page.button(title).provided(() => !question.isShown()).press,
    'reason.change': (event) => reason.editable.fill(event.reason),
    'reveal.confirm': question.button(zh('pii.show')).reachable.press,
    'reveal.close': findFirst(question.button(zh('common.cancel')), page.button(zh('pii.hide')))
      .pressAndDrop,
  },
  calls: {
    '/entity/A/data/7/reveal': ['reveal', body({ tag: 'A', rowId: '7' }, 'field', 'reason')],
  },
  toasts: null,
  host: (effects) => ({
    // A form around it, as on the page: the question must not submit it.
    show: () => (
      <form onSubmit={() => effects.add({ type: 'formSubmitted' })}>
        <RevealValue tag="A" rowId="7" field={shown} value="1****************X" />
      </form>
    ),
  }),
})
