// Texts in columns of a terminal, measured and cut by graphemes: what a reader sees as one character.
import stringWidth from 'string-width'
import type { ItemTone } from '@jiaowu/api/entity/values'
import { clean } from './terminal-text.ts'

/** A cell's text as it is shown, in its width. */
type Paint = (text: string, row: number, column: number) => string

const colours = { green: 32, blue: 34, orange: 33, red: 31, grey: 90 } as const satisfies Readonly<
  Record<ItemTone, number>
>

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const gap = '  '
/** Columns of a terminal that a cell takes at most, and below which it is not cut to fit a line. */
const [maxCell, minCell] = [40, 8]

/** Width of a text in terminal columns; a Chinese character takes two. */
export const measureText = (text: string): number => stringWidth(text)

/** Content of a table. */
export interface TableCells {
  readonly heads: readonly string[]
  readonly cells: readonly (readonly string[])[]
  /** Tone of a cell, such as that of a state. */
  readonly toneAt?: (row: number, column: number) => ItemTone | undefined
}

interface FittedTable {
  readonly lines: readonly string[]
  /** Headings of the last columns, for which a line has no room. */
  readonly hidden: readonly string[]
}

/**
 * Lines of an aligned table; cells are cleaned, put on one line and cut.
 * @param room columns of the terminal; infinite where lines may be as long as they are
 * @param paint colours a cell of a row; the heads are row -1
 */
export function fittedTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  room = Number.POSITIVE_INFINITY,
  paint: Paint = (text) => text,
): FittedTable {
  const cells = [heads, ...rows].map((row) => row.map((cell) => clean(cell).replace(/\s+/g, ' ')))
  const natural = heads.map((_head, column) =>
    Math.min(maxCell, Math.max(...cells.map((row) => measureText(row[column] ?? '')))),
  )
  const widths = fittedWidths(natural, room)
  return {
    lines: cells.map((row, number) =>
      widths
        .map((width, column) => paint(fit(row[column] ?? '', width), number - 1, column))
        .join(gap)
        .trimEnd(),
    ),
    hidden: heads.slice(widths.length),
  }
}

/**
 * Each row as a block of lines with heads and values, for a terminal too narrow for columns. Empty values are left out.
 */
export function recordLines({ heads, cells }: TableCells, paint: Paint = (text) => text): string[] {
  const names = heads.map((head) => clean(head))
  const width = Math.max(...names.map(measureText))
  return cells.flatMap((row, number) => [
    ...(number === 0 ? [] : ['']),
    ...names.flatMap((name, column) => {
      const text = clean(row[column] ?? '').replace(/\s+/g, ' ')
      return text === '' ? [] : [`${fit(name, width)}${gap}${paint(text, number, column)}`]
    }),
  ])
}

/** Colours of the tones of choices, by `toneAt` of a table. */
export function createPaint({ toneAt }: TableCells): Paint {
  return (text, row, column) => {
    const tone = row < 0 ? undefined : toneAt?.(row, column)
    return tone === undefined || text.trim() === ''
      ? text
      : `\u001b[${colours[tone]}m${text}\u001b[39m`
  }
}

/** Widths of the first columns: as many as a line holds, the widest ones narrowed first. */
function fittedWidths(natural: readonly number[], room: number): number[] {
  const total = (widths: readonly number[]) =>
    widths.reduce((sum, width) => sum + width, 0) + gap.length * Math.max(0, widths.length - 1)
  const least = natural.map((width) => Math.min(width, minCell))
  let count = natural.length
  while (count > 1 && total(least.slice(0, count)) > room) count -= 1
  const widths = natural.slice(0, count)
  for (let over = total(widths) - room; over > 0; over -= 1) {
    const widest = widths.indexOf(Math.max(...widths))
    const width = widths[widest] ?? 0
    if (width <= 1) break
    widths[widest] = width - 1
  }
  return widths
}

/** The text in exactly `width` columns. A cut never parts a letter from its marks. */
export function fit(text: string, width: number): string {
  const own = measureText(text)
  if (own <= width) return text + ' '.repeat(width - own)
  let [cut, taken] = ['', 0]
  for (const { segment } of graphemes.segment(text)) {
    const next = measureText(segment)
    if (taken + next > width - 1) break
    cut += segment
    taken += next
  }
  return `${cut}…${' '.repeat(Math.max(0, width - taken - 1))}`
}
