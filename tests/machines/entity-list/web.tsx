import { type ApiProblem, type Button, type EntityConfig, limits } from '@jiaowu/api'
import type { EntityListContext, EntityListEvent, entityListMachine } from '@jiaowu/machines'
import type { Spec } from '../spec.ts'
import type { SnapshotFrom } from 'xstate'
import { EntityListPage } from '../../../apps/web/src/features/entity-list/entity-list-page.tsx'
import { changeSettings } from '../../../apps/web/src/shell/context/settings.ts'
import { tellSaved } from '../../../apps/web/src/features/entity-list/saved-signal.ts'
import {
  button,
  byRole,
  bySelector,
  either,
  field,
  having,
  heading,
  question,
  region,
  select,
  type Target,
} from '../../surfaces/web/dom/by-role.ts'
import { textOf, usable } from '../../surfaces/web/dom/dom.ts'
import { dismissToasts, effectLog } from '../../surfaces/web/dom/effects.ts'
import {
  custom,
  fill,
  type Gesture,
  inTurn,
  need,
  noControl,
  press,
  reachable,
  unlisted,
} from '../../surfaces/web/dom/gestures.ts'
import { answered, type Asked } from '../../surfaces/web/http/held-fetch.ts'
import { isShown, loadingButtons, names, text, texts, value } from '../../surfaces/web/dom/reads.ts'
import { inConsole } from '../../surfaces/web/screen.tsx'
import { inAnyLanguage, sentence, zh } from '../../surfaces/web/dom/sentences.ts'
import { type Host, webDriverOf } from '../../surfaces/web/table.ts'
import { savedViews } from './saved-views.ts'
import { entityListModels } from './model.ts'
import { asking } from './samples.ts'

type Snapshot = SnapshotFrom<typeof entityListMachine>
interface View {
  readonly s: Snapshot
  readonly c: EntityListContext
  readonly shows: 'opening' | 'broken' | 'list'
  /** Ids of the rows that are shown; those of before when others could not be loaded. */
  readonly rows: readonly string[]
  readonly total: number | '—'
  readonly isFailed: boolean
}
const codes = ['go', 'again', 'ask'] as const
const columns = ['name', 'no'] as const

const search = byRole('search')
const toolbar = byRole('toolbar')
const pager = byRole('navigation')
const chosen = region(zh('chosen.label'))
const conditions = region(zh('list.applied'))
const headers = byRole('columnheader')
/** Beside its sorting each header has a menu. */
const sorters = having(button(undefined, headers), (each) => each.matches('.jw-sort'))
const retry = button(zh('common.retry'))
const bodyRows = having(
  byRole('row'),
  (row) => row.querySelector('td') !== null && !row.hasAttribute('aria-hidden'),
)
const rowOf = (id: string) => having(bodyRows, (row) => idOf(row) === id)
const box = (scope: Target): Target<HTMLInputElement> =>
  bySelector('input[type=checkbox],input[type=radio]', scope)
const deletion = having(question(), (each) => textOf(each).startsWith('删除'))
const pressing = having(question(), (each) => textOf(each).includes(asking.confirm ?? ''))
const menuItem = (format: string) => press(byRole('menuitem', format))

const isAsking = (s: Snapshot) => s.matches({ list: { deletion: 'confirming' } })
const isButtonAsking = (s: Snapshot) => s.matches({ button: 'asking' })
const selectsIn = (config: EntityConfig | null) => config?.options.selection === true
/** What a row of the table says of a list; nothing while there is none. */
const inList =
  <T extends string | number | boolean>(read: (view: View) => T, none: T) =>
  (view: View) =>
    view.shows === 'list' ? read(view) : none

/** `undo` (its toasts are outside of the page) and the others are in tests/journeys/list.test.ts. */
const onJourneys = /^(undo|return|group|months|many|footer|frozen)/
const parts = Object.fromEntries(
  Object.entries(entityListModels.parts).filter(([name]) => !onJourneys.test(name)),
)

export const entityListWeb = webDriverOf<Snapshot, EntityListEvent, View>({
  model: { ...entityListModels, parts },
  adapt,
  view: viewOf,
  readings: {
    problem: {
      model: ({ c, shows, rows, isFailed }) =>
        shows === 'broken' || (isFailed && rows.length === 0) ? sentence(c.problem?.message) : '',
      screen: text(having(heading(), isShown(retry))),
    },
    rows: {
      model: inList(({ rows }) => rows.join(), ''),
      screen: () => bodyRows.all().map(idOf).join(),
    },
    checked: {
      model: inList(({ c, rows }) => rows.filter((id) => c.selected.includes(id)).join(), ''),
      screen: () =>
        bodyRows
          .all()
          .filter((row) => row.querySelector('input')?.checked === true)
          .map(idOf)
          .join(),
    },
    isBusy: {
      model: inList(
        ({ s, c }) =>
          (s.matches({ list: { ready: 'loading' } }) && c.page !== null) ||
          s.matches({ list: { deletion: 'deleting' } }),
        false,
      ),
      screen: isShown(bySelector('[aria-busy=true]')),
    },
    isWaiting: {
      model: inList(
        ({ s, c }) => s.matches({ list: { ready: 'loading' } }) && c.page === null,
        false,
      ),
      screen: isShown(having(byRole('row'), (row) => row.hasAttribute('aria-hidden'))),
    },
    labels: {
      model: inList(() => columns.join(), ''),
      screen: texts(bySelector('label', search)),
    },
    headers: {
      model: inList(() => [...columns, zh('list.operation')].join(), ''),
      screen: texts(headers),
    },
    draft: {
      model: inList(({ c }) => String(c.draft.name ?? ''), ''),
      screen: value(field('name', search)),
    },
    sort: {
      model: inList(({ c }) => {
        const sort = c.sorts.find(({ column }) => column === 'name')
        return sort === undefined ? 'none' : sort.asc ? 'ascending' : 'descending'
      }, ''),
      screen: () =>
        having(headers, (each) => each.hasAttribute('aria-sort'))
          .all()[0]
          ?.getAttribute('aria-sort') ?? '',
    },
    sortable: {
      model: ({ s, shows }) =>
        shows === 'list' && !isAsking(s) && !isButtonAsking(s)
          ? columns.filter((column) => s.can({ type: 'sort.cycle', column })).join()
          : '',
      screen: names(reachable(sorters)),
    },
    page: {
      model: inList(
        ({ c }) =>
          c.pageNum <= Math.max(1, Math.ceil(c.total / c.pageSize)) ? String(c.pageNum) : '',
        '',
      ),
      screen: texts(bySelector('[aria-current=page]', pager)),
    },
    turns: {
      model: inList(
        ({ s, c }) =>
          !isAsking(s) && !isButtonAsking(s)
            ? [-1, 1].map((by) => s.can({ type: 'page.go', pageNum: c.pageNum + by })).join()
            : 'false,false',
        'false,false',
      ),
      screen: () =>
        [turn('previous'), turn('next')].map((each) => isShown(reachable(each))()).join(),
    },
    size: {
      model: inList(({ c }) => String(c.pageSize), ''),
      screen: value(select(undefined, pager)),
    },
    question: {
      model: ({ s, c }) =>
        isAsking(s) ? deletionOf(c) : isButtonAsking(s) ? (asking.confirm ?? '') : '',
      screen: texts(bySelector('p', question())),
    },
    loading: { model: inList(loadingOf, ''), screen: names(loadingButtons) },
  },
  says: {
    'common.loading': ({ shows }) => shows === 'opening',
    'list.noHit': (view) => isBlank(view) && hasConditions(view.c),
    'list.nothingYet': (view) => isBlank(view) && !hasConditions(view.c) && { name: '甲' },
    'list.stale': ({ c, rows, isFailed }) =>
      isFailed && rows.length > 0 && { reason: sentence(c.problem?.message) },
    'pager.total': ({ shows, total }) => shows === 'list' && { total },
    'chosen.page': ({ c: { matching, selected }, rows }) =>
      matching === null &&
      selected.length > 0 &&
      selected.every((id) => rows.includes(id)) && { n: selected.length },
    'chosen.pages': ({ c: { matching, selected }, rows }) => {
      const elsewhere = selected.filter((id) => !rows.includes(id)).length
      return matching === null && elsewhere > 0 && { n: selected.length, elsewhere }
    },
    'chosen.matching': ({ c: { matching, total } }) => matching?.length === 0 && { n: total },
    'chosen.but': ({ c: { matching, total } }) =>
      matching !== null &&
      matching.length > 0 && { n: total - matching.length, except: matching.length },
    'chosen.all': ({ s, c }) => s.can({ type: 'selection.all' }) && { n: c.total },
    'list.exporting': ({ c: { exporting } }) =>
      exporting !== null && { size: `${exporting.bytes / 1024} KB` },
  },
  gestures: {
    'query.change': (event) => fill(field('name', search), String(event.value)),
    'query.search': press(button(zh('common.search'), search)),
    'query.reset': press(button(zh('common.reset'), search)),
    'condition.remove': ({ attrName }) =>
      press(button(zh('list.removeCondition', { name: attrName }), conditions)),
    'conditions.clear': press(button(zh('list.clearConditions'), conditions)),
    'where.apply': noControl,
    // Back in the browser, which the journeys of lists press.
    'address.show': noControl,
    'view.apply': custom((held) => {
      const saved = press(button('视图甲'))
      if (isShown(button('视图甲'))()) return saved.run(held)
      press(button(inAnyLanguage('view.switch'), toolbar)).run(held)
      return () => saved.run(held)
    }),
    'sort.cycle': ({ column }) =>
      unlisted(press(having(sorters, (each) => textOf(each) === column))),
    // The second page by its number, the first by turning back.
    // In the menu of a column, which the journeys of lists walk.
    'sort.set': noControl,
    'group.set': noControl,
    'group.toggle': noControl,
    'groups.toggle': noControl,
    'footer.set': noControl,
    'freeze.set': noControl,
    'figures.ask': noControl,
    'page.go': ({ pageNum }) =>
      press(
        pageNum === 1
          ? turn('previous')
          : having(
              button(zh('pager.page', { page: pageNum }), pager),
              (each) => !each.hasAttribute('aria-current'),
            ),
      ),
    'page.resize': ({ pageSize }) => fill(select(undefined, pager), String(pageSize)),
    'row.toggle': ({ id }) => toggle(id),
    'rows.toggle': press(box(headers)),
    'selection.all': press(button(/^选择符合条件的全部/, chosen)),
    'selection.clear': press(button(zh('chosen.clear'), chosen)),
    'list.refresh': press(either(button(zh('common.refresh'), toolbar), retry)),
    'row.saved': custom(() => tellSaved('A')),
    'delete.ask': ({ id }) =>
      press(button(zh('common.delete'), id === undefined ? toolbar : rowOf(id))),
    'delete.confirm': press(button(zh('common.delete'), deletion)),
    'delete.cancel': press(button(zh('common.cancel'), deletion)),
    'export.start': ({ format, chosen: isChosen }) =>
      isChosen === true
        ? inTurn(press(button(zh('chosen.export'), chosen)), menuItem(zh(`export.${format}`)))
        : inTurn(press(button(zh('list.export'), toolbar)), menuItem(zh(`export.${format}`))),
    // Those bytes may have come already: then nothing more comes.
    'export.progress': ({ bytes }) =>
      custom((held) => {
        const shown = textOf(need(bySelector('span', byRole('status', undefined, toolbar))))
        const known = zh('list.exporting', { size: `${bytes / 1024} KB` })
        held.send('exportRows', shown === known ? 0 : bytes)
      }),
    'export.cancel': press(button(zh('common.cancel'), toolbar)),
    'button.press': ({ code }) => press(button(`按钮${code}`, toolbar)),
    // Taken back from its message, which the tests of messages dismiss.
    'undo.press': noControl,
    'press.confirm': press(button(zh('common.ok'), pressing)),
    'press.cancel': press(button(zh('common.cancel'), pressing)),
  },
  hidden,
  calls: {
    '/entity/A/config': ['loadConfig', () => ({ tag: 'A' })],
    '/entity/A/data/page': ['loadPage', ({ body }) => ({ tag: 'A', query: body })],
    '/entity/A/data/export': ['exportRows', exportInput],
    'DELETE /entity/A/data/:id': [
      'removeRows',
      (_asked, ids) => ({ tag: 'A', ids: ids.split(',') }),
    ],
    '/entity/B/data': ['pressButton', ({ body }) => ({ tag: 'A', code: body.code, row: null })],
  },
  host,
})

function turn(to: 'previous' | 'next'): Target {
  return button(zh(`pager.${to}`), pager)
}

function viewOf(s: Snapshot): View {
  const c: EntityListContext = s.context
  return {
    s,
    c,
    shows: s.matches({ list: 'opening' })
      ? 'opening'
      : s.matches({ list: 'broken' })
        ? 'broken'
        : 'list',
    rows: rowsOf(s),
    total: c.counting ? '—' : c.total,
    isFailed: s.matches({ list: { ready: 'failed' } }),
  }
}

function rowsOf(s: Snapshot): readonly string[] {
  return (s.context.page?.records ?? []).map(({ id }) => id)
}

function deletionOf({ pendingDeletion, names, config }: EntityListContext): string {
  return (
    zh('list.deleteThese', {
      names: pendingDeletion.map((id) => names[id]).join('、'),
      n: pendingDeletion.length,
      name: '甲',
    }) + (config?.recycles === true ? zh('list.toRecycleBin') : '')
  )
}

function isBlank({ s, c, shows, rows }: View): boolean {
  return shows === 'list' && s.hasTag('shown') && c.page !== null && rows.length === 0
}

function hasConditions({ applied }: EntityListContext): boolean {
  return Object.keys(applied).length > 0
}

function loadingOf({ s, c }: View): string {
  return [
    ...(selectsIn(c.config) && c.matching === null && s.matches({ list: { deletion: 'deleting' } })
      ? [zh('common.delete')]
      : []),
    ...(isButtonAsking(s) || c.pressed === null ? [] : [`按钮${c.pressed.code}`]),
  ].join()
}

/** The id of a row, from its first cell with a text. */
function idOf(row: HTMLElement): string {
  const [first] = [...row.querySelectorAll('td')].map(textOf).filter((each) => each !== '')
  return first?.slice(1) ?? ''
}

/**
 * One row by its box, the other by a click anywhere in it; a radio that is on can be switched off
 * only so.
 */
function toggle(id: string): Gesture {
  return custom(
    (held) => {
      const input = need(box(rowOf(id)))
      if (id === 'a' && !(input.type === 'radio' && input.checked)) press(box(rowOf(id))).run(held)
      else if (usable(input)) need(having(byRole('cell', undefined, rowOf(id)), hasText)).click()
    },
    () => isShown(reachable(box(rowOf(id))))(),
  )
}

function hasText(element: HTMLElement): boolean {
  return textOf(element) !== ''
}

const beyondQuestions = ['delete.confirm', 'delete.cancel', 'row.saved', 'export.progress']

/** Events that need something that is not there: a row that is not shown, the page behind a question. */
function hidden(s: Snapshot, event: EntityListEvent): boolean {
  const { selected, matching, config } = s.context
  const isChosen = matching !== null || selected.length > 0
  if (isAsking(s) && !beyondQuestions.includes(event.type)) return true
  if (isButtonAsking(s) && !beyondQuestions.includes(event.type))
    return !event.type.startsWith('press.')
  if (event.type === 'view.apply') return !s.matches({ list: 'ready' })
  if (event.type === 'row.toggle') return !rowsOf(s).includes(event.id)
  if (['where.apply', 'undo.press', 'sort.set'].includes(event.type)) return true
  // The actions on chosen rows stand in the place of the others.
  if (event.type === 'export.start') return (event.chosen === true) !== isChosen
  if (event.type === 'button.press') return isChosen
  if (event.type === 'delete.ask' && event.id === undefined && matching !== null) return true
  return (
    event.type === 'delete.ask' &&
    (event.id === undefined ? !selectsIn(config) : !rowsOf(s).includes(event.id))
  )
}

/** Buttons to press, and bytes that show as kilobytes. */
function adapt(spec: Spec<unknown>): Partial<Spec<unknown>> {
  const { 'export.progress': progress = {}, 'button.press': presses = {} } = spec.events
  const configs = spec.outcomes.loadConfig as Readonly<Record<string, { readonly ok: boolean }>>
  const { quiet, refresh, refused } = spec.outcomes.pressButton as Readonly<Record<string, never>>
  const hasCases = (cases: object) => Object.keys(cases).length > 0
  return {
    events: {
      ...spec.events,
      ...(hasCases(progress) ? { 'export.progress': { some: { bytes: 2048 } } } : {}),
      ...(hasCases(presses)
        ? {
            'button.press': Object.fromEntries(codes.map((code) => [code, { code, row: null }])),
          }
        : {}),
    },
    outcomes: {
      ...spec.outcomes,
      loadConfig: Object.fromEntries(
        Object.entries(configs).map(([name, outcome]) => [
          name,
          outcome.ok
            ? {
                ok: true,
                output: {
                  ...(outcome as unknown as { readonly output: EntityConfig }).output,
                  buttons: codes.map(buttonOf),
                },
              }
            : outcome,
        ]),
      ) as never,
      // Whether the list is read again is decided by the button, not by the reply.
      pressButton: ({ code }: { code: string }) =>
        ({ done: code === 'again' ? refresh : quiet, refused }) as never,
    },
  }
}

function buttonOf(code: string): Button {
  return {
    code,
    name: `按钮${code}`,
    icon: null,
    status: 1,
    position: 1,
    positionExp: null,
    ...(code === asking.code && asking.confirm !== undefined ? { confirm: asking.confirm } : {}),
    eventType: 1,
    eventContent: [
      { do: 'request', tag: 'B', method: 'create', values: { code } },
      ...(code === 'again' ? [{ do: 'refresh' } as const] : []),
    ],
  }
}

function exportInput({ body: { sorts, queries, format, columns: kept, ids, except } }: Asked) {
  return {
    tag: 'A',
    query: { sorts, queries },
    format,
    columns: kept ?? null,
    only: ids !== undefined ? { ids } : except !== undefined ? { except } : null,
  }
}

/** The addresses of the concern of that name. */
const searches = {
  sent: '?q.name=x&nosuch=1&sorts=name:desc,gone&page=2&size=5',
  plain: '?q.name=y&q.no=',
} as const

function host(): Host {
  const effects = effectLog([
    { message: { key: 'list.noSelection' }, tone: 'warning' },
    { message: { key: 'list.deleted', params: { count: 1 } }, tone: 'success' },
    { message: { key: 'list.exported' }, tone: 'success' },
    {
      message: { key: 'list.unknownKeys', params: { names: 'nosuch,gone' } },
      tone: 'warning',
      lasting: true,
    },
  ])
  return {
    mount: (start, held) => {
      changeSettings({ listSize: limits.pageSize })
      return {
        element: inConsole(
          held,
          <EntityListPage
            tag="A"
            search={searches[start as keyof typeof searches] ?? '?name=preset'}
          />,
        ),
      }
    },
    background: ({ path }) => answered(path === '/entity/A/views' ? savedViews : []),
    // Every button here creates a row of another entity.
    reply: (port, { output }) => answered(port === 'pressButton' ? { id: '1' } : output),
    end: (held, port, outcome) => {
      if (port !== 'exportRows') return false
      held.finish(port, outcome.ok ? undefined : (outcome.error as ApiProblem))
      return true
    },
    before: dismissToasts,
    takeEffects: effects.take,
  }
}
