// The uploaded sheet with the columns 结果 and 原因 added (docs/rules/requests.md#r2): read from the
// file a second time and joined with the ledger.
import type { ImportFormat } from '@jiaowu/api/contract/job'
import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import type { Context } from '../../model/context.ts'
import type { LoadedField } from '../../model/definition/loaded.ts'
import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'
import { FileMissing } from '../../platform/files/driver.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Cell, SheetColumn } from '../sheets/format.ts'
import {
  cellText,
  FileProblem,
  isWireCell,
  type RawCell,
  type RawRow,
  readLimits,
} from '../sheets/read/model.ts'
import { sheetResponse, sheetWriters } from '../sheets/writers.ts'
import { type ImportRecord, type LedgerRow, splitRowNumber } from '../jobs/job.ts'
import { rowsBetween } from '../jobs/ledger.ts'
import { abilities, toJobError } from './present.ts'
import { correctedRows, readCorrections } from './mending/corrections.ts'
import { numberedRows } from './rows/data-rows.ts'
import { shownCell } from './rows/personal.ts'
import { readUpload } from './upload/upload-store.ts'

interface Asked {
  readonly format: ImportFormat
  readonly only: 'all' | 'wrong'
}
interface Outcome {
  readonly result: string
  readonly reason: string
  readonly isWrong: boolean
}

interface KeptColumn {
  readonly index: number
  /** Null without a mapped field. */
  readonly field: LoadedField | null
}

interface Line {
  readonly raw: RawRow
  readonly outcome: Outcome
}

/** The name of a row's sheet; null where one sheet was imported. */
type SheetOf = ((rowNo: number) => string) | null

const linesOf = async function* (
  db: AnyDatabase,
  locale: Locale,
  job: ImportRecord,
  chunks: AsyncGenerator<readonly RawRow[]>,
  only: Asked['only'],
): AsyncGenerator<Line[]> {
  for await (const raws of chunks) {
    const [first, last] = [raws[0], raws.at(-1)]
    if (first === undefined || last === undefined) continue
    const ledger = new Map(
      (await rowsBetween(db, job, first.row, last.row)).map((row) => [row.row_no, row]),
    )
    const lines = raws.map((raw) => ({
      raw,
      outcome: formatOutcome(locale, job, ledger.get(raw.row)),
    }))
    yield only === 'all' ? lines : lines.filter(({ outcome }) => outcome.isWrong)
  }
}
const asCells = async function* (
  lines: AsyncGenerator<Line[]>,
  kept: readonly KeptColumn[],
  sheetOf: SheetOf,
): AsyncGenerator<Cell[][]> {
  for await (const chunk of lines)
    yield chunk.map(({ raw, outcome }) => [
      ...(sheetOf === null ? [] : [sheetOf(raw.row)]),
      ...kept.map(({ index, field }) => plainCell(raw.cells[index] ?? null, field)),
      outcome.result,
      outcome.reason,
    ])
}
const asObjects = async function* (
  lines: AsyncGenerator<Line[]>,
  headers: readonly string[],
  kept: readonly KeptColumn[],
  [result, reason]: readonly [string, string],
  sheetOf: SheetOf,
): AsyncGenerator<Record<string, unknown>[]> {
  const wire = (cell: RawCell, field: KeptColumn['field']) =>
    isWireCell(cell) && typeof cell.wire !== 'string' ? cell.wire : plainCell(cell, field)
  for await (const chunk of lines)
    yield chunk.map(({ raw, outcome }) => ({
      ...Object.fromEntries(
        kept.map(({ index, field }, i) => [
          headers[i] ?? '',
          wire(raw.cells[index] ?? null, field),
        ]),
      ),
      row: splitRowNumber(raw.row).row,
      ...(sheetOf === null ? {} : { sheet: sheetOf(raw.row) }),
      [result]: outcome.result,
      [reason]: outcome.reason,
    }))
}

/** @throws Refusal 409 while the job runs, or when the file is gone */
export async function createResultFile(
  context: Context,
  job: ImportRecord,
  { format, only }: Asked,
): Promise<Response> {
  if (!abilities(job).result || job.sheet === null)
    throw new Refusal(409, { key: job.file_gone ? 'transfer.file.gone' : 'transfer.job.notReady' })
  const { locale } = context
  const limits = { ...readLimits, rows: 1_000_000 }
  const encoding = job.sheet.encoding?.name ?? null
  const reading = await readUpload(
    context.settings,
    job.tenant_id,
    job.file,
    limits,
    encoding,
  ).catch((error: unknown) => {
    throw error instanceof FileProblem
      ? new Refusal(409, error.text)
      : error instanceof FileMissing
        ? new Refusal(409, { key: 'transfer.file.gone' })
        : error
  })
  const columns = job.sheet.columns.filter(({ by }) => by !== 'own')
  const entity = await context.registry.find(job.tenant_id, job.tag)
  const [kept, headers] = [
    columns.map(({ column, attrName }): KeptColumn => ({
      index: column - 1,
      field:
        attrName === null
          ? null
          : attrName === entity?.definition.idField
            ? entity.idField
            : (entity?.field(attrName) ?? null),
    })),
    columns.map(({ header }) => header),
  ]
  const own = [t(locale, 'transfer.result'), t(locale, 'transfer.reason')] as const
  const { sheets = [{ ...job.sheet, index: 0, headers: [], order: null }] } = job.options
  const raws = correctedRows(
    numberedRows(reading.rows(sheets.map(({ index }) => index)), sheets),
    await readCorrections(databaseOf(context), job),
    kept,
  )
  const lines = linesOf(databaseOf(context), locale, job, raws, only)
  const sheetOf: SheetOf =
    sheets.length < 2
      ? null
      : (rowNo) => sheets.find(({ index }) => index === splitRowNumber(rowNo).sheet)?.name ?? ''
  const sheetColumns: SheetColumn[] = [
    ...(sheetOf === null
      ? []
      : [{ header: t(locale, 'transfer.sheet'), type: 'text' as const, width: 16 }]),
    ...columns.map(({ header, samples }): SheetColumn => ({
      header,
      type: 'text',
      width: Math.min(
        40,
        Math.max(12, header.length * 2 + 2, ...samples.map((text) => text.length + 2)),
      ),
    })),
    { header: own[0], type: 'text', width: 12 },
    { header: own[1], type: 'text', width: 60 },
  ]
  const body = sheetWriters[format].write({
    sheetName: job.sheet.name,
    columns: sheetColumns,
    cells: () => asCells(lines, kept, sheetOf),
    objects: () => asObjects(lines, headers, kept, own, sheetOf),
  })
  body.on('error', (error) => {
    if (error.name !== 'AbortError')
      context.log.error({ err: error, job: job.id }, 'a result broke off')
  })
  const name = t(locale, 'transfer.resultName', { name: job.file.name.replace(/\.[^.]*$/, '') })
  return sheetResponse(body, name, format)
}

function formatOutcome(locale: Locale, job: ImportRecord, row: LedgerRow | undefined): Outcome {
  if (row === undefined) return { result: '', reason: '', isWrong: false }
  const isWritten = row.row_no <= job.written_to
  const wouldBe = job.options.dryRun || job.phase === 'review'
  const word = {
    f: isWritten
      ? 'transfer.verdict.inserted'
      : wouldBe
        ? 'transfer.verdict.fresh'
        : 'transfer.verdict.unwritten',
    c: isWritten
      ? 'transfer.verdict.updated'
      : wouldBe
        ? 'transfer.verdict.changed'
        : 'transfer.verdict.unwritten',
    s: 'transfer.verdict.same',
    w: 'transfer.verdict.wrong',
  } as const
  const reasons = (row.errors ?? []).map((error) => {
    const { column, msg } = toJobError(locale, job, row.row_no, error)
    return column === '' ? msg : `${column}: ${msg}`
  })
  return {
    result: t(locale, word[row.verdict]),
    reason: reasons.join('; '),
    isWrong: row.verdict === 'w',
  }
}

/**
 * Keeps numbers as numbers, so that the sheet can be corrected and uploaded again. Personal data is
 * masked: another person may be handed the result.
 */
function plainCell(cell: RawCell, field: KeptColumn['field']): Cell {
  if (cell === null) return null
  const text = shownCell(field, cellText(cell))
  return typeof cell === 'number' && text === cellText(cell) ? cell : text
}
