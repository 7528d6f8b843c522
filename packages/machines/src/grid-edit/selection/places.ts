// Where things are in a grid: rows by their number, cells by row and column, blocks in sight.
import { type EntityConfig, resolveEditing, type Field, isDerived } from '@jiaowu/api/entity/config'
import { holdsValue, isEmpty, findKind } from '@jiaowu/api/fields/kinds'
import { limits } from '@jiaowu/api/limits'
import type { Row, Values, WireValue } from '@jiaowu/api/entity/values'
import { derivedValues } from '@jiaowu/validation'
import type { GridContext, GridSelection, Place, RowEdit } from '../context.ts'

type Rows = Pick<GridContext, 'total' | 'added' | 'blocks' | 'edits' | 'config'>

/** The columns of a grid: those of the list, in the user's order. */
export function listGridColumns(config: EntityConfig, chosen: readonly string[] | null): Field[] {
  const listed = config.fields.filter(
    ({ uiType, isList }) => isList === 1 && holdsValue(uiType) && !findKind(uiType).secret,
  )
  if (chosen === null) return listed
  return chosen.flatMap((name) => listed.filter(({ attrName }) => attrName === name))
}

export function rowCount({ total, added }: Pick<GridContext, 'total' | 'added'>): number {
  return (total ?? 0) + added.length
}

export interface FoundRow {
  /** Id of the row, or key of a new one. */
  readonly key: string
  readonly id: string | null
  readonly row: Row | null
  readonly edit: RowEdit | null
  /** All fields of the entity, for those that follow from others. */
  readonly fields: readonly Field[]
}

/** The row at a number; null when it is not loaded. */
export function rowAt(
  { total, added, blocks, edits, config }: Rows,
  index: number,
): FoundRow | null {
  const fields = config?.fields ?? []
  const below = index - (total ?? 0)
  if (below >= 0) {
    const extra = added[below]
    if (extra === undefined) return null
    const key = extra.row?.id ?? extra.key
    return { key, id: extra.row?.id ?? null, row: extra.row, edit: edits[key] ?? null, fields }
  }
  const row = blocks[findBlockIndex(index)]?.[index % limits.gridBlock]
  return row === undefined
    ? null
    : { key: row.id, id: row.id, row, edit: edits[row.id] ?? null, fields }
}

function findBlockIndex(index: number): number {
  return Math.floor(index / limits.gridBlock)
}

/** The value that a cell shows: what was typed or follows from that, else what is stored. */
export function shownValue(found: FoundRow, field: Field): WireValue {
  const { row, edit } = found
  const { attrName } = field
  if (edit !== null && Object.hasOwn(edit.values, attrName)) return edit.values[attrName] ?? null
  const derived = isDerived(field) ? derivedIn(found) : {}
  if (Object.hasOwn(derived, attrName)) return derived[attrName] ?? null
  return row?.[attrName] ?? findKind(field.uiType).empty
}

/** The derived values of a row that is being changed. */
function derivedIn(found: FoundRow): Values {
  const { edit, fields } = found
  return edit === null || Object.keys(edit.values).length === 0
    ? {}
    : derivedValues(fields, valuesOfRow(found), Object.keys(edit.faults))
}

/** The stored values of a row with what was typed over them. */
export function valuesOfRow({ row, edit, fields }: FoundRow): Values {
  const empty =
    row === null ? fields.map(({ attrName, uiType }) => [attrName, findKind(uiType).empty]) : []
  return {
    ...(Object.fromEntries(empty) as Values),
    ...(row as Values | null),
    ...edit?.values,
  }
}

/**
 * Whether the cells of a column can be changed in a stored or in a new row. With the id of a row: its
 * own cell, which its flow may close.
 */
export function isEditable(
  context: Pick<GridContext, 'mayEdit' | 'mayAdd' | 'open'>,
  field: Field,
  isNew: boolean,
  id: string | null = null,
): boolean {
  const { mayEdit, mayAdd } = context
  const { family, markup } = findKind(field.uiType)
  return (
    !isClosed(context, field, id) &&
    (isNew ? mayAdd : mayEdit) &&
    resolveEditing(field, isNew ? 'add' : 'edit') === 'editable' &&
    family !== 'media' &&
    !markup &&
    field.numbered !== true
  )
}

/** Whether the state of the row's flow keeps the field from being changed. */
export function isClosed(
  { open }: Pick<GridContext, 'open'>,
  { attrName }: Pick<Field, 'attrName'>,
  id: string | null,
): boolean {
  const fields = id === null ? undefined : open[id]
  return fields !== undefined && !fields.includes(attrName)
}

export interface Box {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

/** First and last row and column of a selection. */
export function toBox({ anchor, focus }: GridSelection): Box {
  return {
    top: Math.min(anchor.row, focus.row),
    bottom: Math.max(anchor.row, focus.row),
    left: Math.min(anchor.col, focus.col),
    right: Math.max(anchor.col, focus.col),
  }
}

/** The place inside the grid that is nearest. */
export function inside(
  context: Pick<GridContext, 'total' | 'added' | 'columns'>,
  { row, col }: Place,
): Place {
  const within = (value: number, count: number) => Math.max(0, Math.min(value, count - 1))
  return {
    row: within(row, rowCount(context)),
    col: within(col, context.columns.length),
  }
}

/**
 * Where Ctrl and an arrow lead from a cell, as in Excel: to the last filled cell before an empty one,
 * from there to the next filled one, or to the edge of the grid. Rows that are not loaded count as
 * filled, so that a column without gaps leads to its end. `rows`, `cols`: -1, 0 or 1.
 */
export function edgeOfData(
  context: Rows & Pick<GridContext, 'columns'>,
  from: Place,
  { rows, cols }: { readonly rows: number; readonly cols: number },
): Place {
  const next = ({ row, col }: Place): Place => ({ row: row + rows, col: col + cols })
  const isInside = (at: Place) => {
    const near = inside(context, at)
    return near.row === at.row && near.col === at.col
  }
  let at = from
  if (!isInside(next(at))) return at
  const isAlong = isFilled(context, at) && isFilled(context, next(at))
  do at = next(at)
  while (isInside(next(at)) && (isAlong ? isFilled(context, next(at)) : !isFilled(context, at)))
  return at
}

function isFilled(context: Rows & Pick<GridContext, 'columns'>, { row, col }: Place): boolean {
  const field = context.columns[col]
  const found = rowAt(context, row)
  return field === undefined || found === null || !isEmpty(shownValue(found, field))
}

/** The next block to load: in sight, and not loaded; null: none. */
export function nextBlock({
  sight: [first, last],
  fresh,
  total,
}: Pick<GridContext, 'sight' | 'fresh' | 'total'>): number | null {
  const end = total === null ? first : Math.min(last, findBlockIndex(Math.max(0, total - 1)))
  for (let block = first; block <= end; block += 1) if (!fresh.includes(block)) return block
  return null
}

/** Without the blocks that are furthest from sight, when there are too many. */
export function nearSight<T>(
  blocks: Readonly<Record<string, T>>,
  [first, last]: readonly [number, number],
): Readonly<Record<string, T>> {
  const names = Object.keys(blocks)
  if (names.length <= limits.gridBlocks) return blocks
  const distance = (name: string) => Math.max(first - Number(name), Number(name) - last, 0)
  return Object.fromEntries(
    names
      .toSorted((a, b) => distance(a) - distance(b))
      .slice(0, limits.gridBlocks)
      .map((name) => [name, blocks[name] as T]),
  )
}

/** All blocks and new rows with `row` in the place of the row of its id. */
export function withRow(
  { blocks, added }: Pick<GridContext, 'blocks' | 'added'>,
  row: Row,
): Pick<GridContext, 'blocks' | 'added'> {
  for (const [name, rows] of Object.entries(blocks)) {
    const at = rows.findIndex(({ id }) => id === row.id)
    if (at !== -1) return { blocks: { ...blocks, [name]: rows.with(at, row) }, added }
  }
  const at = added.findIndex((each) => each.row?.id === row.id)
  return at === -1
    ? { blocks, added }
    : { blocks, added: added.with(at, { key: added[at]?.key ?? '', row }) }
}
