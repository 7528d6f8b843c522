import { type Message, say, type TextKey } from '@jiaowu/api'
import {
  queryOfAddress,
  type ViewsEmitted,
  type ViewsEvent,
  type viewsMachine,
} from '@jiaowu/machines'
import { useEffect } from 'react'
import type { EventObject, SnapshotFrom } from 'xstate'
import { ColumnsPanel } from '../../../apps/web/src/features/views/columns-button.tsx'
import { useViews } from '../../../apps/web/src/features/views/use-views.ts'
import { ViewDialogs } from '../../../apps/web/src/features/views/view-dialogs.tsx'
import { ViewsButton, ViewsPanel } from '../../../apps/web/src/features/views/views-button.tsx'
import { emitEffect, type Spec } from '@jiaowu/path-tests'
import { listConfig } from '../entity-list/model.ts'
import type { ViewsSeen } from './model.ts'
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

/** What the page shows of a list's views and columns, and what it offers. */
export interface ViewsScreen {
  readonly open: string
  readonly isChanged: boolean
  readonly isLoading: boolean
  readonly isUnavailable: boolean
  readonly rows: string
  readonly headings: string
  readonly columns: string
  readonly asks: string
  readonly words: string
  readonly titled: string
  readonly name: string
  readonly scope: string
  readonly role: string
  readonly isDefault: boolean
  readonly fault: string
  readonly isSaving: boolean
  readonly offers: string
}
const config = listConfig('multi')
const zh = (key: TextKey, params: Message['params'] = {}) => say('zh-CN', { key, params })

type Snapshot = SnapshotFrom<typeof viewsMachine>
const inView = (s: Snapshot, state: string) => s.matches({ ready: { view: state } } as never)
const shownOf = ({ context }: Snapshot): string => context.now.columns?.join() ?? 'name,no'

export function viewsOnScreen(spec: Spec<ViewsSeen>): Spec<ViewsScreen> {
  return {
    ...spec,
    project: project as unknown as Spec<ViewsScreen>['project'],
    covered: covered as unknown as NonNullable<Spec<ViewsScreen>['covered']>,
  }
}

function project(s: Snapshot): ViewsScreen {
  const { data, current, doomed } = s.context
  const views = data?.views ?? []
  const dead = views.find(({ id }) => id === doomed)
  return {
    open: views.find(({ id }) => id === current)?.name ?? zh('view.plain'),
    isChanged: isChanged(s),
    isLoading: s.matches('loading'),
    isUnavailable: s.matches('unavailable'),
    rows: projectRows(s),
    columns: shownOf(s),
    headings: s.matches('unavailable')
      ? ''
      : [
          ...new Set(
            views.map(({ scope }) => zh(scope === 'mine' ? 'view.mine' : 'view.everyone')),
          ),
        ].join(),
    words: [
      zh('view.columnsShown'),
      zh('view.columnsReset'),
      'name',
      'no',
      zh('view.columnsHint'),
      ...(s.context.draft === null
        ? []
        : [
            zh('view.name'),
            zh('view.scope'),
            zh('view.forMine'),
            zh('view.forRole'),
            zh('view.forEveryone'),
            ...(s.context.draft.scope === 'role' ? [zh('view.role'), zh('view.noRole'), 'R'] : []),
            zh('view.isDefault'),
            zh('common.cancel'),
            zh('common.save'),
          ]),
    ]
      .sort()
      .join(),
    asks:
      inView(s, 'confirmingDelete') && dead !== undefined
        ? zh('view.confirmDelete', { name: dead.name })
        : '',
    ...projectDialog(s),
    offers: mayOf(s),
  }
}

function isChanged({ context: { data, current, now } }: Snapshot): boolean {
  const view = data?.views.find(({ id }) => id === current)
  return (
    view !== undefined &&
    JSON.stringify([view.queries, view.sorts, view.columns, view.pageSize]) !==
      JSON.stringify([now.queries, now.sorts, now.columns, now.pageSize])
  )
}

function projectRows(s: Snapshot): string {
  const { data, current } = s.context
  if (s.matches('unavailable')) return ''
  const starOf = (id: string | null) =>
    data?.opens === (id ?? 'plain') ? '★' : (data?.opening ?? null) === id ? '☆' : ''
  return [
    `${zh('view.plain')}${current === null ? '✓' : ''}${starOf(null)}`,
    ...(data?.views ?? []).map(
      ({ id, name, lacks }) =>
        `${name}${current === id ? '✓' : ''}${lacks.queries > 0 ? '!' : ''}${starOf(id)}`,
    ),
  ].join()
}

function projectDialog(s: Snapshot) {
  const { draft, problem } = s.context
  if (draft === null)
    return {
      titled: '',
      name: '',
      scope: '',
      role: '',
      isDefault: false,
      fault: '',
      isSaving: false,
    }
  return {
    titled: zh(draft.id === null ? 'view.saveAs' : 'view.edit'),
    name: draft.name,
    scope: draft.scope,
    role: draft.scope === 'role' ? (draft.roleId ?? '') : '',
    isDefault: draft.isDefault,
    fault: String(problem?.message ?? ''),
    isSaving: inView(s, 'saving'),
  }
}

function mayOf(s: Snapshot): string {
  const { data, now } = s.context
  const may = (event: ViewsEvent) => s.can(event)
  const ids = s.matches('unavailable') ? [] : [null, ...(data?.views.map(({ id }) => id) ?? [])]
  const editable = data?.views.filter((view) => view.editable).map(({ id }) => id) ?? []
  return [
    ...(
      [
        'views.retry',
        'view.revert',
        'view.save',
        'draft.submit',
        'draft.cancel',
        'delete.confirm',
        'delete.cancel',
      ] as const
    ).filter((type) => may({ type })),
    ...(may({ type: 'draft.change', draft: {} }) ? ['draft.change'] : []),
    ...ids
      .filter((id) => may({ type: 'view.open', id }))
      .map((id) => `view.open(${id ?? 'plain'})`),
    ...ids
      .filter((id) => may({ type: 'view.star', id }))
      .map((id) => `view.star(${id ?? 'plain'})`),
    ...(may({ type: 'view.edit', id: null }) ? ['view.edit(shown)'] : []),
    ...editable.filter((id) => may({ type: 'view.edit', id })).map((id) => `view.edit(${id})`),
    ...editable.filter((id) => may({ type: 'view.delete', id })).map((id) => `view.delete(${id})`),
    ...(may({ type: 'columns.change', columns: null })
      ? [
          ...(now.columns === null ? [] : ['columns.change(all)']),
          ...(shownOf(s) === 'name' ? [] : ['columns.change(name)']),
        ]
      : []),
  ]
    .sort()
    .join()
}

/**
 * Events without a control: a deleted view, a view of another user, a role before it is asked for,
 * columns that are set already.
 */
function covered(s: Snapshot, given: EventObject): boolean {
  const event = given as ViewsEvent
  const { data, draft } = s.context
  const isThere = (id: string | null) =>
    id === null || data?.views.some((view) => view.id === id) === true
  const isMine = (id: string | null) =>
    id === null || data?.views.some((view) => view.id === id && view.editable) === true
  if (event.type === 'view.open' || event.type === 'view.star') return !isThere(event.id)
  if (event.type === 'view.edit' || event.type === 'view.delete') return !isMine(event.id)
  if (event.type === 'columns.change')
    return event.columns === null ? s.context.now.columns === null : shownOf(s) === 'name'
  if (event.type === 'draft.change' && event.draft.scope !== undefined)
    return draft?.scope === event.draft.scope
  return (
    event.type === 'draft.change' && event.draft.roleId !== undefined && draft?.scope !== 'role'
  )
}

const rows = () => all('.jw-saved')
const nameOf = (row: HTMLElement) => textOf(find('.jw-saved__text', undefined, row))
const idsByName: Readonly<Record<string, string>> = {
  [zh('view.plain')]: 'plain',
  A: 'a',
  A2: 'a',
  B: 'b',
  N: 'n',
}
const idOf = (row: HTMLElement) => idsByName[nameOf(row)] ?? '?'
const foot = '.jw-views footer button',
  dialog = '.jw-view-dialog',
  question = '.bp6-alert button'
const editOf = (row: HTMLElement) => find('.jw-saved__edit [aria-label^=编辑]', undefined, row)
const deleteOf = (row: HTMLElement) => find('.jw-saved__edit [aria-label^=删除]', undefined, row)
const box = (name: string) => find<HTMLInputElement>(`.jw-column input[data-column=${name}]`)

const known: readonly KnownToast[] = [
  { message: { key: 'view.saved' }, tone: 'success' },
  { message: { key: 'view.deleted' }, tone: 'success' },
  { message: { key: 'view.columnsNotKept' }, tone: 'warning' },
  { message: { key: 'view.lacks', params: { name: 'B', n: 1 } }, tone: 'warning', lasting: true },
]

interface HostProps {
  readonly search: string
  readonly onMount: (send: (event: ViewsEvent) => void) => void
  readonly onApply: (event: ViewsEmitted) => void
}

export function viewsScreen(): Screen<ViewsScreen> {
  let follow: (event: ViewsEvent) => void = () => {}
  let applied: string[] = []
  const toasts = reportedToasts(known)
  const gestures = gesturesOf((event) => follow(event))
  const onMount = (send: typeof follow) => {
    follow = send
  }
  const onApply = (event: ViewsEmitted) => {
    applied.push(emitEffect(event))
  }
  return {
    mount: (start, held) => ({
      element: inConsole(
        held,
        <Host search={start === 'preset' ? '?name=x' : ''} onMount={onMount} onApply={onApply} />,
      ),
    }),
    callOf,
    background: () => answered([]),
    user: (step, held) => {
      dismissToasts()
      return () => gestureOf(gestures, step, held)
    },
    read,
    told: () => {
      const told = [...applied, ...toasts()]
      applied = []
      return told
    },
  }
}

function gesturesOf(follow: (event: ViewsEvent) => void): Gestures<ViewsEvent> {
  return {
    'list.changed': (event) => follow(event),
    'columns.change': ({ columns }) =>
      columns === null
        ? click('.jw-columns header button')
        : press(box('no') ?? need('.jw-column')),
    'views.retry': () => click('.jw-views button', '重试'),
    'view.open': ({ id }) => click('.jw-saved__name', undefined, rowOf(id)),
    'view.revert': () => click(foot, '还原'),
    'view.save': () => click(foot, '保存更改'),
    'view.edit': ({ id }) =>
      id === null
        ? click(foot, '另存为视图')
        : press(editOf(rowOf(id)) ?? need('.jw-saved__edit button')),
    'draft.change': ({ draft }) => {
      if (draft.name !== undefined)
        enter(need<HTMLInputElement>(`${dialog} input[type=text]`), draft.name)
      else if (draft.scope !== undefined) click(`${dialog} input[value=${draft.scope}]`)
      else if (draft.isDefault !== undefined) {
        const check = need<HTMLInputElement>(`${dialog} input[type=checkbox]`)
        if (!check.checked) press(check)
      } else enter(need<HTMLSelectElement>(`${dialog} select`), draft.roleId ?? '')
    },
    'draft.submit': () => click(`${dialog} button[type=submit]`),
    'draft.cancel': () => click(`${dialog} button`, '取消'),
    'view.delete': ({ id }) => press(deleteOf(rowOf(id)) ?? need('.jw-saved__edit button')),
    'delete.confirm': () => click(question, '删除'),
    'delete.cancel': () => click(question, '取消'),
    'view.star': ({ id }) => click('.jw-saved__star', undefined, rowOf(id)),
  }
}

function rowOf(id: string | null): HTMLElement {
  return rows().find((row) => idOf(row) === (id ?? 'plain')) ?? need(`.row-${id ?? 'plain'}`)
}

/** Renders the panels open, as while they are used. */
function Host({ search, onMount, onApply }: HostProps) {
  const { actor, view, send } = useViews('A', queryOfAddress(search))
  useEffect(() => onMount(send), [onMount, send])
  useEffect(() => {
    const watching = actor.on('apply', onApply)
    return () => watching.unsubscribe()
  }, [actor, onApply])
  return (
    <>
      <ViewsButton views={view} canAsk send={send} />
      <ViewsPanel views={view} canAsk send={send} />
      <ColumnsPanel
        key={String(view.columns)}
        config={config}
        columns={view.columns}
        canArrange={view.can.arrange}
        onChange={(columns) => send({ type: 'columns.change', columns })}
      />
      <ViewDialogs views={view} send={send} />
    </>
  )
}

function callOf({ method, path, body }: Asked): PortCall | null {
  const { queries, sorts, columns, pageSize, name, scope, roleId, isDefault, version = 0 } = body
  const save = (id: string | null): PortCall => ({
    port: 'saveView',
    input: {
      tag: 'A',
      id,
      version,
      view: { queries, sorts, columns, pageSize, name, scope, roleId, isDefault },
    },
  })
  const [, id = ''] = /^\/entity\/A\/views\/(.+)$/.exec(path) ?? []
  if (path === '/entity/A/views')
    return method === 'GET' ? { port: 'loadViews', input: { tag: 'A' } } : save(null)
  if (path === '/entity/A/opens')
    return { port: 'chooseOpening', input: { tag: 'A', opens: body.opens } }
  if (path === '/entity/A/layout') return { port: 'keepLayout', input: { tag: 'A', columns } }
  return id === ''
    ? null
    : method === 'DELETE'
      ? { port: 'removeView', input: { tag: 'A', id } }
      : save(id)
}

function read(): ViewsScreen {
  return {
    open: textOf(find('.jw-views-button__name')),
    isChanged: find('.jw-views-button__mark') !== undefined,
    isLoading: find('.jw-views-button.bp6-loading') !== undefined,
    isUnavailable: find('.jw-views[role=alert] p', '视图未能加载') !== undefined,
    rows: rows()
      .map(
        (row) =>
          `${nameOf(row)}${row.querySelector('[aria-current=true]') === null ? '' : '✓'}${textOf(find('.jw-saved__lacks', undefined, row))}${starText(row)}`,
      )
      .join(),
    headings: all('.jw-views h4').map(textOf).join(),
    columns: all<HTMLInputElement>('.jw-column input')
      .filter((each) => each.checked)
      .map((each) => each.dataset.column ?? '')
      .join(),
    asks: textOf(find('.bp6-alert p')),
    words: [
      ...all(
        '.jw-columns h4, .jw-columns header button, .jw-column label span, .jw-columns footer',
      ),
      ...all(`${dialog} label, ${dialog} option, ${dialog} .bp6-dialog-footer button`),
    ]
      .map(textOf)
      .sort()
      .join(),
    titled: textOf(find(`${dialog} .bp6-heading`)),
    name: find<HTMLInputElement>(`${dialog} input[type=text]`)?.value ?? '',
    scope:
      all<HTMLInputElement>(`${dialog} input[type=radio]`).find((each) => each.checked)?.value ??
      '',
    role: find<HTMLSelectElement>(`${dialog} select`)?.value ?? '',
    isDefault: find<HTMLInputElement>(`${dialog} input[type=checkbox]`)?.checked ?? false,
    fault: textOf(find(`${dialog} [role=alert]`)),
    isSaving: find(`${dialog} button[type=submit].bp6-loading`) !== undefined,
    offers: offersNow(),
  }
}

function starText(row: HTMLElement) {
  const star = find('.jw-saved__star', undefined, row)
  return star?.classList.contains('is-on') === true
    ? '★'
    : star?.classList.contains('is-given') === true
      ? '☆'
      : ''
}

function offersNow(): string {
  return [
    ...(offers('.jw-views button', '重试') ? ['views.retry'] : []),
    ...(offers(foot, '还原') ? ['view.revert'] : []),
    ...(offers(foot, '保存更改') ? ['view.save'] : []),
    ...(offers(`${dialog} button[type=submit]`) ? ['draft.submit'] : []),
    ...(offers(`${dialog} button`, '取消') ? ['draft.cancel'] : []),
    ...(offers(question, '删除') ? ['delete.confirm'] : []),
    ...(offers(question, '取消') ? ['delete.cancel'] : []),
    ...(offers('#view-name') ? ['draft.change'] : []),
    ...rows()
      .filter((row) => usable(find('.jw-saved__name', undefined, row)))
      .map((row) => `view.open(${idOf(row)})`),
    ...rows()
      .filter((row) => usable(find('.jw-saved__star', undefined, row)))
      .map((row) => `view.star(${idOf(row)})`),
    ...(offers(foot, '另存为视图') ? ['view.edit(shown)'] : []),
    ...rows()
      .filter((row) => usable(editOf(row)))
      .map((row) => `view.edit(${idOf(row)})`),
    ...rows()
      .filter((row) => usable(deleteOf(row)))
      .map((row) => `view.delete(${idOf(row)})`),
    ...(offers('.jw-columns header button') ? ['columns.change(all)'] : []),
    ...(usable(box('no')) && box('name')?.checked === true && box('no')?.checked === true
      ? ['columns.change(name)']
      : []),
  ]
    .sort()
    .join()
}
