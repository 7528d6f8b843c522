import { gridEditMachine, type GridContext, type GridEvent } from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { modelSpec, type Spec } from '../spec.ts'
import type { MachineModel } from '../machine-model.ts'
import { gridEditRules } from './rules.ts'
import { blocks, events, findEnds, loadEnds, pasteEnds } from './events.ts'
import { gridConfig, saveEnds } from './samples.ts'
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

type Events = typeof events
type Samples = { readonly [T in keyof Events]?: readonly (keyof Events[T])[] | 'all' }

type BlockName = keyof typeof blocks | 'paged' | 'about' | 'down'

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
  readonly finds?: readonly (keyof typeof findEnds)[]
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
  finds = ['whole', 'refused'],
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
      loadBlock: (asked) => pick(loadEnds(asked) as never, loads as never),
      saveRows: (input) =>
        Object.fromEntries(saves.map((name) => [name, saveEnds[name](input)])) as never,
      ...pasteEnds,
      findRows: pick(findEnds, finds) as never,
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
  const {
    config,
    problem,
    saveProblem,
    blocks: loaded,
    query,
    reverting,
    match,
    ...rest
  } = s.context
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
    match,
    reverting?.to ?? null,
  ])
}

function project(s: Snapshot): GridSeen {
  const c: GridContext = s.context
  return {
    at: JSON.stringify(s.value) + [...s.tags].sort().join(),
    rows: JSON.stringify([
      c.total,
      c.totalIsEstimate,
      Object.keys(c.blocks),
      c.fresh,
      c.added,
      c.pending?.type ?? null,
    ]),
    cells: JSON.stringify(Object.values(c.blocks).map((rows) => rows.slice(0, 3))),
    selection: JSON.stringify(c.selection),
    typed: c.edit === null ? null : JSON.stringify(c.edit.value),
    edits: JSON.stringify(c.edits),
    history: JSON.stringify(c.history),
    paste:
      c.paste === null
        ? (c.reverting?.to ?? null)
        : JSON.stringify([
            c.paste,
            c.check?.jobId ?? null,
            c.pasted,
            c.settled,
            c.match?.lines.map(({ line, verdict, row }) => [line, verdict, row?.id]) ?? null,
          ]),
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
  copied: gridModel({
    events: {
      'range.select': ['across', 'first'],
      'cells.copy': 'all',
      'fetch.cancel': 'all',
    },
    blocks: ['paged'],
    unhandled: ['fetch.cancel'],
  }),
  huge: gridModel({
    events: {
      'range.select': ['huge', 'first'],
      'cells.copy': 'all',
      'cells.clear': 'all',
      'cells.fill': ['down'],
      'cells.replace': ['found'],
    },
    blocks: ['huge'],
  }),
  unloaded: gridModel({
    events: {
      'range.select': ['across', 'bottom'],
      'fetch.cancel': 'all',
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
  match: gridModel({
    events: {
      'paste.start': ['shuffled', 'headed', 'differing', 'placed', 'seen'],
      'line.settle': ['left', 'taken', 'again'],
      'history.undo': 'all',
      'paste.confirm': 'all',
      'paste.cancel': 'all',
    },
    unhandled: ['paste.confirm', 'line.settle'],
  }),
  settle: gridModel({
    events: {
      'paste.start': ['foreign', 'repeated'],
      'line.settle': ['first', 'added'],
      'lines.settle': 'all',
      'line.correct': 'all',
      'history.undo': 'all',
      'paste.confirm': 'all',
      'paste.cancel': 'all',
    },
    finds: ['whole', 'some'],
    unhandled: ['lines.settle', 'line.correct'],
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
        `gridEdit.table.ready.selecting ${type}[2] and [3] swapped`,
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
  'match',
  'settle',
  'paste',
] as const satisfies readonly (keyof typeof gridParts)[]
