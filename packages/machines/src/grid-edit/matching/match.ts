// Finds the row of each line of a pasted block by a column that tells rows apart.
import type { Field } from '@jiaowu/api/entity/config'
import { findKind } from '@jiaowu/api/fields/kinds'
import type { Row } from '@jiaowu/api/entity/values'
import { valueText } from '@jiaowu/api/fields/money'
import type { Block } from '../clipboard/clipboard.ts'
import { assignColumns } from './columns.ts'
import { fieldsByLabel, findHeading } from './heading.ts'
import { chooseKey, isHeadingLine, type KeyChoice, keyIndexes } from './key.ts'
import { holdsText } from './texts.ts'
import type {
  BlockLine,
  LineVerdict,
  MatchSubject,
  PasteColumn,
  PasteLine,
  PasteMatch,
} from './types.ts'

export function matchBlock(subject: MatchSubject, block: Block): PasteMatch {
  const keys = keyIndexes(subject)
  const isKnown = (text: string) => keys.some(({ index }) => index.find(text).length > 0)
  const found = findHeading(fieldsByLabel(subject.config, subject.columns), block, isKnown)
  const first = found?.line ?? 0
  const lines = block.flatMap((cells, at) =>
    at < first || cells.every((cell) => cell.trim() === '') ? [] : [{ line: at + 1, cells }],
  )
  const named = found?.fields ?? null
  const key = chooseKey(subject, keys, lines, named)
  const isUnnamed = named === null && key !== null && isHeadingLine(key, lines)
  const body = isUnnamed ? lines.slice(1) : lines
  const heading = isUnnamed ? (lines[0]?.line ?? 0) : first
  const headers = heading === 0 ? [] : (block[heading - 1] ?? [])
  const columns = assignColumns(subject, body, { key, named, headers })
  return {
    by: key?.field.attrName ?? null,
    heading,
    columns,
    lines: key === null ? byPlace(subject, body, columns) : byKey(subject, body, columns, key),
  }
}

interface Used {
  readonly field: Field
  readonly column: number
}

function byKey(
  subject: MatchSubject,
  lines: readonly BlockLine[],
  columns: readonly PasteColumn[],
  { field, column, index }: KeyChoice,
): PasteLine[] {
  const checked = columnsFor(subject, columns, 'check')
  const names = [{ field, column }, ...checked]
  const start = lines[0]?.line ?? 1
  // Columns that can be changed may tell rows of one key apart too: the term of a mark.
  const others = columnsFor(subject, columns, 'write').filter(
    (each) => findKind(each.field.uiType).family === 'choice',
  )
  const found = lines.map((line): PasteLine => {
    const all = index.find(line.cells[column] ?? '')
    const same = holding(all, checked, line)
    const equal = same.length > 1 ? holding(same, others, line) : same
    const at = (verdict: LineVerdict, row: Row | null = null): PasteLine => ({
      line: line.line,
      verdict,
      row,
      index: row === null ? null : subject.indexOf(row),
      key: (line.cells[column] ?? '').trim(),
      held: row === null ? '' : heldIn(names, row),
      pasted: pastedIn(names, line),
    })
    const [only] = all
    const [one] = equal
    if (only === undefined) return at(isBelow(subject, line.line - start) ? 'new' : 'unknown')
    if (one !== undefined && equal.length === 1) return at('ready', one)
    if (all.length === 1) return at('differs', only)
    return at(same.length > 1 ? 'ambiguous' : 'unknown')
  })
  const times = Map.groupBy(
    found.filter(({ row }) => row !== null),
    ({ row }) => row?.id ?? '',
  )
  return found.map((each) =>
    each.verdict === 'ready' && (times.get(each.row?.id ?? '')?.length ?? 0) > 1
      ? { ...each, verdict: 'repeated' }
      : each,
  )
}

/** Pasted over the place of a new row. */
function isBelow({ top, total, mayAdd }: MatchSubject, line: number): boolean {
  return mayAdd && top + line >= total
}

function byPlace(
  subject: MatchSubject,
  lines: readonly BlockLine[],
  columns: readonly PasteColumn[],
): PasteLine[] {
  const checked = columnsFor(subject, columns, 'check')
  const start = lines[0]?.line ?? 1
  return lines.map((line): PasteLine => {
    const index = subject.top + line.line - start
    const row = index < subject.total ? subject.rowAt(index) : null
    const isHeld = row === null || holding([row], checked, line).length === 1
    return {
      line: line.line,
      verdict: isHeld ? 'ready' : 'differs',
      row,
      index,
      key: '',
      held: row === null ? '' : heldIn(checked, row),
      pasted: pastedIn(checked, line),
    }
  })
}

function columnsFor(
  { config }: MatchSubject,
  columns: readonly PasteColumn[],
  use: PasteColumn['use'],
): Used[] {
  return columns.flatMap((each, column) => {
    const field = config.fields.find(({ attrName }) => attrName === each.attrName)
    return each.use === use && field !== undefined ? [{ field, column }] : []
  })
}

/** The rows that hold what a line says; an empty cell says nothing. */
function holding(rows: readonly Row[], used: readonly Used[], { cells }: BlockLine): Row[] {
  return rows.filter((row) =>
    used.every(({ field, column }) => {
      const text = cells[column] ?? ''
      return text.trim() === '' || holdsText(field, row, text)
    }),
  )
}

function heldIn(used: readonly Used[], row: Row): string {
  return used
    .map(({ field }) => valueText(field, row[field.attrName]))
    .filter((text) => text !== '')
    .join(' ')
}

function pastedIn(used: readonly Used[], { cells }: BlockLine): string {
  return used
    .map(({ column }) => (cells[column] ?? '').trim())
    .filter((text) => text !== '')
    .join(' ')
}
