import type { Field } from '@jiaowu/api'
import type { Block, GridContext, gridEditMachine, GridEvent } from '@jiaowu/machines'
import { useEffect, useState } from 'react'
import type { SnapshotFrom } from 'xstate'
import { type GridActor, GridScreen } from '../../../apps/cli/src/screens/grid/grid-screen.tsx'
import { sentence, zh } from '../../surfaces/sentences.ts'
import {
  custom,
  key,
  noKey,
  type TerminalGesture,
  typeOver,
  unlisted,
} from '../../surfaces/terminal/gestures.ts'
import { redLines, seen } from '../../surfaces/terminal/reads.ts'
import type { TerminalUser } from '../../surfaces/terminal/screen.tsx'
import { terminalDriverOf } from '../../surfaces/terminal/table.ts'
import { gridEditModels, gridTerminalParts } from './model.ts'

type Snapshot = SnapshotFrom<typeof gridEditMachine>
const labels = {
  edit: zh('common.edit'),
  ok: zh('common.ok'),
  clear: '清空',
  fill: zh('grid.fillDown'),
  paste: '粘贴',
  add: zh('grid.addRow'),
  undo: zh('grid.undo'),
  redo: zh('grid.redo'),
  revert: zh('grid.revert'),
  mine: zh('grid.mine'),
  theirs: zh('grid.theirs'),
  retry: zh('grid.retryNow'),
  write: zh('grid.pasteConfirm'),
  cancel: zh('common.cancel'),
}
const press = (label: string): TerminalGesture => unlisted(key(label))

const isPasting = (s: Snapshot) => s.context.paste !== null
/** Nothing of the grid is drawn while it opens and behind a preview. */
const isDrawn = (s: Snapshot) => !isPasting(s) && s.context.config !== null
const isTyping = (s: Snapshot) => s.matches({ table: { ready: 'editing' } })
const isSelecting = (s: Snapshot) => !isPasting(s) && s.matches({ table: { ready: 'selecting' } })
/** Takes an event, and neither a preview nor a field takes the keys. */
const taking = (event: GridEvent) => (s: Snapshot) => !isPasting(s) && !isTyping(s) && s.can(event)

export const gridTerminal = terminalDriverOf<Snapshot, GridEvent, Snapshot>({
  model: {
    ...gridEditModels,
    parts: Object.fromEntries(
      Object.entries(gridEditModels.parts).filter(([name]) =>
        (gridTerminalParts as readonly string[]).includes(name),
      ),
    ),
  },
  // An input method of a terminal sends whole words; ranges are dragged only on the web.
  adapt: ({ events, hidden }) => ({
    events: {
      ...events,
      'compose.start': {},
      'compose.end': {},
      'cells.replace': {},
      'cells.fill': events['cells.fill']?.down === undefined ? {} : { down: { row: null } },
    },
    hidden: (snapshot, event) =>
      hidden?.(snapshot, event) === true || isHidden(snapshot as Snapshot, event as GridEvent),
  }),
  view: (s) => s,
  readings: {
    rows: {
      model: (s) =>
        isDrawn(s)
          ? Array.from({ length: Math.min(countOf(s), 5) }, (_row, i) =>
              rowText(s.context, i),
            ).join('/')
          : '',
      screen: rowsIn,
    },
    state: {
      model: (s) =>
        isDrawn(s)
          ? `第 ${s.context.selection.anchor.row + 1} / ${countOf(s)} 行 · ${saveOf(s)}`
          : '',
      screen: seen(/^(第 \d+ \/ \d+ 行 · .*?)\s*$/m),
    },
    typed: {
      model: ({ context: c }) =>
        c.edit === null
          ? ''
          : `${c.columns[c.selection.anchor.col]?.uiLabel ?? ''}: ${String(c.edit.value ?? '')}`.trim(),
      screen: seen(/^((?:姓名|成绩|状态):.*?)\s*$/m),
    },
    red: {
      model: (s) =>
        [faultAt(s), wrongIn(s), s.context.problem?.message, s.context.saveProblem?.message]
          .map((each) => sentence(each ?? undefined))
          .filter((each) => each !== '')
          .join(),
      screen: redLines,
    },
  },
  says: {
    'grid.stale': (s) => {
      const [edit, field] = atCursor(s)
      const isConflict = edit !== null && edit.theirs !== null && field.attrName in edit.values
      return isConflict && { value: String(edit.theirs?.[field.attrName] ?? '') }
    },
    'grid.pasteChecking': ({ context: { paste, check } }) =>
      paste !== null && check === null && { n: paste.rows.length },
    'grid.pasteSummary': ({ context: { paste, check } }) =>
      paste !== null && check !== null && { cells: check.cells, rows: check.fresh },
  },
  hints: {
    [labels.edit]: taking({ type: 'compose.start' }),
    [labels.ok]: (s) => !isPasting(s) && isTyping(s),
    [labels.clear]: isSelecting,
    [labels.fill]: isSelecting,
    [labels.paste]: isSelecting,
    [labels.add]: taking({ type: 'row.add' }),
    [labels.undo]: taking({ type: 'history.undo' }),
    [labels.redo]: taking({ type: 'history.redo' }),
    [labels.revert]: taking({ type: 'row.revert' }),
    [labels.mine]: taking({ type: 'stale.take', side: 'mine' }),
    [labels.theirs]: taking({ type: 'stale.take', side: 'theirs' }),
    [labels.retry]: taking({ type: 'grid.retry' }),
    [labels.write]: (s) => isPasting(s) && s.can({ type: 'paste.confirm' }),
    [labels.cancel]: (s) => (isPasting(s) ? s.can({ type: 'paste.cancel' }) : isTyping(s)),
  },
  gestures: {
    'range.select': (event) => custom((user, actor) => goTo(user, actor.getSnapshot(), event)),
    'cell.move': ({ rows, cols, extend }) =>
      custom((user) => user.press(...arrows(rows, cols, extend))),
    'edit.start': ({ text }) =>
      text === null ? press(labels.edit) : custom((user) => user.type(String(text))),
    'edit.change': ({ value }) => custom((user) => typeOver(user, String(value))),
    'edit.commit': ({ move }) => custom((user) => user.press(move === 'none' ? '^s' : 'enter')),
    'edit.cancel': press(labels.cancel),
    'cells.clear': press(labels.clear),
    'cells.fill': press(labels.fill),
    'cells.replace': noKey,
    'compose.start': noKey,
    'compose.end': noKey,
    'row.add': press(labels.add),
    'row.revert': press(labels.revert),
    'paste.start': ({ block }) =>
      custom(async (user) => {
        copy(block)
        await user.press('\u001b[99~') // no key: renders with the new clipboard
        await user.press('^v')
      }),
    'paste.confirm': press(labels.write),
    'paste.cancel': press(labels.cancel),
    'history.undo': press(labels.undo),
    'history.redo': press(labels.redo),
    'stale.take': ({ side }) => press(labels[side]),
    'grid.retry': press(labels.retry),
    'grid.refresh': custom((user) => user.press('^r')),
    'query.change': noKey,
    'rows.need': noKey,
  },
  element: (actor) => <Page actor={actor as unknown as GridActor} />,
})

function isHidden(s: Snapshot, event: GridEvent): boolean {
  if (!s.matches({ table: { ready: 'selecting' } }))
    return !(event.type.startsWith('edit.') && isTyping(s)) && !event.type.startsWith('paste.')
  return event.type === 'edit.start' && event.text === null && !s.can({ type: 'compose.start' })
}

const countOf = ({ context: { total, added } }: Snapshot): number => (total ?? 0) + added.length

type Edit = GridContext['edits'][string]
function keyAt({ total, blocks, added }: GridContext, row: number): string {
  const extra = added[row - (total ?? 0)]
  return extra === undefined ? (blocks[0]?.[row]?.id ?? '') : (extra.row?.id ?? extra.key)
}
const editAt = (c: GridContext, row: number): Edit | null => c.edits[keyAt(c, row)] ?? null

function rowText(c: GridContext, row: number): string {
  const extra = c.added[row - (c.total ?? 0)]
  const stored = extra === undefined ? c.blocks[0]?.[row] : extra.row
  const edit = editAt(c, row)
  const cells = c.columns.map((field) => {
    const { attrName } = field
    const isTyped = edit !== null && attrName in edit.values
    const value = isTyped ? edit.values[attrName] : stored?.[attrName]
    return `${markOf(edit, field, isTyped)}${String(value ?? '')}`
  })
  return [extra === undefined ? String(row + 1) : '+', ...cells]
    .filter((text) => text !== '')
    .join()
}

function markOf(edit: Edit | null, { attrName }: Field, isTyped: boolean): string {
  if (edit === null) return ''
  const fault = edit.faults[attrName] ?? (isTyped ? edit.faults[''] : undefined)
  if (!isTyped) return fault === undefined ? '' : '!'
  if (edit.theirs !== null) return '≠'
  if (fault !== undefined) return '!'
  return edit.isSaving ? '…' : '*'
}

/** The edit of the row at the cursor, and the field there. */
function atCursor({ context: c }: Snapshot): [Edit | null, Field] {
  const { row, col } = c.selection.anchor
  return [editAt(c, row), c.columns[col] ?? ({ attrName: '' } as Field)]
}

/** How many rows of a paste are wrong. */
function wrongIn({ context: { paste, check } }: Snapshot): string {
  const n = paste === null ? 0 : (check?.wrong ?? 0)
  return n === 0 ? '' : zh('grid.pasteWrong', { n })
}

/** Why the cell at the cursor is wrong, unless another user changed it meanwhile. */
function faultAt(s: Snapshot) {
  const [edit, { attrName }] = atCursor(s)
  if (!isDrawn(s) || edit === null) return undefined
  const isTyped = attrName in edit.values
  if (edit.theirs !== null && isTyped) return undefined
  return edit.faults[attrName] ?? (isTyped ? edit.faults[''] : undefined)
}

function saveOf(s: Snapshot): string {
  if (s.matches({ table: { ready: 'reverting' } })) return zh('grid.reverting')
  const n = Object.values(s.context.edits).filter(
    ({ id, values }) => id !== null || Object.values(values).some((value) => value !== null),
  ).length
  if (s.matches({ saving: 'offline' })) return zh('grid.offline')
  if (s.matches({ saving: 'writing' })) return zh('grid.saving', { n })
  return n > 0 ? zh('grid.unsaved', { n }) : zh('grid.saved')
}

function rowsIn(user: TerminalUser): string {
  return user
    .frame()
    .split('\n')
    .filter((line) => /^(?:\d+|\+)(?: {3,}|$)/.test(line))
    .slice(0, 5)
    .map((line) =>
      line
        .trim()
        .split(/\s{2,}/)
        .join(),
    )
    .join('/')
}

let copy: (block: Block) => void = () => {}
function clipboard(set: (block: Block) => void): void {
  copy = set
}

/** The screen with a clipboard that the test fills. */
function Page({ actor }: { readonly actor: GridActor }) {
  const [copied, setCopied] = useState<Block>([])
  useEffect(() => clipboard(setCopied), [])
  return <GridScreen actor={actor} locale="zh-CN" copied={copied} onLeave={() => {}} />
}

function arrows(rows: number, cols: number, extend: boolean): string[] {
  const key = (letter: string) => (extend ? `\u001b[1;2${letter}` : `\u001b[${letter}`)
  const times = (n: number, letter: string) => Array.from({ length: n }, () => key(letter))
  return [...times(rows, 'B'), ...times(-rows, 'A'), ...times(cols, 'C'), ...times(-cols, 'D')]
}

function goTo(
  user: TerminalUser,
  { context: { selection } }: Snapshot,
  { anchor, focus }: Extract<GridEvent, { type: 'range.select' }>,
): Promise<void> {
  const from = selection.anchor
  const moves = arrows(anchor.row - from.row, anchor.col - from.col, false)
  return user.press(
    // A selection ends with the first move; without one, there and back.
    ...(moves.length === 0 ? ['\u001b[B', '\u001b[A'].slice(0, 0) : moves),
    ...arrows(focus.row - anchor.row, focus.col - anchor.col, true),
  )
}
