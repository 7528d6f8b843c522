// A working definition of one table, with what was left out and what its author should know
// (docs/rules/contract.md#definitions).
import { cutText } from '@jiaowu/api/cut-text'
import type { EntityDraft, FieldDraft, KeptFields } from '@jiaowu/api/entity/definition/definition'
import { keptNames } from '@jiaowu/api/entity/definition/kept-fields'
import type { LeftOut } from '@jiaowu/api/entity/definition/table'
import type { Locale } from '@jiaowu/api/locale'
import { systemColumns } from '@jiaowu/api/entity/enums'
import { t } from '@jiaowu/api/texts/index'
import { indexColumns } from '../../model/sealed/sealed-columns.ts'
import { isSecretColumn } from '../../platform/database/tables/secret-columns.ts'
import { isOwnColumn } from '../../model/definition/school-columns.ts'
import type { ViewRefusals } from '../design/view-refusals.ts'
import { familyOf } from '../../model/fields/column.ts'
import { isHiddenKey } from './arrange-fields.ts'
import { readComment } from './choices.ts'
import { proposedKept } from './draft-kept.ts'
import { isPassword } from './draft-passwords.ts'
import { proposedSchool } from './draft-school.ts'
import { draftField, isSecret, leftOutReason, unlistedValues } from './draft-field.ts'
import type { InspectedColumn, InspectedTable } from './inspect.ts'
import { readable } from './names.ts'
import { draftTitle } from './title.ts'

/** A first definition, before its links are resolved. */
export interface DraftedTable {
  readonly table: InspectedTable
  readonly key: readonly string[]
  definition: EntityDraft
  readonly leftOut: LeftOut[]
  readonly notes: string[]
  readonly kept: KeptFields | null
  /** The attrName of a column that could hold the school of a row. */
  readonly school: string | null
  /** Fields of passwords, which the definition has only if a person says so. */
  readonly passwords: readonly FieldDraft[]
}

/** Columns of the product's own tables that only the server writes and users never see. */
const hidden = ['tenant_id', 'org_id', 'version', 'deleted_at'] as const

export function draftTable(
  table: InspectedTable,
  tag: string,
  locale: Locale,
  views: ViewRefusals,
): DraftedTable {
  const [leftOut, notes]: [LeftOut[], string[]] = [[], []]
  const key = chooseKey(table)
  const linked = new Set(
    table.links.flatMap(({ columns: [only = '', ...more] }) => (more.length === 0 ? [only] : [])),
  )
  const taken = new Set<string>()
  const [fields, passwords]: [FieldDraft[], FieldDraft[]] = [[], []]
  for (const column of table.columns) {
    if (isLeftOut(table, column, locale, leftOut, views)) continue
    const uiSort = fields.length + passwords.length + 1
    const pii = views.markOf(`${table.schema}.${table.name}`, column.name)
    const field = {
      ...draftField(column, { table, tag, key, linked, taken, uiSort }),
      ...(pii !== null && { pii }),
    }
    taken.add(field.attrName.toLowerCase())
    if (isPassword(column, field)) passwords.push(field)
    else fields.push(field)
  }
  tellLabelsApart(fields)
  const own = keyField(fields, key)
  // The number of a school names no row.
  const naming = fields.filter(({ columnName }) => columnName !== 'tenant_id')
  const { tagField, pattern } = draftTitle(table, naming.length === 0 ? fields : naming, key)
  const { label } = readComment(table.comment)
  const definition: EntityDraft = {
    tag,
    name: label === '' ? readable(table.name) : label.replace(/表$/, '') || label,
    ...(label === '' && { nameEn: readable(table.name) }),
    schemaName: table.schema,
    tableName: table.name,
    idField: own?.attrName ?? 'id',
    tagField,
    options: {
      ...(pattern !== null && { titlePattern: pattern }),
      ...(table.catalog.isOfSchools === true && { systemColumns: ['tenant_id'] }),
    },
    fields,
  }
  noteTable(table, key, locale, notes)
  noteUnlisted(table, locale, notes)
  const kept = proposedKept(table, definition.fields, readOnlyReason(table, key) !== null)
  const school = proposedSchool(table, key, definition)
  noteColumns(
    table,
    fields,
    [...keptNames(kept ?? {}), ...(school === null ? [] : [school])],
    notes,
    locale,
  )
  if (kept !== null) noteKept(fields, kept, locale, notes)
  return { table, key, definition, leftOut, notes, kept, school, passwords }
}

/** The columns that name a row: a bigint `id` before other keys of one column, then several. */
export function chooseKey({ catalog, columns }: InspectedTable): readonly string[] {
  const secrets = new Set(columns.filter(isSecret).map(({ name }) => name))
  const sets = (catalog.keySets ?? []).filter((set) => !set.some((name) => secrets.has(name)))
  const [primary] = sets
  if (primary === undefined || primary.length === 1) return primary ?? []
  // A unique column beside a composite primary key is the plainer name of a row.
  return sets.find(({ length }) => length === 1) ?? primary
}

/** Columns whose comments begin alike are called by their names. */
function tellLabelsApart(fields: FieldDraft[]): void {
  const same = Map.groupBy(fields, ({ uiLabel }) => uiLabel)
  for (const [at, field] of fields.entries()) {
    const { columnName, columnComment, options } = field
    const help = options?.help ?? columnComment ?? ''
    if ((same.get(field.uiLabel) ?? []).length < 2 || help === '') continue
    const name = readable(columnName ?? '')
    fields[at] = {
      ...field,
      uiLabel: name,
      options: { ...options, labelEn: name, help: cutText(help, 500) },
    }
  }
}

function keyField(fields: readonly FieldDraft[], key: readonly string[]): FieldDraft | undefined {
  const [only, ...more] = key
  return more.length === 0 ? fields.find(({ columnName }) => columnName === only) : undefined
}

function isLeftOut(
  inspected: InspectedTable,
  column: InspectedColumn,
  locale: Locale,
  leftOut: LeftOut[],
  { refusedColumn }: ViewRefusals,
): boolean {
  const { schema, name } = inspected
  const table = `${schema}.${name}`
  if (isSchool(inspected, column.name)) return true
  if (hidden.some((each) => each === column.name && isOwnColumn(schema, each, column))) return true
  if (indexColumns.has(`${table}.${column.name}`) || isSecretColumn(table, column.name)) return true
  const refusal = refusedColumn(table, column.name)
  if (refusal === null && familyOf(column) !== undefined) return false
  leftOut.push({ column: column.name, reason: refusal ?? leftOutReason(locale, column) })
  return true
}

/** The column by which the catalog gives the rows of a table from elsewhere to schools. */
const isSchool = ({ catalog }: InspectedTable, column: string) =>
  catalog.isOfSchools === true && column === 'tenant_id'

/** Why a table cannot be written, in one sentence. */
export function readOnlyReason(table: InspectedTable, key: readonly string[]): ReadOnlyKey | null {
  const { kind = 'table', denied = [] } = table.catalog
  if (kind === 'view') return 'adopt.readOnly.view'
  if (kind === 'materialized') return 'adopt.readOnly.materialized'
  if (kind === 'foreign') return 'adopt.readOnly.foreign'
  if (key.length === 0)
    return table.catalog.uniques.size === 0
      ? 'adopt.readOnly.noKey'
      : (table.catalog.keySets ?? []).length === 0
        ? 'adopt.readOnly.oddKey'
        : 'adopt.readOnly.secretKey'
  return denied.length === 3 ? 'adopt.readOnly.denied' : null
}
type ReadOnlyKey =
  | 'adopt.readOnly.view'
  | 'adopt.readOnly.materialized'
  | 'adopt.readOnly.foreign'
  | 'adopt.readOnly.noKey'
  | 'adopt.readOnly.oddKey'
  | 'adopt.readOnly.secretKey'
  | 'adopt.readOnly.denied'

function noteTable(
  table: InspectedTable,
  key: readonly string[],
  locale: Locale,
  notes: string[],
): void {
  const reason = readOnlyReason(table, key)
  if (reason !== null) notes.push(t(locale, reason))
  else if ((table.catalog.denied ?? []).length > 0)
    notes.push(t(locale, 'adopt.note.denied', { actions: (table.catalog.denied ?? []).join(', ') }))
  if (table.catalog.insertsByRule === true && table.catalog.kind === 'table')
    notes.push(t(locale, 'adopt.note.rules'))
  if (key.length > 1) notes.push(t(locale, 'adopt.note.composite', { columns: key.join(', ') }))
  if (table.catalog.isOfSchools === true)
    notes.push(t(locale, 'adopt.note.schoolKey', { column: 'tenant_id' }))
}

/** Lists of choices that were not proposed, because stored rows hold other values. */
function noteUnlisted({ columns }: InspectedTable, locale: Locale, notes: string[]): void {
  for (const column of columns) {
    const values = unlistedValues(column, readComment(column.comment).choices)
    if (values.length > 0)
      notes.push(
        t(locale, 'adopt.note.unlisted', {
          column: column.name,
          values: values.slice(0, 5).join(', '),
        }),
      )
  }
}

/** Columns whose names mean something to other programs; here they are ordinary fields. */
const strangers =
  /^(tenant_?id|del_?flag|is_?del(eted)?|deleted(_at)?|delete_(flag|time)|create_?(by|user|time|d_at)|created_(at|by)|update_?(by|user|time)|updated_(at|by)|creator|updater|revision|version|sys_org_code)$/i

function listColumns(fields: readonly FieldDraft[], names: readonly string[]): readonly string[] {
  return fields.flatMap(({ attrName, columnName }) =>
    names.includes(attrName) ? [columnName ?? ''] : [],
  )
}

function noteKept(
  fields: readonly FieldDraft[],
  kept: KeptFields,
  locale: Locale,
  notes: string[],
): void {
  const columns = listColumns(fields, keptNames(kept)).join(', ')
  notes.push(t(locale, 'adopt.note.kept', { columns }))
}

function noteColumns(
  table: InspectedTable,
  fields: readonly FieldDraft[],
  proposed: readonly string[],
  notes: string[],
  locale: Locale,
): void {
  const { schema, catalog } = table
  const asked = listColumns(fields, proposed)
  const odd = [...catalog.columns.values()].filter(
    (column) =>
      strangers.test(column.name) &&
      !isSchool(table, column.name) &&
      !asked.includes(column.name) &&
      !systemColumns.some((name) => name === column.name && isOwnColumn(schema, name, column)),
  )
  if (odd.length > 0)
    notes.push(
      t(locale, 'adopt.note.strangers', { columns: odd.map(({ name }) => name).join(', ') }),
    )
  const filled = new Set(
    fields.filter(({ isAdd }) => isAdd === 1).map(({ columnName }) => columnName),
  )
  const isServers = new Set(fields.filter(isHiddenKey).map(({ columnName }) => columnName))
  const unfilled = [...catalog.columns.values()].filter(
    (column) =>
      !column.nullable &&
      !column.hasDefault &&
      !column.generated &&
      !filled.has(column.name) &&
      !isServers.has(column.name) &&
      !isSchool(table, column.name) &&
      !hidden.some((name) => name === column.name && isOwnColumn(schema, name, column)) &&
      (catalog.kind ?? 'table') === 'table',
  )
  if (unfilled.length > 0)
    notes.push(
      t(locale, catalog.hasTriggers === true ? 'adopt.note.triggers' : 'adopt.note.unfilled', {
        columns: unfilled.map(({ name }) => name).join(', '),
      }),
    )
}
