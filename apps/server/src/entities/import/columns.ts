// The columns of an import: the fields they can be assigned to, and whether an assignment can be
// imported.
import type { ImportField, SheetColumnInfo } from '@jiaowu/api/contract/job'
import type { Message } from '@jiaowu/api/texts/index'
import { type EntityAccess, isAllowed } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import {
  keyFields,
  type LoadedEntity,
  type LoadedField,
  valueFields,
} from '../../model/definition/loaded.ts'
import { isEditable } from '../write/values/values.ts'
import { type ImportRecord, JobStop } from '../jobs/job.ts'
import { type HeadingClues, unknownAsked } from './rows/heading.ts'
import { labelIn } from './rows/plan.ts'

/** The caller's rights that the import's mode needs. */
export interface Rights {
  readonly view: EntityAccess
  readonly add: EntityAccess | null
  readonly update: EntityAccess | null
}

/** Ends the import. */
export function stop(text: Message): never {
  throw new JobStop('failed', text)
}

/** Fields that a column may be mapped to. */
export function importFields(context: Context, { view, add }: Rights): ImportField[] {
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

/** Whether an insert fails without a value for the field. */
export function isNeeded(
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

function joinHeaders(columns: readonly SheetColumnInfo[]): string {
  return columns.map(({ header, letter }) => (header === '' ? letter : header)).join('、')
}

/** Numbers of the lines of a printed list: they belong to no field, and the review does not ask about them. */
function countsRows({ header, samples }: SheetColumnInfo): boolean {
  return (
    /^(?:序号|行号|no\.?|№|#)$/i.test(header.trim()) &&
    // Below a short list the line of signatures begins here.
    samples[0]?.trim() === '1' &&
    samples.every((text, i) => Number(text) === i + 1 || !/\d/.test(text))
  )
}

/**
 * The column of row ids that exports write beside the fields: `id`, where no field has this name. A
 * sheet that gives a key in no other column types it there.
 */
export function rowIdColumn(
  entity: LoadedEntity,
  columns: readonly SheetColumnInfo[],
): SheetColumnInfo | null {
  const { idField } = entity.definition
  if (entity.field('id') !== undefined) return null
  const found = columns.find(({ header, attrName }) => header === 'id' && attrName === idField)
  if (found === undefined) return null
  const isTyped = entity.typesKey && entity.key.length === 1
  const hasOwn = columns.some((column) => column !== found && column.attrName === idField)
  return isTyped && !hasOwn ? null : found
}

/** @throws JobStop for columns that cannot be imported as they are */
export function assertColumns(
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
  const loose = columns.filter(
    (column) =>
      column.attrName === null &&
      column.by === null &&
      column.isLate !== true &&
      !countsRows(column),
  )
  if (loose.length > 0 && !job.options.mappingSeen)
    stop({ key: 'transfer.file.unknownColumns', params: { columns: joinHeaders(loose) } })
  const rowId = rowIdColumn(rights.view.entity, columns)
  const valued = columns.filter((column) => column !== rowId)
  const twice = valued.filter(
    ({ attrName }) =>
      attrName !== null && valued.filter((other) => other.attrName === attrName).length > 1,
  )
  if (twice.length > 0)
    stop({ key: 'transfer.file.twice', params: { columns: joinHeaders(twice) } })
  const { add, view } = rights
  if (job.options.mode !== 'insert' || add === null) return
  const label = labelIn(context, view.entity)
  const fixed = job.options.fixed ?? {}
  const missing = missingFields(rights, columns, defaults).filter(
    ({ definition }) => (fixed[definition.attrName] ?? null) === null,
  )
  if (missing.length > 0)
    stop({
      key: 'transfer.file.missing',
      params: { columns: missing.map(({ definition }) => label(definition.attrName)).join('、') },
    })
}

/** Fields that new records need and that no column fills. */
export function missingFields(
  { add, view: { entity } }: Rights,
  columns: readonly SheetColumnInfo[],
  defaults: ReadonlyMap<string, unknown>,
): LoadedField[] {
  if (add === null) return []
  const serial = entity.definition.options.serialNumField
  const rowId = rowIdColumn(entity, columns)
  return valueFields(entity).filter(
    (field) =>
      isNeeded(add, field, (attrName) => defaults.has(attrName) || attrName === serial) &&
      !columns.some((column) => column !== rowId && column.attrName === field.definition.attrName),
  )
}

/** The attrName whose values identify the records to update; null for `insert`. */
export function chooseImportKey(
  job: ImportRecord,
  { view }: Rights,
  columns: readonly SheetColumnInfo[],
): string | null {
  const { mode, key } = job.options
  if (mode === 'insert') return null
  const { entity } = view
  const has = (attrName: string) => columns.some((column) => column.attrName === attrName)
  const parts = keyFields(entity)
  const hasParts = () =>
    parts.length > 1 && parts.every(({ definition }) => has(definition.attrName))
  if (key !== null) {
    if (!has(key) && key === entity.definition.idField && hasParts()) return key
    if (!has(key))
      stop({
        key: 'transfer.file.keyColumn',
        params: { column: entity.field(key)?.definition.uiLabel ?? key },
      })
    return key
  }
  if (has(entity.definition.idField)) return entity.definition.idField
  if (hasParts()) return entity.definition.idField
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
