// Which column of the grid each column of a block is.
import type { Field } from '@jiaowu/api/entity/config'
import { isEmpty, findKind } from '@jiaowu/api/fields/kinds'
import { readTyped, validateField } from '@jiaowu/validation'
import { isChecked, isNamed, listedFields } from './fields.ts'
import type { KeyChoice } from './key.ts'
import { foldText, holdsText, indexRows, type TextIndex } from './texts.ts'
import type { BlockLine, MatchSubject, PasteColumn } from './types.ts'

interface Clues {
  /** Null: rows are found by place. */
  readonly key: KeyChoice | null
  /** The fields that a heading names; null: no heading in words of the labels. */
  readonly named: readonly (Field | null)[] | null
  readonly headers: readonly string[]
}
/** Lines whose values are looked at. */
const mostLooked = 200
/** The share of cells that makes a column the one whose values they are. */
const enough = 0.5
const most = 0.8

/**
 * By the heading; without one by place, where the values fit; else by the values. A column that can be
 * changed is never guessed where the heading calls it something else.
 */
export function assignColumns(
  subject: MatchSubject,
  lines: readonly BlockLine[],
  { key, named, headers }: Clues,
): PasteColumn[] {
  const width = Math.max(0, ...lines.map(({ cells }) => cells.length))
  const looked = lines.slice(0, mostLooked)
  const taken = new Set<string>(key === null ? [] : [key.field.attrName])
  for (const field of named ?? []) if (field !== null) taken.add(field.attrName)
  const indexes = new Map<Field, TextIndex>()
  const known: Known = {
    subject,
    key,
    lines: looked,
    indexOf: (field) => {
      const index = indexes.get(field) ?? indexRows(field, subject.rows)
      indexes.set(field, index)
      return index
    },
  }
  return Array.from({ length: width }, (_column, column): PasteColumn => {
    const header = (headers[column] ?? '').trim()
    if (column === key?.column) return { header, attrName: key.field.attrName, use: 'key' }
    const field = named?.[column] ?? fieldFor(known, column, taken, named === null ? null : header)
    if (field === null) return { header, attrName: null, use: 'none' }
    taken.add(field.attrName)
    return { header, attrName: field.attrName, use: resolveColumnUse(subject, field) }
  })
}

function resolveColumnUse({ columns, isEditable }: MatchSubject, field: Field): PasteColumn['use'] {
  if (columns.includes(field) && isEditable(field)) return 'write'
  return isChecked(field) ? 'check' : 'none'
}

interface Known {
  readonly subject: MatchSubject
  readonly key: KeyChoice | null
  readonly lines: readonly BlockLine[]
  readonly indexOf: (field: Field) => TextIndex
}

/** `header`: what a heading says that names no field; null: there is none. */
function fieldFor(
  known: Known,
  column: number,
  taken: ReadonlySet<string>,
  header: string | null,
): Field | null {
  const free = (field: Field) => !taken.has(field.attrName)
  const placed = placedField(known, column)
  const aligned = placed !== undefined && free(placed) ? placed : null
  if (known.key === null && header === null) return aligned
  const use = aligned === null ? 'none' : resolveColumnUse(known.subject, aligned)
  const share = aligned === null ? 0 : (valueShare(known, aligned, column) ?? 1)
  const isLaid = use === 'write' && header === null
  if (isLaid && share >= most) return aligned
  const found = fieldByValues(known, column, free, { first: aligned, mayType: header === null })
  if (found !== null || aligned === null) return found
  // Names that no row has: that is what has to be said.
  return (use === 'check' && isName(known.subject, aligned, header)) || (isLaid && share > 0)
    ? aligned
    : null
}

interface Search {
  /** The field that is looked at before others. */
  readonly first: Field | null
  /** Whether a column that can be changed may be found. */
  readonly mayType: boolean
}

function fieldByValues(
  known: Known,
  column: number,
  free: (field: Field) => boolean,
  { first, mayType }: Search,
): Field | null {
  const { subject } = known
  const isUsed = (field: Field, use: PasteColumn['use']) =>
    free(field) && resolveColumnUse(subject, field) === use
  const fields = [...(first === null ? [] : [first]), ...listedFields(subject.config)]
  const held = fields.find(
    (field) => isUsed(field, 'check') && heldShare(known, field, column) >= enough,
  )
  if (held !== undefined || !mayType) return held ?? null
  const typed = subject.columns.find(
    (field) =>
      isUsed(field, 'write') && isTyped(field) && (valueShare(known, field, column) ?? 0) >= most,
  )
  return typed ?? null
}

/** The field at the place of a column, counted from the key where that is a column of the grid. */
function placedField(
  { subject: { columns, left }, key }: Known,
  column: number,
): Field | undefined {
  const at = key === null ? -1 : columns.indexOf(key.field)
  return at === -1 || key === null ? columns[left + column] : columns[at + column - key.column]
}

/** Whether a column without a heading of its own, or with one that says so, holds names. */
function isName({ config }: MatchSubject, field: Field, header: string | null): boolean {
  if (header === null) return findKind(field.uiType).family !== 'flag'
  return isNamed(config, field) && /(?:名|名称|name)$/i.test(foldText(header))
}

/** Kinds whose values not every text can be. */
function isTyped(field: Field): boolean {
  const { family } = findKind(field.uiType)
  return family === 'number' || family === 'temporal' || field.dictData !== undefined
}

function cellsIn({ lines }: Known, column: number): string[] {
  return lines.map(({ cells }) => cells[column] ?? '').filter((cell) => cell.trim() !== '')
}

/** The share of cells that hold what their row holds, or at least what some row holds. */
function heldShare(known: Known, field: Field, column: number): number {
  const cells = cellsIn(known, column)
  if (cells.length === 0) return 0
  const index = known.indexOf(field)
  const some = cells.filter((cell) => index.find(cell).length > 0).length
  return Math.max(some, ownShare(known, field, column)) / cells.length
}

function ownShare({ key, lines }: Known, field: Field, column: number): number {
  if (key === null) return 0
  return lines.filter(({ cells }) => {
    const [row] = key.index.find(cells[key.column] ?? '')
    const text = cells[column] ?? ''
    return row !== undefined && text.trim() !== '' && holdsText(field, row, text)
  }).length
}

/** The share of cells that can be values of a field; null when all are empty. */
function valueShare(known: Known, field: Field, column: number): number | null {
  const cells = cellsIn(known, column)
  return cells.length === 0
    ? null
    : cells.filter((cell) => isValue(field, cell)).length / cells.length
}

function isValue(field: Field, cell: string): boolean {
  if (field.dictData !== undefined) {
    const names = new Set(field.dictData.flatMap(({ id, name }) => [id, name]).map(foldText))
    // One choice may have a comma in its name.
    if (names.has(foldText(cell))) return true
    const words = findKind(field.uiType).multiple ? cell.split(/[,，、;；]/) : [cell]
    return words.every((word) => names.has(foldText(word)))
  }
  const { value, fault } = readTyped(field, cell)
  if (findKind(field.uiType).family === 'choice') return true
  return (
    value !== undefined && !isEmpty(value) && fault === null && validateField(field, value) === null
  )
}
