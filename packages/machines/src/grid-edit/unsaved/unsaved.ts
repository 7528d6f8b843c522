// Rows with something that is not stored: named, found in the grid, and given up.
import type { Field } from '@jiaowu/api/entity/config'
import { limits } from '@jiaowu/api/limits'
import type { Message } from '@jiaowu/api/texts/index'
import type { Row } from '@jiaowu/api/entity/values'
import { recordName } from '../../buttons/question.ts'
import type { GridContext, RowEdit } from '../context.ts'
import { hasWaiting, isBlankEdit, releaseNewRows } from '../edits/edits.ts'
import { newKeyMark } from '../edits/history.ts'
import { selectRange } from '../selection/selecting.ts'

export interface UnsavedRow {
  /** Id of the row, or key of a new one. */
  readonly key: string
  /** The record's name; empty for a new row that has none yet. */
  readonly name: string
  /** `waits`: it is sent by itself; `open`: a new row that the focus has not left. */
  readonly state: 'refused' | 'stale' | 'waits' | 'open'
  /** The first cell that is refused, else the first that was typed; null: the whole row. */
  readonly field: Field | null
  /** Why it is not stored; null: it waits. */
  readonly reason: Message | string | null
}

type Entry = readonly [key: string, edit: RowEdit]

export function unsavedRows(context: GridContext): UnsavedRow[] {
  return listUnsavedEntries(context).map((entry) => buildUnsavedRow(context, entry))
}

export function hasUnsaved(context: GridContext): boolean {
  return listUnsavedEntries(context).length > 0
}

/** Whether nothing of what is unsaved can be stored without the user. */
export function isStuck({ edits }: GridContext): boolean {
  return !hasWaiting(edits) && !Object.values(edits).some(({ isSaving }) => isSaving)
}

/** The unsaved row after the active cell's, and after the last one the first again; null: none. */
export function nextUnsaved(context: GridContext): UnsavedRow | null {
  const entries = listUnsavedEntries(context)
  const at = entries.findIndex(([key]) => indexOfKey(context, key) === context.selection.anchor.row)
  const next = entries[(at + 1) % Math.max(1, entries.length)]
  return next === undefined ? null : buildUnsavedRow(context, next)
}

/**
 * Selects the next unsaved cell. A row that the filters hide, or that is not loaded, is shown below the
 * others until the rows are read again.
 */
export function shownNext(context: GridContext): Partial<GridContext> {
  const next = nextUnsaved(context)
  const edit = next === null ? undefined : context.edits[next.key]
  if (next === null || edit === undefined) return {}
  const known = indexOfKey(context, next.key)
  const added =
    known === null
      ? [...context.added, { key: next.key, row: storedRow(next.key, edit) }]
      : context.added
  const row = known ?? (context.total ?? 0) + added.length - 1
  const col = context.columns.findIndex(({ attrName }) => attrName === next.field?.attrName)
  const place = { row, col: Math.max(0, col) }
  return { added, ...selectRange({ ...context, added }, { anchor: place, focus: place }) }
}

/** Gives up everything that is not stored. */
export function droppedAll(context: GridContext): Partial<GridContext> {
  const isOfRow = ({ key }: { readonly key: string }) => !key.startsWith(newKeyMark)
  const kept = (steps: GridContext['history']['undo']) =>
    steps.filter((step) => step.kind === 'rows' || step.cells.every(isOfRow))
  const { undo, redo } = context.history
  const next = { edits: {}, added: context.added.filter(({ row }) => row !== null) }
  return {
    ...next,
    edit: null,
    history: { version: 1, undo: kept(undo), redo: kept(redo) },
    selection:
      selectRange({ ...context, ...next }, context.selection).selection ?? context.selection,
  }
}

/** New rows are sent when the grid is left, wherever the focus is. */
export function releasedAll(context: GridContext): Partial<GridContext> {
  return { edits: releaseNewRows(context, true) }
}

/** The number of a row in the grid; null while it is not loaded. */
function indexOfKey({ added, blocks, total }: GridContext, key: string): number | null {
  const below = added.findIndex((each) => (each.row?.id ?? each.key) === key)
  if (below !== -1) return (total ?? 0) + below
  for (const [block, rows] of Object.entries(blocks)) {
    const at = rows.findIndex(({ id }) => id === key)
    if (at !== -1) return Number(block) * limits.gridBlock + at
  }
  return null
}

function listUnsavedEntries({ edits }: GridContext): readonly Entry[] {
  return Object.entries(edits).filter(([, edit]) => edit.id !== null || !isBlankEdit(edit))
}

function buildUnsavedRow({ config, columns }: GridContext, [key, edit]: Entry): UnsavedRow {
  const [fault] = Object.entries(edit.faults)
  const [first] = fault === undefined || fault[0] === '' ? Object.keys(edit.values) : [fault[0]]
  const isWhole = fault?.[0] === ''
  return {
    key,
    name: recordName(edit.id === null ? { ...edit.values, id: '' } : storedRow(key, edit), config),
    state:
      edit.theirs !== null
        ? 'stale'
        : fault !== undefined
          ? 'refused'
          : edit.isReleased
            ? 'waits'
            : 'open',
    field: isWhole ? null : (columns.find(({ attrName }) => attrName === first) ?? null),
    reason: edit.theirs !== null ? { key: 'grid.staleRow' } : (fault?.[1] ?? null),
  }
}

/** A stored row as far as it is known. */
function storedRow(id: string, { base, theirs, values }: RowEdit): Row {
  return theirs ?? base ?? { ...values, id }
}
