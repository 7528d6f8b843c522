import type { Spec } from '../spec.ts'
import type { MachineModel } from '../machine-model.ts'
import { gridModel, type GridSeen } from './grid-model.ts'
import { gridEditRules } from './rules.ts'
import { keptFar, keptRows } from './samples.ts'

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
  parts: gridModel({
    events: { 'paste.start': ['long'], 'paste.cancel': 'all' },
    finds: ['some', 'refused'],
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
    finds: ['whole'],
    unhandled: ['lines.settle', 'line.correct'],
  }),
  leave: gridModel({
    events: {
      'grid.leave': 'all',
      'leave.stay': 'all',
      'leave.discard': 'all',
      'unsaved.show': 'all',
      'edit.start': ['typed'],
      'compose.start': 'all',
      'range.select': ['first', 'mark'],
      'grid.retry': 'all',
    },
    saves: ['saved', 'stale', 'invalid', 'down'],
    unhandled: ['leave.stay', 'leave.discard'],
  }),
  leaveNew: gridModel({
    events: {
      'grid.leave': 'all',
      'leave.stay': 'all',
      'leave.discard': 'all',
      'unsaved.show': 'all',
      'row.add': 'all',
      'edit.start': ['typed'],
      'edit.change': ['empty'],
      'edit.commit': ['stay'],
      'range.select': ['first', 'mark', 'beyond'],
    },
    saves: ['saved', 'invalid', 'down'],
    onlyNew: true,
  }),
  jump: gridModel({
    events: {
      'unsaved.show': 'all',
      'edit.start': ['typed'],
      'edit.commit': ['down'],
      'range.select': ['first', 'mark'],
    },
    saves: ['invalid'],
    steps: 2,
  }),
  broken: gridModel({
    events: { 'grid.leave': 'all', 'grid.refresh': 'all' },
    config: ['ok', 'gone'],
  }),
  kept: gridModel({
    events: {
      'unsaved.show': 'all',
      'grid.leave': 'all',
      'leave.stay': 'all',
      'leave.discard': 'all',
      'range.select': ['first', 'mark'],
    },
    saves: ['invalid'],
    kept: keptFar,
    added: 0,
  }),
  keptStale: gridModel({
    events: { 'unsaved.show': 'all', 'stale.take': 'all', 'range.select': ['first', 'mark'] },
    saves: ['saved', 'stale', 'down'],
    kept: keptRows,
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
  'leave',
  'leaveNew',
  'kept',
  'keptStale',
] as const satisfies readonly (keyof typeof gridParts)[]
