// Cells that the rows of a file get before they are read: the text of two columns joined into one, and
// the values that all rows have.
import type { FixedValue, SheetColumnInfo, SheetInfo } from '@jiaowu/api/contract/job'
import { cellIsBlank, cellText, type RawCell, type RawRow } from '../../sheets/read/model.ts'

/** The values of all rows that were chosen; proposals are none. */
export function listFixed({ fixed = [] }: Pick<SheetInfo, 'fixed'>): readonly FixedValue[] {
  return fixed.filter(({ from }) => from === null)
}

/** The index of the first fixed value in the cells of a row: beyond all columns of the sheet. */
export function fixedAt({ columns }: Pick<SheetInfo, 'columns'>): number {
  return Math.max(0, ...columns.map(({ column }) => column))
}

export const withExtraCells = async function* (
  chunks: AsyncGenerator<readonly RawRow[]>,
  sheet: Pick<SheetInfo, 'columns' | 'fixed'>,
): AsyncGenerator<readonly RawRow[]> {
  const joins = sheet.columns.filter(({ joined }) => joined !== undefined)
  const fixed = listFixed(sheet).map(({ value }) => toFixedCell(value))
  const from = fixedAt(sheet)
  for await (const chunk of chunks)
    yield joins.length === 0 && fixed.length === 0
      ? chunk
      : chunk.map((row) => extendRow(row, joins, fixed, from))
}

function extendRow(
  row: RawRow,
  joins: readonly SheetColumnInfo[],
  fixed: readonly RawCell[],
  from: number,
): RawRow {
  const cells = [...row.cells]
  for (const { column, joined = 0 } of joins) {
    const [first = null, second = null] = [cells[column - 1], cells[joined - 1]]
    if (cellIsBlank(first) && cellIsBlank(second)) continue
    while (cells.length < column) cells.push(null)
    cells[column - 1] = joinTexts(cellText(first).trim(), cellText(second).trim())
  }
  if (fixed.length > 0) while (cells.length < from) cells.push(null)
  cells.splice(from, fixed.length, ...fixed)
  return { ...row, cells }
}

/** A text is read as in a cell; what a control gives is in wire form already. */
function toFixedCell(value: FixedValue['value']): RawCell {
  return typeof value === 'string' || value === null ? value : { wire: value }
}

const halves: Readonly<Record<string, string>> = {
  一: '1',
  二: '2',
  三: '3',
  上: '1',
  下: '2',
  秋: '1',
  春: '2',
}

/** A school year and its half is a code, 2019-2020-1; names stand side by side, words apart. */
export function joinTexts(first: string, second: string): string {
  if (first === '' || second === '') return first + second
  const years = /^(\d{4})\s*[-–—~至/]\s*(\d{4})(?:学年)?度?$/.exec(first)
  const half = /^第?([123一二三上下秋春])(?:学期|季)?$/.exec(second)?.[1]
  if (years !== null && half !== undefined) return `${years[1]}-${years[2]}-${halves[half] ?? half}`
  const han = /^\p{Script=Han}+$/u
  if (han.test(first) && han.test(second)) return first + second
  return /^[\p{L} .'’-]+$/u.test(first + second) ? `${first} ${second}` : `${first}-${second}`
}

/** Headings of a school year, and of a half of it, as `bare` leaves them. */
const yearHeads = new Set(['学年', '学年度', '开课学年', '所属学年', 'schoolyear', 'academicyear'])
const halfHeads = new Set(['学期', '开课学期', '所属学期', 'term', 'semester'])
const isHalf = (text: string) => /^第?[123一二三上下秋春](?:学期|季)?$/.test(text.trim())

/** A school year beside the number of its half is one term. */
export function joinYearAndHalf(
  columns: readonly SheetColumnInfo[],
  bare: (header: string) => string,
): readonly SheetColumnInfo[] {
  const year = columns.find(
    ({ header, attrName, by }) => attrName === null && by === null && yearHeads.has(bare(header)),
  )
  const half = columns.find(
    ({ header, attrName, by, samples }) =>
      attrName !== null &&
      (by === 'label' || by === 'similar') &&
      halfHeads.has(bare(header)) &&
      samples.some((text) => text !== '') &&
      samples.every((text) => text === '' || isHalf(text)),
  )
  if (year === undefined || half === undefined) return columns
  return columns.map((each) =>
    each === year
      ? { ...each, attrName: half.attrName, by: 'similar', joined: half.column }
      : each === half
        ? { ...each, attrName: null, by: 'similar' }
        : each,
  )
}
