// Which sheets of a workbook are imported, and where their headings are: as the user chose, as
// remembered for a file of this shape, or by what fits the entity best.
import type { RememberedImport, SheetChoice, SheetColumnInfo } from '@jiaowu/api/contract/job'
import {
  previewRows,
  type RawHead,
  type RawRow,
  type SheetPreview,
} from '../../sheets/read/model.ts'
import type { ImportRecord, ReadSheet } from '../../jobs/job.ts'
import {
  findHeading,
  type Heading,
  headingAt,
  type HeadingClues,
  listRowTexts,
} from '../rows/heading.ts'
import { isDataRow } from '../rows/guess-columns.ts'

export interface SheetsChosen {
  readonly sheets: readonly ReadSheet[]
  readonly columns: readonly SheetColumnInfo[]
  readonly choices: readonly SheetChoice[]
  /** False when no column names a field: the heading is then a guess for the user to move. */
  readonly isFound: boolean
  /** Name of a chosen sheet with another heading than the first; null when there is none. */
  readonly unlike: string | null
}
type Shape = NonNullable<RememberedImport['shapes']>[number]

/** Sheets that explain others: never chosen by themselves, as hidden ones. */
const explains =
  /^(?:填写|填表|使用|导入|操作)?(?:说明|须知|帮助|指南|目录|封面|示例|样例|字典|代码表)|^_|^(?:instructions?|readme|help|notes?|legend|index|cover)/i

export function chooseSheets(
  head: RawHead,
  clues: HeadingClues,
  job: Pick<ImportRecord, 'options' | 'sheet' | 'file'>,
  shapes: readonly Shape[],
): SheetsChosen {
  const { sheets } = head
  const found = sheets.map(({ rows }) =>
    job.file.format === 'ndjson' ? findHeading(rows.slice(0, 1), clues) : findHeading(rows, clues),
  )
  const shape = shapes.find((each) => isShaped(each, sheets, found)) ?? null
  const indexes = findWantedSheets(job, sheets, shape) ?? [chooseBestSheet(sheets, found)]
  const [main = 0] = indexes
  const row = findPinnedHeading(job, shape)
  const rows = sheets[main]?.rows ?? []
  const detected = found[main] ?? null
  const heading =
    row !== null
      ? headingAt(rows, row, clues)
      : (detected ?? withoutGuesses(headingAt(rows, likelyHeading(rows), clues)))
  const likes = sheets.map((sheet, index) =>
    index === main ? heading.row : alignedRow(sheet.rows, heading),
  )
  return {
    sheets: indexes.flatMap((index) => {
      const sheet = sheets[index]
      const like = index === main ? null : (likes[index] ?? null)
      return sheet === undefined ? [] : [chosenSheet(index, sheet, heading, like)]
    }),
    columns: heading.columns,
    choices: sheets.map(({ name, isHidden }, index) => ({
      name,
      ...(isHidden === true ? { isHidden } : {}),
      chosen: indexes.includes(index),
      fits: found[index]?.fits ?? 0,
      alike: likes[index] !== null && (found[index] !== null || heading.row === 0),
    })),
    isFound: row !== null || detected !== null,
    unlike: sheets[indexes.find((index) => (likes[index] ?? null) === null) ?? -1]?.name ?? null,
  }
}

function findWantedSheets(
  { options: { reading } }: Pick<ImportRecord, 'options'>,
  sheets: readonly SheetPreview[],
  shape: Shape | null,
): number[] | null {
  const names = reading?.sheets ?? (shape !== null && shape.sheets.length > 0 ? shape.sheets : null)
  if (names === null) return null
  // A hidden sheet is read when it is asked for, and not because it was once.
  const isAsked = reading?.sheets !== undefined
  const indexes = sheets.flatMap(({ name, isHidden }, index) =>
    names.includes(name) && (isAsked || isHidden !== true) ? [index] : [],
  )
  return indexes.length === 0 ? null : indexes
}

/**
 * The heading row that is decided already. Assigning columns by hand keeps the heading that was
 * shown with them.
 */
function findPinnedHeading(
  { options: { reading, mapping }, sheet }: Pick<ImportRecord, 'options' | 'sheet'>,
  shape: Shape | null,
): number | null {
  if (reading?.heading !== undefined) return reading.heading
  if (Array.isArray(mapping) && sheet !== null && reading === null) return sheet.headerRow
  return shape?.heading ?? null
}

/** The sheet whose heading fits best, else the first that is shown, has rows and explains no other. */
export function chooseBestSheet(
  sheets: readonly SheetPreview[],
  found: readonly (Heading | null)[],
): number {
  const scores = sheets.map(({ name, rows, isHidden }, index) =>
    isHidden === true
      ? -3
      : rows.length === 0
        ? -2
        : explains.test(name.trim())
          ? -1
          : (found[index]?.fits ?? 0),
  )
  const best = Math.max(...scores)
  if (best < 2) return scores.indexOf(best)
  // One heading more says less than many more rows, and of equals the first sheet counts.
  const near = scores.flatMap((score, index) => (score >= best - 1 ? [index] : []))
  const rowsIn = (index: number) => sheets[index]?.rows.length ?? 0
  const [most = 0] = near.toSorted((a, b) => rowsIn(b) - rowsIn(a) || a - b)
  const exact = scores.indexOf(best)
  return scores[most] === best || rowsIn(most) >= 2 * rowsIn(exact) || isFull(rowsIn(exact))
    ? most
    : exact
}

/** Whether a preview has all the rows that it can have. */
const isFull = (rows: number) => rows >= previewRows

/** Whether the file is like one whose heading was chosen by hand. */
function isShaped(
  shape: Shape,
  sheets: readonly SheetPreview[],
  found: readonly (Heading | null)[],
): boolean {
  const names = sheets.map(({ name }) => name)
  if (!shape.sheets.every((name) => names.includes(name))) return false
  const at = shape.sheets.length === 0 ? 0 : names.indexOf(shape.sheets[0] ?? '')
  // A file without a heading is recognised by not having one, and by its full first row.
  if (shape.heading === 0) {
    const [first] = sheets[at]?.rows ?? []
    const width = listRowTexts(first).filter((text) => text !== '').length
    return (found[at]?.fits ?? 0) < 2 && width === shape.headers.length
  }
  const texts = listRowTexts(sheets[at]?.rows.find(({ row }) => row === shape.heading))
  const headers = shape.headers.filter((header) => header !== '')
  return headers.length > 0 && headers.every((header) => texts.includes(header))
}

/** The number of the row that may be a heading; 0: it holds data, so there is none. */
export function likelyHeading(rows: readonly RawRow[]): number {
  const number = likelyRow(rows)
  const row = rows.find((each) => each.row === number)
  return row !== undefined && isDataRow(row) ? 0 : number
}

/** The first row that is nearly as wide as the widest: titles above it are shorter. */
function likelyRow(rows: readonly RawRow[]): number {
  const widths = rows.map((row) => listRowTexts(row).filter((text) => text !== '').length)
  const most = Math.max(0, ...widths)
  return rows[widths.findIndex((width) => width >= most * 0.8)]?.row ?? 1
}

function withoutGuesses(heading: Heading): Heading {
  return {
    ...heading,
    columns: heading.columns.map((column) =>
      column.by === 'asked' ? column : { ...column, by: null },
    ),
  }
}

/** The row of another sheet that has most of the heading's texts; null when it has too few. */
function alignedRow(rows: readonly RawRow[], heading: Heading): number | null {
  if (heading.row === 0) return 0
  const headers = heading.columns
    .filter(({ attrName, header }) => attrName !== null && header !== '')
    .map(({ header }) => header)
  const scores = rows.map((row) => {
    const texts = listRowTexts(row)
    return headers.filter((header) => texts.includes(header)).length
  })
  const best = Math.max(0, ...scores)
  return headers.length > 0 && best >= headers.length * 0.7
    ? (rows[scores.indexOf(best)]?.row ?? null)
    : null
}

/** `row`: of its heading; null for the first sheet, whose order counts. */
function chosenSheet(
  index: number,
  { name, rows }: SheetPreview,
  heading: Heading,
  row: number | null,
): ReadSheet {
  const headers = heading.columns.map(({ header }) => header)
  const base = { index, name, headerRow: row ?? heading.row, headers }
  if (row === null || row === 0) return { ...base, order: null }
  const texts = listRowTexts(rows.find((each) => each.row === row))
  const width = Math.max(0, ...heading.columns.map(({ column }) => column))
  const order = Array.from({ length: width }, (_, at) => {
    const header = heading.columns.find(({ column }) => column === at + 1)?.header ?? ''
    const from = header === '' || texts[at] === header ? at : texts.indexOf(header)
    // The text of a merged heading stands above this row.
    return from === -1 && (texts[at] ?? '') === '' ? at : from
  })
  return { ...base, order: order.every((from, at) => from === at) ? null : order }
}
