import { type EntityConfig, type Field, isDerived } from '@jiaowu/api/entity/config'
import type { Message } from '@jiaowu/api/texts/index'
import type { Problem } from '@jiaowu/api/problem'
import type { Row, WireValue } from '@jiaowu/api/entity/values'
import { valueText } from '@jiaowu/api/fields/money'
import type { SnapshotFrom } from 'xstate'
import type {
  ChangedBy,
  GridContext,
  GridSelection,
  PasteCheck,
  PasteDraft,
  Settlement,
} from './context.ts'
import { countFoundTexts } from './matching/asks.ts'
import { isOpenLine, settlements } from './matching/draft.ts'
import type { PasteColumn, PasteLine } from './matching/types.ts'
import { sameIds } from '../entity-form/values.ts'
import { isBlankEdit } from './edits/edits.ts'
import { nextUnsaved, type UnsavedRow, unsavedRows } from './unsaved/unsaved.ts'
import type { gridEditMachine } from './machine.ts'
import {
  toBox,
  type Box,
  type FoundRow,
  isClosed,
  isEditable,
  rowAt,
  rowCount,
  shownValue,
} from './selection/places.ts'

export interface GridCell {
  readonly value: WireValue
  readonly text: string
  /** `unsaved` waits for the next save; `stale`: somebody else changed it. */
  readonly state: 'stored' | 'unsaved' | 'saving' | 'refused' | 'stale'
  readonly fault: string | Message | null
  /** The newer value of a stale cell. */
  readonly theirs: string | null
  readonly isEditable: boolean
  /** The state of the row's flow keeps it from being changed. */
  readonly isClosed: boolean
}

/** The grid as a surface shows it; cells are read with `gridCell`. */
export interface GridEditView {
  readonly step:
    | 'opening'
    | 'broken'
    | 'selecting'
    | 'editing'
    | 'composing'
    | 'matching'
    | 'settling'
    | 'fetching'
    | 'checking'
    | 'reviewing'
    | 'writing'
    | 'dropping'
    | 'reverting'
    /** Leaving: rows are on their way, or the user is asked. */
    | 'leaving'
    | 'askingLeave'
  readonly config: EntityConfig | null
  readonly columns: readonly Field[]
  readonly total: number
  readonly totalIsEstimate: boolean
  /** With the new rows. */
  readonly rowCount: number
  readonly isLoaded: boolean
  readonly selection: GridSelection
  readonly box: Box
  /** The value that is being typed into the focused cell. */
  readonly editing: WireValue | undefined
  /** The edit was begun by typing over the cell: arrow keys end it. */
  readonly isTyped: boolean
  readonly save: 'saved' | 'waiting' | 'saving' | 'offline'
  /** Rows with something that is not stored. */
  readonly unsaved: number
  /** The unsaved row that `unsaved.show` goes to. */
  readonly next: UnsavedRow | null
  /** While the user is asked: the first rows that would be given up. */
  readonly leaving: readonly UnsavedRow[]
  /** Both values of the focused row, when somebody else changed it. */
  readonly conflict: GridConflict | null
  readonly loading: 'idle' | 'loading' | 'failed'
  /** How the lines of a pasted block found their rows; null: it is no such block. */
  readonly match: MatchView | null
  /** Lines of the pasted block. */
  readonly pasted: number
  /** How many of its keys were looked for; null: all are looked for at once. */
  readonly found: { readonly done: number; readonly all: number } | null
  readonly paste: PasteDraft | null
  readonly check: PasteCheck | null
  readonly problem: Problem | null
  readonly saveProblem: Problem | null
  readonly can: {
    readonly select: boolean
    readonly edit: boolean
    readonly add: boolean
    readonly revert: boolean
    readonly take: boolean
    readonly leave: boolean
    /** Go to the next unsaved row. */
    readonly show: boolean
    readonly discard: boolean
    readonly undo: boolean
    readonly redo: boolean
    readonly confirm: boolean
    readonly cancel: boolean
    readonly retry: boolean
  }
}

export interface LineView extends PasteLine {
  /** Has to be decided on; `ready` needs no decision. */
  readonly state: 'open' | 'ready' | Settlement
  readonly settlements: readonly Settlement[]
}
export interface MatchView {
  /** The column by which rows were found; null: by place. */
  readonly by: Field | null
  readonly heading: number
  readonly columns: readonly PasteColumn[]
  readonly lines: readonly LineView[]
  /** Lines that have to be decided on. */
  readonly open: number
}

type Snapshot = SnapshotFrom<typeof gridEditMachine>

export function gridEditView(s: Snapshot): GridEditView {
  const { config, columns, total, totalIsEstimate, selection, edit, edits, paste, check } =
    s.context
  const { problem, saveProblem } = s.context
  const unsaved = Object.values(edits).filter(
    (each) => each.id !== null || !isBlankEdit(each),
  ).length
  const step = resolveGridStep(s)
  return {
    step,
    config,
    columns,
    total: total ?? 0,
    totalIsEstimate,
    rowCount: rowCount(s.context),
    isLoaded: total !== null,
    selection,
    box: toBox(selection),
    editing: edit?.value,
    isTyped: edit?.isTyped ?? false,
    save: s.matches({ saving: 'offline' })
      ? 'offline'
      : s.matches({ saving: 'writing' })
        ? 'saving'
        : unsaved > 0
          ? 'waiting'
          : 'saved',
    unsaved,
    next: unsaved === 0 ? null : nextUnsaved(s.context),
    leaving: step === 'askingLeave' ? unsavedRows(s.context).slice(0, shownUnsaved) : [],
    conflict: conflictAt(s.context),
    loading: s.matches({ blocks: 'loading' })
      ? 'loading'
      : s.matches({ blocks: 'failed' })
        ? 'failed'
        : 'idle',
    match: buildMatchView(s.context),
    pasted: s.context.pasted?.length ?? 0,
    found: s.context.finding === null ? null : countFoundTexts(s.context.finding),
    paste,
    check,
    problem,
    saveProblem,
    can: listPossibleEdits(s),
  }
}

function buildMatchView(context: GridContext): MatchView | null {
  const { match, config, settled } = context
  if (match === null) return null
  const lines = match.lines.map((line): LineView => ({
    ...line,
    state: isOpenLine(context, line)
      ? 'open'
      : (settled[line.line] ?? (line.verdict === 'new' ? 'new' : 'ready')),
    settlements: settlements(context, line),
  }))
  return {
    ...match,
    by: config?.fields.find(({ attrName }) => attrName === match.by) ?? null,
    lines,
    open: lines.filter(({ state }) => state === 'open').length,
  }
}

function listPossibleEdits(s: Snapshot): GridEditView['can'] {
  const place = { row: 0, col: 0 }
  return {
    select: s.can({ type: 'range.select', anchor: place, focus: place }),
    edit: s.can({ type: 'compose.start' }) && !s.hasTag('editing'),
    add: s.can({ type: 'row.add' }),
    revert: s.can({ type: 'row.revert' }),
    take: s.can({ type: 'stale.take', side: 'mine' }),
    leave: s.can({ type: 'grid.leave' }),
    show: s.can({ type: 'unsaved.show' }),
    discard: s.can({ type: 'leave.discard' }),
    undo: s.can({ type: 'history.undo' }),
    redo: s.can({ type: 'history.redo' }),
    confirm: s.can({ type: 'paste.confirm' }),
    cancel: s.can({ type: 'paste.cancel' }),
    retry: s.can({ type: 'grid.retry' }),
  }
}

function resolveGridStep(s: Snapshot): GridEditView['step'] {
  if (s.matches({ table: 'opening' })) return 'opening'
  if (s.matches({ table: 'broken' })) return 'broken'
  if (s.matches({ table: { ready: { editing: 'composing' } } })) return 'composing'
  if (s.matches({ table: { ready: 'editing' } })) return 'editing'
  if (s.matches({ table: { ready: { leaving: 'asking' } } })) return 'askingLeave'
  if (s.matches({ table: { ready: 'leaving' } })) return 'leaving'
  if (s.matches({ table: { ready: 'reverting' } })) return 'reverting'
  if (s.matches({ table: { ready: 'fetching' } })) return 'fetching'
  if (s.matches({ table: { ready: { pasting: 'matching' } } })) return 'matching'
  if (s.matches({ table: { ready: { pasting: 'settling' } } })) return 'settling'
  if (s.matches({ table: { ready: { pasting: 'checking' } } })) return 'checking'
  if (s.matches({ table: { ready: { pasting: 'reviewing' } } })) return 'reviewing'
  if (s.matches({ table: { ready: { pasting: 'writing' } } })) return 'writing'
  return s.matches({ table: { ready: { pasting: 'dropping' } } }) ? 'dropping' : 'selecting'
}

/** Rows that the question about leaving names. */
const shownUnsaved = 5

export interface GridConflict {
  readonly cells: readonly {
    readonly label: string
    readonly mine: string
    readonly theirs: string
  }[]
  readonly by: ChangedBy | null
}

function conflictAt(context: GridContext): GridConflict | null {
  const edit = rowAt(context, context.selection.anchor.row)?.edit ?? null
  const theirs = edit?.theirs ?? null
  if (edit === null || theirs === null) return null
  const typed = context.columns.filter(({ attrName }) => Object.hasOwn(edit.values, attrName))
  return {
    by: edit.theirsBy,
    cells: typed.map((field) => ({
      label: field.uiLabel,
      mine: valueText(field, edit.values[field.attrName]),
      theirs: valueText(field, theirs[field.attrName]),
    })),
  }
}

type Cells = Pick<
  GridContext,
  'total' | 'added' | 'blocks' | 'edits' | 'config' | 'columns' | 'mayEdit' | 'mayAdd' | 'open'
>

/** One cell; null while its row is not loaded. */
export function gridCell(context: Cells, row: number, col: number): GridCell | null {
  const found = rowAt(context, row)
  const field = context.columns[col]
  if (found === null || field === undefined) return null
  const value = shownValue(found, field)
  const { edit } = found
  const { attrName } = field
  const isTyped = edit !== null && Object.hasOwn(edit.values, attrName)
  const theirs = edit?.theirs ?? null
  const fault = edit?.faults[attrName] ?? (isTyped ? (edit.faults[''] ?? null) : null)
  return {
    value,
    text: valueText(field, value),
    state: resolveCellState(found, field, value, fault),
    fault,
    theirs: theirs === null || !isTyped ? null : valueText(field, theirs[attrName]),
    isEditable: isEditable(context, field, found.id === null, found.id) && theirs === null,
    isClosed: isClosed(context, field, found.id),
  }
}

function resolveCellState(
  found: FoundRow,
  field: Field,
  value: WireValue,
  fault: GridCell['fault'],
): GridCell['state'] {
  const { edit } = found
  if (edit === null) return 'stored'
  const isTyped = Object.hasOwn(edit.values, field.attrName)
  if (isTyped && edit.theirs !== null) return 'stale'
  if (fault !== null) return 'refused'
  if (!isTyped && !followsEdit(found, field, value)) return 'stored'
  return edit.isSaving ? 'saving' : 'unsaved'
}

/** Whether a derived value waits, with what it follows from, to be stored. */
function followsEdit({ row, edit }: FoundRow, field: Field, value: WireValue): boolean {
  return edit !== null && isDerived(field) && !sameIds(value, row?.[field.attrName] ?? null)
}

/** The stored row at a number, for controls that need the whole row; null: new or not loaded. */
export function gridRow(context: Cells, row: number): Row | null {
  return rowAt(context, row)?.row ?? null
}

/** All values of a row as they are shown. */
export function gridValues(context: Cells, row: number): Readonly<Record<string, WireValue>> {
  const found = rowAt(context, row)
  return found === null
    ? {}
    : Object.fromEntries(context.columns.map((field) => [field.attrName, shownValue(found, field)]))
}
