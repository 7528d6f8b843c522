// Surveys the cells of a whole sheet, whatever its first rows show: an import tells of every cell
// that it does not take.
import { cutText } from '@jiaowu/api/cut-text'
import { cellIsBlank, cellText, type RawRow } from './model.ts'

/** A sheet to survey, and the row of its heading; 0 without one. */
export interface SurveyedSheet {
  readonly index: number
  readonly headerRow: number
}

/** The values of a column below the heading. */
export interface ColumnUse {
  /** From 1. */
  readonly column: number
  readonly cells: number
  /** Row of the first value. */
  readonly first: number
  readonly samples: readonly string[]
}

export interface SheetSurvey {
  readonly index: number
  /** Rows below the heading. */
  readonly rows: number
  /** Columns with values, in order. */
  readonly columns: readonly ColumnUse[]
  /** Cells in columns beyond those that are read; null without any. */
  readonly beyond: { readonly cells: number; readonly row: number; readonly column: number } | null
  /** Rows below the heading that the spreadsheet does not show, and the first of them. */
  readonly hidden: { readonly rows: number; readonly first: readonly number[] }
}

const samplesOf = { count: 3, characters: 60 }
const hiddenListed = 5

export async function surveySheet(
  { index, headerRow }: SurveyedSheet,
  chunks: AsyncGenerator<readonly RawRow[]>,
  mostRows: number,
): Promise<SheetSurvey> {
  let [rows, below] = [0, 0]
  const uses: { cells: number; first: number; samples: string[] }[] = []
  let beyond: { cells: number; row: number; column: number } | null = null
  const hidden = { rows: 0, first: [] as number[] }
  for await (const chunk of chunks) {
    for (const row of chunk) {
      if (row.beyond !== undefined) {
        beyond ??= { cells: 0, row: row.row, column: row.beyond.column }
        beyond.cells += row.beyond.cells
      }
      if (row.row <= headerRow) continue
      below += 1
      if (row.isHidden === true) {
        hidden.rows += 1
        if (hidden.first.length < hiddenListed) hidden.first.push(row.row)
      }
      for (let at = 0; at < row.cells.length; at += 1) {
        const cell = row.cells[at] ?? null
        if (cellIsBlank(cell)) continue
        const use = (uses[at] ??= { cells: 0, first: row.row, samples: [] })
        use.cells += 1
        if (use.samples.length < samplesOf.count)
          use.samples.push(cutText(cellText(cell).trim(), samplesOf.characters))
      }
    }
    // A longer sheet is refused when its rows are read.
    rows += chunk.length
    if (rows > mostRows) break
  }
  // Columns without a value are holes of the list.
  return {
    index,
    rows: below,
    beyond,
    hidden,
    columns: Object.entries(uses).map(([at, use]) => ({ column: Number(at) + 1, ...use })),
  }
}
