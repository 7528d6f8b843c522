// Corrects cells of rows under review. Only the corrected rows are checked again, with the rows that
// an error ties to them.
import type { contract } from '@jiaowu/api/contract/contract'
import type { Received } from '@jiaowu/api/endpoint'
import type { WireValue } from '@jiaowu/api/entity/values'
import { sql } from 'kysely'
import { loadJobRights } from '../../jobs/job-rights.ts'
import type { Context } from '../../../model/context.ts'
import { transact } from '../../../platform/database/transact.ts'
import { Invalid, Refusal } from '../../../platform/refusal.ts'
import { type ImportRecord, JobStop, type LedgerRow, sheetStride } from '../../jobs/job.ts'
import { changeJob, readJobIn } from '../../jobs/job-table.ts'
import { replaceRows, rowsOfVerdict, verdictCounts } from '../../jobs/ledger.ts'
import { unknownField } from '../../read/query.ts'
import { databaseOf } from '../../../platform/database/any-database.ts'
import { cellText, FileProblem, type RawRow } from '../../sheets/read/model.ts'
import { createPlan, dryRunRows } from '../check-phase.ts'
import { addChoices } from './new-choices.ts'
import { type Correction, correctedRow, readCorrections, saveCorrections } from './corrections.ts'
import { type OpenedFile, openFile } from '../upload/open-file.ts'
import { abilities } from '../present.ts'
import type { Plan, PlanColumn } from '../rows/draft.ts'
import { planRows } from '../rows/plan.ts'
import { primeUniques } from '../rows/unique.ts'
import { createWriter } from '../rows/write/ledger-writer.ts'

type Body = Received<(typeof contract)['job']['mend']>['body']

/** Beyond this many wrong rows the file itself is the place to correct. */
const mostWrong = 20_000

/**
 * @throws Refusal 409 when the job is not under review, 403 without the right to add choices, Invalid
 *   for an unknown column
 */
export async function mendJob(context: Context, job: ImportRecord, body: Body): Promise<void> {
  assertMendable(job)
  const db = databaseOf(context)
  const wrong = await rowsOfVerdict(db, job, 'w', mostWrong, 0)
  if (job.wrong > wrong.length)
    throw new Refusal(409, { key: 'transfer.job.tooManyWrong', params: { n: mostWrong } })
  const rights = await loadJobRights(context, job).catch(rethrowAsRefusal)
  await addChoices(
    context,
    rights.view.entity,
    body.cells.filter(({ create }) => create === true),
  )
  const file = await openFile(context, asChecked(job), rights, null).catch(rethrowAsRefusal)
  const plan = await createPlan(context, job, rights, file)
  const raws = await wrongRows(context, job, file, plan, new Set(wrong.map(({ row_no }) => row_no)))
  const corrections = parseCorrections(job, plan, raws, body)
  const again = rowsAgain(wrong, corrections)
  await primeUniques(plan, db, job, again)
  const byRow = Map.groupBy(corrections, ({ rowNo }) => rowNo)
  const mended = raws
    .filter(({ row }) => again.has(row))
    .map((raw) => correctedRow(raw, indexCorrections(byRow.get(raw.row)), plan.columns))
  const writer = await createWriter(context, rights.view.entity, rights.add, rights.update)
  const rows = await dryRunRows(writer, await planRows(plan, mended), plan.labelOf)
  await storeCorrections(context, job, rows, corrections)
}

/** Rights and files can be lost while a job waits. */
function rethrowAsRefusal(error: unknown): never {
  throw error instanceof JobStop || error instanceof FileProblem
    ? new Refusal(409, error.text)
    : error
}

function assertMendable(job: ImportRecord): void {
  if (!abilities(job).mend)
    throw new Refusal(409, { key: job.file_gone ? 'transfer.file.gone' : 'transfer.job.over' })
}

/** The job with the sheets, heading and columns that its rows were checked with. */
function asChecked(job: ImportRecord): ImportRecord {
  const { sheet, options } = job
  if (sheet === null) return job
  const names = options.sheets?.map(({ name }) => name) ?? [sheet.name]
  const isSheetless = names.length === 1 && names[0] === ''
  return {
    ...job,
    options: {
      ...options,
      pauseAt: 'none',
      mappingSeen: true,
      mapping: sheet.columns.map(({ column, attrName, empty, joined }) => ({
        column,
        attrName,
        empty,
        ...(joined !== undefined && { joined }),
      })),
      reading: {
        ...(isSheetless ? {} : { sheets: names }),
        heading: sheet.headerRow,
        ...(sheet.encoding !== undefined && { encoding: sheet.encoding.name }),
        ...(sheet.hiddenRows?.left === true && { leaveHidden: true }),
      },
    },
  }
}

/** The wrong rows as they stand in the file, with earlier corrections. */
async function wrongRows(
  context: Context,
  job: ImportRecord,
  { rows }: OpenedFile,
  plan: Plan,
  numbers: ReadonlySet<number>,
): Promise<RawRow[]> {
  const earlier = await readCorrections(databaseOf(context), job)
  const found: RawRow[] = []
  for await (const chunk of rows) {
    for (const row of chunk)
      if (numbers.has(row.row)) found.push(correctedRow(row, earlier.get(row.row), plan.columns))
    if (found.length === numbers.size) break
  }
  return found
}

/** @throws Invalid for a column that is not imported, Refusal 409 for a row that is not wrong */
function parseCorrections(
  { sheet, options: { sheets = [] } }: ImportRecord,
  { columns }: Plan,
  raws: readonly RawRow[],
  { cells, equal }: Body,
): Correction[] {
  return cells.flatMap((cell): Correction[] => {
    const column = columns.find(({ field }) => field.definition.attrName === cell.attrName)
    if (column === undefined) throw new Invalid([unknownField(cell.attrName)])
    const name = cell.sheet ?? sheet?.name
    const index = sheets.find((each) => each.name === name)?.index ?? 0
    const raw = raws.find(({ row }) => row === index * sheetStride + cell.row)
    if (raw === undefined) throw new Refusal(409, { key: 'transfer.job.notWrong' })
    const { field } = column
    const value = cell.value as WireValue
    const targets = equal
      ? raws.filter((each) => textIn(each, column) === textIn(raw, column))
      : [raw]
    return targets.map(({ row }) => ({ rowNo: row, field, value }))
  })
}

function textIn({ cells }: RawRow, { index }: PlanColumn): string {
  return cellText(cells[index] ?? null).trim()
}

/** The corrected rows, and those that another row of the file made wrong. */
function rowsAgain(
  wrong: readonly LedgerRow[],
  corrections: readonly Correction[],
): ReadonlySet<number> {
  return new Set([
    ...corrections.map(({ rowNo }) => rowNo),
    ...wrong.flatMap(({ row_no, errors }) =>
      (errors ?? []).some(({ rule }) => rule === 'duplicate') ? [row_no] : [],
    ),
  ])
}

/** The corrections of one row by attrName. */
function indexCorrections(corrections: readonly Correction[] = []) {
  return new Map(
    corrections.map(({ field, value }) => [field.definition.attrName, { value }] as const),
  )
}

async function storeCorrections(
  context: Context,
  job: ImportRecord,
  rows: readonly LedgerRow[],
  corrections: readonly Correction[],
): Promise<void> {
  await transact(databaseOf(context), async (trx) => {
    await sql`select id from sys.job
      where tenant_id = ${job.tenant_id}::int8 and id = ${job.id}::int8 for update`.execute(trx)
    const now = await readJobIn(trx, job)
    const mends = job.options.mends ?? 0
    // Another window corrected cells, or the writing began, while these were checked.
    if (now?.kind !== 'import' || (now.options.mends ?? 0) !== mends || !abilities(now).mend)
      throw new Refusal(409, { key: 'transfer.job.mendedElsewhere' })
    await replaceRows(trx, job, rows)
    await saveCorrections(trx, job, corrections)
    const patch = {
      ...(await verdictCounts(trx, job)),
      options: { ...now.options, mends: mends + 1 },
    }
    if (!(await changeJob(trx, job, [now.status], patch)))
      throw new Refusal(409, { key: 'transfer.job.mendedElsewhere' })
    context.audit(
      {
        action: 'entity.import.mend',
        object: job.tag,
        objectId: job.id,
        result: 'ok',
        detail: { cells: corrections.length },
      },
      trx,
    )
  })
}
