// The cursor of a grid, the cell that is typed into, and rows that are added or given up.
import { findKind } from '@jiaowu/api/fields/kinds'
import { limits } from '@jiaowu/api/limits'
import type { Row, WireValue } from '@jiaowu/api/entity/values'
import { valueText } from '@jiaowu/api/fields/money'
import { sameIds } from '../../entity-form/values.ts'
import type { Direction, GridContext, GridSelection, Place, OpenFields } from '../context.ts'
import { changeCells, releaseNewRows, withEdit } from '../edits/edits.ts'
import { newKeyMark, pushStep } from '../edits/history.ts'
import {
  toBox,
  listGridColumns,
  inside,
  isEditable,
  nearSight,
  rowAt,
  shownValue,
} from './places.ts'

type Part = Partial<GridContext>

export function selectRange(context: GridContext, { anchor, focus }: GridSelection): Part {
  const selection = { anchor: inside(context, anchor), focus: inside(context, focus) }
  return { selection, edits: releaseNewRows({ ...context, selection }) }
}

export function movedBy(
  context: GridContext,
  { rows, cols, extend }: { rows: number; cols: number; extend: boolean },
): Part {
  const { anchor, focus } = context.selection
  const from = extend ? focus : anchor
  const to = { row: from.row + rows, col: from.col + cols }
  return selectRange(context, { anchor: extend ? anchor : to, focus: to })
}

const steps: Readonly<Record<Direction, Place>> = {
  down: { row: 1, col: 0 },
  up: { row: -1, col: 0 },
  right: { row: 0, col: 1 },
  left: { row: 0, col: -1 },
  none: { row: 0, col: 0 },
}
export function steppedBy(context: GridContext, move: Direction): Part {
  const { row, col } = steps[move]
  return movedBy(context, { rows: row, cols: col, extend: false })
}

/** The field and row of the active cell, where the selection began; null where nothing is loaded. */
export function findActiveCell(context: GridContext) {
  const { row, col } = context.selection.anchor
  const field = context.columns[col]
  const found = rowAt(context, row)
  return field === undefined || found === null ? null : { field, found, index: row }
}

export function canEdit(context: GridContext): boolean {
  const at = findActiveCell(context)
  return (
    at !== null &&
    (at.found.edit?.theirs ?? null) === null &&
    isEditable(context, at.field, at.found.id === null, at.found.id)
  )
}

export function beginEdit(context: GridContext, text: string | null): Part {
  const at = findActiveCell(context)
  if (at === null) return {}
  const { anchor } = context.selection
  // Choices are chosen from a list, which opens on what is chosen now.
  const isTyped = text !== null && findKind(at.field.uiType).family !== 'choice'
  return {
    selection: { anchor, focus: anchor },
    edit: { value: isTyped ? text : shownValue(at.found, at.field), isTyped },
  }
}

/** Stores what was typed as a change of the cell. */
export function commitEdit(context: GridContext): Part {
  const at = findActiveCell(context)
  const { edit } = context
  if (at === null || edit === null) return { edit: null }
  const { index, field, found } = at
  const before = shownValue(found, field)
  // Text that was not changed is not read again: `2024-09-01 00:00:00` need not become a day.
  if (sameIds(before, edit.value) || valueText(field, before) === edit.value) return { edit: null }
  const { edits, action } = changeCells(context, [{ index, field, value: edit.value as WireValue }])
  return { edit: null, edits, history: pushStep(context.history, action) }
}

export function withNewRow(context: GridContext): Part {
  const { added, nextKey, total, columns } = context
  const next = { ...context, added: [...added, { key: `${newKeyMark}${nextKey}`, row: null }] }
  const col = Math.max(
    0,
    columns.findIndex((field) => isEditable(context, field, true)),
  )
  const place = { row: (total ?? 0) + added.length, col }
  return {
    added: next.added,
    nextKey: nextKey + 1,
    ...selectRange(next, { anchor: place, focus: place }),
  }
}

export function canRevert(context: GridContext): boolean {
  const at = findActiveCell(context)
  if (at === null) return false
  const { edit, row } = at.found
  return row === null ? edit?.isSaving !== true : edit !== null && !edit.isSaving
}

/** Gives up what was typed into the row; a new row goes with it. */
export function revertedRow(context: GridContext): Part {
  const at = findActiveCell(context)
  if (at === null) return {}
  const { key, row } = at.found
  const next = {
    ...context,
    edits: withEdit(context.edits, key, null),
    added: row === null ? context.added.filter((each) => each.key !== key) : context.added,
    history: row === null ? withoutKey(context, key) : context.history,
  }
  return {
    edits: next.edits,
    added: next.added,
    history: next.history,
    selection: selectRange(next, context.selection).selection ?? context.selection,
  }
}

function withoutKey({ history }: GridContext, key: string): GridContext['history'] {
  const without = (list: GridContext['history']['undo']) =>
    list.filter((step) => step.kind === 'rows' || !step.cells.some((cell) => cell.key === key))
  return { version: 1, undo: without(history.undo), redo: without(history.redo) }
}

export interface Block {
  readonly rows: readonly Row[]
  readonly total: number | null
  readonly isEstimate: boolean
  readonly open?: OpenFields
}
export function withBlock(context: GridContext, block: Block): Part {
  const { asked, fresh, sight } = context
  const { rows } = block
  const loaded: GridContext['blocks'] = { ...context.blocks, [asked]: rows }
  const blocks = nearSight(loaded, sight)
  const next = {
    ...context,
    blocks,
    fresh: [...fresh, asked].filter((number) => Object.hasOwn(blocks, String(number))),
    ...countRows(context, block),
    isCounted: true,
  }
  return {
    blocks,
    fresh: next.fresh,
    open: { ...context.open, ...block.open },
    total: next.total,
    totalIsEstimate: next.totalIsEstimate,
    exactFor: next.exactFor,
    inexact: next.inexact,
    isCounted: true,
    selection: {
      anchor: inside(next, context.selection.anchor),
      focus: inside(next, context.selection.focus),
    },
  }
}

/** The number of rows as counted to the end. New rows, which come after it, take the selection along. */
export function withTotal(context: GridContext, total: number): Part {
  const next = { ...context, total }
  const before = context.total ?? total
  const at = ({ row, col }: GridContext['selection']['focus']) =>
    inside(next, { row: row < before ? row : row + total - before, col })
  return {
    total,
    totalIsEstimate: false,
    exactFor: formatConditions(context),
    inexact: false,
    selection: { anchor: at(context.selection.anchor), focus: at(context.selection.focus) },
  }
}

/** First and last block of the selected rows. */
export function chosenBlocks({ selection, total }: GridContext) {
  const { top, bottom } = toBox(selection)
  const end = Math.min(bottom, Math.max(0, (total ?? 0) - 1))
  return { first: Math.floor(top / limits.gridBlock), last: Math.floor(end / limits.gridBlock) }
}

/** The rows of the selected blocks, in place of those that were there. */
export function withRows(context: GridContext, rows: readonly Row[]): Part {
  const { first, last } = chosenBlocks(context)
  const blocks: Record<string, readonly Row[]> = { ...context.blocks }
  const numbers: number[] = []
  for (let block = first; block <= last; block += 1) {
    const at = (block - first) * limits.gridBlock
    blocks[block] = rows.slice(at, at + limits.gridBlock)
    numbers.push(block)
  }
  return { blocks, fresh: [...new Set([...context.fresh, ...numbers])] }
}

/** Everything is loaded again; stored new rows move to their place among the others. */
export function discardLoaded({ added }: GridContext): Part {
  return {
    fresh: [],
    isCounted: false,
    added: added.filter(({ row }) => row === null),
    problem: null,
  }
}

type Counted = Pick<GridContext, 'total' | 'totalIsEstimate' | 'exactFor' | 'inexact'>

/**
 * The number of rows. A block that is not full is the last one, which makes an estimate exact; an
 * empty one shows that there are no more than before it; a full one where an estimate ended has others
 * after it. An estimate replaces no exact number of the same conditions; it has them counted again.
 */
function countRows(context: GridContext, { rows, total, isEstimate }: Block): Counted {
  const isKnown = total !== null && isEstimate && context.exactFor === formatConditions(context)
  const known = (isKnown ? context.total : (total ?? context.total)) ?? 0
  const isGuess = total === null ? context.totalIsEstimate : isEstimate && !isKnown
  const end = context.asked * limits.gridBlock + rows.length
  const exactly = (all: number): Counted => ({
    total: all,
    totalIsEstimate: false,
    exactFor: formatConditions(context),
    inexact: false,
  })
  if (rows.length > 0 && rows.length < limits.gridBlock) return exactly(end)
  if (rows.length === 0) return exactly(Math.min(known, end))
  const inexact = total === null ? context.inexact : isEstimate
  if ((isGuess && end >= known) || (isKnown && end > known))
    return { total: end + limits.gridBlock, totalIsEstimate: true, exactFor: null, inexact }
  if (isGuess) return { total: known, totalIsEstimate: true, exactFor: null, inexact }
  return inexact
    ? { total: known, totalIsEstimate: false, exactFor: context.exactFor, inexact }
    : exactly(known)
}

function formatConditions({ query: { queries, where } }: GridContext): string {
  return JSON.stringify([queries, where ?? null])
}

export function applyConfig(
  context: GridContext,
  config: NonNullable<GridContext['config']>,
): Part {
  return { config, columns: listGridColumns(config, context.chosen), problem: null }
}
