// Changes of many cells: pasted, filled, cleared, replaced.
import type { Field } from '@jiaowu/api/entity/config'
import { isEmpty, findKind } from '@jiaowu/api/fields/kinds'
import { limits } from '@jiaowu/api/limits'
import type { Row, Values, WireValue } from '@jiaowu/api/entity/values'
import { valueText } from '@jiaowu/api/fields/money'
import { type Block, extendSeries, tileBlock } from './clipboard.ts'
import type { GridContext, PasteDraft, PasteRow } from '../context.ts'
import { type CellChange, isWrapped, pastedValue } from '../edits/edits.ts'
import { toBox, isEditable, rowAt, rowCount, shownValue, valuesOfRow } from '../selection/places.ts'

interface Laid {
  /** The fields of the columns, where a heading names them; else by place. */
  readonly fields: readonly (Field | null)[]
  /** Lines that are left out, from 0. */
  readonly left: ReadonlySet<number>
}

/** The block at the selection. Rows beyond the end are new ones. */
export function pasteDraft(
  context: GridContext,
  block: Block,
  laid: Laid | null = null,
): PasteDraft {
  const { columns, selection } = context
  const box = toBox(selection)
  const cells = tileBlock(block, box.bottom - box.top + 1, box.right - box.left + 1)
  const width = cells[0]?.length ?? 0
  const count = rowCount(context)
  const readonly = new Set<string>()
  let mended = 0
  const rows = cells.flatMap((row, y): PasteRow[] => {
    const index = box.top + y
    if (laid?.left.has(y % block.length) === true) return []
    const isNew = index >= count || rowAt(context, index)?.id === null
    if (isNew && !context.mayAdd) return []
    const values: Record<string, WireValue> = isNew ? typedInNew(context, index) : {}
    for (const [x, text] of row.entries()) {
      const field = laid === null ? columns[box.left + x] : fieldAt(laid, columns, box.left, x)
      if (field === undefined) continue
      if (isEditable(context, field, isNew, rowAt(context, index)?.id)) {
        values[field.attrName] = pastedValue(field, text)
        if (isWrapped(field, text)) mended += 1
      } else readonly.add(field.attrName)
    }
    return Object.keys(values).length === 0 ? [] : [pasteRow(context, index, values)]
  })
  return {
    rows,
    cut: laid === null ? Math.max(0, box.left + width - columns.length) : 0,
    readonly: [...readonly],
    mended,
  }
}

/** A block that is repeated goes on by place. */
function fieldAt(
  { fields }: Laid,
  columns: readonly Field[],
  left: number,
  column: number,
): Field | undefined {
  const field = column < fields.length ? (fields[column] ?? undefined) : columns[left + column]
  return field !== undefined && columns.includes(field) ? field : undefined
}

/** Reads the values that a new row has before something is pasted over it. */
function typedInNew(context: GridContext, index: number): Record<string, WireValue> {
  return { ...rowAt(context, index)?.edit?.values }
}

function pasteRow(context: GridContext, index: number, values: PasteRow['values']): PasteRow {
  const found = rowAt(context, index)
  if (index >= rowCount(context))
    return { index, id: null, held: null, whole: buildNewRowValues(context), values }
  if (found === null) return { index, id: undefined, held: null, whole: null, values }
  const { id, row } = found
  const held = row === null ? null : heldIn(row, values)
  return { index, id, held, whole: valuesOfRow(found), values }
}

/** The values of a row before anything is typed into it. */
export function buildNewRowValues({ config }: GridContext): Values {
  return valuesOfRow({ key: '', id: null, row: null, edit: null, fields: config?.fields ?? [] })
}

/** The stored values of the cells that `values` would change. */
export function heldIn(row: Row, values: PasteRow['values']): PasteRow['values'] {
  return Object.fromEntries(Object.keys(values).map((name) => [name, row[name] ?? null]))
}

/** Changes of loaded cells as a draft to check; rows of the same number together. */
export function draftOfChanges(context: GridContext, changes: readonly CellChange[]): PasteDraft {
  const rows = new Map<number, PasteRow>()
  for (const { index, field, value } of changes) {
    const values = rows.get(index)?.values ?? {}
    const next = { ...values, [field.attrName]: isEmpty(value) ? null : value }
    rows.set(index, pasteRow(context, index, next))
  }
  return { rows: [...rows.values()], cut: 0, readonly: [], mended: 0 }
}

/** Null: some of the rows are not loaded. */
type Changes = readonly CellChange[] | null

export function clearChanges(context: GridContext): Changes {
  return overCells(context, (field) => findKind(field.uiType).empty)
}

/**
 * The first selected row over the others, or the selected rows continued down to `to`. Two or more
 * numbers that step evenly are continued as a series.
 */
export function fillChanges(context: GridContext, to: number | null): Changes {
  const { columns, selection } = context
  const box = toBox(selection)
  const source = to === null ? [box.top, box.top] : [box.top, box.bottom]
  const [from = 0, until = 0] = source
  const end = Math.min(to ?? box.bottom, rowCount(context) - 1)
  if (!isLoaded(context, from, Math.max(end, until))) return null
  const changes: CellChange[] = []
  for (let col = box.left; col <= box.right; col += 1) {
    const field = columns[col]
    if (field === undefined) continue
    const values: WireValue[] = []
    for (let index = from; index <= until; index += 1) {
      const found = rowAt(context, index)
      if (found !== null) values.push(shownValue(found, field))
    }
    const next = extendSeries(values, Math.max(0, end - until))
    for (const [i, value] of next.entries()) {
      const index = until + 1 + i
      const id = rowAt(context, index)?.id
      if (isEditable(context, field, id === null, id)) changes.push({ index, field, value })
    }
  }
  return changes
}

/** Texts, numbers and dates that contain `find`, with every occurrence replaced. */
export function replaceChanges(context: GridContext, find: string, by: string): Changes {
  if (find === '') return []
  return overCells(context, (field, value) => {
    const { family } = findKind(field.uiType)
    const text = family === 'choice' || family === 'flag' ? '' : valueText(field, value)
    return text.includes(find) ? text.replaceAll(find, by) : undefined
  })
}

function overCells(
  context: GridContext,
  next: (field: CellChange['field'], value: WireValue) => WireValue | undefined,
): Changes {
  const { columns, selection } = context
  const box = toBox(selection)
  if (!isLoaded(context, box.top, box.bottom)) return null
  const changes: CellChange[] = []
  for (let index = box.top; index <= box.bottom; index += 1) {
    const found = rowAt(context, index)
    if (found === null) continue
    for (const field of columns.slice(box.left, box.right + 1)) {
      const value = next(field, shownValue(found, field))
      if (value !== undefined && isEditable(context, field, found.id === null, found.id))
        changes.push({ index, field, value })
    }
  }
  return changes
}

function isLoaded(context: GridContext, top: number, bottom: number): boolean {
  const end = Math.min(bottom, rowCount(context) - 1)
  for (let index = top; index <= end; index += 1) if (rowAt(context, index) === null) return false
  return true
}

/** Whether a change is checked and confirmed before it is written. */
export function isLarge(changes: readonly CellChange[]): boolean {
  return new Set(changes.map(({ index }) => index)).size > limits.gridDirect
}

/** Whether more rows are selected than are read for a copy or a change. */
export function isTooMany(context: GridContext): boolean {
  const { top, bottom } = toBox(context.selection)
  return Math.min(bottom, rowCount(context) - 1) - top + 1 > limits.gridWhole
}

/** The selected cells as text; null when some are not loaded. */
export function selectedBlock(context: GridContext): Block | null {
  const { columns, selection } = context
  const box = toBox(selection)
  if (!isLoaded(context, box.top, box.bottom)) return null
  const end = Math.min(box.bottom, rowCount(context) - 1)
  const block: string[][] = []
  for (let index = box.top; index <= end; index += 1) {
    const found = rowAt(context, index)
    if (found !== null)
      block.push(
        columns
          .slice(box.left, box.right + 1)
          .map((field) => valueText(field, shownValue(found, field))),
      )
  }
  return block
}
