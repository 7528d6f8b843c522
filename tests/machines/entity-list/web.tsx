import type { Button } from '@jiaowu/api/entity/definition/button'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import { listNames } from '@jiaowu/machines/buttons/names'
import { limits } from '@jiaowu/api/limits'
import { shownEstimate } from '@jiaowu/api/entity/values'
import { entityListView } from '@jiaowu/machines/entity-list/view'
import { EntityListPage } from '../../../apps/web/src/features/entity-list/entity-list-page.tsx'
import { tellSaved } from '../../../apps/web/src/app/saved-signal.ts'
import { changeSettings } from '../../../apps/web/src/app/settings.ts'
import { answering, replaceSamples } from '../../surfaces/samples.ts'
import { inAnyLanguage, sentence, zh } from '../../surfaces/sentences.ts'
import {
  findFirst,
  loadingButtons,
  operable,
  page,
  type Target,
} from '../../surfaces/web/dom/by-role.ts'
import { readText, usable } from '../../surfaces/web/dom/dom.ts'
import {
  byPage,
  custom,
  type Gesture,
  inTurn,
  noControl,
  withoutOffer,
} from '../../surfaces/web/dom/gestures.ts'
import { wrapData, type Asked } from '../../surfaces/web/http/held-fetch.ts'
import { type Host, type Shown, createWebDriver } from '../../surfaces/web/table.ts'
import type { Spec } from '../spec.ts'
import { entityListModels } from './model.ts'
import { asking } from './samples.ts'
import { savedViews } from './saved-views.ts'

type View = Shown<typeof entityListView>
const codes = ['go', 'again', 'ask'] as const
const columns = ['name', 'no'] as const

const search = page.role('search')
const toolbar = page.role('toolbar')
const pager = page.role('navigation')
const chosen = page.region(zh('chosen.label'))
const conditions = page.region(zh('list.applied'))
const headers = page.role('columnheader')
/** Beside its sorting each header has a menu. */
const sorters = headers.button().where((each) => each.matches('.jw-sort'))
const sorted = headers.where((each) => each.hasAttribute('aria-sort'))
const retry = page.button(zh('common.retry'))
const allRows = page.role('row')
const isPlaceholder = (row: HTMLElement) => row.hasAttribute('aria-hidden')
const bodyRows = allRows.where((row) => row.querySelector('td') !== null && !isPlaceholder(row))
const findRowById = (id: string) => bodyRows.where((row) => readRowId(row) === id)
const boxIn = (scope: Target) =>
  scope.css<HTMLInputElement>('input[type=checkbox],input[type=radio]')
const turn = (to: 'previous' | 'next') => pager.button(zh(`pager.${to}`))
const deletion = page.question.where((each) => readText(each).startsWith('删除'))
const pressing = page.question.where((each) => readText(each).includes(asking.confirm ?? ''))

const isConfirmingDelete = ({ step }: View) => step === 'confirmingDelete'
const isButtonAsking = ({ s }: View) => s.matches({ button: 'asking' })
const isFree = (view: View) => !isConfirmingDelete(view) && !isButtonAsking(view)
const isFailed = ({ step }: View) => step === 'failed'
const isList = ({ step }: View) => step !== 'opening' && step !== 'broken'
const isFreeList = (view: View) => isList(view) && isFree(view)
const isChosen = ({ chosen: count, matching }: View) => matching !== null || count > 0
const selects = ({ config }: View) => config?.options.selection === true
/** Ids of the rows that are shown; those of before when others could not be loaded. */
const listShownIds = ({ rows }: View) => rows.map(({ id }) => id)
/** How many of the chosen rows are on other pages. */
const elsewhere = (view: View) =>
  view.selected.filter((id) => !listShownIds(view).includes(id)).length
const isListBlank = ({ s, rows, loaded }: View) => s.hasTag('shown') && loaded && rows.length === 0
const hasConditions = ({ applied }: View) => Object.keys(applied).length > 0
/** `undo` (its toasts are outside of the page) and the others are in tests/journeys/list.test.ts. */
const onJourneys = /^(undo|return|group|months|many|table|footer|frozen)/
const parts = Object.fromEntries(
  Object.entries(entityListModels.parts).filter(([name]) => !onJourneys.test(name)),
)

export const entityListWeb = createWebDriver<typeof entityListView>({
  model: { ...entityListModels, parts },
  adapt: adaptListSpec,
  view: entityListView,
  readings: {
    problem: page
      .heading()
      .provided(retry.isShown)
      .text.is((view) =>
        view.step === 'broken' || (isFailed(view) && view.rows.length === 0)
          ? sentence(view.problem?.message)
          : '',
      ),
    rows: bodyRows.each(readRowId).while(isList, listShownIds),
    checked: bodyRows
      .where((row) => row.querySelector('input')?.checked === true)
      .each(readRowId)
      .while(isList, (view) => listShownIds(view).filter((id) => view.selected.includes(id))),
    isBusy: page
      .css('[aria-busy=true]')
      .isShown.is(({ step, loaded }) => step === 'deleting' || (step === 'loading' && loaded)),
    isWaiting: allRows
      .where(isPlaceholder)
      .isShown.is(({ step, loaded }) => step === 'loading' && !loaded),
    labels: search.css('label').texts.while(isList, () => columns),
    headers: headers.texts.while(isList, () => [...columns, zh('list.operation')]),
    draft: search.field('name').value.while(isList, ({ draft }) => String(draft.name ?? '')),
    sort: sorted.attribute('aria-sort').while(isList, ({ sorts }) => {
      const sort = sorts.find(({ column }) => column === 'name')
      return sort === undefined ? 'none' : sort.asc ? 'ascending' : 'descending'
    }),
    sortable: sorters.reachable.names.while(isFreeList, ({ s }) =>
      columns.filter((column) => s.can({ type: 'sort.cycle', column })),
    ),
    page: pager
      .css('[aria-current=page]')
      .texts.while(isList, ({ c, pageNum, pageSize }) =>
        pageNum <= Math.max(1, Math.ceil(c.total / pageSize)) ? String(pageNum) : '',
      ),
    turns: operable(turn('previous'), turn('next')).is((view) =>
      [-1, 1]
        .map((by) => ({ type: 'page.go', pageNum: view.pageNum + by }) as const)
        .map((event) => isFreeList(view) && view.s.can(event))
        .join(),
    ),
    size: pager.select().value.while(isList, ({ pageSize }) => String(pageSize)),
    question: page.question
      .css('p')
      .texts.is((view) =>
        isConfirmingDelete(view)
          ? formatDeletion(view)
          : isButtonAsking(view)
            ? (asking.confirm ?? '')
            : '',
      ),
    loading: loadingButtons.names.is((view) => [
      view.step === 'deleting' && selects(view) && view.matching === null && zh('common.delete'),
      view.pressing !== null && `按钮${view.pressing}`,
    ]),
  },
  says: {
    'common.loading': ({ step }) => step === 'opening',
    'list.noHit': (view) => isListBlank(view) && hasConditions(view),
    'list.nothingYet': (view) => isListBlank(view) && !hasConditions(view) && { name: '甲' },
    'list.stale': (view) =>
      isFailed(view) && view.rows.length > 0 && { reason: sentence(view.problem?.message) },
    'pager.total': (view) =>
      isList(view) &&
      (view.total === null || !view.totalIsEstimate) && { total: view.total ?? '—' },
    'pager.about': (view) =>
      isList(view) &&
      view.total !== null &&
      view.totalIsEstimate && { total: shownEstimate(view.total) },
    'chosen.page': (view) => {
      const n = view.selected.length
      return view.matching === null && n > 0 && elsewhere(view) === 0 && { n }
    },
    'chosen.pages': (view) =>
      view.matching === null &&
      elsewhere(view) > 0 && { n: view.selected.length, elsewhere: elsewhere(view) },
    'chosen.matching': ({ c: { matching, total } }) => matching?.length === 0 && { n: total },
    'chosen.but': ({ c: { matching, total } }) =>
      matching !== null &&
      matching.length > 0 && { n: total - matching.length, except: matching.length },
    'chosen.all': ({ s, c }) => s.can({ type: 'selection.all' }) && { n: c.total },
    'list.exporting': ({ exporting }) =>
      exporting !== null && { size: `${exporting.bytes / 1024} KB` },
  },
  gestures: {
    'query.change': ({ value }) => search.field('name').fill(String(value)),
    'query.search': search.button(zh('common.search')).press,
    'query.reset': search.button(zh('common.reset')).press,
    'condition.remove': ({ attrName }) =>
      conditions.button(zh('list.removeCondition', { name: attrName })).press,
    'conditions.clear': conditions.button(zh('list.clearConditions')).press,
    'where.apply': noControl,
    // Back in the browser, which the journeys of lists press.
    'address.show': noControl,
    'view.apply': withoutOffer(
      byPage(() => {
        const [saved, switcher] = [page.button('视图甲'), inAnyLanguage('view.switch')]
        return saved.isShown() ? saved.press : inTurn(toolbar.button(switcher).press, saved.press)
      }),
    ),
    'sort.cycle': ({ column }) =>
      withoutOffer(sorters.where((each) => readText(each) === column).press),
    // In the menu of a column, which the journeys of lists walk.
    'sort.set': noControl,
    'group.set': noControl,
    'group.rows': noControl,
    'group.toggle': noControl,
    'groups.toggle': noControl,
    'footer.set': noControl,
    'freeze.set': noControl,
    'figures.ask': noControl,
    // The second page by its number, the first by turning back.
    'page.go': ({ pageNum }) =>
      pageNum === 1
        ? turn('previous').press
        : pager
            .button(zh('pager.page', { page: pageNum }))
            .where((each) => !each.hasAttribute('aria-current')).press,
    'page.resize': ({ pageSize }) => pager.select().fill(String(pageSize)),
    'row.toggle': ({ id }) => toggle(id),
    'rows.toggle': boxIn(headers).press,
    'selection.all': chosen.button(/^选择符合条件的全部/).press,
    'selection.clear': chosen.button(zh('chosen.clear')).press,
    'list.refresh': findFirst(toolbar.button(zh('common.refresh')), retry).press,
    'row.saved': custom(() => tellSaved('A')),
    'delete.ask': ({ id }) =>
      (id === undefined ? toolbar : findRowById(id)).button(zh('common.delete')).press,
    'delete.confirm': deletion.button(zh('common.delete')).press,
    'delete.cancel': deletion.button(zh('common.cancel')).press,
    'export.start': ({ format, chosen: isOfChosen }) =>
      inTurn(
        (isOfChosen === true
          ? chosen.button(zh('chosen.export'))
          : toolbar.button(zh('list.export'))
        ).press,
        page.role('menuitem', zh(`export.${format}`)).press,
      ),
    // The bytes may have come already: then nothing more comes.
    'export.progress': ({ bytes }) =>
      custom((held) => {
        const shown = readText(toolbar.role('status').css('span').needed)
        const known = zh('list.exporting', { size: `${bytes / 1024} KB` })
        held.send('exportRows', shown === known ? 0 : bytes)
      }),
    'export.cancel': toolbar.button(zh('common.cancel')).press,
    'button.press': ({ code }) => toolbar.button(`按钮${code}`).press,
    // Taken back from its message, which the tests of messages dismiss.
    'undo.press': noControl,
    'press.confirm': pressing.button().where((each) => readText(each) !== zh('common.cancel'))
      .press,
    'press.cancel': pressing.button(zh('common.cancel')).press,
  },
  // The page behind a question.
  covered: (view, { type }) =>
    !['delete.confirm', 'delete.cancel', 'row.saved', 'export.progress'].includes(type) &&
    (isConfirmingDelete(view) || (isButtonAsking(view) && !type.startsWith('press.'))),
  hidden: {
    'where.apply': true,
    'undo.press': true,
    'sort.set': true,
    'view.apply': ({ s }) => !s.matches({ list: 'ready' }),
    'row.toggle': (view, { id }) => !listShownIds(view).includes(id),
    // The actions on chosen rows stand in the place of the others.
    'export.start': (view, event) => (event.chosen === true) !== isChosen(view),
    'button.press': isChosen,
    'delete.ask': (view, { id }) =>
      id === undefined
        ? view.matching !== null || !selects(view)
        : !listShownIds(view).includes(id),
  },
  calls: {
    '/entity/A/config': ['loadConfig', () => ({ tag: 'A' })],
    '/entity/A/data/page': ['loadPage', ({ body }) => ({ tag: 'A', query: body })],
    '/entity/A/data/count': ['countRows', ({ body }) => ({ tag: 'A', query: body })],
    '/entity/A/data/export': ['exportRows', exportInput],
    'DELETE /entity/A/data/:id': ['removeRows', (_asked, id) => ({ tag: 'A', ids: id.split(',') })],
    '/entity/B/data': ['pressButton', ({ body }) => ({ tag: 'A', code: body.code, row: null })],
  },
  toasts: [
    { message: { key: 'list.noSelection' }, tone: 'warning' },
    ...[['na'], ['nb']].map(buildNameToast('list.deleted')),
    ...[['甲'], ['na'], ['nb'], ['na', 'nb'], ['nb', 'na']].map(buildNameToast('list.exported')),
    {
      message: { key: 'list.unknownKeys', params: { names: 'nosuch,gone' } },
      tone: 'warning',
      lasting: true,
    },
  ],
  host: createListHost,
})

function buildNameToast(key: 'list.deleted' | 'list.exported') {
  return (names: readonly string[]) =>
    ({ message: { key, params: { names: listNames(names) } }, tone: 'success' }) as const
}

function formatDeletion({ pendingNames, pendingDeletion, config }: View): string {
  const params = { names: pendingNames.join('、'), n: pendingDeletion, name: '甲' }
  return zh('list.deleteThese', params) + (config?.recycles === true ? zh('list.toRecycleBin') : '')
}

/** The id of a row, from its first cell with a text. */
function readRowId(row: HTMLElement): string {
  const [first] = [...row.querySelectorAll('td')].map(readText).filter((each) => each !== '')
  return first?.slice(1) ?? ''
}

/**
 * One row by its box, the other by a click anywhere in it; a radio that is on can be switched off
 * only so.
 */
function toggle(id: string): Gesture {
  const box = boxIn(findRowById(id))
  return custom((held) => {
    const input = box.needed
    if (id === 'a' && !(input.type === 'radio' && input.checked)) box.press.run(held)
    else if (usable(input))
      findRowById(id)
        .role('cell')
        .where((cell) => readText(cell) !== '')
        .needed.click()
  }, box.reachable.isShown)
}

/** Buttons to press, and bytes that show as kilobytes. */
function adaptListSpec({ events, outcomes }: Spec<unknown>): Partial<Spec<unknown>> {
  const { quiet, refresh, refused } = outcomes.pressButton as Readonly<Record<string, never>>
  return {
    events: replaceSamples(events, {
      'export.progress': { some: { bytes: 2048 } },
      'button.press': Object.fromEntries(codes.map((code) => [code, { code, row: null }])),
    }),
    outcomes: {
      ...outcomes,
      loadConfig: answering<EntityConfig>(outcomes.loadConfig, (config) => ({
        ...config,
        buttons: codes.map(buildPressButton),
      })),
      // Whether the list is read again is decided by the button, not by the reply.
      pressButton: ({ code }: { code: string }) =>
        ({ done: code === 'again' ? refresh : quiet, refused }) as never,
    },
  }
}

function buildPressButton(code: string): Button {
  const { confirm, ...usual } = asking
  return {
    ...usual,
    code,
    name: `按钮${code}`,
    ...(code === asking.code && confirm !== undefined ? { confirm } : {}),
    eventContent: [
      { do: 'request', tag: 'B', method: 'create', values: { code } },
      ...(code === 'again' ? [{ do: 'refresh' } as const] : []),
    ],
  }
}

function exportInput({ body }: Asked) {
  const { sorts, queries, format, columns: kept = null, ids: only, except } = body
  return {
    tag: 'A',
    query: { sorts, queries },
    format,
    columns: kept,
    only: only !== undefined ? { ids: only } : except !== undefined ? { except } : null,
  }
}

/** The addresses of the concern of that name. */
const searches = {
  sent: '?q.name=x&nosuch=1&sorts=name:desc,gone&page=2&size=5',
  plain: '?q.name=y&q.no=',
} as const

function createListHost(): Host {
  return {
    show: (start) => {
      changeSettings({ listSize: limits.pageSize })
      const address = searches[start as keyof typeof searches] ?? '?name=preset'
      return <EntityListPage tag="A" search={address} />
    },
    background: ({ path }) => wrapData(path === '/entity/A/views' ? savedViews : []),
    // Every button here creates a row of another entity.
    reply: (port, { output }) => wrapData(port === 'pressButton' ? { id: '1' } : output),
    files: ['exportRows'],
  }
}
