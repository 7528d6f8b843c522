// The cells of a file that an import does not take: how many they are, and where.
import type { Locale } from '@jiaowu/api/locale'
import type { SheetColumnInfo } from '@jiaowu/api/contract/job'
import { t } from '@jiaowu/api/texts/index'
import type { ReadSheet } from '../../jobs/job.ts'
import { cellIsBlank, cellText, type RawHead } from '../../sheets/read/model.ts'
import type { ColumnUse, SheetSurvey } from '../../sheets/read/survey.ts'
import { columnLetter } from '../rows/heading.ts'

export interface ReadFile {
  readonly sheets: readonly ReadSheet[]
  readonly columns: readonly SheetColumnInfo[]
  readonly survey: readonly SheetSurvey[]
  /** Columns that are read. */
  readonly width: number
}

/** A sentence for each kind of cells that are left out. */
export function untakenNotes(locale: Locale, head: RawHead, file: ReadFile): string[] {
  const isOne = file.sheets.length < 2
  const columns: string[] = []
  const notes: string[] = []
  for (const [at, sheet] of file.sheets.entries()) {
    const place = isOne ? '' : `${sheet.name}!`
    const survey = file.survey.find(({ index }) => index === sheet.index)
    const uses = survey?.columns ?? []
    const left = at === 0 ? leftOfFirst(file.columns, uses) : leftOfOther(file.columns, sheet, uses)
    columns.push(...left.map((column) => columnText(locale, place, column)))
    const above = cellsAbove(head, sheet, at === 0 ? file.columns : [])
    if (above.length > 0)
      notes.push(
        t(locale, 'transfer.note.above', {
          n: above.length,
          cells: joinFirstCells(above.map((cell) => `${place}${cell}`)),
        }),
      )
    if (survey !== undefined && survey.beyond !== null) {
      const { cells, row, column } = survey.beyond
      notes.push(
        t(locale, 'transfer.note.beyond', {
          n: file.width,
          cells,
          place: `${place}${columnLetter(column)}${row}`,
        }),
      )
    }
  }
  return columns.length === 0
    ? notes
    : [t(locale, 'transfer.note.skippedColumns', { columns: columns.join('、') }), ...notes]
}

interface LeftColumn {
  readonly header: string
  readonly letter: string
  readonly use: ColumnUse | undefined
}

function leftOfFirst(
  columns: readonly SheetColumnInfo[],
  uses: readonly ColumnUse[],
): LeftColumn[] {
  return columns
    .filter(
      ({ attrName, by, column }) =>
        attrName === null && by !== 'own' && !columns.some(({ joined }) => joined === column),
    )
    .map(({ header, letter, column }) => ({
      header,
      letter,
      use: uses.find((use) => use.column === column),
    }))
    .filter(({ header, use }) => header !== '' || use !== undefined)
}

/** Columns of a further sheet that stand under no heading of the first one. */
function leftOfOther(
  columns: readonly SheetColumnInfo[],
  { order }: ReadSheet,
  uses: readonly ColumnUse[],
): LeftColumn[] {
  const taken = new Set(
    columns
      .filter(
        ({ attrName, by, column }) =>
          attrName !== null || by === 'own' || columns.some(({ joined }) => joined === column),
      )
      .map(({ column }) => (order === null ? column : (order[column - 1] ?? -1) + 1)),
  )
  return uses
    .filter(({ column }) => !taken.has(column))
    .map((use) => ({ header: '', letter: columnLetter(use.column), use }))
}

function columnText(locale: Locale, place: string, { header, letter, use }: LeftColumn): string {
  const column = `${place}${header === '' ? letter : header}`
  if (use === undefined) return column
  return header === ''
    ? t(locale, 'transfer.note.valuesFrom', { column, n: use.cells, row: use.first })
    : t(locale, 'transfer.note.values', { column, n: use.cells })
}

/** Cells above the heading, but for those that are the upper parts of headings. */
function cellsAbove(
  head: RawHead,
  { index, headerRow }: ReadSheet,
  columns: readonly SheetColumnInfo[],
): string[] {
  const headers = new Map(columns.map(({ column, header }) => [column, header]))
  return (head.sheets[index]?.rows ?? [])
    .filter(({ row }) => row < headerRow)
    .flatMap(({ row, cells }) =>
      cells.flatMap((cell, at) => {
        const isHeading =
          !cellIsBlank(cell) &&
          headers.get(at + 1) === cellText(cell).replaceAll(/\s+/g, ' ').trim()
        return cellIsBlank(cell) || isHeading ? [] : [`${columnLetter(at + 1)}${row}`]
      }),
    )
}

const listedCells = 5

function joinFirstCells(cells: readonly string[]): string {
  return `${cells.slice(0, listedCells).join('、')}${cells.length > listedCells ? '…' : ''}`
}
