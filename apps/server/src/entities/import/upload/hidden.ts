// Finds the parts that a spreadsheet does not show: hidden sheets, columns and rows, and rows that a filter leaves out.
// The review says of each what is taken (docs/rules/contract.md#entity-data).
import type { SheetInfo } from '@jiaowu/api/contract/job'
import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import type { ImportRecord } from '../../jobs/job.ts'
import type { RawHead } from '../../sheets/read/model.ts'
import type { SheetSurvey } from '../../sheets/read/survey.ts'
import { columnLetter } from '../rows/heading.ts'
import type { SheetsChosen } from './choose-sheets.ts'

export interface HiddenFile {
  readonly survey: readonly SheetSurvey[]
  /** Whether hidden rows are not imported. */
  readonly leaveHidden: boolean
}

/** Whether the user leaves out the rows that the spreadsheet does not show. */
export function leavesHidden({ options }: Pick<ImportRecord, 'options'>): boolean {
  return options.reading?.leaveHidden === true
}

/** The choice about hidden rows; none for a file without any. */
export function findHidden(
  job: Pick<ImportRecord, 'options'>,
  survey: readonly SheetSurvey[],
): Pick<SheetInfo, 'hiddenRows'> {
  const rows = survey.reduce((sum, { hidden }) => sum + hidden.rows, 0)
  return rows === 0 ? {} : { hiddenRows: { rows, left: leavesHidden(job) } }
}

/** A sentence for each kind of what is hidden. The column of ids that an export hides is its own. */
export function listHiddenNotes(
  locale: Locale,
  head: RawHead,
  { sheets, columns, choices, survey, leaveHidden }: SheetsChosen & HiddenFile,
  idName: string,
): string[] {
  const place = (name: string) => (sheets.length < 2 ? '' : `${name}!`)
  const hiddenSheets = choices.filter(({ isHidden }) => isHidden === true)
  const names = (chosen: boolean) =>
    hiddenSheets.filter((each) => each.chosen === chosen).map(({ name }) => name)
  const rows = sheets.flatMap(({ index, name }) =>
    (survey.find((each) => each.index === index)?.hidden.first ?? []).map(
      (row) => `${place(name)}${row}`,
    ),
  )
  const n = survey.reduce((sum, { hidden }) => sum + hidden.rows, 0)
  const taken = new Map(
    columns
      .filter(({ attrName }) => attrName !== null && attrName !== idName)
      .map(({ column, header }) => [column, header]),
  )
  const hiddenColumns = sheets.flatMap(({ index, name, order }) =>
    (head.sheets[index]?.hiddenColumns ?? []).flatMap((column) => {
      // The columns of further sheets stand in the order of the first.
      const at = order === null ? column : order.indexOf(column - 1) + 1
      const header = taken.get(at)
      return header === undefined ? [] : [`${place(name)}${columnLetter(column)} ${header}`.trim()]
    }),
  )
  const told = { n, rows: `${rows.join('、')}${n > rows.length ? '…' : ''}` }
  return [
    ...say(names(false), (list) => t(locale, 'transfer.note.hiddenSheets', { sheets: list })),
    ...say(names(true), (list) => t(locale, 'transfer.note.hiddenSheetsRead', { sheets: list })),
    ...say(hiddenColumns, (list) => t(locale, 'transfer.note.hiddenColumns', { columns: list })),
    ...(n === 0
      ? []
      : [t(locale, leaveHidden ? 'transfer.note.hiddenLeft' : 'transfer.note.hiddenRead', told)]),
  ]
}

function say(names: readonly string[], text: (list: string) => string): string[] {
  return names.length === 0 ? [] : [text(names.join('、'))]
}
