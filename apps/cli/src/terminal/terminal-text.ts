import { stripVTControlCharacters } from 'node:util'

/**
 * Removes escape sequences, control and direction-changing characters from text of a server
 * (docs/rules/security.md#t1).
 */
export function clean(text: string): string {
  return stripVTControlCharacters(text).replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    '',
  )
}

/**
 * JSON that a terminal shows as it is: C1 controls and direction-changing characters are escaped,
 * which parses to the same value.
 */
export function jsonText(value: unknown, indent?: number): string {
  return (JSON.stringify(value, null, indent) ?? 'null').replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Characters that take two columns: Hangul, CJK, full-width forms, emoji. */
const wide = new RegExp(
  '[\\u1100-\\u115f\\u2e80-\\u303e\\u3041-\\ua4cf\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe4f' +
    '\\uff00-\\uff60\\uffe0-\\uffe6\\u{1f300}-\\u{1faff}\\u{20000}-\\u{3fffd}]',
  'u',
)

/** Width of a text in terminal columns; a Chinese character takes two. */
export function widthOf(text: string): number {
  return [...text].reduce((width, c) => width + (wide.test(c) ? 2 : 1), 0)
}

/** Lines of an aligned table; cells are cleaned, put on one line and cut at `maxWidth` columns. */
export function tableLines(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  maxWidth = 40,
): string[] {
  const cells = [heads, ...rows].map((row) => row.map((cell) => clean(cell).replace(/\s+/g, ' ')))
  const widths = heads.map((_head, column) =>
    Math.min(maxWidth, Math.max(...cells.map((row) => widthOf(row[column] ?? '')))),
  )
  return cells.map((row) =>
    row
      .map((cell, column) => fit(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** The text in exactly `width` columns. */
export function fit(text: string, width: number): string {
  if (widthOf(text) <= width) return text + ' '.repeat(width - widthOf(text))
  let cut = ''
  for (const c of text) {
    if (widthOf(cut + c) > width - 1) break
    cut += c
  }
  return `${cut}…${' '.repeat(Math.max(0, width - widthOf(cut) - 1))}`
}
