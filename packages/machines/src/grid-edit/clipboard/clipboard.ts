// Blocks of cells as spreadsheets put them on the clipboard: tab-separated text, and HTML.
import { escapeHtml } from '@jiaowu/api/escape-html'

/** Rows of cells. Rows may have different lengths. */
export type Block = readonly (readonly string[])[]

/**
 * Reads tab-separated text. A cell in quotes may hold tabs and line breaks, with quotes doubled. The
 * line break that spreadsheets put after the last row begins no row.
 */
export function parseBlock(text: string): Block {
  const source = text.replace(/\r\n?/g, '\n').replace(/^\ufeff/, '')
  if (source === '') return []
  const rows: string[][] = [[]]
  let at = 0
  while (at <= source.length) {
    const quoted = source[at] === '"' ? quotedCell(source, at) : null
    const end = quoted?.end ?? endOfCell(source, at)
    rows.at(-1)?.push(quoted?.text ?? source.slice(at, end))
    const next = source[end]
    if (next === undefined) break
    at = end + 1
    if (next === '\n') {
      if (at === source.length) break
      rows.push([])
    }
  }
  return rows
}

function endOfCell(source: string, from: number): number {
  // Sticky search: slicing the rest for each cell would make large pastes quadratic.
  const border = /[\t\n]/g
  border.lastIndex = from
  return border.exec(source)?.index ?? source.length
}

/** Null when the quote is part of the text: nothing ends it before a tab, a line break or the end. */
function quotedCell(source: string, from: number): { text: string; end: number } | null {
  let at = from + 1
  for (;;) {
    const quote = source.indexOf('"', at)
    if (quote === -1) return null
    if (source[quote + 1] === '"') {
      at = quote + 2
      continue
    }
    const after = source[quote + 1]
    return after === undefined || after === '\t' || after === '\n'
      ? { text: source.slice(from + 1, quote).replaceAll('""', '"'), end: quote + 1 }
      : null
  }
}

/**
 * The block as tab-separated text. A line break ends it only where its last row is one empty cell,
 * which would be no row without it: spreadsheets end every row with one.
 */
export function formatBlock(block: Block): string {
  const text = block
    .map((row) =>
      row
        .map((cell) => (/[\t\n\r"\ufeff]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
        .join('\t'),
    )
    .join('\n')
  return block.length > 0 && (text === '' || text.endsWith('\n')) ? `${text}\n` : text
}

/**
 * The block as an HTML table. Blanks and line breaks of a cell stay as they are, and a spreadsheet takes
 * digits for text where a number would lose some: leading zeros and long numbers.
 */
export function htmlOfBlock(block: Block): string {
  const rows = block.map((row) => `<tr>${row.map(htmlOfCell).join('')}</tr>`)
  return `<table>${rows.join('')}</table>`
}

function htmlOfCell(cell: string): string {
  const style = [
    ...(/^\s|\s$|\s{2}|\t/.test(cell) ? ['white-space:pre-wrap'] : []),
    ...(/^(?:0\d|\d{12})\d*$/.test(cell) ? ["mso-number-format:'\\@'"] : []),
  ].join(';')
  const text = escapeHtml(cell).replaceAll(/\r\n?|\n/g, '<br>')
  return `<td${style === '' ? '' : ` style="${style}"`}>${text}</td>`
}

/**
 * The block of a paste. The text is taken where it has the shape of the HTML table beside it; programs
 * that write no text for an empty cell, or break a cell of several lines in two, have the table right.
 */
export function pastedBlock(text: string, table: Block | null): Block {
  const block = parseBlock(text)
  return table === null || table.length === 0 || isAlike(block, table) ? block : table
}

function isAlike(block: Block, table: Block): boolean {
  return (
    block.length === table.length && block.every((row, y) => row.length === (table[y]?.length ?? 0))
  )
}

/**
 * The block repeated over a selection of a whole multiple of its height or width: one copied row
 * fills ten selected ones. Otherwise the block keeps its size.
 */
export function tileBlock(block: Block, height: number, width: number): Block {
  const columns = Math.max(0, ...block.map((row) => row.length))
  if (block.length === 0 || columns === 0) return []
  const rows = height > block.length && height % block.length === 0 ? height : block.length
  const wide = width > columns && width % columns === 0 ? width : columns
  return Array.from({ length: rows }, (_row, y) =>
    Array.from({ length: wide }, (_cell, x) => block[y % block.length]?.[x % columns] ?? ''),
  )
}

/** The cells below a column's source cells: a series where two or more numbers step evenly. */
export function extendSeries<T>(source: readonly T[], count: number): readonly (T | number)[] {
  const step = findEvenStep(source)
  const last = Number(source.at(-1))
  return Array.from({ length: count }, (_cell, i) =>
    step === null
      ? (source[i % source.length] as T)
      : Number((last + step * (i + 1)).toPrecision(12)),
  )
}

function findEvenStep(source: readonly unknown[]): number | null {
  if (source.length < 2 || !source.every((each) => typeof each === 'number')) return null
  const [first = 0, second = 0] = source as readonly number[]
  const step = second - first
  return source.every(
    (each, i) =>
      Math.abs((each as number) - (first + step * i)) < 1e-9 * Math.max(1, Math.abs(first)),
  )
    ? step
    : null
}
