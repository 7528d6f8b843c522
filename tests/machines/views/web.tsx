import { contentOf, type ViewContent } from '@jiaowu/api'
import {
  isPresetAddress,
  type ViewsEmitted,
  type ViewsEvent,
  type viewsMachine,
  viewOfAddress,
} from '@jiaowu/machines'
import { useEffect } from 'react'
import type { SnapshotFrom } from 'xstate'
import { ColumnsPanel } from '../../../apps/web/src/features/views/columns-button.tsx'
import { useViews } from '../../../apps/web/src/features/views/use-views.ts'
import { ViewDialogs } from '../../../apps/web/src/features/views/view-dialogs.tsx'
import { ViewsButton, ViewsPanel } from '../../../apps/web/src/features/views/views-button.tsx'
import { listConfig } from '../entity-list/samples.ts'
import {
  button,
  byRole,
  choice,
  dialog,
  field,
  having,
  heading,
  nameOf,
  nth,
  question,
  region,
  select,
  type Target,
} from '../../surfaces/web/dom/by-role.ts'
import { dismissToasts, effectLog } from '../../surfaces/web/dom/effects.ts'
import {
  custom,
  fill,
  type Gesture,
  noControl,
  press,
  unlisted,
} from '../../surfaces/web/dom/gestures.ts'
import { answered, type Asked, type PortCall } from '../../surfaces/web/http/held-fetch.ts'
import { loadingButtons, names, text, textOfElement, value } from '../../surfaces/web/dom/reads.ts'
import { inConsole } from '../../surfaces/web/screen.tsx'
import { inAnyLanguage, sentence, zh } from '../../surfaces/web/dom/sentences.ts'
import { type Host, webDriverOf } from '../../surfaces/web/table.ts'
import { viewsModels } from './model.ts'

type Snapshot = SnapshotFrom<typeof viewsMachine>
type Context = Snapshot['context']
interface View {
  readonly s: Snapshot
  readonly c: Context
  readonly views: NonNullable<Context['data']>['views']
  readonly open: string
  readonly isChanged: boolean
  readonly dead: NonNullable<Context['data']>['views'][number] | undefined
}
const scopes = { mine: 'view.forMine', role: 'view.forRole', everyone: 'view.forEveryone' } as const

const switcher = having(button(), (each) => each.hasAttribute('aria-expanded'))
const columns = region(zh('view.columnsShown'))
const boxes = byRole<HTMLInputElement>('checkbox', undefined, columns)
const shownBoxes = having(boxes, ({ checked }) => checked)
const isDefault = byRole<HTMLInputElement>('checkbox', zh('view.isDefault'), dialog())
const rows = having(byRole('listitem'), (each) => !columns.all().some((all) => all.contains(each)))
/** The first button of a row opens its view. */
const opener = (row: Target) => nth(button(undefined, row), 0)
const idsByName: Readonly<Record<string, string>> = { A: 'a', A2: 'a', B: 'b', N: 'n' }
const { return: _return, ...parts } = viewsModels.parts
const isUnavailable = ({ s }: View) => s.matches('unavailable')
const hasDraft = ({ c }: View) => c.draft !== null
const hasRole = ({ c }: View) => c.draft?.scope === 'role'

export const viewsWeb = webDriverOf<Snapshot, ViewsEvent, View>({
  model: { ...viewsModels, parts },
  view: viewOf,
  readings: {
    open: { model: ({ open }) => open, screen: text(switcher) },
    switcher: { model: switcherName, screen: names(switcher) },
    loading: { model: loadingOf, screen: names(loadingButtons) },
    rows: {
      model: rowsOf,
      screen: () => rows.all().map(rowText).join(),
    },
    columns: { model: ({ c }) => shownColumns(c), screen: names(shownBoxes) },
    titled: {
      model: ({ c: { draft } }) =>
        draft === null ? '' : zh(draft.id === null ? 'view.saveAs' : 'view.edit'),
      screen: text(heading(undefined, dialog())),
    },
    name: { model: ({ c }) => c.draft?.name ?? '', screen: value(field(zh('view.name'))) },
    scope: {
      model: ({ c: { draft } }) => (draft === null ? '' : zh(scopes[draft.scope])),
      screen: names(having(choice(), ({ checked }) => checked)),
    },
    role: {
      model: ({ c }) => (c.draft?.scope === 'role' ? (c.draft.roleId ?? '') : ''),
      screen: value(select(zh('view.role'))),
    },
    isDefault: {
      model: ({ c }) => c.draft?.isDefault ?? false,
      screen: () => isDefault.all()[0]?.checked ?? false,
    },
    problem: {
      model: ({ c: { draft, problem } }) => (draft === null ? '' : sentence(problem?.message)),
      screen: text(byRole('alert', undefined, dialog())),
    },
  },
  says: {
    'view.unavailable': isUnavailable,
    'common.retry': isUnavailable,
    'view.none': ({ s, views }) => s.matches('ready') && views.length === 0,
    'view.mine': ({ views }) => views.some(({ scope }) => scope === 'mine'),
    'view.everyone': ({ views }) => views.some(({ scope }) => scope === 'everyone'),
    'view.columnsShown': () => true,
    'view.columnsReset': () => true,
    'view.columnsHint': () => true,
    'view.name': hasDraft,
    'view.scope': hasDraft,
    'view.forMine': hasDraft,
    'view.forRole': hasDraft,
    'view.forEveryone': hasDraft,
    'view.isDefault': hasDraft,
    'view.role': hasRole,
    'view.noRole': hasRole,
    'common.save': hasDraft,
    'common.cancel': ({ c, dead }) => c.draft !== null || dead !== undefined,
    'view.confirmDelete': ({ dead }) => dead?.scope === 'mine' && { name: dead.name },
    'view.confirmDeleteShared': ({ dead }) =>
      dead !== undefined && dead.scope !== 'mine' && { name: dead.name },
  },
  gestures: {
    'list.changed': (event) => custom(() => follow(event)),
    'columns.change': (event) =>
      event.columns === null
        ? press(button(zh('view.columnsReset')))
        : press(having(shownBoxes, (each) => nameOf(each) === 'no' && shownBoxes.all().length > 1)),
    'views.retry': press(button(zh('common.retry'))),
    'view.open': ({ id }) => press(opener(rowOf(id))),
    // Back in the browser, which the journeys of lists press.
    'view.follow': noControl,
    'view.revert': press(button(zh('view.revert'))),
    'view.save': press(button(zh('view.save'))),
    'view.edit': ({ id }) =>
      press(
        id === null
          ? button(zh('view.saveAs'))
          : button(inAnyLanguage('view.editNamed'), rowOf(id)),
      ),
    'draft.change': ({ draft }) => change(draft),
    'draft.submit': press(button(zh('common.save'), dialog())),
    'draft.cancel': press(button(zh('common.cancel'), dialog())),
    'view.delete': ({ id }) => press(button(inAnyLanguage('view.deleteNamed'), rowOf(id))),
    'delete.confirm': press(button(zh('common.delete'), question())),
    'delete.cancel': press(button(zh('common.cancel'), question())),
    'view.star': ({ id }) =>
      press(having(button(undefined, rowOf(id)), (each) => each.hasAttribute('aria-pressed'))),
  },
  hidden,
  calls: {
    'GET /entity/A/views': ['loadViews', () => ({ tag: 'A' })],
    '/entity/A/views': (asked) => save(asked, null),
    'DELETE /entity/A/views/:id': ['removeView', (_asked, id) => ({ tag: 'A', id })],
    '/entity/A/views/:id': save,
    '/entity/A/opens': ['chooseOpening', ({ body }) => ({ tag: 'A', opens: body.opens })],
    '/entity/A/layout': ['keepLayout', ({ body }) => ({ tag: 'A', columns: body.columns })],
  },
  host,
})

function viewOf(s: Snapshot): View {
  const c = s.context
  const views = c.data?.views ?? []
  const open = views.find(({ id }) => id === c.current)
  return {
    s,
    c,
    views: s.matches('unavailable') ? [] : views,
    open: open?.name ?? zh('view.plain'),
    isChanged: open !== undefined && textOf(open) !== textOf(c.now),
    dead: s.matches({ ready: { view: 'confirmingDelete' } })
      ? views.find(({ id }) => id === c.pendingDeletion)
      : undefined,
  }
}

const textOf = (content: Context['now']): string => JSON.stringify(contentOf(content))

function switcherName({ open, isChanged }: View): string {
  return `${zh('view.switch', { name: open })}${isChanged ? ` (${zh('view.changed')})` : ''}`
}

function loadingOf(view: View): string {
  if (view.s.matches('loading')) return switcherName(view)
  if (!view.s.matches({ ready: { view: 'saving' } })) return ''
  if (view.c.draft !== null) return zh('common.save')
  return view.isChanged ? zh('view.save') : ''
}

function rowsOf({ s, c: { data, current }, views }: View): string {
  if (s.matches('unavailable')) return ''
  const star = (id: string | null) =>
    data?.opens === (id ?? 'plain') ? '★' : (data?.opening ?? null) === id ? '☆' : ''
  return [
    `${zh('view.plain')}${current === null ? '✓' : ''}${star(null)}`,
    ...views.map(
      ({ id, name, lacks }) =>
        `${name}${lacks.queries > 0 ? '!' : ''}${current === id ? '✓' : ''}${star(id)}`,
    ),
  ].join()
}

function rowText(row: HTMLElement): string {
  const star = row.querySelector('[aria-pressed]')
  const mark =
    star?.getAttribute('aria-pressed') === 'true'
      ? '★'
      : star?.classList.contains('is-given') === true
        ? '☆'
        : ''
  return `${textOfElement(row)}${row.querySelector('[aria-current=true]') === null ? '' : '✓'}${mark}`
}

/** Null: the list without a view. */
function rowOf(id: string | null): Target {
  return having(rows, (row) => {
    const name = textOfElement(row).replace(/!$/, '')
    return (idsByName[name] ?? null) === id
  })
}

function shownColumns({ now }: Context): string {
  return now.columns?.join() ?? 'name,no'
}

/** Only the name is compared in what is offered: the other fields are there with it. */
function change(draft: Partial<NonNullable<Context['draft']>>): Gesture {
  if (draft.name !== undefined) return fill(field(zh('view.name')), draft.name)
  if (draft.scope !== undefined) return unlisted(press(choice(zh(scopes[draft.scope]))))
  if (draft.isDefault === undefined)
    return unlisted(fill(select(zh('view.role')), draft.roleId ?? ''))
  return custom((held) => isDefault.all()[0]?.checked === true || press(isDefault).run(held))
}

/**
 * Events without a control: columns behind a question, a deleted view, a view of another user, a
 * role before it is asked for, columns that are set already.
 */
function hidden(s: Snapshot, event: ViewsEvent): boolean {
  const { data, draft, now } = s.context
  if (event.type === 'columns.change' && s.matches({ ready: { view: 'confirmingDelete' } }))
    return true
  const viewWith = (id: string) => data?.views.find((view) => view.id === id)
  switch (event.type) {
    case 'view.open':
    case 'view.star':
      return event.id !== null && viewWith(event.id) === undefined
    case 'view.edit':
    case 'view.delete':
      return event.id !== null && viewWith(event.id)?.editable !== true
    case 'columns.change':
      return event.columns === null ? now.columns === null : shownColumns(s.context) === 'name'
    case 'draft.change':
      return event.draft.scope === undefined
        ? event.draft.roleId !== undefined && draft?.scope !== 'role'
        : draft?.scope === event.draft.scope
    default:
      return false
  }
}

function save({ body }: Asked, id: string | null): PortCall {
  const { name, scope, roleId, version = 0 } = body
  const view = { ...contentOf(body as unknown as ViewContent), name, scope, roleId }
  return {
    port: 'saveView',
    input: { tag: 'A', id, version, view: { ...view, isDefault: body.isDefault } },
  }
}

/** Tells the machine what the list around the panels shows. */
let follow: (event: ViewsEvent) => void = () => {}

function host(): Host {
  const effects = effectLog([
    { message: { key: 'view.saved' }, tone: 'success' },
    { message: { key: 'view.deleted' }, tone: 'success' },
    { message: { key: 'view.columnsNotKept' }, tone: 'warning' },
    { message: { key: 'view.unknown' }, tone: 'warning', lasting: true },
    { message: { key: 'view.lacks', params: { name: 'B', n: 1 } }, tone: 'warning', lasting: true },
  ])
  const onMount = (send: typeof follow) => {
    follow = send
  }
  return {
    mount: (start, held) => ({
      element: inConsole(
        held,
        <Panels
          search={searches[start as keyof typeof searches] ?? ''}
          pageSize={start === 'linked' ? 20 : 10}
          onMount={onMount}
          onApply={effects.add}
        />,
      ),
    }),
    background: () => answered([]),
    before: dismissToasts,
    takeEffects: effects.take,
  }
}

interface PanelsProps {
  readonly search: string
  readonly pageSize: number
  readonly onMount: (send: (event: ViewsEvent) => void) => void
  readonly onApply: (event: ViewsEmitted) => void
}

/** The address of each start; without one the list is opened plainly. */
const searches = {
  preset: '?name=x',
  linked: '?view=a',
  linkedPreset: '?name=x&view=a',
  linkedGone: '?view=z',
} as const

/** The panels open, as while they are used. */
function Panels({ search, pageSize, onMount, onApply }: PanelsProps) {
  const { actor, view, send } = useViews('A', {
    isPreset: isPresetAddress(search),
    wanted: viewOfAddress(search),
    pageSize,
  })
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
        config={listConfig('multi')}
        columns={view.columns}
        canArrange={view.can.arrange}
        onChange={(changed) => send({ type: 'columns.change', columns: changed })}
      />
      <ViewDialogs views={view} send={send} />
    </>
  )
}
