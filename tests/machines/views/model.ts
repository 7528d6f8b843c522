import {
  blankContent,
  pickViewContent,
  type SavedView,
  type SavedViews,
  type ViewContent,
} from '@jiaowu/api/entity/list/view'
import { staleCode } from '@jiaowu/api/problem'
import { viewsMachine } from '@jiaowu/machines/views/machine'
import { bare, modelSpec } from '../spec.ts'
import type { MachineModel } from '../machine-model.ts'
import { viewsRules } from './rules.ts'
import { answerFailure } from '../problems.ts'

const contentA: ViewContent = {
  ...blankContent,
  queries: { name: 'a' },
  sorts: [{ column: 'name', asc: true }],
  columns: ['no', 'name'],
  pageSize: 20,
  where: { and: [{ column: 'no', op: 'equal', value: '1' }] },
  group: { column: 'name' },
  footer: [{ column: 'no', fn: 'sum' }],
  frozen: 'no',
}
const contentB: ViewContent = { ...blankContent, pageSize: 10 }
const { columns: _columns, ...shownA } = contentA
const none = { queries: 0, sorts: 0, columns: 0 }
const viewA: SavedView = {
  ...contentA,
  id: 'a',
  name: 'A',
  scope: 'mine',
  roleId: null,
  roleName: null,
  isDefault: false,
  version: 1,
  editable: true,
  lacks: none,
}
const viewB: SavedView = {
  ...contentB,
  id: 'b',
  name: 'B',
  scope: 'everyone',
  roleId: null,
  roleName: null,
  isDefault: true,
  version: 3,
  editable: false,
  lacks: { ...none, queries: 1 },
}
const newView: SavedView = {
  ...contentB,
  id: 'n',
  name: 'N',
  scope: 'mine',
  roleId: null,
  roleName: null,
  isDefault: false,
  version: 1,
  editable: true,
  lacks: none,
}
/** Two views: one's own, and one for everyone that has lost a filter. */
const twoViews: SavedViews = {
  views: [viewA, viewB],
  opens: 'shared',
  opening: null,
  layout: ['name'],
  widths: {},
  mayShare: true,
  roles: [{ id: 'r', name: 'R' }],
}
const ok = <T>(output: T) => ({ ok: true, output }) as const
const renamed: SavedViews = { ...twoViews, views: [{ ...viewA, name: 'A2', version: 2 }, viewB] }

export interface ViewsSeen {
  readonly at: string
  readonly current: string
  readonly changed: boolean
  readonly columns: string
  readonly views: string
  readonly opens: string
  readonly draft: string
  readonly pendingDeletion: string
  readonly problem: number | null
  readonly offers: string
}
const offered = [
  'views.retry',
  'view.revert',
  'view.save',
  'draft.submit',
  'draft.cancel',
  'delete.confirm',
  'delete.cancel',
] as const

const events = {
  'list.changed': {
    other: { ...blankContent, queries: { name: 'x' }, pageSize: 10 },
    where: { ...shownA, where: null },
    asA: shownA,
  },
  'columns.change': { name: { columns: ['name'] }, all: { columns: null } },
  'views.retry': bare,
  'view.open': { a: { id: 'a' }, b: { id: 'b' }, plain: { id: null }, gone: { id: 'gone' } },
  'view.follow': { a: { id: 'a' }, plain: { id: null }, gone: { id: 'gone' } },
  'view.revert': bare,
  'view.save': bare,
  'view.edit': { shown: { id: null }, a: { id: 'a' }, b: { id: 'b' } },
  'draft.change': {
    name: { draft: { name: ' N ' } },
    role: { draft: { scope: 'role' } },
    r: { draft: { roleId: 'r' } },
    starred: { draft: { isDefault: true } },
    long: { draft: { name: 'n'.repeat(61) } },
  },
  'draft.submit': bare,
  'draft.cancel': bare,
  'view.delete': { a: { id: 'a' }, b: { id: 'b' } },
  'delete.confirm': bare,
  'delete.cancel': bare,
  'view.star': { a: { id: 'a' }, plain: { id: null }, gone: { id: 'gone' } },
} as const
type Events = typeof events
const outcomes = {
  loadViews: {
    two: ok(twoViews),
    opensA: ok({ ...twoViews, opens: 'a', opening: 'a' }),
    down: answerFailure(503),
  },
  saveView: {
    saved: ok({ ...renamed, id: 'a' }),
    made: ok({ ...twoViews, views: [newView, viewA, viewB], id: 'n' }),
    taken: answerFailure(422),
    stale: answerFailure(staleCode, { data: renamed }),
    gone: answerFailure(staleCode, { data: { ...twoViews, views: [viewB] } }),
  },
  removeView: { done: ok({ ...twoViews, views: [viewB] }), refused: answerFailure(403) },
  chooseOpening: {
    a: ok({ ...twoViews, opens: 'a', opening: 'a' }),
    plain: ok({ ...twoViews, opens: 'plain' }),
    refused: answerFailure(503),
  },
  // A list without a view keeps what was sent, whatever it is by now.
  keepLayout: ({ columns }: { readonly columns: readonly string[] | null }) => ({
    kept: ok({ columns }),
    refused: answerFailure(503),
  }),
}

const starts = {
  plain: () => ({ tag: 'A', isPreset: false }),
  preset: () => ({ tag: 'A', isPreset: true }),
  linked: () => ({ tag: 'A', isPreset: false, wanted: 'a', pageSize: 20 }),
  linkedPreset: () => ({ tag: 'A', isPreset: true, wanted: 'a' }),
  linkedGone: () => ({ tag: 'A', isPreset: false, wanted: 'z' }),
}
type Chosen = { readonly [T in keyof Events]?: readonly (keyof Events[T])[] }
type Ends = {
  readonly [
    P in Exclude<keyof typeof outcomes, 'keepLayout'>
  ]?: readonly (keyof (typeof outcomes)[P])[]
}

const viewsOpeningModel = viewsModel(
  {
    'views.retry': ['default'],
    'view.open': ['a', 'b', 'plain', 'gone'],
    'columns.change': ['name'],
  },
  { loadViews: ['two', 'opensA', 'down'] },
  ['plain', 'preset'],
  ['views.retry'],
)

const viewsLinkedModel = viewsModel(
  { 'views.retry': ['default'], 'view.open': ['plain', 'b'] },
  { loadViews: ['two', 'opensA', 'down'] },
  ['linked', 'linkedPreset', 'linkedGone'],
)

/** One concern at a time, as with the list. */
function viewsModel(
  only: Chosen,
  ends: Ends,
  start: readonly (keyof typeof starts)[] = ['plain'],
  unhandled: 'all' | readonly string[] = [],
) {
  return modelSpec({
    machine: viewsMachine,
    input: pickTableRows(starts, start),
    events: Object.fromEntries(
      Object.entries(events).map(([type, cases]) => [
        type,
        pickTableRows(cases, only[type as keyof Events] ?? []),
      ]),
    ) as unknown as Events,
    eventsIn: () => ({}),
    outcomes: {
      ...outcomes,
      ...Object.fromEntries(
        Object.entries(ends).map(([port, names]) => [
          port,
          pickTableRows(outcomes[port as keyof Ends], names),
        ]),
      ),
    } as unknown as typeof outcomes,
    unhandled,
    key: (s) => {
      const c = s.context
      return JSON.stringify([
        s.value,
        c.isTaken,
        c.wanted,
        c.usualSize,
        c.data?.views.map(({ id, name }) => [id, name]) ?? null,
        c.data?.opens,
        c.current,
        c.now,
        c.layout,
        s.matches({ ready: { layout: 'keeping' } }) ? c.sent : null,
        c.draft,
        s.hasTag('busy') ? c.save : null,
        c.pendingDeletion,
        c.opens,
        c.problem?.code ?? null,
      ])
    },
    project: (s): ViewsSeen => {
      const c = s.context
      const open = c.data?.views.find(({ id }) => id === c.current)
      const same =
        open === undefined ||
        JSON.stringify(pickViewContent(open)) === JSON.stringify(pickViewContent(c.now))
      return {
        at: JSON.stringify(s.value) + [...s.tags].sort().join(),
        current: c.current ?? '',
        changed: !same,
        columns: c.now.columns?.join() ?? 'all',
        views: c.data?.views.map(({ id, name }) => `${id} ${name}`).join() ?? '',
        opens: c.data?.opens ?? '',
        draft: JSON.stringify(c.draft),
        pendingDeletion: c.pendingDeletion ?? '',
        problem: c.problem?.code ?? null,
        offers: offered.filter((type) => s.can({ type })).join(),
      }
    },
  })
}

function pickTableRows<T extends object>(table: T, names: readonly PropertyKey[]): T {
  return Object.fromEntries(Object.entries(table).filter(([name]) => names.includes(name))) as T
}

const viewsChangingModel = viewsModel(
  {
    'view.open': ['a', 'b', 'plain'],
    'list.changed': ['other', 'where', 'asA'],
    'view.revert': ['default'],
    'view.save': ['default'],
  },
  { loadViews: ['two'], saveView: ['saved', 'stale', 'gone', 'taken'] },
  ['plain'],
  ['view.save', 'view.revert'],
)
const viewsNamingModel = viewsModel(
  {
    'view.edit': ['shown'],
    'draft.change': ['name', 'r', 'role', 'long'],
    'draft.submit': ['default'],
    'draft.cancel': ['default'],
  },
  { loadViews: ['two'], saveView: ['made', 'taken'] },
  ['plain'],
  ['draft.submit'],
)
const viewsEditingModel = viewsModel(
  {
    'view.edit': ['a', 'b'],
    'draft.change': ['name'],
    'draft.submit': ['default'],
    'draft.cancel': ['default'],
    'view.open': ['a', 'b', 'plain'],
  },
  { loadViews: ['two'], saveView: ['saved', 'taken', 'stale', 'gone'] },
  ['plain'],
  ['view.edit'],
)
const viewsDefaultModel = viewsModel(
  {
    'view.edit': ['shown', 'a'],
    'draft.change': ['name', 'starred'],
    'draft.submit': ['default'],
    'draft.cancel': ['default'],
  },
  { loadViews: ['two'], saveView: ['made'] },
)
const viewsDeletingModel = viewsModel(
  {
    'view.open': ['a', 'b', 'plain'],
    'view.delete': ['a', 'b'],
    'delete.confirm': ['default'],
    'delete.cancel': ['default'],
  },
  { loadViews: ['two'] },
  ['plain'],
  'all',
)
const viewsStarModel = viewsModel(
  { 'view.star': ['a', 'plain', 'gone'], 'view.open': ['a'] },
  { loadViews: ['two'] },
  ['plain'],
  'all',
)
const viewsColumnsModel = viewsModel(
  { 'columns.change': ['name', 'all'], 'view.open': ['a', 'plain'] },
  { loadViews: ['two'] },
)

/** Back in the browser: the list shows the view's content already. */
const viewsReturnModel = viewsModel(
  {
    'view.follow': ['a', 'plain', 'gone'],
    'view.open': ['b'],
    'list.changed': ['other', 'asA'],
    'columns.change': ['all'],
  },
  { loadViews: ['two'] },
)

export const viewsModels: MachineModel<ViewsSeen> = {
  parts: {
    return: viewsReturnModel,
    deleting: viewsDeletingModel,
    star: viewsStarModel,
    linked: viewsLinkedModel,
    opening: viewsOpeningModel,
    columns: viewsColumnsModel,
    changing: viewsChangingModel,
    default: viewsDefaultModel,
    editing: viewsEditingModel,
    naming: viewsNamingModel,
  },
  rules: viewsRules,
}
