import { pickViewContent, type ViewContent } from '@jiaowu/api/entity/list/view'
import { isPresetAddress, viewOfAddress } from '@jiaowu/machines/entity-list/address'
import type { ViewsEmitted, ViewsEvent } from '@jiaowu/machines/views/context'
import { viewsView } from '@jiaowu/machines/views/view'
import { useEffect } from 'react'
import { ColumnsPanel } from '../../../apps/web/src/features/views/columns-button.tsx'
import { useViews } from '../../../apps/web/src/features/views/use-views.ts'
import { ViewDialogs } from '../../../apps/web/src/features/views/view-dialogs.tsx'
import { ViewsButton, ViewsPanel } from '../../../apps/web/src/features/views/views-button.tsx'
import { always, inAnyLanguage, sentence, under, zh } from '../../surfaces/sentences.ts'
import { loadingButtons, readAccessibleName, page } from '../../surfaces/web/dom/by-role.ts'
import type { EffectLog } from '../../surfaces/web/dom/effects.ts'
import { custom, type Gesture, noControl, withoutOffer } from '../../surfaces/web/dom/gestures.ts'
import { textOfElement } from '../../surfaces/web/dom/reads.ts'
import { body } from '../../surfaces/web/http/calls.ts'
import { wrapData, type Asked, type PortCall } from '../../surfaces/web/http/held-fetch.ts'
import { type Host, type Shown, createWebDriver } from '../../surfaces/web/table.ts'
import { listConfig } from '../entity-list/samples.ts'
import { viewsModels } from './model.ts'

type View = Shown<typeof viewsView>
type Draft = NonNullable<View['draft']>
const scopes = { mine: 'view.forMine', role: 'view.forRole', everyone: 'view.forEveryone' } as const

const dialog = page.dialog()
const switcher = page.button().where((each) => each.hasAttribute('aria-expanded'))
const columns = page.region(zh('view.columnsShown'))
const shownBoxes = columns.checkbox().ticked
const isDefault = dialog.checkbox(zh('view.isDefault'))
const rows = page
  .role('listitem')
  .where((each) => !columns.all().some((panel) => panel.contains(each)))
const idsByName: Readonly<Record<string, string>> = { A: 'a', A2: 'a', B: 'b', N: 'n' }
/** Null: the list without a view. */
const findViewRow = (id: string | null) =>
  rows.where((row) => (idsByName[textOfElement(row).replace(/!$/, '')] ?? null) === id)

const { return: _return, ...parts } = viewsModels.parts
const isUnavailable = ({ step }: View) => step === 'unavailable'
const isAvailable = (view: View) => !isUnavailable(view)
const isConfirming = ({ step }: View) => step === 'confirmingDelete'
const hasDraft = ({ draft }: View) => draft !== null
const hasRole = ({ draft }: View) => draft?.scope === 'role'
const views = (view: View) =>
  isUnavailable(view) ? [] : view.groups.flatMap((group) => group.views)
const hasScope = (scope: string) => (view: View) => views(view).some((each) => each.scope === scope)
const viewWith = ({ c }: View, id: string) => c.data?.views.find((each) => each.id === id)
const formatViewJson = (content: ViewContent) => JSON.stringify(pickViewContent(content))
const isChanged = ({ current, c }: View) =>
  current !== null && formatViewJson(current) !== formatViewJson(c.now)
const columnsIn = ({ columns: shown }: View) => shown?.join() ?? 'name,no'
/** The scope and name of the view that a question is about. */
const dead = (view: View) => (isConfirming(view) ? view.pendingDeletion : null)

export const viewsWeb = createWebDriver<typeof viewsView>({
  model: { ...viewsModels, parts },
  view: viewsView,
  readings: {
    open: switcher.text.is(nameOfOpen),
    switcher: switcher.names.is(switcherName),
    loading: loadingButtons.names.is(formatViewsLoading),
    rows: rows.each(rowText).while(isAvailable, listViewRows),
    columns: shownBoxes.names.is(columnsIn),
    titled: dialog
      .heading()
      .text.while(hasDraft, ({ draft }) => zh(draft?.id === null ? 'view.saveAs' : 'view.edit')),
    name: page.field(zh('view.name')).value.is(({ draft }) => draft?.name ?? ''),
    scope: page
      .choice()
      .ticked.names.is(({ draft }) => [draft !== null && zh(scopes[draft.scope])]),
    role: page.select(zh('view.role')).value.while(hasRole, ({ draft }) => draft?.roleId ?? ''),
    isDefault: isDefault.checked.is(({ draft }) => draft?.isDefault ?? false),
    problem: dialog.alert.text.while(hasDraft, ({ problem }) => sentence(problem?.message)),
  },
  says: {
    'view.unavailable': isUnavailable,
    'common.retry': isUnavailable,
    'view.none': (view) => view.s.matches('ready') && views(view).length === 0,
    'view.mine': hasScope('mine'),
    'view.everyone': hasScope('everyone'),
    ...under('view', always, 'columnsShown', 'columnsReset', 'columnsHint'),
    ...under('view', hasDraft, 'name', 'scope', 'forMine', 'forRole', 'forEveryone', 'isDefault'),
    ...under('view', hasRole, 'role', 'noRole'),
    'common.save': hasDraft,
    'common.cancel': (view) => hasDraft(view) || dead(view) !== null,
    'view.confirmDelete': (view) =>
      dead(view)?.scope === 'mine' && { name: dead(view)?.name ?? '' },
    'view.confirmDeleteShared': (view) => {
      const shared = dead(view)
      return shared !== null && shared.scope !== 'mine' && { name: shared.name }
    },
  },
  gestures: {
    'list.changed': (event) => custom(() => follow(event)),
    'columns.change': (event) =>
      event.columns === null
        ? page.button(zh('view.columnsReset')).press
        : shownBoxes.where(
            (each) => readAccessibleName(each) === 'no' && shownBoxes.all().length > 1,
          ).press,
    'views.retry': page.button(zh('common.retry')).press,
    // The first button of a row opens its view.
    'view.open': ({ id }) => findViewRow(id).button().nth(0).press,
    // Back in the browser, which the journeys of lists press.
    'view.follow': noControl,
    'view.revert': page.button(zh('view.revert')).press,
    'view.save': page.button(zh('view.save')).press,
    'view.edit': ({ id }) =>
      id === null
        ? page.button(zh('view.saveAs')).press
        : findViewRow(id).button(inAnyLanguage('view.editNamed')).press,
    'draft.change': ({ draft }) => change(draft),
    'draft.submit': dialog.button(zh('common.save')).press,
    'draft.cancel': dialog.button(zh('common.cancel')).pressAndDrop,
    'view.delete': ({ id }) => findViewRow(id).button(inAnyLanguage('view.deleteNamed')).press,
    'delete.confirm': page.question.button(zh('common.delete')).press,
    'delete.cancel': page.question.button(zh('common.cancel')).press,
    'view.star': ({ id }) =>
      findViewRow(id)
        .button()
        .where((each) => each.hasAttribute('aria-pressed')).press,
  },
  // A deleted view, a view of another user, a role before it is asked for, what is set already,
  // columns behind a question.
  hidden: {
    'view.open': (view, { id }) => id !== null && viewWith(view, id) === undefined,
    'view.star': (view, { id }) => id !== null && viewWith(view, id) === undefined,
    'view.edit': (view, { id }) => id !== null && viewWith(view, id)?.editable !== true,
    'view.delete': (view, { id }) => id !== null && viewWith(view, id)?.editable !== true,
    'columns.change': (view, event) =>
      isConfirming(view) ||
      (event.columns === null ? view.columns === null : columnsIn(view) === 'name'),
    'draft.change': ({ draft }, { draft: { scope, roleId } }) =>
      scope === undefined
        ? roleId !== undefined && draft?.scope !== 'role'
        : draft?.scope === scope,
  },
  calls: {
    'GET /entity/A/views': ['loadViews', () => ({ tag: 'A' })],
    '/entity/A/views': (asked) => answerViewSave(asked, null),
    'DELETE /entity/A/views/:id': ['removeView', (_asked, id) => ({ tag: 'A', id })],
    '/entity/A/views/:id': answerViewSave,
    '/entity/A/opens': ['chooseOpening', body({ tag: 'A' }, 'opens')],
    '/entity/A/layout': ['keepLayout', body({ tag: 'A' }, 'columns')],
  },
  toasts: [
    { message: { key: 'view.saved' }, tone: 'success' },
    { message: { key: 'view.deleted' }, tone: 'success' },
    { message: { key: 'view.columnsNotKept' }, tone: 'warning' },
    { message: { key: 'view.unknown' }, tone: 'warning', lasting: true },
    { message: { key: 'view.lacks', params: { name: 'B', n: 1 } }, tone: 'warning', lasting: true },
  ],
  host: createViewsHost,
})

function nameOfOpen({ current }: View): string {
  return current?.name ?? zh('view.plain')
}

function switcherName(view: View): string {
  const name = zh('view.switch', { name: nameOfOpen(view) })
  return `${name}${isChanged(view) ? ` (${zh('view.changed')})` : ''}`
}

function formatViewsLoading(view: View): string {
  if (view.step === 'loading') return switcherName(view)
  if (view.step !== 'saving') return ''
  if (hasDraft(view)) return zh('common.save')
  return isChanged(view) ? zh('view.save') : ''
}

function listViewRows(view: View): readonly string[] {
  const isCurrent = (id: string | null) => view.c.current === id
  const rowWith = (id: string | null, name: string) =>
    rowMarked(name, isCurrent(id), view.opens === (id ?? 'plain'), view.opening === id)
  return [
    rowWith(null, zh('view.plain')),
    ...(view.c.data?.views ?? []).map(({ id, name, lacks }) =>
      rowWith(id, `${name}${lacks.queries > 0 ? '!' : ''}`),
    ),
  ]
}

function rowText(row: HTMLElement): string {
  const star = row.querySelector('[aria-pressed]')
  return rowMarked(
    textOfElement(row),
    row.querySelector('[aria-current=true]') !== null,
    star?.getAttribute('aria-pressed') === 'true',
    star?.classList.contains('is-given') === true,
  )
}

/** A row with `✓` where it is open, `★` where the list opens with it by choice, `☆` where without a choice. */
function rowMarked(name: string, isCurrent: boolean, isStarred: boolean, isGiven: boolean) {
  return `${name}${isCurrent ? '✓' : ''}${isStarred ? '★' : isGiven ? '☆' : ''}`
}

/** Only the name is compared in what is offered: the other fields are there with it. */
function change(draft: Partial<Draft>): Gesture {
  if (draft.name !== undefined) return page.field(zh('view.name')).fill(draft.name)
  if (draft.scope !== undefined) return withoutOffer(page.choice(zh(scopes[draft.scope])).press)
  if (draft.isDefault === undefined)
    return withoutOffer(page.select(zh('view.role')).fill(draft.roleId ?? ''))
  return custom((held) => isDefault.checked() || isDefault.press.run(held))
}

function answerViewSave({ body: sent }: Asked, id: string | null): PortCall {
  const { name, scope, roleId, version = 0 } = sent
  const view = { ...pickViewContent(sent as unknown as ViewContent), name, scope, roleId }
  return {
    port: 'saveView',
    input: { tag: 'A', id, version, view: { ...view, isDefault: sent.isDefault } },
  }
}

/** Tells the machine what the list around the panels shows. */
let follow: (event: ViewsEvent) => void = () => {}

function createViewsHost({ add }: EffectLog): Host {
  const onMount = (send: typeof follow) => {
    follow = send
  }
  return {
    show: (start) => (
      <Panels
        search={searches[start as keyof typeof searches] ?? ''}
        pageSize={start === 'linked' ? 20 : 10}
        onMount={onMount}
        onApply={add}
      />
    ),
    background: () => wrapData([]),
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
