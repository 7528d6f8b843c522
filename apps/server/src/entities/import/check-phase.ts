// Checks the uploaded file: finds the heading, maps the columns, and writes a verdict for each row
// to the ledger. The entity's own table is not changed.
import { isDerived } from '@jiaowu/api/entity/config'
import type { Locale } from '@jiaowu/api/locale'
import type { SheetInfo } from '@jiaowu/api/contract/job'
import { t } from '@jiaowu/api/texts/index'
import {
  keyFields,
  type LoadedEntity,
  type LoadedField,
  valueFields,
} from '../../model/definition/loaded.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { passwordLengthFor } from '../write/accounts.ts'
import { createDerivation } from '../write/values/derive.ts'
import { loadDefaults } from '../write/write.ts'
import type { Context } from '../../model/context.ts'
import { transact } from '../../platform/database/transact.ts'
import { JobCancelled } from '../../platform/jobs/lease.ts'
import { type ImportRecord, type LedgerRow, type LedgerRun, splitRowNumber } from '../jobs/job.ts'
import { type JobPatch, stepJob } from '../jobs/job-table.ts'
import { clearRows, saveRows } from '../jobs/ledger.ts'
import { correctedRows, readCorrections } from './mending/corrections.ts'
import type { KeyColumn, Plan, PlanColumn } from './rows/draft.ts'
import { labelIn, planRows, preparePlan } from './rows/plan.ts'
import { createResolver } from './rows/resolve.ts'
import { createUniques } from './rows/unique.ts'
import { type ChunkResult, writeChunk } from './write-phase.ts'
import { createWriter, type LedgerWriter } from './rows/write/ledger-writer.ts'
import { type Rights, rowIdColumn, stop } from './columns.ts'
import { fixedAt, listFixed } from './rows/extra-cells.ts'
import type { OpenedFile } from './upload/open-file.ts'
import type { Tally } from './rows/data-rows.ts'

export async function createPlan(
  context: Context,
  job: ImportRecord,
  rights: Rights,
  { sheet, from1904, key }: Pick<OpenedFile, 'sheet' | 'from1904' | 'key'>,
): Promise<Plan> {
  const { entity } = rights.view
  const fieldOf = (attrName: string) =>
    attrName === entity.definition.idField ? entity.idField : entity.field(attrName)
  const rowId = rowIdColumn(entity, sheet.columns)
  const columns = sheet.columns.flatMap((each): PlanColumn[] => {
    const { column, header, attrName, empty, letter } = each
    const field = attrName === null ? undefined : fieldOf(attrName)
    const shown = header === '' ? letter : header
    return field === undefined
      ? []
      : [{ index: column - 1, header: shown, field, empty, isRowId: each === rowId }]
  })
  for (const [at, { attrName, label }] of listFixed(sheet).entries()) {
    const field = entity.field(attrName)
    if (field !== undefined)
      columns.push({ index: fixedAt(sheet) + at, header: label, field, empty: 'keep' })
  }
  return preparePlan({
    context,
    entity,
    add: rights.add,
    update: rights.update,
    options: job.options,
    columns,
    from1904,
    keyColumn: key === null ? null : findKeyColumn(entity, columns, fieldOf(key)),
    resolver: await createResolver(
      context,
      valueFields(entity).filter(
        (field) =>
          columns.some((column) => column.field === field) ||
          (field.definition.options.cascades ?? []).length > 0,
      ),
    ),
    defaults: await loadDefaults(context, entity),
    derive: await createDerivation(context, entity),
    passwordLength: await passwordLengthFor(context, entity),
    uniques: createUniques(entity),
    labelOf: labelIn(context, entity),
    rowName: rowNames(sheet),
  })
}

/** Where the values of the key are; null when they are in no column. */
function findKeyColumn(
  entity: LoadedEntity,
  columns: readonly PlanColumn[],
  key: LoadedField | undefined,
): KeyColumn | null {
  if (key === undefined) return null
  const isId = key === entity.idField
  const rowId = isId ? (columns.find(({ isRowId }) => isRowId === true) ?? null) : null
  const own = columns.find(({ field, isRowId }) => field === key && isRowId !== true)
  const its = keyFields(entity).flatMap(
    (field) => columns.find((each) => each.field === field && each.isRowId !== true) ?? [],
  )
  const isWhole = isId && its.length > 1 && its.length === entity.key.length
  const parts = own !== undefined ? [own] : isWhole ? its : []
  const named = parts.length > 0 ? parts : rowId === null ? [] : [rowId]
  return named.length === 0
    ? null
    : { field: key, header: named.map(({ header }) => header).join('、'), rowId, parts }
}

/** With the name of its sheet where several are imported. */
function rowNames({ sheets = [] }: SheetInfo): Plan['rowName'] {
  const isOne = sheets.filter(({ chosen }) => chosen).length < 2
  return (rowNo) => {
    const { sheet, row } = splitRowNumber(rowNo)
    return isOne ? row : `${sheets[sheet]?.name ?? ''}!${row}`
  }
}

/** Rolls back a dry run and carries its result out of the transaction. */
class DryRunRollback extends Error {
  readonly result: ChunkResult
  constructor(result: ChunkResult) {
    super('dry run')
    this.result = result
  }
}

/**
 * Writes the rows in a transaction that is rolled back, to find what the database itself would
 * refuse.
 */
export async function dryRunRows(
  writer: LedgerWriter,
  rows: readonly LedgerRow[],
  labelOf: Plan['labelOf'],
): Promise<LedgerRow[]> {
  const outcome = await transact(databaseOf(writer.writer.context), async (trx) => {
    throw new DryRunRollback(
      await writeChunk(
        trx,
        writer,
        labelOf,
        rows.filter(({ verdict }) => verdict === 'f' || verdict === 'c'),
      ),
    )
  }).catch((error: unknown) => {
    if (error instanceof DryRunRollback) return error.result
    throw error
  })
  return rows.map((row) => {
    const faults = outcome.faults.get(row.row_no)
    return faults === undefined ? row : { ...row, verdict: 'w', errors: faults, payload: null }
  })
}

type Counts = Record<'fresh' | 'changed' | 'same' | 'wrong', number>
const kinds = { f: 'fresh', c: 'changed', s: 'same', w: 'wrong' } as const

/**
 * Checks every row and stores the verdicts.
 * @throws JobStop, JobCancelled, FileProblem, LeaseLost
 */
export async function checkPhase(
  { job, lease, signal }: LedgerRun,
  context: Context,
  rights: Rights,
  file: OpenedFile,
): Promise<void> {
  const db = databaseOf(context)
  const plan = await createPlan(context, job, rights, file)
  // A user who reviews the rows also sees what the database would refuse; without a review the
  // write phase reports it.
  const dryRunWriter =
    job.options.dryRun || job.options.pauseAt === 'review'
      ? await createWriter(context, rights.view.entity, rights.add, rights.update)
      : null
  const counts: Counts = { fresh: 0, changed: 0, same: 0, wrong: 0 }
  let done = 0
  const begin: JobPatch = {
    phase: 'checking',
    sheet: file.sheet,
    options: {
      ...job.options,
      key: file.key,
      revision: rights.view.entity.revision,
      sheets: file.sheets,
    },
    total: file.expected,
    done: 0,
    ...counts,
    inserted: 0,
    updated: 0,
    written_to: 0,
  }
  await transact(db, async (trx) => {
    await clearRows(trx, job)
    await stepJob(trx, lease, begin)
  })
  const corrections = await readCorrections(db, job)
  for await (const chunk of correctedRows(file.rows, corrections, plan.columns)) {
    signal.throwIfAborted()
    if (chunk.length === 0) continue
    const planned = await planRows(plan, chunk)
    const rows =
      dryRunWriter === null ? planned : await dryRunRows(dryRunWriter, planned, plan.labelOf)
    for (const { verdict, tidied } of rows) {
      counts[kinds[verdict]] += 1
      file.tally.tidied += Object.keys(tidied ?? {}).length
    }
    done += rows.length
    const cancelled = await transact(db, async (trx) => {
      await saveRows(trx, job, rows)
      return await stepJob(trx, lease, { done, ...counts })
    })
    if (cancelled) throw new JobCancelled()
  }
  if (done === 0) stop({ key: 'transfer.file.empty' })
  const notes = [
    ...file.sheet.notes,
    ...derivedNote(context.locale, plan),
    ...readingNotes(context.locale, file.tally, rowNames(file.sheet)),
  ]
  await stepJob(db, lease, {
    phase: 'review',
    total: done,
    done,
    sheet: { ...file.sheet, notes },
  })
}

/** The columns whose cells are not used. */
function derivedNote(locale: Locale, { columns }: Plan): string[] {
  const derived = columns.filter(({ field }) => isDerived(field.definition))
  const names = derived.map(({ header }) => header).join('、')
  return derived.length === 0 ? [] : [t(locale, 'transfer.note.derived', { columns: names })]
}

/** Lists the texts that were read in another way than they stand in the file. */
function readingNotes(
  locale: Locale,
  { formulas, filled, tidied, left }: Tally,
  nameOf: Plan['rowName'],
): string[] {
  const rows = left.slice(0, 5).map(nameOf)
  return [
    ...(tidied === 0 ? [] : [t(locale, 'transfer.note.tidied', { n: tidied })]),
    ...(formulas === 0 ? [] : [t(locale, 'transfer.note.formulas', { n: formulas })]),
    ...(filled === 0 ? [] : [t(locale, 'transfer.note.filled', { n: filled })]),
    ...(left.length === 0
      ? []
      : [
          t(locale, 'transfer.note.left', {
            n: left.length,
            rows: `${rows.join('、')}${left.length > rows.length ? '…' : ''}`,
          }),
        ]),
  ]
}
