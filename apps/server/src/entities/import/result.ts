// The uploaded sheet with the columns 结果 and 原因 added (docs/rules/requests.md#r2): read from the
// file a second time and joined with the ledger.
import { type ImportFormat, type Locale, t } from '@jiaowu/api'
import type { Context } from '../../context.ts'
import { type AnyDatabase, databaseOf } from '../read/rows.ts'
import { FileMissing } from '../../platform/files/driver.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Cell, SheetColumn } from '../sheets/format.ts'
import {
  cellText,
  FileProblem,
  importColumns,
  isWireCell,
  type RawCell,
  type RawRow,
  readLimits,
} from '../sheets/read/model.ts'
import { sheetResponse, sheetWriters } from '../sheets/writers.ts'
import type { ImportRecord, LedgerRow } from '../jobs/job.ts'
import { rowsBetween } from '../jobs/ledger.ts'
import { abilities, errorOf } from './present.ts'
import { readUpload } from './upload-store.ts'

interface Asked {
  readonly format: ImportFormat
  readonly only: 'all' | 'wrong'
}
interface Outcome {
  readonly result: string
  readonly reason: string
  readonly isWrong: boolean
}

interface Line {
  readonly raw: RawRow
  readonly outcome: Outcome
}

const linesOf = async function* (
  db: AnyDatabase,
  locale: Locale,
  job: ImportRecord,
  headerRow: number,
  chunks: AsyncGenerator<readonly RawRow[]>,
  only: Asked['only'],
): AsyncGenerator<Line[]> {
  for await (const chunk of chunks) {
    const raws = chunk.filter(({ row }) => row > headerRow)
    const [first, last] = [raws[0], raws.at(-1)]
    if (first === undefined || last === undefined) continue
    const ledger = new Map(
      (await rowsBetween(db, job.id, first.row, last.row)).map((row) => [row.row_no, row]),
    )
    const lines = raws.map((raw) => ({ raw, outcome: outcomeOf(locale, job, ledger.get(raw.row)) }))
    yield only === 'all' ? lines : lines.filter(({ outcome }) => outcome.isWrong)
  }
}
const asCells = async function* (
  lines: AsyncGenerator<Line[]>,
  kept: readonly number[],
): AsyncGenerator<Cell[][]> {
  for await (const chunk of lines)
    yield chunk.map(({ raw, outcome }) => [
      ...kept.map((index) => plainCell(raw.cells[index] ?? null)),
      outcome.result,
      outcome.reason,
    ])
}
const asObjects = async function* (
  lines: AsyncGenerator<Line[]>,
  headers: readonly string[],
  kept: readonly number[],
  [result, reason]: readonly [string, string],
): AsyncGenerator<Record<string, unknown>[]> {
  const wire = (cell: RawCell) => (isWireCell(cell) ? cell.wire : plainCell(cell))
  for await (const chunk of lines)
    yield chunk.map(({ raw, outcome }) => ({
      ...Object.fromEntries(
        kept.map((index, i) => [headers[i] ?? '', wire(raw.cells[index] ?? null)]),
      ),
      row: raw.row,
      [result]: outcome.result,
      [reason]: outcome.reason,
    }))
}

/** @throws Refusal 409 while the job runs, or when the file is gone */
export async function resultOf(
  context: Context,
  job: ImportRecord,
  { format, only }: Asked,
): Promise<Response> {
  if (!abilities(job).result || job.sheet === null)
    throw new Refusal(409, { key: job.file_gone ? 'transfer.file.gone' : 'transfer.job.notReady' })
  const { locale } = context
  const reading = await readUpload(context.settings, job.tenant_id, job.file, {
    ...readLimits,
    columns: importColumns,
    rows: 1_000_000,
  }).catch((error: unknown) => {
    throw error instanceof FileProblem
      ? new Refusal(409, error.text)
      : error instanceof FileMissing
        ? new Refusal(409, { key: 'transfer.file.gone' })
        : error
  })
  const columns = job.sheet.columns.filter(({ by }) => by !== 'own')
  const [kept, headers] = [
    columns.map(({ column }) => column - 1),
    columns.map(({ header }) => header),
  ]
  const own = [t(locale, 'transfer.result'), t(locale, 'transfer.reason')] as const
  const lines = linesOf(databaseOf(context), locale, job, job.sheet.headerRow, reading.rows, only)
  const sheetColumns: SheetColumn[] = [
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
    cells: () => asCells(lines, kept),
    objects: () => asObjects(lines, headers, kept, own),
  })
  body.on('error', (error) => {
    if (error.name !== 'AbortError')
      context.log.error({ err: error, job: job.id }, 'a result broke off')
  })
  const name = t(locale, 'transfer.resultName', { name: job.file.name.replace(/\.[^.]*$/, '') })
  return sheetResponse(body, name, format)
}

function outcomeOf(locale: Locale, job: ImportRecord, row: LedgerRow | undefined): Outcome {
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
    const { column, msg } = errorOf(locale, row.row_no, error)
    return column === '' ? msg : `${column}: ${msg}`
  })
  return {
    result: t(locale, word[row.verdict]),
    reason: reasons.join('; '),
    isWrong: row.verdict === 'w',
  }
}

/** Keeps numbers as numbers, so that the sheet can be corrected and uploaded again. */
function plainCell(cell: RawCell): Cell {
  return typeof cell === 'number' || cell === null ? cell : cellText(cell)
}
