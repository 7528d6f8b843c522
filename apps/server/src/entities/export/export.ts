// Exports rows as a file with the query compiler, permissions and labels of a page. Rows are read
// in chunks and streamed at the client's pace (docs/rules/security.md#files).
import { ReaderStalled } from '../sheets/paced-body.ts'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ExportFormat } from '@jiaowu/api/contract/entity/entity-data'
import { may } from '@jiaowu/api/entity/permission'
import type { Row, Sort } from '@jiaowu/api/entity/values'
import type { GroupQuery, Where } from '@jiaowu/api/entity/list/list-query'
import type { Context } from '../../model/context.ts'
import { requireReason } from '../personal/reveal.ts'
import { type Fault, forbidden, Invalid, Refusal } from '../../platform/refusal.ts'
import { toSheetCells, toSheetColumns, keyColumn } from '../sheets/cells.ts'
import type { Cell } from '../sheets/format.ts'
import { buildSignature, signatureExtra } from '../sheets/signature.ts'
import { sheetResponse, sheetWriters } from '../sheets/writers.ts'
import { accessTo, type EntityAccess, isAllowed } from '../../access/access.ts'
import { countUpTo } from '../read/totals/count.ts'
import { readChunks } from '../read/paging/keyset.ts'
import { codedFields, codedRows } from '../read/coded-labels.ts'
import { labelRows } from '../read/labels.ts'
import {
  entityName,
  type LoadedEntity,
  type LoadedField,
  readableFields,
} from '../../model/definition/loaded.ts'
import { localTime } from '../../model/fields/local-time.ts'
import { planFrom } from '../read/paging/page-rows.ts'
import { chosenRows } from '../read/row.ts'
import { orderKeysFor } from '../read/order/order-keys.ts'
import { compileQuery, buildFilterFault, unknownField } from '../read/query.ts'
import { assertChoices } from '../read/filter/known-choices.ts'
import { listTime } from '../read/filter/times.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { type Column, familyOf } from '../../model/fields/column.ts'
import { spend } from '../../platform/limits/budgets.ts'
import { planKey } from '../read/totals/totals.ts'
import { listFigureWheres, tableColumns } from '../figures/table.ts'
import { createTableFile } from './table-file.ts'
import { withRelated } from '../read/filter/related.ts'
import { whereColumns } from '../read/filter/where.ts'

export interface ExportQuery {
  readonly pageSize: number
  readonly pageNum: number
  readonly queries: Readonly<Record<string, unknown>>
  readonly sorts: readonly Sort[]
  readonly where?: Where | undefined
  readonly fileName?: string | undefined
  readonly columns?: readonly string[] | undefined
  readonly format: ExportFormat
  readonly ids?: readonly string[] | undefined
  readonly except?: readonly string[] | undefined
  /** Personal data unmasked (docs/rules/security.md#d5). */
  readonly reveal?: boolean | undefined
  readonly reason?: string | undefined
  readonly group?: GroupQuery | undefined
}

/**
 * Running exports by the database of their server: one per user (docs/rules/security.md#c9), with a
 * promise of its end.
 */
const exportsOf = new WeakMap<Context['database'], Map<string, Promise<void>>>()
/**
 * Wait this long for the user's previous export: an aborted one ends within it
 * (docs/rules/security.md#files).
 */
const slotWaitMs = 1_000

/**
 * The fields with isExport that the caller may read, without passwords
 * (docs/rules/security.md#permissions).
 */
export function exportFields(access: EntityAccess): LoadedField[] {
  return readableFields(access.entity).filter((field) => isAllowed(access, field, 'export'))
}

interface RowRange {
  readonly skip: number
  readonly most: number | null
}

/**
 * Streams the rows of a query as a file. An xlsx contains each row's id in a hidden last column
 * named `id`, a csv in its last column (unless columns were chosen), so that an import of the
 * edited file can match the rows.
 * @throws Invalid, Refusal before the first byte is sent
 */
export async function exportRows(
  context: Context,
  entity: LoadedEntity,
  query: ExportQuery,
): Promise<Response> {
  await countExport(context)
  const done = await acquireExportSlot(context)
  try {
    const { file, total } = await (query.group?.table === undefined
      ? openExport(context, entity, query)
      : openTableExport(context, entity, query, query.group))
    file.once('close', done)
    file.on('error', (error) => {
      if (error instanceof ReaderStalled)
        context.log.warn({ tag: entity.tag, traceId: context.traceId }, error.message)
      else if (error.name !== 'AbortError')
        context.log.error(
          { err: error, tag: entity.tag, traceId: context.traceId },
          'an export failed while streaming',
        )
    })
    const name =
      query.fileName === undefined || query.fileName.trim() === ''
        ? defaultName(entity, context)
        : query.fileName
    return sheetResponse(file, name, query.format, { 'x-rows': String(total) })
  } catch (error) {
    done()
    throw error
  }
}

/** @throws Refusal 429 after LIMIT_EXPORTS in an hour */
async function countExport({ database, settings, subject, now }: Context): Promise<void> {
  const key = `exports:${subject.tenant}:${subject.userId}`
  const budget = { key, window: 3_600_000, most: settings.exportsPerHour }
  const used = await spend(database, [budget], now())
  if (used !== null)
    throw new Refusal(429, { key: 'problem.tooMany' }, { retryAfter: used.seconds })
}

/**
 * Returns the function that releases the slot.
 * @throws Refusal 429 while another export of the user runs
 */
async function acquireExportSlot({ database, subject }: Context): Promise<() => void> {
  const runningExports = exportsOf.get(database) ?? new Map<string, Promise<void>>()
  exportsOf.set(database, runningExports)
  const userKey = `${subject.tenant} ${subject.userId}`
  const until = performance.now() + slotWaitMs
  for (
    let other = runningExports.get(userKey);
    other !== undefined;
    other = runningExports.get(userKey)
  ) {
    const left = until - performance.now()
    if (left <= 0) throw new Refusal(429, { key: 'transfer.export.busy' }, { retryAfter: 5 })
    await Promise.race([other, sleep(left, undefined, { ref: false })])
  }
  const { promise, resolve } = Promise.withResolvers<void>()
  runningExports.set(userKey, promise)
  return () => {
    runningExports.delete(userKey)
    resolve()
  }
}

async function openExport(
  context: Context,
  entity: LoadedEntity,
  query: ExportQuery,
): Promise<{ file: Readable; total: number }> {
  const access = await withRelated(context, await accessTo(context, entity, 'export'), query.where)
  const reason = await revealReason(context, entity, query)
  const range = parseRowRange(query)
  const fields = chosenFields(access, query.columns)
  if (fields.length === 0)
    throw new Invalid([buildFilterFault('columns', 'required', { key: 'entity.noColumns' })])
  await assertChoices(context, access, query)
  const keys = await orderKeysFor(context, access, query.sorts)
  const plan = chosenRows(compileQuery(access, query, context.now(), keys), query)
  const db = databaseOf(context)
  const most = context.settings.exportMaxRows
  const found = await countUpTo(db, plan, range.most === null ? most + 1 : range.skip + range.most)
  if (range.most === null && found > most)
    throw new Invalid([
      buildFilterFault('pageSize', 'range', { key: 'entity.exportTooMany', params: { n: most } }),
    ])
  const total = range.most === null ? found : Math.max(0, Math.min(range.most, found - range.skip))
  const from = await planFrom(context, plan, planKey(context, plan), range.skip)
  const form = reason === null ? 'masked' : 'stored'
  const rows = await withFirstChunkRead(
    labelledChunks(
      context,
      skipRows(readChunks(db, from.plan, fields, from.offset + total, form), from.offset),
      fields,
      query.format === 'ndjson' ? [] : await codedFields(context, fields),
    ),
  )
  const file = createExportFile(context, entity, fields, rows, query)
  await context.auditAlone({
    action: 'entity.export',
    object: entity.tag,
    result: 'ok',
    detail: {
      rows: total,
      format: query.format,
      filters: [...Object.keys(query.queries), ...whereColumns(query.where)],
      columns: fields.map(({ definition }) => definition.attrName),
    },
  })
  if (reason !== null)
    await context.auditAlone({
      action: 'pii.export',
      object: entity.tag,
      result: 'ok',
      detail: {
        rows: total,
        reason,
        fields: fields
          .filter(({ pii }) => pii !== null)
          .map(({ definition }) => definition.attrName),
      },
    })
  return { file, total }
}

/** Opens the table of groups as the list shows it, of columns that the caller may export. */
async function openTableExport(
  context: Context,
  entity: LoadedEntity,
  { queries, where, format }: ExportQuery,
  group: GroupQuery,
): Promise<{ file: Readable; total: number }> {
  const access = await withRelated(
    context,
    await accessTo(context, entity, 'export'),
    where,
    ...listFigureWheres(group),
  )
  const columns = tableColumns(group)
  chosenFields(access, columns)
  const { file, groups } = await createTableFile(context, access, { queries, where, format, group })
  await context.auditAlone({
    action: 'entity.export',
    object: entity.tag,
    result: 'ok',
    detail: {
      rows: groups,
      format,
      filters: [...Object.keys(queries), ...whereColumns(where)],
      columns,
    },
  })
  return { file, total: groups }
}

/**
 * The reason of an export of unmasked values; null for a masked one.
 * @throws Refusal 403 without `pii:export`, Invalid without a reason
 */
async function revealReason(
  context: Context,
  { tag }: LoadedEntity,
  { reveal, reason }: ExportQuery,
): Promise<string | null> {
  if (reveal !== true) return null
  if (!may(context.subject.permissions, 'pii:export')) {
    await context.auditAlone({
      action: 'pii.export',
      object: tag,
      result: 'denied',
      detail: { why: 'right' },
    })
    throw forbidden()
  }
  return requireReason(reason)
}

function parseRowRange({ pageSize, pageNum }: ExportQuery): RowRange {
  if (pageSize === -1) return { skip: 0, most: null }
  const skip = (pageNum - 1) * pageSize
  if (pageSize < 1 || pageNum < 1 || !Number.isSafeInteger(skip))
    throw new Invalid([
      buildFilterFault(pageSize < 1 ? 'pageSize' : 'pageNum', 'range', {
        key: pageSize < 1 ? 'entity.pageSize' : 'entity.pageNum',
      }),
    ])
  return { skip, most: pageSize }
}

function chosenFields(access: EntityAccess, columns: readonly string[] | undefined): LoadedField[] {
  const offered = exportFields(access)
  if (columns === undefined) return offered
  const faults: Fault[] = []
  const chosen = columns.flatMap((attrName, index) => {
    const field =
      attrName === access.entity.definition.idField
        ? access.entity.idField
        : (offered.find(({ definition }) => definition.attrName === attrName) ??
          listTime(access, attrName))
    if (field === undefined || columns.indexOf(attrName) !== index)
      faults.push(unknownField(`columns.${attrName}`))
    return field ?? []
  })
  if (faults.length > 0) throw new Invalid(faults)
  return chosen
}

/**
 * Reads the first chunk before the response starts, so that an error can still be answered as JSON.
 */
async function withFirstChunkRead(chunks: AsyncGenerator<Row[]>): Promise<AsyncGenerator<Row[]>> {
  const first = await chunks.next()
  return (async function* () {
    try {
      if (first.done === true) return
      yield first.value
      yield* chunks
    } finally {
      await chunks.return(undefined)
    }
  })()
}

function createExportFile(
  context: Context,
  entity: LoadedEntity,
  fields: readonly LoadedField[],
  rows: AsyncGenerator<Row[]>,
  { format, columns: chosen }: ExportQuery,
): Readable {
  const { locale } = context
  const writer = sheetWriters[format]
  const withKey = !showsKey(entity, fields) && (writer.hidesColumns || chosen === undefined)
  const columns = toSheetColumns(fields, locale)
  return writer.write({
    sheetName: entityName(entity, locale),
    columns: withKey ? [...columns, keyColumn] : columns,
    cells: () => cellChunks(rows, fields, context, withKey),
    objects: () => wireChunks(rows, fields),
    extras: [signatureExtra(buildSignature(entity, 'export', fields))],
  })
}

/**
 * Whether the cells of the key tell the row exactly. Times are cut to seconds and numbers may be
 * rounded, names of choices may change, and of several columns ids are safer. A key of personal data
 * stands in no column of its own: it would show what the cells mask.
 */
function showsKey({ key, fields: all }: LoadedEntity, fields: readonly LoadedField[]): boolean {
  const [only, ...more] = key
  const of =
    ({ name }: Column) =>
    (field: LoadedField) =>
      field.column?.name === name
  if (key.some((column) => all.find(of(column))?.pii != null)) return true
  const shown = only === undefined || more.length > 0 ? undefined : fields.find(of(only))
  return (
    only !== undefined &&
    shown !== undefined &&
    shown.kind.family !== 'choice' &&
    exactFamilies.has(familyOf(only) ?? 'other')
  )
}
const exactFamilies: ReadonlySet<string> = new Set(['text', 'integer', 'uuid', 'date', 'boolean'])

function defaultName(entity: LoadedEntity, { locale, now }: Context): string {
  return `${entityName(entity, locale)}-${localTime(now()).slice(0, 10)}`
}

/** Drops the rows before the requested page. */
async function* skipRows(chunks: AsyncIterable<Row[]>, skip: number): AsyncGenerator<Row[]> {
  let left = skip
  for await (const rows of chunks) {
    const kept = rows.slice(left)
    left = Math.max(0, left - rows.length)
    if (kept.length > 0) yield kept
  }
}

async function* labelledChunks(
  context: Context,
  chunks: AsyncIterable<Row[]>,
  fields: readonly LoadedField[],
  coded: readonly LoadedField[],
): AsyncGenerator<Row[]> {
  for await (const rows of chunks)
    yield await codedRows(context, coded, await labelRows(context, fields, rows))
}

async function* cellChunks(
  chunks: AsyncIterable<Row[]>,
  fields: readonly LoadedField[],
  context: Context,
  withKey: boolean,
): AsyncGenerator<Cell[][]> {
  for await (const rows of chunks)
    yield rows.map((row) => [
      ...toSheetCells(fields, row, context.locale),
      ...(withKey ? [row.id] : []),
    ])
}

async function* wireChunks(
  chunks: AsyncIterable<Row[]>,
  fields: readonly LoadedField[],
): AsyncGenerator<Record<string, unknown>[]> {
  for await (const rows of chunks)
    yield rows.map((row) => ({
      id: row.id,
      ...Object.fromEntries(
        fields.map(({ definition }) => [definition.attrName, row[definition.attrName] ?? null]),
      ),
    }))
}
