// Checks the uploaded file: finds the heading, maps the columns, and writes a verdict for each row
// to the ledger. The entity's own table is not changed.
import {
  type ImportField,
  type Message,
  type RememberedImport,
  type SheetColumnInfo,
  type SheetInfo,
  t,
} from '@jiaowu/api'
import * as v from 'valibot'
import type { EntityAccess } from '../../access/access.ts'
import { isAllowed } from '../../access/access.ts'
import { type LoadedEntity, type LoadedField, valueFields } from '../definition/loaded.ts'
import { databaseOf } from '../read/rows.ts'
import { isEditable } from '../write/values.ts'
import { defaultsOf } from '../write/write.ts'
import type { Context } from '../../context.ts'
import { FileMissing } from '../../platform/files/driver.ts'
import {
  importColumns,
  FileProblem,
  type RawHead,
  type RawRow,
  readLimits,
} from '../sheets/read/model.ts'
import type { FileReading } from '../sheets/read/read-file.ts'
import type { Signature } from '../sheets/signature.ts'
import { transact } from '../../platform/database/transact.ts'
import { findHeading, type HeadingClues, headingWithin, unknownAsked } from './rows/heading.ts'
import { JobCancelled } from '../../platform/jobs/lease.ts'
import { type ImportRecord, JobStop, type LedgerRow, type LedgerRun } from '../jobs/job.ts'
import { type JobPatch, stepJob } from '../jobs/job-table.ts'
import { clearRows, saveRows } from '../jobs/ledger.ts'
import type { Plan, PlanColumn } from './rows/draft.ts'
import { labelIn, planRows, prepared } from './rows/plan.ts'
import { createResolver } from './rows/resolve.ts'
import { createUniques } from './rows/unique.ts'
import { type ChunkResult, writeChunk } from './write-phase.ts'
import { createWriter, type Writer } from './rows/write-rows.ts'
import { readUpload } from './upload-store.ts'

/** The caller's rights that the import's mode needs. */
export interface Rights {
  readonly view: EntityAccess
  readonly add: EntityAccess | null
  readonly update: EntityAccess | null
}

const signatureShape = v.object({
  tag: v.string(),
  revision: v.string(),
  kind: v.picklist(['template', 'export']),
  columns: v.array(v.string()),
})

/** Fields that a column may be mapped to. */
function importFields(context: Context, { view, add }: Rights): ImportField[] {
  const label = labelIn(context, view.entity)
  return valueFields(view.entity)
    .filter((field) => isAllowed(view, field, 'any'))
    .map((field) => ({
      attrName: field.definition.attrName,
      label: label(field.definition.attrName),
      unique: isUnique(view.entity, field),
      required: add !== null && isNeeded(add, field, () => false),
    }))
}

function isUnique(entity: LoadedEntity, { column }: LoadedField): boolean {
  return (
    column !== null &&
    [...entity.table.uniques.values()].some(
      (columns) => columns.filter((name) => name !== 'tenant_id').join() === column.name,
    )
  )
}

/** Whether an insert fails unless the sheet has a column for the field. */
function isNeeded(
  access: EntityAccess,
  field: LoadedField,
  hasDefault: (attrName: string) => boolean,
): boolean {
  const { valids, attrName } = field.definition
  const must =
    valids.required === true ||
    (field.column !== null && !field.column.nullable && !field.column.hasDefault)
  return must && isEditable(access, field, 'add') && !hasDefault(attrName)
}

export interface OpenedFile {
  readonly sheet: SheetInfo
  readonly from1904: boolean
  readonly key: string | null
  /** The data rows in the order of the sheet, in chunks. */
  readonly rows: AsyncGenerator<readonly RawRow[]>
}

const afterHeading = async function* (
  first: readonly RawRow[],
  rest: AsyncGenerator<readonly RawRow[]>,
): AsyncGenerator<readonly RawRow[]> {
  try {
    if (first.length > 0) yield first
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}

/** Opens the file and finds its heading. @throws JobStop, FileProblem */
export async function openFile(
  context: Context,
  job: ImportRecord,
  rights: Rights,
  remembered: RememberedImport | null,
): Promise<OpenedFile> {
  const { entity } = rights.view
  const { head, rows } = await open(context, job)
  try {
    const signature = signatureIn(head)
    if (signature !== null && signature.tag !== entity.tag) {
      const other = await context.registry.find(context.subject.tenant, signature.tag)
      stop({
        key: 'transfer.file.otherEntity',
        params: {
          made: other === undefined ? signature.tag : nameIn(context, other),
          wanted: nameIn(context, entity),
        },
      })
    }
    const first = await rows.next()
    const top = first.done === true ? [] : first.value
    if (top.length === 0) throw new FileProblem({ key: 'transfer.file.empty' })
    const clues: HeadingClues = {
      access: rights.view,
      asked: job.options.mapping,
      remembered: remembered?.columns ?? [],
      signature,
      empty: job.options.empty,
    }
    // In an ndjson file the first line's keys are the heading.
    const found = findHeading(job.file.format === 'ndjson' ? top.slice(0, 1) : top, clues)
    // When no column matches a field, the first row becomes the heading and the user maps the
    // columns.
    const heading =
      found ??
      (job.options.pauseAt !== 'none' || job.options.mapping !== null
        ? { at: 0, columns: findLoose(top, clues) }
        : stop({ key: 'transfer.file.noHeader' }))
    const sheet: SheetInfo = {
      name: head.sheetName,
      headerRow: top[heading.at]?.row ?? 1,
      otherSheets: [...head.otherSheets],
      columns: [...heading.columns],
      fields: importFields(context, rights),
      notes: notesOf(context, entity, head, signature, heading.columns),
    }
    const key =
      job.options.pauseAt === 'mapping'
        ? null
        : await asking(job, sheet, async () => {
            if (found === null && job.options.mapping === null)
              stop({ key: 'transfer.file.noHeader' })
            assertColumns(
              job,
              context,
              rights,
              heading.columns,
              clues,
              await defaultsOf(context, entity),
            )
            return keyOf(job, rights, heading.columns)
          })
    return {
      sheet,
      from1904: head.from1904,
      key,
      rows: afterHeading(top.slice(heading.at + 1), rows),
    }
  } catch (error) {
    await rows.return(undefined)
    throw error
  }
}

async function open(context: Context, job: ImportRecord): Promise<FileReading> {
  if (job.file_gone) stop({ key: 'transfer.file.gone' })
  return await readUpload(context.settings, job.tenant_id, job.file, {
    ...readLimits,
    columns: importColumns,
    rows: context.settings.importMaxRows,
  }).catch((error: unknown) =>
    error instanceof FileMissing ? stop({ key: 'transfer.file.gone' }) : Promise.reject(error),
  )
}

function stop(text: Message): never {
  throw new JobStop('failed', text)
}

function signatureIn({ signature }: RawHead): Signature | null {
  if (signature === null) return null
  try {
    const parsed = v.safeParse(signatureShape, JSON.parse(signature.replace(/^'/, '')))
    return parsed.success ? parsed.output : null
  } catch {
    return null // not a signature of ours
  }
}

function nameIn({ locale }: Context, { definition }: LoadedEntity): string {
  return locale === 'en' ? (definition.nameEn ?? definition.name) : definition.name
}

function findLoose(top: readonly RawRow[], clues: HeadingClues): readonly SheetColumnInfo[] {
  return (
    findHeading(top.slice(0, headingWithin), {
      ...clues,
      asked: (top[0]?.cells ?? []).map((_cell, index) => ({ column: index + 1, attrName: null })),
    })?.columns.map((column) => ({ ...column, by: null })) ?? []
  )
}

function notesOf(
  context: Context,
  entity: LoadedEntity,
  head: RawHead,
  signature: Signature | null,
  columns: readonly SheetColumnInfo[],
): string[] {
  const { locale } = context
  const skipped = columns.filter(
    ({ attrName, by, header }) => attrName === null && by !== 'own' && header !== '',
  )
  return [
    ...(head.otherSheets.length > 0 && signature === null
      ? [t(locale, 'transfer.note.otherSheets', { sheets: head.otherSheets.join('、') })]
      : []),
    ...(signature !== null && signature.revision !== entity.revision
      ? [t(locale, 'transfer.note.oldTemplate')]
      : []),
    ...(skipped.length > 0
      ? [t(locale, 'transfer.note.skippedColumns', { columns: listed(skipped) })]
      : []),
  ]
}

function listed(columns: readonly SheetColumnInfo[]): string {
  return columns.map(({ header, letter }) => (header === '' ? letter : header)).join('、')
}

/**
 * With `review` a problem with the columns pauses the job for the user; otherwise it fails the job.
 */
async function asking<T>(job: ImportRecord, sheet: SheetInfo, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof JobStop && error.status === 'failed' && job.options.pauseAt === 'review'
      ? new JobStop('paused', error.text, sheet)
      : error
  }
}

function assertColumns(
  job: ImportRecord,
  context: Context,
  rights: Rights,
  columns: readonly SheetColumnInfo[],
  clues: HeadingClues,
  defaults: ReadonlyMap<string, unknown>,
): void {
  const unknown = unknownAsked(clues)
  if (unknown.length > 0)
    stop({ key: 'transfer.file.unknownColumns', params: { columns: unknown.join('、') } })
  const loose = columns.filter(({ attrName, by }) => attrName === null && by === null)
  if (loose.length > 0 && !job.options.mappingSeen)
    stop({ key: 'transfer.file.unknownColumns', params: { columns: listed(loose) } })
  const twice = columns.filter(
    ({ attrName }) =>
      attrName !== null && columns.filter((other) => other.attrName === attrName).length > 1,
  )
  if (twice.length > 0) stop({ key: 'transfer.file.twice', params: { columns: listed(twice) } })
  const { add, view } = rights
  if (job.options.mode !== 'insert' || add === null) return
  const label = labelIn(context, view.entity)
  const serial = view.entity.definition.options.serialNumField
  const missing = valueFields(view.entity).filter(
    (field) =>
      isNeeded(add, field, (attrName) => defaults.has(attrName) || attrName === serial) &&
      !columns.some(({ attrName }) => attrName === field.definition.attrName),
  )
  if (missing.length > 0)
    stop({
      key: 'transfer.file.missing',
      params: { columns: missing.map(({ definition }) => label(definition.attrName)).join('、') },
    })
}

/** The attrName whose values identify the records to update; null for `insert`. */
function keyOf(
  job: ImportRecord,
  { view }: Rights,
  columns: readonly SheetColumnInfo[],
): string | null {
  const { mode, key } = job.options
  if (mode === 'insert') return null
  const { entity } = view
  const has = (attrName: string) => columns.some((column) => column.attrName === attrName)
  if (key !== null) {
    if (!has(key))
      stop({
        key: 'transfer.file.keyColumn',
        params: { column: entity.field(key)?.definition.uiLabel ?? key },
      })
    return key
  }
  if (has(entity.definition.idField)) return entity.definition.idField
  const unique =
    valueFields(entity).find(
      (field) =>
        isUnique(entity, field) &&
        has(field.definition.attrName) &&
        field.definition.valids.required === true,
    ) ??
    valueFields(entity).find((field) => isUnique(entity, field) && has(field.definition.attrName))
  return unique?.definition.attrName ?? stop({ key: 'transfer.file.keyNeeded' })
}

async function createPlan(
  context: Context,
  job: ImportRecord,
  rights: Rights,
  { sheet, from1904, key }: OpenedFile,
): Promise<Plan> {
  const { entity } = rights.view
  const fieldOf = (attrName: string) =>
    attrName === entity.definition.idField ? entity.idField : entity.field(attrName)
  const columns = sheet.columns.flatMap(
    ({ column, header, attrName, empty, letter }): PlanColumn[] => {
      const field = attrName === null ? undefined : fieldOf(attrName)
      return field === undefined
        ? []
        : [{ index: column - 1, header: header === '' ? letter : header, field, empty }]
    },
  )
  return prepared({
    context,
    entity,
    add: rights.add,
    update: rights.update,
    options: job.options,
    columns,
    from1904,
    keyColumn: key === null ? null : (columns.find(({ field }) => field === fieldOf(key)) ?? null),
    resolver: await createResolver(
      context,
      valueFields(entity).filter(
        (field) =>
          columns.some((column) => column.field === field) ||
          (field.definition.options.cascades ?? []).length > 0,
      ),
    ),
    defaults: await defaultsOf(context, entity),
    uniques: createUniques(entity),
    labelOf: labelIn(context, entity),
  })
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
  writer: Writer,
  rows: readonly LedgerRow[],
  labelOf: Plan['labelOf'],
): Promise<LedgerRow[]> {
  const outcome = await transact(databaseOf(writer.context), async (trx) => {
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
    options: { ...job.options, key: file.key, revision: rights.view.entity.revision },
    total: 0,
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
  for await (const chunk of file.rows) {
    signal.throwIfAborted()
    if (chunk.length === 0) continue
    const planned = await planRows(plan, chunk)
    const rows =
      dryRunWriter === null ? planned : await dryRunRows(dryRunWriter, planned, plan.labelOf)
    for (const { verdict } of rows) counts[kinds[verdict]] += 1
    done += rows.length
    const cancelled = await transact(db, async (trx) => {
      await saveRows(trx, job, rows)
      return await stepJob(trx, lease, { done, ...counts })
    })
    if (cancelled) throw new JobCancelled()
  }
  if (done === 0) stop({ key: 'transfer.file.empty' })
  await stepJob(db, lease, { phase: 'review', total: done, done })
}
