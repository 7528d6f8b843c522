// Vertically merged cells: a spreadsheet keeps their value in the first row only, and shows it in all.
import type { Archive } from './zip.ts'
import { cellIsBlank, type RawCell } from './model.ts'

/** By first row: the columns (from 0) that continue downwards, and the last row of each. */
export type Merges = ReadonlyMap<
  number,
  readonly { readonly column: number; readonly until: number }[]
>
export const noMerges: Merges = new Map()

const mergeCell = /mergeCell\s[^>]*?ref="([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})"/g
/** More than a register of one merge per row; the rest is read as it is stored. */
const mostMerges = 100_000

/**
 * The merged cells of a sheet. They are listed behind its rows, so this inflates the part once
 * without parsing the rows.
 */
export async function readMerges(archive: Archive, path: string): Promise<Merges> {
  const merges = new Map<number, { column: number; until: number }[]>()
  let [rest, isBehindRows, count] = [Buffer.alloc(0), false, 0]
  for await (const piece of await archive.open(path)) {
    let bytes = Buffer.concat([rest, piece as Buffer])
    if (!isBehindRows) {
      const end = bytes.lastIndexOf('sheetData>')
      if (!/<\/(?:\w{1,10}:)?$/.test(bytes.toString('latin1', Math.max(0, end - 14), end))) {
        rest = bytes.subarray(Math.max(0, bytes.length - 40))
        continue
      }
      bytes = bytes.subarray(end)
      isBehindRows = true
    }
    const text = bytes.toString('latin1')
    let last = 0
    for (const found of text.matchAll(mergeCell)) {
      last = found.index + found[0].length
      const [from, until] = [Number(found[2]), Number(found[3])]
      count += 1
      if (until <= from || count > mostMerges) continue
      const list = merges.get(from) ?? []
      list.push({ column: columnIndex(found[1] ?? ''), until })
      merges.set(from, list)
    }
    rest = Buffer.from(text.slice(Math.max(last, text.length - 200)), 'latin1')
  }
  return merges
}

function columnIndex(letters: string): number {
  return [...letters].reduce((n, letter) => n * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/**
 * Fills the cells of each row, in the order of the sheet, from the merged cells above. Answers how
 * many were filled. A row without a cell of its own stays blank.
 */
export function mergeFiller(merges: Merges): (row: number, cells: RawCell[]) => number {
  const open = new Map<number, { readonly until: number; readonly value: RawCell }>()
  return (row, cells) => {
    let filled = 0
    if (open.size > 0 && !cells.every(cellIsBlank))
      for (const [column, { until, value }] of open) {
        if (row > until) open.delete(column)
        else if (cellIsBlank(cells[column] ?? null)) {
          while (cells.length < column) cells.push(null)
          cells[column] = value
          filled += 1
        }
      }
    for (const { column, until } of merges.get(row) ?? []) {
      const value = cells[column] ?? null
      if (!cellIsBlank(value)) open.set(column, { until, value })
    }
    return filled
  }
}
