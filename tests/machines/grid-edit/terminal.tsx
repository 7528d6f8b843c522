import type { Block } from '@jiaowu/machines/grid-edit/clipboard/clipboard'
import type { GridEvent, Settlement } from '@jiaowu/machines/grid-edit/context'
import { gridEditView } from '@jiaowu/machines/grid-edit/view'
import { useEffect, useState } from 'react'
import { type GridActor, GridScreen } from '../../../apps/cli/src/screens/grid/grid-screen.tsx'
import {
  by,
  createTerminalDriver,
  joinTexts,
  on,
  showWhen,
  read,
  formatMessages,
  zh,
  type Shown,
  type TerminalGesture,
  type TerminalUser,
} from '../../surfaces/terminal/driver.ts'
import { gridEditModels, gridTerminalParts } from './model.ts'

type View = Shown<typeof gridEditView>
const [cancel, edit, ok] = [zh('common.cancel'), zh('common.edit'), zh('common.ok')]
const [mine, theirs] = [zh('grid.mine'), zh('grid.theirs')]
/** The label of the key that is an event. */
const labels = {
  'cells.clear': '清空',
  'cells.fill': zh('grid.fillDown'),
  'row.add': zh('grid.addRow'),
  'row.revert': zh('grid.revert'),
  'history.undo': zh('grid.undo'),
  'history.redo': zh('grid.redo'),
  'grid.retry': zh('grid.retryNow'),
  'unsaved.show': zh('grid.unsavedShow'),
  'grid.leave': zh('cli.grid.leave'),
  'leave.stay': zh('grid.leaveStay'),
  'leave.discard': zh('grid.leaveDiscard'),
  'paste.confirm': zh('grid.pasteConfirm'),
  'paste.cancel': cancel,
  'fetch.cancel': cancel,
  'edit.cancel': cancel,
}
/** Lines of the grid. */
const mostRows = 5

const isEditing = on('table.ready.editing')
const isAtCells = on('table.ready.selecting')
const isAskingLeave = on('table.ready.leaving.asking')
const isPasting = ({ paste }: View) => paste !== null
const isSelecting = (v: View) => !isPasting(v) && isAtCells(v)
/** Nothing of the grid is drawn while it opens and behind a preview. */
const isDrawn = (v: View) => !isPasting(v) && v.config !== null
/** Takes an event, and neither a preview nor a field takes the keys. */
const taking = (event: GridEvent) => (v: View) => !isPasting(v) && !isEditing(v) && v.s.can(event)

const isSettling = ({ step }: View) => step === 'settling'
const settleLabels = {
  left: zh('grid.lineLeft'),
  taken: zh('grid.lineTaken'),
  new: zh('grid.lineNew'),
} as const
const firstOpen = ({ match }: View) => match?.lines.find(({ state }) => state === 'open')
const canSettle = (v: View, as: Settlement) =>
  isSettling(v) && firstOpen(v)?.settlements.includes(as) === true

/** Keys decide on the first line only, and on all that are left out. */
function isHidden(v: View, event: GridEvent): boolean {
  if (event.type === 'line.settle')
    return event.as === null || event.line !== firstOpen(v)?.line || !canSettle(v, event.as)
  if (event.type === 'lines.settle') return event.as !== 'left' || (v.match?.open ?? 0) < 2
  return event.type !== 'paste.confirm' && event.type !== 'paste.cancel'
}

const countGridRows = ({ c }: View) => (c.total ?? 0) + c.added.length

export const driver = createTerminalDriver({
  model: {
    ...gridEditModels,
    parts: Object.fromEntries(
      Object.entries(gridEditModels.parts).filter(([name]) =>
        (gridTerminalParts as readonly string[]).includes(name),
      ),
    ),
  },
  // An input method of a terminal sends whole words; ranges are dragged only on the web.
  adapt: ({ events }) => ({
    events: {
      ...events,
      'compose.start': {},
      'compose.end': {},
      'cells.replace': {},
      'line.correct': {},
      'cells.copy': {},
      'cells.fill': events['cells.fill']?.down === undefined ? {} : { down: { row: null } },
    },
  }),
  view: gridEditView,
  readings: {
    rows: [showWhen(isDrawn, formatGridRows), rowsIn],
    state: [
      showWhen(
        isDrawn,
        (v) => `第 ${v.selection.anchor.row + 1} / ${countGridRows(v)} 行 · ${formatSaveState(v)}`,
      ),
      read.match(/^(第 \d+ \/ \d+ 行 · .*?)\s*$/m),
    ],
    typed: [formatTypedText, read.match(/^((?:姓名|成绩|状态):.*?)\s*$/m)],
    asked: [
      (v) => (isSettling(v) ? String(firstOpen(v)?.line ?? '') : ''),
      read.match(/^› 粘贴的第 (\d+) 行/m),
    ],
    red: [
      (v) => {
        const fault = isDrawn(v) && cellAtCursor(v).fault
        const wrong = isPasting(v) ? (v.check?.wrong ?? 0) : 0
        const open = isSettling(v) ? (v.match?.open ?? 0) : 0
        return formatMessages(
          fault,
          open > 0 && zh('grid.matchOpen', { n: open }),
          wrong > 0 && zh('grid.pasteWrong', { n: wrong }),
          v.problem,
          v.saveProblem,
        )
      },
      read.red,
    ],
  },
  says: {
    'grid.stale': (v) => {
      const { theirs: value } = cellAtCursor(v)
      return value !== null && { value }
    },
    'grid.matching': ({ step, pasted }) => step === 'matching' && { n: pasted },
    'grid.pasteChecking': ({ paste, check, step }) =>
      step === 'checking' && paste !== null && check === null && { n: paste.rows.length },
    'grid.conflictBy': (v) => {
      const by = rowAt(v, v.selection.anchor.row).edit?.theirsBy ?? null
      return isDrawn(v) && by !== null && { name: by.name ?? '', at: by.at }
    },
    'grid.leaveTitle': (v) => isAskingLeave(v) && { n: unsavedIn(v) },
    'grid.pasteSummary': ({ paste, check }) =>
      paste !== null && check !== null && { cells: check.cells, rows: check.fresh },
  },
  hints: {
    [edit]: taking({ type: 'compose.start' }),
    [ok]: (v) => !isPasting(v) && isEditing(v),
    [labels['cells.clear']]: isSelecting,
    [labels['cells.fill']]: isSelecting,
    粘贴: isSelecting,
    [labels['row.add']]: taking({ type: 'row.add' }),
    [labels['history.undo']]: taking({ type: 'history.undo' }),
    [labels['history.redo']]: taking({ type: 'history.redo' }),
    [labels['row.revert']]: taking({ type: 'row.revert' }),
    [mine]: taking({ type: 'stale.take', side: 'mine' }),
    [theirs]: taking({ type: 'stale.take', side: 'theirs' }),
    [labels['grid.retry']]: taking({ type: 'grid.retry' }),
    [labels['unsaved.show']]: taking({ type: 'unsaved.show' }),
    [labels['grid.leave']]: taking({ type: 'grid.leave' }),
    [labels['leave.stay']]: taking({ type: 'leave.stay' }),
    [labels['leave.discard']]: taking({ type: 'leave.discard' }),
    [zh('grid.matchGoOn')]: (v) => isSettling(v) && v.s.can({ type: 'paste.confirm' }),
    [settleLabels.left]: (v) => canSettle(v, 'left'),
    [settleLabels.taken]: (v) => canSettle(v, 'taken'),
    [settleLabels.new]: (v) => canSettle(v, 'new'),
    [zh('grid.leaveLines', { n: 2 })]: ({ match }) => match?.open === 2,
    [labels['paste.confirm']]: (v) =>
      isPasting(v) && !isSettling(v) && v.s.can({ type: 'paste.confirm' }),
    [cancel]: (v) => (isPasting(v) ? v.s.can({ type: 'paste.cancel' }) : isEditing(v)),
  },
  gestures: {
    ...by.unlistedKeys(labels),
    'range.select': ({ anchor, focus }) =>
      by.custom((user, actor) => {
        const from = (actor.getSnapshot() as View['s']).context.selection.anchor
        return user.press(
          ...arrows(anchor.row - from.row, anchor.col - from.col, false),
          ...arrows(focus.row - anchor.row, focus.col - anchor.col, true),
        )
      }),
    'cell.move': ({ rows, cols, extend }) =>
      by.custom((user) => user.press(...arrows(rows, cols, extend))),
    'edit.start': ({ text }) =>
      text === null ? by.unlistedKey(edit) : by.custom((user) => user.type(String(text))),
    'edit.change': ({ value }) => by.custom((user) => by.typeOver(user, String(value))),
    'edit.commit': ({ move }) => by.custom((user) => user.press(move === 'none' ? '^s' : 'enter')),
    'paste.start': ({ block }) => pasteInTerminal(block),
    'paste.confirm': by.custom((user) => user.press('enter')),
    'line.settle': ({ as }) => (as === null ? by.noKey : by.unlistedKey(settleLabels[as])),
    'lines.settle': ({ as }) => (as === 'left' ? by.custom((user) => user.press('^l')) : by.noKey),
    'stale.take': ({ side }) => by.unlistedKey(side === 'mine' ? mine : theirs),
    'grid.refresh': by.custom((user) => user.press('^r')),
    ...by.gestureForEach(
      by.noKey,
      'cells.replace',
      'cells.copy',
      'line.correct',
      'compose.start',
      'compose.end',
    ),
    ...by.gestureForEach(by.noKey, 'query.change', 'rows.need'),
  },
  hidden: (v, event) =>
    isSettling(v)
      ? isHidden(v, event)
      : isAtCells(v)
        ? event.type === 'edit.start' && event.text === null && !v.s.can({ type: 'compose.start' })
        : !(event.type.startsWith('edit.') && isEditing(v)) && !event.type.startsWith('paste.'),
  screen: GridPage,
})

function rowAt({ c }: View, row: number) {
  const extra = c.added[row - (c.total ?? 0)]
  const stored = extra === undefined ? c.blocks[0]?.[row] : extra.row
  return { stored, edit: c.edits[stored?.id ?? extra?.key ?? ''] }
}

/** A cell with its mark, why it is wrong, and the value of another user. */
function cellAt(v: View, row: number, col: number) {
  const { stored, edit } = rowAt(v, row)
  const attrName = v.c.columns[col]?.attrName ?? ''
  const isTyped = edit !== undefined && attrName in edit.values
  const value = isTyped ? edit.values[attrName] : stored?.[attrName]
  const fault = edit?.faults[attrName] ?? (isTyped ? edit.faults[''] : undefined)
  const theirs = isTyped && edit.theirs !== null ? String(edit.theirs[attrName] ?? '') : null
  const unsaved = isTyped ? (edit.isSaving ? '…' : '*') : ''
  const mark = theirs !== null ? '≠' : fault === undefined ? unsaved : '!'
  return { text: `${mark}${String(value ?? '')}`, fault: theirs === null && fault, theirs }
}

function cellAtCursor(v: View) {
  return cellAt(v, v.selection.anchor.row, v.selection.anchor.col)
}

function formatGridRows(v: View): string {
  const { total, columns } = v.c
  return Array.from({ length: Math.min(countGridRows(v), mostRows) }, (_row, row) => {
    const texts = columns.map((_field, col) => cellAt(v, row, col).text)
    return joinTexts(row < (total ?? 0) ? String(row + 1) : '+', ...texts)
  }).join('/')
}

function rowsIn(user: TerminalUser): string {
  return user
    .lines()
    .filter((line) => /^(?:\d+|\+)(?: {3,}|$)/.test(line))
    .slice(0, mostRows)
    .map((line) =>
      line
        .trim()
        .split(/\s{2,}/)
        .join(),
    )
    .join('/')
}

function formatTypedText({ c, columns, selection, editing }: View): string {
  const label = columns[selection.anchor.col]?.uiLabel ?? ''
  return c.edit === null ? '' : `${label}: ${String(editing ?? '')}`.trim()
}

function unsavedIn({ c }: View): number {
  return Object.values(c.edits).filter(
    ({ id, values }) => id !== null || Object.values(values).some((value) => value !== null),
  ).length
}

function formatSaveState(v: View): string {
  const n = unsavedIn(v)
  if (on('table.ready.reverting')(v)) return zh('grid.reverting')
  if (on('saving.offline')(v)) return zh('grid.offline')
  if (on('saving.writing')(v)) return zh('grid.saving', { n })
  return n > 0 ? zh('grid.unsaved', { n }) : zh('grid.saved')
}

let copy: (block: Block) => void = () => {}

function pasteInTerminal(block: Block): TerminalGesture {
  return by.custom(async (user) => {
    copy(block)
    await user.press('\u001b[99~') // no key: renders with the new clipboard
    await user.press('^v')
  })
}

/** The screen with a clipboard that the test fills. */
function GridPage({ actor }: { readonly actor: GridActor }) {
  const [copied, setCopied] = useState<Block>([])
  useEffect(() => {
    copy = setCopied
  }, [])
  return <GridScreen actor={actor} locale="zh-CN" copied={copied} onLeave={() => {}} />
}

function arrows(rows: number, cols: number, extend: boolean): string[] {
  const times = (n: number, letter: string) =>
    Array.from({ length: n }, () => (extend ? `\u001b[1;2${letter}` : `\u001b[${letter}`))
  return [...times(rows, 'B'), ...times(-rows, 'A'), ...times(cols, 'C'), ...times(-cols, 'D')]
}
