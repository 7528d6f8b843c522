import {
  ApiProblem,
  type Button,
  type EntityConfig,
  fieldDefinitionSchema,
  type Field,
  type Page,
  type PageQuery,
  type Row,
} from '@jiaowu/api'
import { entityListMachine } from '@jiaowu/machines'
import * as v from 'valibot'
import type { EventObject, SnapshotFrom } from 'xstate'
import { bare, modelSpec } from '../spec.ts'
import type { MachineModel } from '../machine-model.ts'
import { entityListRules } from './rules.ts'

export function listConfig(selection: 'multi' | 'single' | 'none'): EntityConfig {
  return {
    tag: 'A',
    name: '甲',
    fields: [field('name'), field('no')],
    buttons: [],
    idField: 'id',
    tagField: 'name',
    permissions: [],
    options: {
      selection: selection !== 'none',
      operColumnShow: true,
      singleSelect: selection === 'single',
      multiSelect: selection === 'multi',
      openType: 'drawer',
      sorts: [],
    },
  }
}

/** A button that asks before it acts. */
export const asking: Button = {
  code: 'ask',
  name: '按钮ask',
  icon: null,
  status: 1,
  position: 1,
  positionExp: null,
  confirm: '按下吗？',
  eventType: 1,
  eventContent: [{ do: 'request', tag: 'B', method: 'create', values: { code: 'ask' } }],
}

function field(attrName: string): Field {
  return {
    ...v.parse(fieldDefinitionSchema, {
      id: attrName,
      attrName,
      uiLabel: attrName,
      isList: 1,
      isQuery: 1,
    }),
    sortable: true,
  }
}

const row = (id: string): Row => ({ id, name: `n${id}`, version: 1 })

type Snapshot = SnapshotFrom<typeof entityListMachine>

export interface ListSeen {
  readonly at: string
  readonly rows: string
  readonly selected: string
  readonly matching: string | null
  readonly pendingDeletion: string
  readonly pendingNames: string
  readonly undo: string | null
  readonly page: number
  readonly draft: string
  readonly applied: string
  readonly where: string | null
  readonly total: number | null
  readonly sorts: string
  readonly problem: number | null
  readonly bytes: number | null
  readonly only: string | null
  readonly pressed: string | null
  readonly offers: string
}
const offered = [
  'query.search',
  'query.reset',
  'conditions.clear',
  'list.refresh',
  'row.saved',
  'delete.ask',
  'delete.confirm',
  'delete.cancel',
  'export.cancel',
  'rows.toggle',
  'selection.all',
  'selection.clear',
  'press.confirm',
  'press.cancel',
] as const

const events = {
  'query.change': { typed: { attrName: 'name', value: 'x' } },
  'query.search': bare,
  'query.reset': bare,
  'condition.remove': { name: { attrName: 'name' }, no: { attrName: 'no' } },
  'conditions.clear': bare,
  'where.apply': {
    some: { where: { and: [{ column: 'no', op: 'equal', value: '1' }] } },
    none: { where: null },
  },
  'view.apply': {
    mine: { queries: { name: 'v' }, sorts: [{ column: 'name', asc: false }], pageSize: 20 },
  },
  'sort.cycle': { name: { column: 'name' } },
  'sort.set': { down: { column: 'name', asc: false } },
  'page.go': { second: { pageNum: 2 }, first: { pageNum: 1 } },
  'page.resize': { twenty: { pageSize: 20 } },
  'row.toggle': { a: { id: 'a' }, b: { id: 'b' } },
  'rows.toggle': bare,
  'selection.all': bare,
  'selection.clear': bare,
  'list.refresh': bare,
  'row.saved': bare,
  'delete.ask': { selection: {}, row: { id: 'b' } },
  'delete.confirm': bare,
  'delete.cancel': bare,
  'export.start': { csv: { format: 'csv' }, chosen: { format: 'csv', chosen: true } },
  'export.progress': { some: { bytes: 7 } },
  'export.cancel': bare,
  'button.press': { go: { code: 'go', row: null }, ask: { code: 'ask', row: null } },
  'press.confirm': bare,
  'press.cancel': bare,
  'undo.press': { first: { no: 1 }, second: { no: 2 } },
} as const
type Events = typeof events

const outcomes = {
  loadConfig: {
    multi: { ok: true, output: { ...listConfig('multi'), buttons: [asking] } },
    single: { ok: true, output: listConfig('single') },
    none: { ok: true, output: listConfig('none') },
    gone: { ok: false, error: refused(404) },
  },
  loadPage: {
    two: { ok: true, output: page(['a', 'b'], 12) },
    other: { ok: true, output: page(['b', 'c'], 12) },
    all: { ok: true, output: page(['a', 'b'], 2) },
    none: { ok: true, output: page([], 0) },
    pastEnd: { ok: true, output: page([], 5) },
    down: { ok: false, error: refused(503) },
  },
  removeRows: {
    done: { ok: true, output: { deleted: 1 } },
    inUse: { ok: false, error: refused(409) },
  },
  exportRows: {
    saved: { ok: true, output: undefined },
    refused: { ok: false, error: refused(403) },
  },
  pressButton: {
    quiet: { ok: true, output: { refresh: false } },
    refresh: { ok: true, output: { refresh: true } },
    refused: { ok: false, error: refused(422) },
  },
  undoLast: {
    done: { ok: true, output: undefined },
    refused: { ok: false, error: refused(409) },
  },
} as const

const listQueryModel = listModel(
  ['query.change', 'query.search', 'query.reset', 'list.refresh'],
  'multi',
)

/**
 * One concern of the list at a time: all of them at once are thousands of states that differ only in data.
 * Together they take every transition; `entity-list.test.ts` holds them to it.
 */
function listModel(
  only: readonly (keyof Events)[],
  selection: 'multi' | 'single' | 'none',
  unhandled: 'all' | readonly string[] = [],
  pages: readonly (keyof typeof outcomes.loadPage)[] = only.includes('page.go') &&
  !only.includes('delete.ask')
    ? ['two', 'pastEnd', 'down']
    : ['two'],
) {
  return modelSpec({
    machine: entityListMachine,
    input: () => ({ tag: 'A', preset: { queries: { name: 'preset' }, sorts: [] } }),
    events: Object.fromEntries(
      Object.entries(events).map(([type, cases]) => [
        type,
        only.includes(type as keyof Events) ? cases : {},
      ]),
    ) as unknown as Events,
    eventsIn: () => ({}),
    outcomes: {
      ...outcomes,
      loadConfig:
        selection === 'multi' && only.includes('list.refresh')
          ? { multi: outcomes.loadConfig.multi, gone: outcomes.loadConfig.gone }
          : ({ [selection]: outcomes.loadConfig[selection] } as never),
      loadPage: countedPages(pages) as unknown as typeof outcomes.loadPage,
    },
    unhandled,
    key: keyOf,
    project: seenOf,
  })
}

/** The server counts only when it is asked to. */
function countedPages(names: readonly (keyof typeof outcomes.loadPage)[]) {
  // The path report asks for the names alone.
  return ({ query }: { query?: PageQuery } = {}) =>
    Object.fromEntries(
      names.map((name) => {
        const outcome = outcomes.loadPage[name]
        return [
          name,
          outcome.ok && query?.withTotal === false
            ? { ok: true, output: { ...outcome.output, total: null } }
            : outcome,
        ]
      }),
    )
}

function keyOf(s: Snapshot): string {
  const c = s.context
  return JSON.stringify([
    s.value,
    c.config === null,
    c.draft.name ?? null,
    c.applied.name ?? null,
    c.where,
    c.address,
    c.total,
    c.counting,
    c.sorts,
    c.pageNum,
    c.pageSize,
    c.page?.records.map(({ id }) => id).join() ?? null,
    c.page?.total ?? null,
    c.selected,
    c.matching,
    c.pendingDeletion,
    c.outdated,
    c.problem?.code ?? null,
    c.exporting?.bytes ?? null,
    c.exporting?.only ?? null,
    c.pressed?.code ?? null,
    c.undo,
    c.undoNo,
    c.pendingDeletion.map((id) => c.names[id] ?? null),
  ])
}

function seenOf(s: Snapshot): ListSeen {
  const c = s.context
  return {
    at: JSON.stringify(s.value) + [...s.tags].sort().join(),
    rows: (c.page?.records ?? []).map(({ id }) => id).join(),
    selected: c.selected.join(),
    matching: c.matching?.join() ?? null,
    pendingDeletion: c.pendingDeletion.join(),
    pendingNames: c.pendingDeletion.map((id) => c.names[id] ?? '').join(),
    undo: c.undo === null ? null : JSON.stringify(c.undo),
    page: c.pageNum * 1000 + c.pageSize,
    draft: String(c.draft.name ?? ''),
    applied: String(c.applied.name ?? ''),
    where: c.where === null ? null : JSON.stringify(c.where),
    total: c.counting ? null : c.total,
    sorts: JSON.stringify(c.sorts),
    problem: c.problem?.code ?? null,
    bytes: c.exporting?.bytes ?? null,
    only: c.exporting === null ? null : JSON.stringify(c.exporting.only),
    pressed: c.pressed?.code ?? null,
    offers: offered.filter((type) => s.can({ type })).join(),
  }
}

const listPagesModel = listModel(
  ['sort.cycle', 'sort.set', 'page.go', 'query.search', 'list.refresh'],
  'multi',
  ['page.go'],
)
const listSizeModel = listModel(
  ['query.search', 'page.go', 'page.resize', 'row.saved', 'list.refresh'],
  'multi',
)
const listRowsModel = listModel(
  ['row.toggle', 'rows.toggle', 'delete.ask', 'delete.confirm', 'delete.cancel', 'row.saved'],
  'multi',
)
const listChosenModel = listModel(
  ['row.toggle', 'query.reset', 'query.search', 'list.refresh'],
  'multi',
)
const listSingleModel = listModel(
  ['row.toggle', 'rows.toggle', 'delete.ask', 'delete.confirm', 'delete.cancel'],
  'single',
  'all',
)
const listPlainModel = listModel(
  ['row.toggle', 'rows.toggle', 'delete.ask', 'delete.confirm', 'delete.cancel'],
  'none',
  'all',
)
const listExportModel = listModel(
  ['export.start', 'export.progress', 'export.cancel', 'list.refresh'],
  'multi',
  'all',
)
const listButtonsModel = listModel(
  ['button.press', 'press.confirm', 'press.cancel', 'query.change', 'list.refresh'],
  'multi',
  'all',
)
const listDeletingModel = listModel(
  ['delete.ask', 'delete.confirm', 'delete.cancel', 'sort.cycle', 'page.go', 'list.refresh'],
  'multi',
)
const listBusyModel = listModel(
  [
    'delete.ask',
    'delete.confirm',
    'delete.cancel',
    'query.search',
    'query.reset',
    'page.resize',
    'row.saved',
  ],
  'single',
)

// Two pages with different rows: only those that are shown can be clicked.
const twoPages = listModel(
  ['row.toggle', 'rows.toggle', 'selection.all', 'page.go'],
  'multi',
  ['selection.all'],
  ['two', 'other'],
)
const listAllModel = {
  ...twoPages,
  events: { ...twoPages.events, 'row.toggle': { a: { id: 'a' } } },
  hidden: (
    { context: { page: shown } }: SnapshotFrom<typeof entityListMachine>,
    event: EventObject,
  ) =>
    event.type === 'row.toggle' &&
    !(shown?.records ?? []).some(
      ({ id }) => id === (event as EventObject & { readonly id: string }).id,
    ),
}

function page(ids: readonly string[], total: number): Page {
  return {
    records: ids.map(row),
    total,
    size: 10,
    current: 1,
  }
}

const listMatchingModel = listModel(
  [
    'rows.toggle',
    'selection.all',
    'selection.clear',
    'delete.ask',
    'delete.confirm',
    'delete.cancel',
  ],
  'multi',
  ['selection.all', 'delete.ask', 'selection.clear'],
)
const listAnewModel = listModel(
  ['rows.toggle', 'selection.all', 'query.search', 'query.reset', 'list.refresh'],
  'multi',
  ['selection.all'],
  ['two', 'all', 'none'],
)
const listChosenExportModel = listModel(
  ['rows.toggle', 'selection.all', 'export.start', 'export.cancel'],
  'multi',
  ['export.start'],
)
const listViewModel = listModel(
  ['view.apply', 'rows.toggle', 'page.go', 'delete.ask', 'delete.confirm', 'delete.cancel'],
  'single',
  ['view.apply'],
)

const listConditionsModel = listModel(
  ['query.change', 'query.search', 'condition.remove', 'conditions.clear', 'rows.toggle'],
  'multi',
  ['condition.remove', 'conditions.clear'],
  ['two', 'none'],
)
const listWhereModel = listModel(['where.apply', 'conditions.clear', 'query.reset'], 'multi', [
  'where.apply',
])
/** Opened by an address that also asks for what the list does not have. */
const listAddressModel = {
  ...listModel(['query.reset', 'page.go', 'view.apply'], 'multi', 'all', [
    'two',
    'none',
    'pastEnd',
  ]),
  input: {
    sent: () => ({ tag: 'A', address: '?q.name=x&nosuch=1&sorts=name:desc,gone&page=2&size=5' }),
    plain: () => ({ tag: 'A', address: '?q.name=y&q.no=' }),
  },
}

/** Deletions and presses that can be taken back, each as long as it is the last. */
const listUndoModel = {
  ...listModel(
    ['delete.ask', 'delete.confirm', 'button.press', 'undo.press', 'row.toggle'],
    'multi',
    ['undo.press'],
  ),
  events: {
    ...listModel([], 'multi').events,
    'delete.ask': { row: { id: 'b' } },
    'delete.confirm': bare,
    'button.press': { go: { code: 'go', row: null } },
    'undo.press': events['undo.press'],
    'list.refresh': bare,
  },
  outcomes: {
    ...listModel([], 'multi').outcomes,
    loadConfig: {
      multi: { ok: true, output: { ...outcomes.loadConfig.multi.output, recycles: true } },
    } as never,
    pressButton: {
      quiet: {
        ok: true,
        output: { refresh: false, undo: [{ tag: 'A', id: 'a', values: { name: 'before' } }] },
      },
      refused: outcomes.pressButton.refused,
      undoable: {
        ok: true,
        output: {
          refresh: true,
          undo: [{ tag: 'A', id: 'a', values: { name: 'before', version: 2 } }],
          said: 'pressed',
        },
      },
    } as never,
  },
  // Two changes: the one that can be taken back, and one before it.
  hidden: ({ context }: Snapshot, { type }: EventObject) =>
    context.undoNo >= 2 && (type === 'delete.ask' || type === 'button.press'),
}

export const entityListModels: MachineModel<ListSeen> = {
  parts: {
    plain: listPlainModel,
    single: listSingleModel,
    size: listSizeModel,
    busy: listBusyModel,
    chosen: listChosenModel,
    export: listExportModel,
    buttons: listButtonsModel,
    query: listQueryModel,
    pages: listPagesModel,
    rows: listRowsModel,
    all: listAllModel,
    matching: listMatchingModel,
    anew: listAnewModel,
    chosenExport: listChosenExportModel,
    view: listViewModel,
    deleting: listDeletingModel,
    conditions: listConditionsModel,
    where: listWhereModel,
    address: listAddressModel,
    undo: listUndoModel,
  },
  rules: entityListRules,
}

function refused(code: number) {
  return new ApiProblem({
    kind: 'refused',
    code,
    message: `m${code}`,
    issues: [],
    data: null,
    traceId: null,
  })
}
