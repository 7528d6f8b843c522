// The outcome of every row as a file, with the columns 结果 and 原因 (docs/rules/requests.md#r2).
import type { ExportFormat } from '@jiaowu/api/contract/entity/entity-data'
import { t } from '@jiaowu/api/texts/index'
import type { Context } from '../../model/context.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Cell, SheetColumn } from '../sheets/format.ts'
import { sheetResponse, sheetWriters } from '../sheets/writers.ts'
import type { BulkRecord, LedgerRow } from '../jobs/job.ts'
import { rowsBetween } from '../jobs/ledger.ts'
import { presentRows } from '../import/present.ts'
import { abilities } from './present.ts'

const atOnce = 500

interface Line {
  readonly name: string
  readonly id: string
  readonly changes: string
  readonly result: string
  readonly reason: string
}

const linesOf = async function* (
  context: Context,
  job: BulkRecord,
  only: 'all' | 'refused',
): AsyncGenerator<Line[]> {
  for (let from = 1; ; from += atOnce) {
    const rows = await rowsBetween(databaseOf(context), job, from, from + atOnce - 1)
    if (rows.length === 0) return
    const kept = rows.filter(({ verdict }) => only === 'all' || verdict === 'w')
    const shown = await presentRows(context, job, kept)
    yield kept.map((row, i) => ({
      name: row.name,
      id: row.row_id ?? '',
      result: t(context.locale, chooseVerdictWord(job, row)),
      changes: (shown[i]?.cells ?? [])
        .map(({ label, before, after }) => `${label}: ${before ?? ''} → ${after ?? ''}`)
        .join('; '),
      reason: (shown[i]?.errors ?? [])
        .map(({ column, msg }) => (column === '' ? msg : `${column}: ${msg}`))
        .join('; '),
    }))
  }
}
const names = ['name', 'id', 'changes', 'result', 'reason'] as const
const asCells = async function* (chunks: AsyncGenerator<Line[]>): AsyncGenerator<Cell[][]> {
  for await (const lines of chunks) yield lines.map((line) => names.map((name) => line[name]))
}
const asObjects = async function* (
  chunks: AsyncGenerator<Line[]>,
): AsyncGenerator<Readonly<Record<string, unknown>>[]> {
  for await (const lines of chunks) yield lines.map((line) => ({ ...line }))
}

/** @throws Refusal 409 while the job runs */
export function bulkResult(
  context: Context,
  job: BulkRecord,
  { format, only }: { readonly format: ExportFormat; readonly only: 'all' | 'refused' },
): Response {
  if (!abilities(job).result) throw new Refusal(409, { key: 'transfer.job.notReady' })
  const { locale } = context
  const widths = { name: 24, id: 22, changes: 48, result: 12, reason: 60 } as const
  const columns = names.map((name): SheetColumn => ({
    header: t(locale, `bulk.col.${name}`),
    type: 'text',
    width: widths[name],
  }))
  const lines = linesOf(context, job, only)
  const title = t(locale, 'bulk.resultName', { name: job.tag })
  const body = sheetWriters[format].write({
    sheetName: t(locale, 'transfer.result'),
    columns,
    cells: () => asCells(lines),
    objects: () => asObjects(lines),
  })
  body.on('error', (error) => {
    if (error.name !== 'AbortError')
      context.log.error({ err: error, job: job.id }, 'a result broke off')
  })
  return sheetResponse(body, title, format)
}

function chooseVerdictWord(job: BulkRecord, { verdict, row_no }: LedgerRow) {
  const isDelete = job.options.action === 'delete'
  if (verdict === 's') return 'transfer.verdict.same' as const
  if (verdict !== 'c') return 'bulk.verdict.refused' as const
  if (row_no <= job.written_to)
    return isDelete ? ('bulk.verdict.deleted' as const) : ('transfer.verdict.updated' as const)
  return job.phase === 'review'
    ? isDelete
      ? ('bulk.verdict.toDelete' as const)
      : ('transfer.verdict.changed' as const)
    : ('transfer.verdict.unwritten' as const)
}
