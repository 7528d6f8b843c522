import { type ApiProblem, type Button, type Message, type Problem, say } from '@jiaowu/api'
import type { EntityListEmitted, EntityListEvent } from '@jiaowu/machines'
import { EntityListPage } from '../../../apps/web/src/pages/entity-list-page.tsx'
import { tellSaved } from '../../../apps/web/src/entity/saved-signal.ts'
import { emitEffect, type Left, type NamedOutcome, type Spec, type UserStep } from '../model/index.ts'
import { listConfig, type ListSeen } from '../models/entity-list.model.ts'
import { all, click, enter, find, need, rest, textOf } from './dom.ts'
import { answered, type Asked, type HeldFetch, type PortCall } from './held-fetch.ts'
import type { Screen } from './web.tsx'

/** What a person sees of a list. */
export interface ListScreen {
  readonly shows: 'opening' | 'broken' | 'list'; readonly problem: string; readonly rows: string; readonly checked: string; readonly count: string; readonly isBusy: boolean; readonly isWaiting: boolean; readonly draft: string; readonly sort: string
  readonly page: string; readonly size: string; readonly total: string; readonly asks: boolean; readonly deletes: boolean; readonly exports: string; readonly presses: boolean
}
const nothing: ListScreen = { shows: 'list', problem: '', rows: '', checked: '', count: '', isBusy: false, isWaiting: false, draft: '', sort: '', page: '', size: '', total: '', asks: false, deletes: false, exports: '', presses: false }

const buttonOf = (code: string, refreshes: boolean): Button => ({
  code, name: `按钮${code}`, icon: null, status: 1, position: 1, positionExp: null, eventType: 1,
  eventContent: [{ do: 'request', tag: 'B', method: 'create', values: { code } }, ...(refreshes ? [{ do: 'refresh' } as const] : [])],
})
const withButtons = (selection: 'multi' | 'single') => ({ ...listConfig(selection), buttons: [buttonOf('go', false), buttonOf('again', true)] })

interface ListContext { readonly page: { records: { id: string }[]; total: number } | null; readonly selected: string[]; readonly draft: { name?: unknown }; readonly sorts: { column: string; asc: boolean }[]; readonly pageNum: number; readonly pageSize: number; readonly problem: Problem | null; readonly exporting: { bytes: number } | null; readonly pressed: object | null }

/** The same from the machine's state: what the screen must show, said apart from the machine's own view. */
const project = ({ value, context }: { value: unknown; context: unknown }, _left: Left): ListScreen => {
  const { list } = value as { list: 'opening' | 'broken' | { ready: string } }
  const c = context as ListContext
  const problem = String(c.problem?.message ?? '')
  if (typeof list === 'string') return { ...nothing, shows: list, problem: list === 'broken' ? problem : '' }
  const rows = list.ready === 'failed' ? [] : (c.page?.records ?? []).map(({ id }) => id)
  const total = c.page?.total ?? 0
  const sort = c.sorts.find(({ column }) => column === 'name')
  return {
    shows: 'list', problem: list.ready === 'failed' ? problem : '', rows: rows.join(), checked: rows.filter((id) => c.selected.includes(id)).join(), count: c.selected.length === 0 ? '' : `已选 ${c.selected.length} 条`,
    isBusy: list.ready === 'loading' && c.page !== null, isWaiting: list.ready === 'loading' && c.page === null, draft: String(c.draft.name ?? ''), sort: sort === undefined ? 'none' : sort.asc ? 'ascending' : 'descending',
    page: c.pageNum <= Math.max(1, Math.ceil(total / c.pageSize)) ? String(c.pageNum) : '', size: String(c.pageSize), total: `共 ${total} 条`, asks: list.ready === 'confirmingDelete', deletes: list.ready === 'deleting',
    exports: c.exporting === null ? '' : `正在导出 ${c.exporting.bytes / 1024} KB`, presses: c.pressed !== null,
  }
}

/** A model of the list, seen from its page: buttons to press, and bytes that show as kilobytes. */
export const listOnScreen = (spec: Spec<ListSeen>): Spec<ListScreen> => ({
  ...spec, project,
  events: {
    ...spec.events,
    ...(Object.keys(spec.events['export.progress'] ?? {}).length === 0 ? {} : { 'export.progress': { some: { bytes: 2048 } } }),
    ...(Object.keys(spec.events['button.press'] ?? {}).length === 0 ? {} : { 'button.press': { go: { code: 'go', row: null }, again: { code: 'again', row: null } } }),
  },
  outcomes: {
    ...spec.outcomes,
    loadConfig: Object.fromEntries(Object.entries(spec.outcomes.loadConfig ?? {}).map(([name, outcome]) => [name, outcome.ok ? { ...outcome, output: withButtons(name as 'multi') } : outcome])),
    // Whether the list is read again is the button's own matter, not the reply's.
    pressButton: (({ code }: { code: string }) => { const { quiet, refresh, refused } = spec.outcomes.pressButton as Record<string, never>; return code === 'go' ? { done: quiet, refused } : { done: refresh, refused } }) as never,
  },
})

const callOf = ({ method, path, body }: Asked): PortCall | null => {
  if (path === '/entity/A/config') return { port: 'loadConfig', input: { tag: 'A' } }
  if (path === '/entity/A/data/page') return { port: 'loadPage', input: { tag: 'A', query: body } }
  if (path === '/entity/A/data/export') return { port: 'exportRows', input: { tag: 'A', query: { sorts: body.sorts, queries: body.queries }, format: body.format, columns: body.columns ?? null } }
  if (method === 'DELETE' && path.startsWith('/entity/A/data/')) return { port: 'removeRows', input: { tag: 'A', ids: path.slice('/entity/A/data/'.length).split(',') } }
  if (path === '/entity/B/data') return { port: 'pressButton', input: { tag: 'A', code: body.code, row: null } }
  return null
}

const rowOf = (id: string): HTMLElement => {
  const row = all('.jw-table tbody tr').find((each) => each.textContent?.startsWith(`n${id}`))
  return row ?? need(`row ${id}`.replace(' ', '-'))
}
const toolbar = '.jw-toolbar button'

const gestures: { readonly [T in EntityListEvent['type']]: (event: Extract<EntityListEvent, { type: T }>, held: HeldFetch) => unknown } = {
  'query.change': ({ value }) => enter(need<HTMLInputElement>('#query-A-name'), String(value)),
  'query.search': () => click('.jw-query button[type=submit]'),
  'query.reset': () => click('.jw-query button[type=reset]'),
  'sort.cycle': ({ column }) => click('.jw-sort', column),
  'page.go': ({ pageNum }) => click(`.jw-pager [aria-label="第 ${pageNum} 页"]`),
  'page.resize': ({ pageSize }) => enter(need<HTMLSelectElement>('.jw-pager select'), String(pageSize)),
  'row.toggle': ({ id }) => rowOf(id).querySelector('input')?.click(),
  'rows.toggle': () => click('.jw-table thead input[type=checkbox]'),
  'list.refresh': () => (find('.jw-toolbar') === undefined ? click('.jw-state button') : click('.jw-toolbar [aria-label=刷新]')),
  'row.saved': () => tellSaved('A'),
  'delete.ask': ({ id }) => (id === undefined ? click(toolbar, '删除') : [...rowOf(id).querySelectorAll('button')].find((each) => each.textContent === '删除')?.click()),
  'delete.confirm': () => click('.bp6-alert .bp6-intent-danger'),
  'delete.cancel': () => click('.bp6-alert button', '取消'),
  'export.start': async ({ format }) => { click(toolbar, '导出'); await rest(); click('.bp6-menu-item', format) },
  // Those bytes may have come already: then nothing more comes.
  'export.progress': ({ bytes }, held) => { need('.jw-export'); held.send('exportRows', textOf('.jw-export span') === `正在导出 ${bytes / 1024} KB` ? 0 : bytes) },
  'export.cancel': () => click('.jw-export button'),
  'button.press': ({ code }) => click(toolbar, `按钮${code}`),
}

const read = (): ListScreen => {
  if (find('.jw-list') === undefined) return { ...nothing, shows: find('.jw-state button') === undefined ? 'opening' : 'broken', problem: textOf('.jw-state__title') }
  const rows = all('.jw-table tbody tr:not([aria-hidden])')
  const idOf = (row: HTMLElement) => row.querySelector('.jw-cell')?.textContent?.slice(1) ?? ''
  const failed = find('.jw-list .jw-state') !== undefined && find('.jw-list .jw-state button', '重试') !== undefined
  const [, no] = all('.jw-table thead th[aria-sort]')
  return {
    shows: 'list', problem: failed ? textOf('.jw-list .jw-state__title') : '', rows: rows.map(idOf).join(), checked: rows.filter((row) => row.querySelector('input')?.checked === true).map(idOf).join(), count: textOf('.jw-toolbar__count'),
    isBusy: find('.jw-table-wrap[aria-busy=true]') !== undefined, isWaiting: find('.jw-skeleton') !== undefined, draft: need<HTMLInputElement>('#query-A-name').value, sort: (no === undefined ? undefined : all('.jw-table thead th[aria-sort]')[0])?.getAttribute('aria-sort') ?? '',
    page: textOf('.jw-pager [aria-current=page]'), size: need<HTMLSelectElement>('.jw-pager select').value, total: textOf('.jw-pager__total'), asks: find('.bp6-alert') !== undefined,
    deletes: all(`${toolbar}.bp6-loading`).some((each) => each.textContent?.includes('删除')), exports: textOf('.jw-export span'), presses: all(`${toolbar}.bp6-loading`).some((each) => each.textContent?.includes('按钮')),
  }
}

const known: readonly { readonly message: Message; readonly tone: EntityListEmitted['tone'] }[] = [
  { message: { key: 'list.noSelection' }, tone: 'warning' }, { message: { key: 'list.deleted', params: { count: 1 } }, tone: 'success' }, { message: { key: 'list.exported' }, tone: 'success' },
]
/** A toast as the machine said it: its sentence traced back to the key. */
const toastOf = (toast: HTMLElement): string => {
  const text = toast.querySelector('.bp6-toast-message')?.textContent ?? ''
  const tone = (['success', 'warning', 'danger'] as const).find((each) => toast.classList.contains(`bp6-intent-${each}`)) ?? 'info'
  const message = known.find((each) => each.tone === tone && say('zh-CN', each.message) === text)?.message ?? text
  return emitEffect({ type: 'toast', tone, message, lasting: tone === 'danger' })
}

export const listScreen = (): Screen<ListScreen> => {
  const seen = new WeakSet<HTMLElement>()
  return {
    element: () => <EntityListPage tag="A" search="?name=preset" />,
    callOf, background: () => [],
    reply: (_port, { output }) => answered(output),
    end: (held, port, outcome: NamedOutcome) => { if (port !== 'exportRows') return false; held.finish(port, outcome.ok ? undefined : (outcome.error as ApiProblem)); return true },
    user: ({ event }: UserStep, held) => (gestures[event.type as EntityListEvent['type']] as (event: unknown, held: HeldFetch) => unknown)(event, held),
    read,
    told: () => all('.bp6-toast').filter((toast) => !seen.has(toast)).map((toast) => { seen.add(toast); return toastOf(toast) }),
  }
}
