import { type ApiProblem, type Button, type EntityConfig, type SavedViews, say } from '@jiaowu/api'
import { type EntityListContext, type EntityListEvent, entityListMachine } from '@jiaowu/machines'
import type { EventObject, SnapshotFrom } from 'xstate'
import { tellSaved } from '../../../apps/web/src/features/entity-list/saved-signal.ts'
import { EntityListPage } from '../../../apps/web/src/features/entity-list/entity-list-page.tsx'
import { type Spec } from '@jiaowu/path-tests'
import { asking, listConfig, type ListSeen } from './model.ts'
import {
  all,
  click,
  enter,
  find,
  need,
  offers,
  press,
  textOf,
  usable,
} from '../../surfaces/web/dom.ts'
import { answered, type Asked, type PortCall } from '../../surfaces/web/held-fetch.ts'
import { gestureOf, type Gestures, inConsole, type Screen } from '../../surfaces/web/screen.tsx'
import { type KnownToast, reportedToasts, dismissToasts } from '../../surfaces/web/effects.ts'

/** What a person sees of a list, and (`offers`) what the screen lets them do. */
export interface ListScreen {
  readonly shows: 'opening' | 'broken' | 'list'
  readonly problem: string
  readonly rows: string
  readonly checked: string
  readonly count: string
  readonly all: string
  readonly isBusy: boolean
  readonly isWaiting: boolean
  readonly draft: string
  readonly sort: string
  readonly page: string
  readonly size: string
  readonly total: string
  readonly asks: string
  readonly labels: string
  readonly deletes: boolean
  readonly exports: string
  readonly presses: string
  readonly offers: string
}
const nothing: ListScreen = {
  shows: 'list',
  problem: '',
  rows: '',
  checked: '',
  count: '',
  all: '',
  isBusy: false,
  isWaiting: false,
  draft: '',
  sort: '',
  page: '',
  size: '',
  total: '',
  asks: '',
  labels: '',
  deletes: false,
  exports: '',
  presses: '',
  offers: '',
}

const codes = ['go', 'again', 'ask'] as const
const columns = ['name', 'no'] as const

type Snapshot = SnapshotFrom<typeof entityListMachine>
const isAsking = (s: Snapshot) => s.matches({ list: { deletion: 'confirming' } })
const isButtonAsking = (s: Snapshot) => s.matches({ button: 'asking' })
const selectsIn = (config: EntityConfig | null) => config?.options.selection === true

const beyondQuestions = ['delete.confirm', 'delete.cancel', 'row.saved', 'export.progress']

/** A model of the list, seen from its page: buttons to press, and bytes that show as kilobytes. */
export function listOnScreen(spec: Spec<ListSeen>): Spec<ListScreen> {
  const { 'export.progress': progress = {}, 'button.press': presses = {} } = spec.events
  const configs = spec.outcomes.loadConfig as Readonly<Record<string, { readonly ok: boolean }>>
  const { quiet, refresh, refused } = spec.outcomes.pressButton as Readonly<Record<string, never>>
  return {
    ...spec,
    project: project as unknown as Spec<ListScreen>['project'],
    covered: covered as unknown as NonNullable<Spec<ListScreen>['covered']>,
    events: {
      ...spec.events,
      ...(Object.keys(progress).length === 0
        ? {}
        : { 'export.progress': { some: { bytes: 2048 } } }),
      ...(Object.keys(presses).length === 0
        ? {}
        : { 'button.press': Object.fromEntries(codes.map((code) => [code, { code, row: null }])) }),
    },
    outcomes: {
      ...spec.outcomes,
      loadConfig: Object.fromEntries(
        Object.entries(configs).map(([name, outcome]) => [
          name,
          outcome.ok
            ? { ok: true, output: { ...listConfig(name as 'multi'), buttons: codes.map(buttonOf) } }
            : outcome,
        ]),
      ) as never,
      // Whether the list is read again is the button's own matter, not the reply's.
      pressButton: ({ code }: { code: string }) =>
        ({ done: code === 'again' ? refresh : quiet, refused }) as never,
    },
  }
}

/** What the screen must show, said apart from the machine's own view. */
function project(s: Snapshot): ListScreen {
  const c: EntityListContext = s.context
  const problem = String(c.problem?.message ?? '')
  if (s.matches({ list: 'opening' })) return { ...nothing, shows: 'opening', offers: mayOf(s) }
  if (s.matches({ list: 'broken' }))
    return { ...nothing, shows: 'broken', problem, offers: mayOf(s) }
  const rows = rowsOf(s)
  const total = c.page?.total ?? 0
  const isLoading = s.matches({ list: { ready: 'loading' } })
  const sort = c.sorts.find(({ column }) => column === 'name')
  return {
    shows: 'list',
    problem: s.matches({ list: { ready: 'failed' } }) ? problem : '',
    rows: rows.join(),
    checked: rows.filter((id) => c.selected.includes(id)).join(),
    count: countOf(c),
    all: s.can({ type: 'selection.all' }) ? `选择符合条件的全部 ${total} 条` : '',
    isBusy: (isLoading && c.page !== null) || s.matches({ list: { deletion: 'deleting' } }),
    isWaiting: isLoading && c.page === null,
    draft: String(c.draft.name ?? ''),
    sort: sort === undefined ? 'none' : sort.asc ? 'ascending' : 'descending',
    page: c.pageNum <= Math.max(1, Math.ceil(total / c.pageSize)) ? String(c.pageNum) : '',
    size: String(c.pageSize),
    total: `共 ${total} 条`,
    asks: questionIn(s),
    labels: [...columns, ...columns].join(),
    deletes: selectsIn(c.config) && s.matches({ list: { deletion: 'deleting' } }),
    exports: c.exporting === null ? '' : `正在导出 ${c.exporting.bytes / 1024} KB`,
    presses: pressedIn(s),
    offers: mayOf(s),
  }
}

function questionIn(s: Snapshot): string {
  if (isAsking(s)) return say('zh-CN', { key: 'list.confirmDelete' })
  return isButtonAsking(s) ? (asking.confirm ?? '') : ''
}

function pressedIn(s: Snapshot): string {
  return isButtonAsking(s) ? '' : (s.context.pressed?.code ?? '')
}

/**
 * What the machine takes, as what a screen must offer. A question stands before the page: nothing
 * else is within reach.
 */
function mayOf(s: Snapshot): string {
  const may = (event: EntityListEvent) => s.can(event)
  if (isAsking(s))
    return (['delete.cancel', 'delete.confirm'] as const).filter((type) => may({ type })).join()
  if (isButtonAsking(s))
    return (['press.cancel', 'press.confirm'] as const).filter((type) => may({ type })).join()
  const pages = [1, 2]
    .filter((pageNum) => may({ type: 'page.go', pageNum }))
    .map((pageNum) => `page.go(${pageNum})`)
  const turns = (
    [
      ['previous', -1],
      ['next', 1],
    ] as const
  )
    .filter(([, by]) => may({ type: 'page.go', pageNum: s.context.pageNum + by }))
    .map(([name]) => name)
  const rows = rowsOf(s)
  return [
    ...(may({ type: 'query.change', attrName: 'name', value: '' }) ? ['query.change'] : []),
    ...(
      [
        'query.search',
        'query.reset',
        'list.refresh',
        'rows.toggle',
        'export.cancel',
        'selection.all',
        'selection.clear',
      ] as const
    ).filter((type) => may({ type })),
    ...(may({ type: 'export.start', format: 'csv', chosen: true }) ? ['export.start(chosen)'] : []),
    ...columns
      .filter((column) => may({ type: 'sort.cycle', column }))
      .map((column) => `sort.cycle(${column})`),
    ...pages,
    ...turns,
    ...(may({ type: 'page.resize', pageSize: 20 }) ? ['page.resize'] : []),
    ...rows.filter((id) => may({ type: 'row.toggle', id })).map((id) => `row.toggle(${id})`),
    ...rows.filter((id) => may({ type: 'delete.ask', id })).map((id) => `delete.ask(${id})`),
    ...(selectsIn(s.context.config) && may({ type: 'delete.ask' }) ? ['delete.ask'] : []),
    ...(may({ type: 'export.start', format: 'csv' }) ? ['export.start'] : []),
    ...codes
      .filter((code) => may({ type: 'button.press', code, row: null }))
      .map((code) => `button.press(${code})`),
  ]
    .sort()
    .join()
}

/** Rows that did not come are not shown, even when older ones are known. */
function rowsOf(s: Snapshot): readonly string[] {
  return s.matches({ list: { ready: 'failed' } })
    ? []
    : (s.context.page?.records ?? []).map(({ id }) => id)
}

function countOf({ selected, matching, page }: EntityListContext): string {
  if (matching === null) return selected.length === 0 ? '' : `已选 ${selected.length} 条`
  const n = (page?.total ?? 0) - matching.length
  return matching.length === 0
    ? `已选符合条件的全部 ${n} 条`
    : `已选符合条件的 ${n} 条，不含 ${matching.length} 条`
}

/** Gestures that need something that is not there: a row that is not shown, the page behind a question. */
function covered(s: Snapshot, given: EventObject): boolean {
  const event = given as EntityListEvent
  if (isAsking(s) && !beyondQuestions.includes(event.type)) return true
  if (isButtonAsking(s) && !beyondQuestions.includes(event.type))
    return !event.type.startsWith('press.')
  if (event.type === 'view.apply') return !s.matches({ list: 'ready' })
  if (event.type === 'row.toggle') return !rowsOf(s).includes(event.id)
  if (event.type === 'export.start' && event.chosen === true && countOf(s.context) === '')
    return true
  return (
    event.type === 'delete.ask' &&
    (event.id === undefined ? !selectsIn(s.context.config) : !rowsOf(s).includes(event.id))
  )
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

const bodyRows = () => all('.jw-table tbody tr:not([aria-hidden])')
const idOf = (row: HTMLElement) => row.querySelector('.jw-cell')?.textContent?.slice(1) ?? ''
const toolbar = '.jw-toolbar button'
const question = '.bp6-alert button'
const refresh = () => find('.jw-toolbar [aria-label=刷新]') ?? find('.jw-state button', '重试')

const gestures: Gestures<EntityListEvent> = {
  'query.change': ({ value }) => enter(need<HTMLInputElement>('#query-A-name'), String(value)),
  'query.search': () => click('.jw-query button[type=submit]', '查询'),
  'query.reset': () => click('.jw-query button[type=reset]', '重置'),
  'view.apply': () => {
    if (find('.jw-views') === undefined) click('.jw-views-button')
    return () => click('.jw-saved__name', '视图甲')
  },
  'sort.cycle': ({ column }) => click('.jw-sort', column),
  // The second page by its number, the first by turning back.
  'page.go': ({ pageNum }) =>
    click(`.jw-pager [aria-label="${pageNum === 1 ? '上一页' : `第 ${pageNum} 页`}"]`),
  'page.resize': ({ pageSize }) =>
    enter(need<HTMLSelectElement>('.jw-pager select'), String(pageSize)),
  // One row by its box, the other by a click anywhere in it; a radio that is on is let go of only so.
  'row.toggle': ({ id }) => {
    const row = rowOf(id)
    const box = need<HTMLInputElement>('input', undefined, row)
    if (id === 'a' && !(box.type === 'radio' && box.checked)) press(box)
    else if (usable(box)) need('.jw-cell', undefined, row).click()
  },
  'rows.toggle': () => click('.jw-table thead input[type=checkbox]'),
  'selection.all': () => click('.jw-chosen__all'),
  'selection.clear': () => click('.jw-chosen__clear'),
  'list.refresh': () => press(refresh() ?? need('.jw-state button')),
  'row.saved': () => tellSaved('A'),
  'delete.ask': ({ id }) =>
    id === undefined ? click(toolbar, '删除') : click('button', '删除', rowOf(id)),
  'delete.confirm': () => click(question, '删除'),
  'delete.cancel': () => click(question, '取消'),
  'export.start': ({ format, chosen }) => {
    if (chosen === true) click('.jw-chosen button', '导出所选')
    else click(toolbar, '导出')
    return () => click('.bp6-menu-item', format)
  },
  // Those bytes may have come already: then nothing more comes.
  'export.progress': ({ bytes }, held) => {
    held.send(
      'exportRows',
      textOf(need('.jw-export span')) === `正在导出 ${bytes / 1024} KB` ? 0 : bytes,
    )
  },
  'export.cancel': () => click('.jw-export button'),
  'button.press': ({ code }) => click(toolbar, `按钮${code}`),
  'press.confirm': () => click(question, '确定'),
  'press.cancel': () => click(question, '取消'),
}

const known: readonly KnownToast[] = [
  { message: { key: 'list.noSelection' }, tone: 'warning' },
  { message: { key: 'list.deleted', params: { count: 1 } }, tone: 'success' },
  { message: { key: 'list.exported' }, tone: 'success' },
]

const savedViews: SavedViews = {
  views: [
    {
      queries: { name: 'v' },
      sorts: [{ column: 'name', asc: false }],
      columns: null,
      pageSize: 20,
      id: 'v',
      name: '视图甲',
      scope: 'mine',
      roleId: null,
      roleName: null,
      isDefault: false,
      version: 1,
      editable: false,
      lacks: { queries: 0, sorts: 0, columns: 0 },
    },
  ],
  opens: 'shared',
  opening: null,
  layout: null,
  widths: {},
  mayShare: false,
  roles: [],
}

export function listScreen(): Screen<ListScreen> {
  return {
    mount: (_start, held) => ({
      element: inConsole(held, <EntityListPage tag="A" search="?name=preset" />),
    }),
    callOf,
    background: ({ path }) => answered(path === '/entity/A/views' ? savedViews : []),
    end: (held, port, outcome) => {
      if (port !== 'exportRows') return false
      held.finish(port, outcome.ok ? undefined : (outcome.error as ApiProblem))
      return true
    },
    user: (step, held) => {
      dismissToasts()
      return () => gestureOf(gestures, step, held)
    },
    read,
    told: reportedToasts(known),
  }
}

function callOf({ method, path, body }: Asked): PortCall | null {
  if (path === '/entity/A/config') return { port: 'loadConfig', input: { tag: 'A' } }
  if (path === '/entity/A/data/page') return { port: 'loadPage', input: { tag: 'A', query: body } }
  if (path === '/entity/A/data/export')
    return {
      port: 'exportRows',
      input: {
        tag: 'A',
        query: { sorts: body.sorts, queries: body.queries },
        format: body.format,
        columns: body.columns ?? null,
        only:
          body.ids === undefined
            ? body.except === undefined
              ? null
              : { except: body.except }
            : { ids: body.ids },
      },
    }
  if (method === 'DELETE' && path.startsWith('/entity/A/data/'))
    return {
      port: 'removeRows',
      input: { tag: 'A', ids: path.slice('/entity/A/data/'.length).split(',') },
    }
  if (path === '/entity/B/data')
    return { port: 'pressButton', input: { tag: 'A', code: body.code, row: null } }
  return null
}

function read(): ListScreen {
  if (find('.jw-list') === undefined)
    return {
      ...nothing,
      shows: find('.jw-state button') === undefined ? 'opening' : 'broken',
      problem: textOf(find('.jw-state__title')),
      offers: offersNow(),
    }
  const rows = bodyRows()
  const failed = find('.jw-list .jw-state button', '重试') !== undefined
  const isLoading = (text: string) =>
    all(`${toolbar}.bp6-loading`).some((each) => textOf(each) === text)
  return {
    shows: 'list',
    problem: failed ? textOf(find('.jw-list .jw-state__title')) : '',
    rows: rows.map(idOf).join(),
    checked: rows
      .filter((row) => row.querySelector('input')?.checked === true)
      .map(idOf)
      .join(),
    count: textOf(find('.jw-chosen__count')),
    all: textOf(find('.jw-chosen__all')),
    isBusy: find('.jw-table-wrap[aria-busy=true]') !== undefined,
    isWaiting: find('.jw-skeleton') !== undefined,
    draft: need<HTMLInputElement>('#query-A-name').value,
    sort: find('.jw-table thead th[aria-sort]')?.getAttribute('aria-sort') ?? '',
    page: textOf(find('.jw-pager [aria-current=page]')),
    size: need<HTMLSelectElement>('.jw-pager select').value,
    total: textOf(find('.jw-pager__total')),
    asks: textOf(find('.bp6-alert p')),
    labels: [...all('.jw-query__label'), ...all('.jw-sort')].map(textOf).join(),
    deletes: isLoading('删除'),
    exports: textOf(find('.jw-export span')),
    presses: codes.filter((code) => isLoading(`按钮${code}`)).join(),
    offers: offersNow(),
  }
}

function offersNow(): string {
  if (find('.bp6-alert') !== undefined) {
    const isDelete = find(question, '删除') !== undefined
    const [name, yes] = isDelete ? ['delete', '删除'] : ['press', '确定']
    return [
      ...(offers(question, '取消') ? [`${name}.cancel`] : []),
      ...(offers(question, yes) ? [`${name}.confirm`] : []),
    ].join()
  }
  const rows = bodyRows()
  const pages = all('.jw-pager button[aria-label^=第]')
    .filter((each) => usable(each) && each.getAttribute('aria-current') === null)
    .map((each) => `page.go(${textOf(each)})`)
  const turns = [
    ['previous', '上一页'],
    ['next', '下一页'],
  ]
    .filter(([, label]) => offers(`.jw-pager [aria-label="${label}"]`))
    .map(([name]) => name)
  const toggles = (row: HTMLElement) => usable(find('input', undefined, row))
  return [
    ...(offers('#query-A-name') ? ['query.change'] : []),
    ...(offers('.jw-query button[type=submit]') ? ['query.search'] : []),
    ...(offers('.jw-query button[type=reset]') ? ['query.reset'] : []),
    ...(usable(refresh()) ? ['list.refresh'] : []),
    ...(offers('.jw-table thead input[type=checkbox]') ? ['rows.toggle'] : []),
    ...(offers('.jw-export button') ? ['export.cancel'] : []),
    ...(offers('.jw-chosen__all') ? ['selection.all'] : []),
    ...(offers('.jw-chosen__clear') ? ['selection.clear'] : []),
    ...(offers('.jw-chosen button', '导出所选') ? ['export.start(chosen)'] : []),
    ...columns
      .filter((column) => offers('.jw-sort', column))
      .map((column) => `sort.cycle(${column})`),
    ...pages,
    ...turns,
    ...(offers('.jw-pager select') ? ['page.resize'] : []),
    ...rows.filter(toggles).map((row) => `row.toggle(${idOf(row)})`),
    ...rows.filter((row) => offers('button', '删除', row)).map((row) => `delete.ask(${idOf(row)})`),
    ...(offers(toolbar, '删除') ? ['delete.ask'] : []),
    ...(offers(toolbar, '导出') ? ['export.start'] : []),
    ...codes
      .filter((code) => offers(toolbar, `按钮${code}`))
      .map((code) => `button.press(${code})`),
  ]
    .sort()
    .join()
}

function rowOf(id: string): HTMLElement {
  return bodyRows().find((row) => idOf(row) === id) ?? need(`.row-${id}`)
}
