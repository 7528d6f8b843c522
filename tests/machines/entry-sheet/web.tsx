import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { EntryState } from '@jiaowu/api/contract/entity/entry'
import type { Message } from '@jiaowu/api/texts/index'
import type { EntryBy } from '@jiaowu/machines/entry-sheet/ports'
import { entryView } from '@jiaowu/machines/entry-sheet/view'
import { EntryAdd } from '../../../apps/web/src/features/entry/entry-add.tsx'
import { EntryTools } from '../../../apps/web/src/features/entry/entry-tools.tsx'
import { useEntry } from '../../../apps/web/src/features/entry/use-entry.ts'
import { sentence, under, zh } from '../../surfaces/sentences.ts'
import { findFirst, loadingButtons, page, type Target } from '../../surfaces/web/dom/by-role.ts'
import { toastText } from '../../surfaces/web/dom/effects.ts'
import { withoutOffer } from '../../surfaces/web/dom/gestures.ts'
import { textsLike } from '../../surfaces/web/dom/reads.ts'
import { body } from '../../surfaces/web/http/calls.ts'
import { wrapData } from '../../surfaces/web/http/held-fetch.ts'
import { type Shown, createStepTest, createWebDriver } from '../../surfaces/web/table.ts'
import { buildListField as listField, listConfig } from '../entity-list/samples.ts'
import { entryModels } from './model.ts'

const at = createStepTest<Shown<typeof entryView>>()
const addName = zh('entry.add', { name: '学生' })
const submitting = page.dialog(zh('entry.submitTitle'))
const unlocking = page.dialog(zh('entry.unlockTitle'))
const adding = page.dialog(addName)
const className = adding.field('班级')
const reason = unlocking.field(zh('entry.reason'))
const isAdding = at('adding', 'growing')
const isExplaining = at('explaining', 'unlocking')
const figuresIn = (state: EntryState | null) =>
  state?.figures != null && {
    average: state.figures.average,
    highest: state.figures.highest,
    lowest: state.figures.lowest,
  }
const isAsking = at('asking', 'submitting')
/** A button of the tools opens a question, which has one of the same name. */
const opens = (name: string, question: Target) =>
  page
    .button(name)
    .where((each) => each.closest('[role=dialog]') === null)
    .provided(question.isAbsent).reachable.press
const { entry, addition } = entryModels.parts

export const entryWeb = createWebDriver<typeof entryView>({
  model: { ...entryModels, parts: { entry, addition } as never },
  view: entryView,
  readings: {
    progress: textsLike(/^已录 \d+\/\d+$/).is(({ state }) =>
      state === null ? '' : zh('entry.progress', { entered: state.entered, total: state.total }),
    ),
    problem: page.alert
      .where((each) => each.closest('.bp6-toast') === null)
      .text.is(({ refused, fault, problem }) =>
        refused === null ? sentence(fault ?? problem?.message) : '1 个没有添加张三: 不可新增',
      ),
    reason: reason.value.while(isExplaining, (view) => view.reason),
    from: className.value.while(isAdding, ({ from }) => String(from['class'] ?? '')),
    loading: loadingButtons.texts.is(({ step }) => [
      step === 'growing' && addName,
      step === 'submitting' && zh('entry.submit'),
      step === 'unlocking' && zh('entry.unlock'),
    ]),
  },
  says: {
    'entry.lockedBy': ({ state }) => state?.locked != null && { ...state.locked },
    'entry.submitTitle': isAsking,
    'entry.submitPart': (view) => {
      const { entered, total } = view.state ?? { entered: 0, total: 0 }
      return isAsking(view) && view.state !== null && { n: total - entered, entered, total }
    },
    'entry.figures': (view) => isAsking(view) && figuresIn(view.state),
    'entry.fails': (view) => isAsking(view) && view.state?.figures != null && { n: 4 },
    'entry.addHint': (view) => isAdding(view) && { name: '学生', labels: '班级' },
    ...under('entry', isExplaining, 'unlockTitle', 'reason', 'reasonHint'),
  },
  gestures: {
    // Buttons of the page around the tools, which the questions leave in place.
    'entry.choose': ({ by }) => withoutOffer(page.button(by === null ? '不选' : '选择').press),
    'entry.refresh': withoutOffer(page.button('刷新').press),
    'grid.change': ({ isDirty }) => withoutOffer(page.button(isDirty ? '未存' : '已存').press),
    'submit.ask': opens(zh('entry.submit'), submitting),
    'submit.confirm': submitting.button(zh('entry.submit')).reachable.press,
    'unlock.ask': opens(zh('entry.unlock'), unlocking),
    'reason.change': (event) => reason.editable.fill(event.reason),
    'unlock.confirm': unlocking.button(zh('entry.unlock')).reachable.press,
    'add.ask': opens(addName, adding),
    'add.change': ({ from }) => className.editable.fill(String(from['class'])),
    'add.confirm': adding.button(addName).reachable.press,
    'ask.cancel': findFirst(
      ...[adding, submitting, unlocking].map((each) => each.button(zh('common.cancel')).reachable),
    ).pressAndDrop,
  },
  calls: {
    '/entity/A/entry': ['readEntry', body({ tag: 'A' }, 'by')],
    '/entity/A/entry/submit': ['submitEntry', body({ tag: 'A' }, 'by', 'entered')],
    '/entity/A/entry/add': ['addRows', body({ tag: 'A' }, 'by', 'from')],
    '/entity/A/entry/unlock': ['unlockEntry', body({ tag: 'A' }, 'by', 'reason')],
  },
  toasts: (toast) => ({ type: 'said', message: parseToast(toast) }),
  host: () => ({
    show: () => <EntryPage />,
    background: ({ path }) => wrapData(path === '/entity/B/config' ? related : null),
  }),
})

function parseToast(toast: HTMLElement): Message {
  const said = toastText(toast)
  const additions = [
    { added: 40, there: 2 },
    { added: 0, there: 3 },
  ]
  const params = additions.find((each) => said === zh('entry.added', each))
  return params !== undefined
    ? { key: 'entry.added', params }
    : { key: said === zh('entry.submitted') ? 'entry.submitted' : 'entry.unlocked' }
}

const config: EntityConfig = {
  ...listConfig('none'),
  fields: [{ ...listField('student'), uiLabel: '学生' }],
  entry: {
    by: ['course', 'term'],
    frozen: ['student'],
    columns: ['score'],
    progress: 'score',
    add: { field: 'student', from: ['class'], tag: 'B' },
  },
}
const related: EntityConfig = {
  ...listConfig('none'),
  tag: 'B',
  fields: [{ ...listField('class'), uiLabel: '班级' }],
}
const sheet: EntryBy = { course: '1', term: '2' }

/** The tools of the page, with its choice of a sheet and its grid as buttons. */
function EntryPage() {
  const { actor, view, onDirty } = useEntry('A', null)
  const buttons = {
    选择: () => actor.send({ type: 'entry.choose', by: sheet }),
    不选: () => actor.send({ type: 'entry.choose', by: null }),
    刷新: () => actor.send({ type: 'entry.refresh' }),
    未存: () => onDirty(true),
    已存: () => onDirty(false),
  }
  return (
    <div>
      {Object.entries(buttons).map(([name, press]) => (
        <button key={name} type="button" onClick={press}>
          {name}
        </button>
      ))}
      <EntryTools view={view} send={(event) => actor.send(event)}>
        <EntryAdd config={config} view={view} send={(event) => actor.send(event)} />
      </EntryTools>
    </div>
  )
}
