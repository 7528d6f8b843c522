// The column of a block that tells which row a line belongs to.
import type { Field } from '@jiaowu/api/entity/config'
import { isNamed, keyFields } from './fields.ts'
import { indexRows, isDatum, type TextIndex } from './texts.ts'
import type { BlockLine, MatchSubject } from './types.ts'

export interface KeyIndex {
  readonly field: Field
  readonly index: TextIndex
}
export interface KeyChoice extends KeyIndex {
  readonly column: number
}

/** The score of a column that is a key by its heading alone. */
const none = 1e-6
/** The share of cells from which on a column is one. */
const enough = 0.5

export function keyIndexes({ config, keys, rows, isEditable }: MatchSubject): readonly KeyIndex[] {
  const fields = keyFields(config, isEditable)
  return fields
    .filter(({ attrName }) => keys?.includes(attrName) !== false)
    .map((field) => ({ field, index: indexRows(field, rows) }))
}

/**
 * The column that finds most rows, and of those the one that tells most of them apart. A column that
 * the heading calls by the name of a key is one even when it finds none; null: nothing finds a row.
 */
export function chooseKey(
  subject: MatchSubject,
  keys: readonly KeyIndex[],
  lines: readonly BlockLine[],
  named: readonly (Field | null)[] | null,
): KeyChoice | null {
  const width = Math.max(0, ...lines.map(({ cells }) => cells.length))
  const scored = keys.flatMap(({ field, index }) =>
    Array.from({ length: width }, (_column, column) => {
      const choice = { field, index, column }
      return { choice, score: scoreKeyColumn(subject, choice, lines, named?.[column] ?? null) }
    }),
  )
  const best = scored.reduce<(typeof scored)[number] | null>(
    (most, each) => (each.score > (most?.score ?? 0) ? each : most),
    null,
  )
  return best?.choice ?? null
}

/** How well a column tells rows apart; 0: it is no key. `header`: the field that the heading names. */
function scoreKeyColumn(
  { config, columns, left }: MatchSubject,
  { field, index, column }: KeyChoice,
  lines: readonly BlockLine[],
  header: Field | null,
): number {
  if (header !== null && header !== field) return 0
  const isPlaced = columns[left + column] === field
  const isCalled = header === field
  const { found, alone, digits } = countFound(index, lines, column)
  const tells = isNamed(config, field)
  // A few cells may be alike by accident, and what many rows hold names none of them.
  const isFound = found > 0 && (isCalled || isPlaced || found >= enough)
  if (!(isFound && (tells || alone > enough)) && !(isCalled && tells)) return 0
  return (
    (none + found * alone) *
    (field.unique === true ? 2 : 1) *
    (isCalled ? 1.3 : 1) *
    (isPlaced ? 1.1 : 1) *
    (1 + digits / 5)
  )
}

/**
 * The share of the given cells that have a row, how far these are alone with it (1 of 1, half of two), and
 * the share of numbers, which name better than names do.
 */
function countFound(index: TextIndex, lines: readonly BlockLine[], column: number) {
  const given = lines.flatMap(({ cells }) => {
    const text = cells[column] ?? ''
    return text.trim() === '' ? [] : [{ count: index.find(text).length, isNumber: isDatum(text) }]
  })
  const found = given.filter(({ count }) => count > 0)
  return {
    found: given.length === 0 ? 0 : found.length / given.length,
    digits: given.length === 0 ? 0 : given.filter(({ isNumber }) => isNumber).length / given.length,
    alone:
      found.length === 0 ? 0 : found.reduce((sum, { count }) => sum + 1 / count, 0) / found.length,
  }
}

/** Whether the first line names the columns in words of its own: alone without a row, and without data. */
export function isHeadingLine({ index, column }: KeyChoice, lines: readonly BlockLine[]): boolean {
  const [first, ...others] = lines
  if (first === undefined || others.length === 0) return false
  const key = ({ cells }: BlockLine) => cells[column] ?? ''
  return (
    !first.cells.some(isDatum) &&
    index.find(key(first)).length === 0 &&
    others.every((line) => index.find(key(line)).length > 0 || /\d/.test(key(line))) &&
    others.some(({ cells }) =>
      cells.some((cell, i) => isDatum(cell) && !isDatum(first.cells[i] ?? '')),
    )
  )
}
