import type { TodoKind } from '@jiaowu/api/contract/entity/flow'
import { todoListView } from '@jiaowu/machines/todo-list/view'
import { TodoPage } from '../../../apps/web/src/features/todo/todo-page.tsx'
import { sentence, zh } from '../../surfaces/sentences.ts'
import { findFirst, loadingButtons, page } from '../../surfaces/web/dom/by-role.ts'
import { byPage } from '../../surfaces/web/dom/gestures.ts'
import { textsLike } from '../../surfaces/web/dom/reads.ts'
import { wrapData } from '../../surfaces/web/http/held-fetch.ts'
import { type Shown, createStepTest, createWebDriver } from '../../surfaces/web/table.ts'
import { todoListModels } from './model.ts'

type View = Shown<typeof todoListView>
const at = createStepTest<View>()
const dialog = page.dialog()
const note = dialog.field(zh('flowPanel.note'))
const kinds = page.select(zh('todo.entity'))
const dues = page.select(zh('todo.due'))
const orders = page.select(zh('todo.order'))
const names: Readonly<Record<string, string>> = { APPROVE: '同意', REJECT: '驳回' }
const kindName = (mine: TodoKind) => zh(`todo.mine.${mine}`)
const isAsking = at('asking', 'checking')
const isChecked = at('checked', 'sending')
const isListed = (view: View) => view.step !== 'failed' && view.c.page !== null
const countResults = ({ c }: View, isOk: boolean) =>
  c.chosen.filter((key) =>
    c.results?.some(({ tag, id, ok }) => `${tag}/${id}` === key && ok === isOk),
  ).length
const counts = (view: View) => ({
  ok: countResults(view, true),
  refused: countResults(view, false),
})
/** A page beside the one that is shown has a button. */
const turn = (pageNum: number) =>
  byPage(
    () =>
      page
        .button(zh(pageNum === 1 ? 'pager.previous' : 'pager.next'))
        .provided(() => dialog.isAbsent() && textsLike(/^\d+ \/ \d+$/)() === `${3 - pageNum} / 3`)
        .reachable.press,
  )

export const todoListWeb = createWebDriver<typeof todoListView>({
  model: todoListModels,
  view: todoListView,
  readings: {
    list: page
      .button()
      .where((each) => each.getAttribute('aria-pressed') === 'true')
      .text.is(({ c }) => kindName(c.mine)),
    kind: kinds.value.is(({ c }) => c.tag ?? ''),
    due: dues.value.is(({ c }) => (c.dueWithin === null ? '' : String(c.dueWithin))),
    order: orders.value.is(({ c }) => c.order),
    titles: page
      .role('link')
      .texts.while(isListed, ({ c }) => (c.page?.records ?? []).map(({ title }) => title)),
    chosen: page
      .checkbox(/^选择“/)
      .ticked.names.while(isListed, ({ c }) =>
        (c.page?.records ?? [])
          .filter(({ tag, id }) => c.chosen.includes(`${tag}/${id}`))
          .map(({ title }) => zh('todo.choose', { title })),
      ),
    names: dialog.role('listitem').texts.while(
      ({ s }) => s.matches('batch'),
      (view) =>
        (view.c.page?.records ?? [])
          .filter(({ tag, id }) => view.c.chosen.includes(`${tag}/${id}`))
          .map((row) => `${row.title}${row.entity}${formatResult(view, `${row.tag}/${row.id}`)}`),
    ),
    note: note.value.while(
      ({ s, c }) => s.matches('batch') && c.event === 'REJECT' && !s.matches({ batch: 'told' }),
      ({ c }) => c.note,
    ),
    problem: page.alert.text.is(({ s, fault, problem }) =>
      s.matches('batch') || s.matches({ list: 'failed' })
        ? sentence(fault ?? problem?.message)
        : '',
    ),
    loading: loadingButtons.texts.is(({ step, c, ...view }) => [
      step === 'checking' && zh('todo.check'),
      step === 'sending' &&
        zh('todo.send', {
          name: names[c.event ?? ''] ?? '',
          n: countResults({ step, c, ...view } as View, true),
        }),
    ]),
  },
  says: {
    'common.loading': ({ step, c }) => step === 'reading' && c.page === null,
    'todo.none.open': (view) => isEmptyList(view, 'open'),
    'todo.none.started': (view) => isEmptyList(view, 'started'),
    'todo.total': ({ c }) => c.page !== null && c.page.total > 0 && { n: c.page.total },
    'todo.chosen': (view) =>
      isListed(view) && view.c.chosen.length > 0 && { n: view.c.chosen.length },
    'todo.chooseAll': (view) => isListed(view) && (view.c.page?.records.length ?? 0) > 0,
    'todo.checkHint': isAsking,
    'todo.checked': (view) => isChecked(view) && counts(view),
    'todo.told': (view) => view.step === 'told' && counts(view),
  },
  gestures: {
    'list.choose': ({ mine }) => page.button(kindName(mine)).provided(dialog.isAbsent).press,
    'list.filter': ({ tag }) =>
      byPage(() =>
        kinds
          .provided(
            () =>
              dialog.isAbsent() &&
              kinds.value() !== (tag ?? '') &&
              [...(kinds.first?.options ?? [])].some(({ value }) => value === (tag ?? '')),
          )
          .fill(tag ?? ''),
      ),
    'list.order': ({ order }) =>
      byPage(() =>
        orders.provided(() => dialog.isAbsent() && orders.value() !== order).fill(order),
      ),
    'list.due': ({ dueWithin }) => {
      const value = dueWithin === null ? '' : String(dueWithin)
      return byPage(() =>
        dues.provided(() => dialog.isAbsent() && dues.value() !== value).fill(value),
      )
    },
    'list.page': ({ pageNum }) => turn(pageNum),
    'list.refresh': page.button(zh('todo.refresh')).provided(dialog.isAbsent).press,
    'row.toggle': ({ key }) =>
      page.checkbox(zh('todo.choose', { title: `t${key.slice(2)}` })).provided(dialog.isAbsent)
        .reachable.press,
    'rows.toggle': page.checkbox(zh('todo.chooseAll')).provided(dialog.isAbsent).reachable.press,
    'batch.ask': ({ event }) =>
      page.button(names[event] ?? '').provided(dialog.isAbsent).reachable.press,
    'note.change': (event) => note.editable.fill(event.note),
    'batch.check': dialog.button(zh('todo.check')).reachable.press,
    'batch.send': dialog.button(/^.+（\d+ 件）$/).reachable.press,
    'batch.close': findFirst(dialog.button(zh('common.ok')), dialog.button(zh('common.cancel')))
      .pressAndDrop,
  },
  hidden: {
    // A kind of the list is chosen from those of the last answer.
    'list.filter': ({ c }, { tag }) =>
      tag === c.tag || (tag !== null && !(c.page?.entities ?? []).some((each) => each.tag === tag)),
    'list.order': ({ c }, { order }) => order === c.order,
    'list.due': ({ c }, { dueWithin }) => dueWithin === c.dueWithin,
    'list.page': ({ c }, { pageNum }) =>
      c.page?.total !== 23 || Math.abs(pageNum - c.pageNum) !== 1,
    // Only a decision with a note has a field for it.
    'note.change': ({ c }) => c.event !== 'REJECT',
  },
  calls: {
    '/flow/todo/page': [
      'loadTodos',
      ({ body: { mine, tag = null, order, dueWithin = null, pageNum } }) => ({
        mine,
        tag,
        order,
        dueWithin,
        pageNum,
      }),
    ],
    '/flow/decide': ({ body }) => ({
      port: body['preview'] === true ? 'checkTodos' : 'decideTodos',
      input: readSentBatch(body['items'] as readonly SentItem[]),
    }),
  },
  host: () => ({
    show: () => <TodoPage />,
    reply: (port, { output }) => wrapData(port === 'loadTodos' ? output : { results: output }),
  }),
})

function isEmptyList(view: View, mine: TodoKind): boolean {
  return isListed(view) && view.c.page?.records.length === 0 && view.c.mine === mine
}

function formatResult({ c, step }: View, key: string): string {
  const result = c.results?.find(({ tag, id }) => `${tag}/${id}` === key)
  if (result === undefined) return ''
  return result.ok
    ? zh(step === 'told' ? 'todo.now' : 'todo.would', { state: result.name ?? '' })
    : (result.msg ?? '')
}

interface SentItem {
  readonly tag: string
  readonly id: string
  readonly version: string
  readonly event: string
  readonly note?: string
}

/** The decision of all items is the same. */
function readSentBatch(items: readonly SentItem[]) {
  return {
    event: items[0]?.event,
    note: items[0]?.note ?? '',
    items: items.map(({ tag, id, version }) => ({ tag, id, version })),
  }
}
