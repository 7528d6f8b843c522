// Sample events of a grid, and how its calls about many cells can end.
import { limits } from '@jiaowu/api/limits'
import { answerFailure } from '../problems.ts'
import { bare } from '../spec.ts'
import { gridRows, nothingToDo, pasteCheck } from './samples.ts'

const selectCells = (row: number, col: number, toRow = row, toCol = col) => ({
  anchor: { row, col },
  focus: { row: toRow, col: toCol },
})
const many = (count: number) => Array.from({ length: count }, (_row, i) => `r${i}`)
/** More rows than a block holds. */
const total = 150

export const events = {
  'rows.need': { top: { first: 0, last: 20 }, bottom: { first: 100, last: 149 } },
  'query.change': { sorted: { query: { queries: {}, sorts: [{ column: 'name', asc: true }] } } },
  'grid.refresh': bare,
  'range.select': {
    first: selectCells(0, 0),
    mark: selectCells(0, 1),
    shown: selectCells(0, 2),
    names: selectCells(0, 0, 1, 0),
    beyond: selectCells(9, 9),
    all: selectCells(0, 0, 59, 1),
    bottom: selectCells(149, 0),
    across: selectCells(0, 0, 149, 0),
    huge: selectCells(0, 0, 5999, 0),
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
  'cells.copy': bare,
  'fetch.cancel': bare,
  'cells.clear': bare,
  'cells.fill': { down: { row: null }, to: { row: 2 } },
  'cells.replace': { found: { find: 'n', by: 'm' }, none: { find: 'q', by: 'm' } },
  'row.add': bare,
  'row.revert': bare,
  'stale.take': { mine: { side: 'mine' }, theirs: { side: 'theirs' } },
  'unsaved.show': bare,
  'grid.leave': bare,
  'leave.stay': bare,
  'leave.discard': bare,
  'paste.start': {
    one: { block: [['7']] },
    block: { block: [['x'], ['y'], ['z']] },
    none: { block: [] },
    shuffled: {
      block: [
        ['nb', '7'],
        ['na', '8'],
      ],
    },
    headed: {
      block: [
        ['成绩', '姓名'],
        ['7', 'nb'],
      ],
    },
    foreign: {
      block: [
        ['nb', '7'],
        ['zz', '8'],
      ],
    },
    differing: {
      block: [
        ['nb', '7', 's'],
        ['na', '8', 'x'],
      ],
    },
    repeated: {
      block: [
        ['nb', '7'],
        ['nb', '8'],
      ],
    },
    placed: { block: [['u', '8']] },
    seen: { block: [['nb', 's']] },
    // More keys than one question takes.
    long: { block: Array.from({ length: limits.maxInValues + 1 }, (_line, n) => [`k${n}`, '7']) },
  },
  'line.settle': {
    left: { line: 2, as: 'left' },
    taken: { line: 2, as: 'taken' },
    added: { line: 2, as: 'new' },
    again: { line: 2, as: null },
    first: { line: 1, as: 'left' },
  },
  'lines.settle': { left: { as: 'left' }, added: { as: 'new' } },
  'line.correct': { known: { line: 2, text: 'na' } },
  'paste.confirm': bare,
  'paste.cancel': bare,
  'history.undo': bare,
  'history.redo': bare,
  'grid.retry': bare,
} as const
export const blocks = {
  two: { rows: gridRows(['a', 'b']), total: 2, isEstimate: false },
  sixty: { rows: gridRows(many(60)), total: 60, isEstimate: false },
  none: { rows: [], total: 0, isEstimate: false },
  huge: { rows: gridRows(many(100)), total: 6000, isEstimate: false },
} as const
export const pasteEnds = {
  checkPaste: {
    work: { ok: true, output: pasteCheck },
    nothing: { ok: true, output: nothingToDo },
    refused: answerFailure(403),
  },
  loadRows: {
    all: { ok: true, output: { rows: gridRows(many(total)) } },
    fewer: { ok: true, output: { rows: gridRows(many(100)) } },
    refused: answerFailure(503),
  },
  writePaste: {
    written: { ok: true, output: { changed: 1, added: ['n1'] } },
    refused: answerFailure(409),
  },
  countRows: {
    counted: { ok: true, output: { total } },
    down: answerFailure(503),
  },
  dropPaste: { dropped: { ok: true, output: undefined }, refused: answerFailure(409) },
  revertRows: {
    done: { ok: true, output: { added: ['n2'] } },
    refused: answerFailure(409),
  },
} as const

export const findEnds = {
  whole: { ok: true, output: { rows: gridRows(['a', 'b']), isWhole: true } },
  some: { ok: true, output: { rows: gridRows(['a', 'b']).slice(1), isWhole: false } },
  refused: answerFailure(403),
} as const

/** How the load of a block can end. */
export function loadEnds({
  block,
  withTotal,
}: {
  readonly block: number
  readonly withTotal: boolean
}) {
  const paged = (count: number, isEstimate: boolean) => ({
    ok: true,
    output: {
      rows: gridRows(many(block === 0 ? 100 : 50)),
      total: withTotal ? count : null,
      isEstimate,
    },
  })
  return {
    ...Object.fromEntries(
      Object.entries(blocks).map(([name, output]) => [name, { ok: true, output }]),
    ),
    paged: paged(total, false),
    about: paged(total + 7, true),
    down: answerFailure(503),
  }
}
