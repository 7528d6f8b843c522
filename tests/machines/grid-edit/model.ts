import { gridEditMachine, type GridContext, type GridEvent } from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { bare, modelSpec, type Spec } from '../spec.ts'
import type { MachineModel } from '../machine-model.ts'
import { gridEditRules } from './rules.ts'
import { gridConfig, gridRows, nothingToDo, pasteCheck, saveEnds } from './samples.ts'
import { failed } from '../problems.ts'

type Snapshot = SnapshotFrom<typeof gridEditMachine>
export interface GridSeen {
  readonly at: string
  readonly rows: string
  readonly cells: string
  readonly selection: string
  readonly typed: string | null
  readonly edits: string
  readonly history: string
  readonly paste: string | null
  readonly problem: string
  readonly offers: string
}
const offered = [
  'compose.start',
  'row.add',
  'row.revert',
  'history.undo',
  'history.redo',
  'paste.confirm',
  'paste.cancel',
  'grid.retry',
] as const

const at = (row: number, col: number, toRow = row, toCol = col) => ({
  anchor: { row, col },
  focus: { row: toRow, col: toCol },
})
const many = (count: number) => Array.from({ length: count }, (_row, i) => `r${i}`)
/** More rows than a block holds. */
const total = 150

const events = {
  'rows.need': { top: { first: 0, last: 20 }, bottom: { first: 100, last: 149 } },
  'query.change': { sorted: { query: { queries: {}, sorts: [{ column: 'name', asc: true }] } } },
  'grid.refresh': bare,
  'range.select': {
    first: at(0, 0),
    mark: at(0, 1),
    shown: at(0, 2),
    names: at(0, 0, 1, 0),
    beyond: at(9, 9),
    all: at(0, 0, 59, 1),
    bottom: at(149, 0),
    across: at(0, 0, 149, 0),
  },
  'cell.move': {
    down: { rows: 1, cols: 0, extend: false },
    farther: { rows: 1, cols: 1, extend: true },
  },
  'edit.start': { typed: { text: 'x' }, kept: { text: null } },
  'edit.change': { name: { value: 'y' }, empty: { value: '' } },
  'edit.commit': { down: { move: 'down' }, stay: { move: 'none' } },
  'edit.cancel': bare,
  'compose.start': bare,
  'compose.end': { text: { text: '张' } },
  'cells.clear': bare,
  'cells.fill': { down: { row: null }, to: { row: 2 } },
  'cells.replace': { found: { find: 'n', by: 'm' }, none: { find: 'q', by: 'm' } },
  'row.add': bare,
  'row.revert': bare,
  'stale.take': { mine: { side: 'mine' }, theirs: { side: 'theirs' } },
  'paste.start': {
    one: { block: [['7']] },
    block: { block: [['x'], ['y'], ['z']] },
    none: { block: [] },
  },
  'paste.confirm': bare,
  'paste.cancel': bare,
  'history.undo': bare,
  'history.redo': bare,
  'grid.retry': bare,
} as const
type Events = typeof events
type Samples = { readonly [T in keyof Events]?: readonly (keyof Events[T])[] | 'all' }

const blocks = {
  two: { rows: gridRows(['a', 'b']), total: 2, isEstimate: false },
  sixty: { rows: gridRows(many(60)), total: 60, isEstimate: false },
  none: { rows: [], total: 0, isEstimate: false },
} as const
type BlockName = keyof typeof blocks | 'paged' | 'about' | 'down'

const pasteEnds = {
  checkPaste: {
    work: { ok: true, output: pasteCheck },
    nothing: { ok: true, output: nothingToDo },
    refused: failed(403),
  },
  writePaste: {
    written: { ok: true, output: { changed: 1, added: ['n1'] } },
    refused: failed(409),
  },
  countRows: {
    counted: { ok: true, output: { total } },
    down: failed(503),
  },
  dropPaste: { dropped: { ok: true, output: undefined }, refused: failed(409) },
  revertRows: {
    done: { ok: true, output: { added: ['n2'] } },
    refused: failed(409),
  },
} as const

interface Concern {
  readonly events: Samples
  readonly blocks?: readonly BlockName[]
  readonly saves?: readonly (keyof typeof saveEnds)[]
  /** Steps of undo, and new rows, that a path makes at most. */
  readonly steps?: number
  readonly added?: number
  readonly mayEdit?: boolean
  readonly mayAdd?: boolean
  /** Stored rows are not typed into. */
  readonly onlyNew?: boolean
  readonly unhandled?: 'all' | readonly string[]
  readonly config?: readonly ('ok' | 'gone')[]
  readonly history?: boolean
}

/** Events that add a step to the history. */
const changing: readonly string[] = [
  'edit.start',
  'compose.start',
  'cells.clear',
  'cells.fill',
  'cells.replace',
  'paste.start',
]

function gridModel({
  events: chosen,
  blocks: loads = ['two'],
  saves = ['saved'],
  steps = 1,
  added = 1,
  mayEdit = true,
  mayAdd = true,
  onlyNew = false,
  unhandled = [],
  config = ['ok'],
  history = false,
}: Concern) {
  return modelSpec({
    machine: gridEditMachine,
    input: () => ({
      tag: 'A',
      query: { queries: {}, sorts: [] },
      columns: null,
      mayEdit,
      mayAdd,
      history: history
        ? {
            version: 1 as const,
            undo: [step('gone', 'no such field'), step('z', 'name')],
            redo: [],
          }
        : null,
    }),
    events: samplesOf(chosen),
    eventsIn: () => ({}),
    outcomes: {
      loadConfig: pick(
        { ok: { ok: true, output: gridConfig }, gone: failed(404) } as const,
        config,
      ) as never,
      loadBlock: ({ block, withTotal }) =>
        pick(
          {
            ...(Object.fromEntries(
              Object.entries(blocks).map(([name, output]) => [name, { ok: true, output }]),
            ) as never as Record<
              keyof typeof blocks,
              { ok: true; output: (typeof blocks)['two'] }
            >),
            paged: {
              ok: true,
              output: {
                rows: gridRows(many(block === 0 ? 100 : 50)),
                total: withTotal ? total : null,
                isEstimate: false,
              },
            },
            about: {
              ok: true,
              output: {
                rows: gridRows(many(block === 0 ? 100 : 50)),
                total: withTotal ? total + 7 : null,
                isEstimate: true,
              },
            },
            down: failed(503),
          } as never,
          loads as never,
        ),
      saveRows: (input) =>
        Object.fromEntries(saves.map((name) => [name, saveEnds[name](input)])) as never,
      ...pasteEnds,
    },
    hidden: ({ context }, event) =>
      (changing.includes(event.type) && context.history.undo.length >= steps) ||
      (event.type === 'row.add' && context.nextKey > added) ||
      (onlyNew &&
        event.type === 'edit.start' &&
        context.selection.anchor.row < (context.total ?? 0)),
    unhandled,
    key: keyOf,
    project,
  })
}

function step(key: string, attrName: string) {
  return {
    kind: 'cells' as const,
    cells: [{ key, attrName, before: 'old', after: 'nz' }],
  }
}

function samplesOf(chosen: Samples): Events {
  return Object.fromEntries(
    Object.entries(events).map(([type, cases]) => {
      const names = chosen[type as keyof Events]
      return [
        type,
        names === undefined ? {} : names === 'all' ? cases : pick(cases as never, names as never),
      ]
    }),
  ) as never
}

function pick<T extends object, K extends keyof T>(all: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, all[name]])) as Pick<T, K>
}

function keyOf(s: Snapshot): string {
  const { config, problem, saveProblem, blocks: loaded, query, reverting, ...rest } = s.context
  return JSON.stringify([
    s.value,
    { ...rest, columns: rest.columns.length },
    config === null,
    problem?.code ?? null,
    saveProblem?.code ?? null,
    Object.entries(loaded).map(([name, rows]) => [
      name,
      rows.length,
      rows.slice(0, 3).map((row) => JSON.stringify(row)),
    ]),
    query.sorts.length,
    reverting?.to ?? null,
  ])
}

function project(s: Snapshot): GridSeen {
  const c: GridContext = s.context
  return {
    at: JSON.stringify(s.value) + [...s.tags].sort().join(),
    rows: JSON.stringify([c.total, c.totalIsEstimate, Object.keys(c.blocks), c.fresh, c.added]),
    cells: JSON.stringify(Object.values(c.blocks).map((rows) => rows.slice(0, 3))),
    selection: JSON.stringify(c.selection),
    typed: c.edit === null ? null : JSON.stringify(c.edit.value),
    edits: JSON.stringify(c.edits),
    history: JSON.stringify(c.history),
    paste:
      c.paste === null
        ? (c.reverting?.to ?? null)
        : JSON.stringify([c.paste, c.check?.jobId ?? null]),
    problem: JSON.stringify([c.problem?.code ?? null, c.saveProblem?.code ?? null]),
    offers: [
      ...offered.filter((type) => s.can({ type } as GridEvent)),
      ...(s.can({ type: 'stale.take', side: 'mine' }) ? ['stale.take'] : []),
    ].join(),
  }
}

const gridParts = {
  open: gridModel({
    events: {
      'grid.refresh': 'all',
      'grid.retry': 'all',
      'rows.need': 'all',
      'query.change': 'all',
    },
    blocks: ['paged', 'down'],
    config: ['ok', 'gone'],
    unhandled: ['grid.retry', 'paste.cancel'],
  }),
  exact: gridModel({
    events: { 'grid.refresh': 'all', 'rows.need': 'all', 'query.change': 'all' },
    blocks: ['about'],
    unhandled: 'all',
  }),
  lost: gridModel({
    events: {
      'grid.refresh': 'all',
      'grid.retry': 'all',
      'edit.start': ['kept'],
      'edit.cancel': 'all',
    },
    blocks: ['two', 'down'],
  }),
  few: gridModel({
    events: { 'grid.refresh': 'all', 'range.select': ['beyond'], 'row.add': 'all' },
    blocks: ['two', 'none'],
    mayAdd: false,
    unhandled: 'all',
  }),
  edit: gridModel({
    events: {
      'range.select': ['first', 'shown'],
      'cell.move': 'all',
      'edit.start': ['kept'],
      'edit.change': ['name'],
      'edit.commit': 'all',
      'edit.cancel': 'all',
      'compose.start': 'all',
      'compose.end': 'all',
    },
    unhandled: ['edit.commit', 'edit.cancel', 'compose.end'],
  }),
  moved: gridModel({
    events: {
      'range.select': ['mark'],
      'edit.start': ['typed'],
      'edit.commit': ['stay'],
      'compose.start': 'all',
      'query.change': 'all',
      'grid.refresh': 'all',
    },
  }),
  save: gridModel({
    events: {
      'range.select': ['first', 'mark'],
      'edit.start': ['typed'],
      'edit.change': ['empty'],
      'edit.commit': ['stay'],
      'row.revert': 'all',
      'grid.retry': 'all',
    },
    saves: ['saved', 'invalid', 'forbidden', 'busy', 'silent', 'down'],
    unhandled: ['grid.retry'],
  }),
  stale: gridModel({
    events: {
      'edit.start': ['typed'],
      'edit.commit': ['stay'],
      'stale.take': 'all',
      'row.revert': 'all',
      'history.undo': 'all',
    },
    saves: ['saved', 'stale', 'apart', 'done'],
    unhandled: ['stale.take'],
  }),
  undo: gridModel({
    events: {
      'edit.start': ['typed'],
      'edit.commit': ['down'],
      'history.undo': 'all',
      'history.redo': 'all',
    },
    steps: 2,
    unhandled: ['history.undo', 'history.redo'],
  }),
  earlier: gridModel({
    events: { 'history.undo': 'all', 'history.redo': 'all' },
    saves: ['saved', 'stale'],
    history: true,
  }),
  add: gridModel({
    events: {
      'row.add': 'all',
      'edit.start': ['typed'],
      'edit.commit': ['stay'],
      'range.select': ['first', 'mark'],
      'history.undo': 'all',
      'history.redo': 'all',
    },
    onlyNew: true,
  }),
  addWrong: gridModel({
    events: {
      'row.add': 'all',
      'edit.start': ['typed'],
      'edit.change': ['empty'],
      'edit.commit': ['stay'],
      'range.select': ['first', 'beyond'],
      'row.revert': 'all',
    },
    saves: ['saved', 'invalid', 'down'],
    onlyNew: true,
  }),
  cells: gridModel({
    events: {
      'range.select': ['mark', 'names'],
      'cells.clear': 'all',
      'cells.fill': 'all',
      'cells.replace': 'all',
      'paste.start': ['one', 'none'],
      'paste.cancel': 'all',
    },
    unhandled: ['paste.start'],
  }),
  large: gridModel({
    events: {
      'range.select': ['all', 'first'],
      'cells.clear': 'all',
      'cells.fill': ['down'],
      'cells.replace': ['found'],
      'paste.cancel': 'all',
    },
    blocks: ['sixty'],
  }),
  unloaded: gridModel({
    events: {
      'range.select': ['across', 'bottom'],
      'cells.clear': 'all',
      'cells.fill': ['down'],
      'cells.replace': ['found'],
      'edit.start': ['typed'],
      'compose.start': 'all',
      'paste.start': ['one'],
      'paste.cancel': 'all',
    },
    blocks: ['paged'],
    unhandled: ['compose.start', 'row.revert', 'stale.take'],
  }),
  paste: gridModel({
    events: {
      'paste.start': ['block'],
      'paste.confirm': 'all',
      'paste.cancel': 'all',
      'history.undo': 'all',
      'history.redo': 'all',
    },
    unhandled: ['paste.confirm'],
  }),
} as const

export const gridEditModels: MachineModel<GridSeen> = {
  parts: gridParts as unknown as Readonly<Record<string, Spec<GridSeen>>>,
  rules: gridEditRules,
  survivors: {
    'gridEdit.total starts in counting': 'no total is known at the start, so it is idle at once',
    ...Object.fromEntries(
      ['cells.clear', 'cells.fill', 'cells.replace'].map((type) => [
        `gridEdit.table.ready.selecting ${type}[0] and [1] swapped`,
        'rows that are not loaded are never counted as many',
      ]),
    ),
    ...Object.fromEntries(
      ['undo', 'redo'].map((to) => [
        `gridEdit.table.ready.selecting history.${to}[0] and [1] swapped`,
        'a step is either of cells or of rows',
      ]),
    ),
  },
}

/** Concerns with a screen on the terminal, whose rows all fit on it. */
export const gridTerminalParts = [
  'lost',
  'few',
  'edit',
  'save',
  'stale',
  'undo',
  'add',
  'addWrong',
  'cells',
  'paste',
] as const satisfies readonly (keyof typeof gridParts)[]
