// Limits the use of a view: not the columns that show secrets, nor parts of personal data, and no
// rows whose school cannot be told (docs/rules/security.md#views).
import type { PiiKind } from '@jiaowu/api/entity/enums'
import { soundsSecret } from '@jiaowu/api/entity/definition/secret-names'
import { findSealedColumn } from '../../sealed/sealed-columns.ts'
import { isSecretColumn } from '../../../platform/database/tables/secret-columns.ts'
import type { CatalogTable } from '../catalog.ts'
import { isOwnSchema, isSchoolColumn } from '../school-columns.ts'
import type { ColumnOrigin } from './origins.ts'

/** Marks of definitions on the columns of tables. */
export interface BaseMarks {
  readonly markOf: (table: string, column: string) => PiiKind | null
  /** Some definition has a password in the column. */
  readonly isPassword: (table: string, column: string) => boolean
}

/**
 * Why no field may show a column of a view: it holds a secret; an encrypted value that was changed, or whose blind
 * index the view lacks; a part of personal data, which no mask fits; or nobody can say what.
 */
export type ColumnRefusal = 'secret' | 'sealed' | 'personal' | 'unknown'

export function refusalOfColumn(
  table: CatalogTable,
  column: string,
  marks: BaseMarks,
): ColumnRefusal | null {
  const origin = table.origins?.columns.get(column)
  if (origin === undefined) return null
  if (origin.bases.some((base) => isSecretBase(base) || marks.isPassword(base.table, base.column)))
    return 'secret'
  if (origin.isUnknown) return 'unknown'
  const sealed = sealedBase(table, column)
  if (sealed !== null && (!origin.isCopy || indexColumns(table, sealed) === null)) return 'sealed'
  return !origin.isCopy && markOfOrigin(origin, marks) !== null ? 'personal' : null
}

/** Nothing in the database's own catalog that sounds like a password is shown. */
function isSecretBase({ table, column }: ColumnOrigin['bases'][number]): boolean {
  return (
    isSecretColumn(table, column) || (table.startsWith('pg_catalog.') && soundsSecret(column, null))
  )
}

/** Whether the column of a table, or one behind the column of a view, is secret. */
export function isSecretIn(table: CatalogTable, column: string): boolean {
  return (
    isSecretColumn(`${table.schema}.${table.name}`, column) ||
    table.origins?.columns.get(column)?.bases.some(isSecretBase) === true
  )
}

/** The columns of tables whose values the column of a view holds; of a table none. */
export function listBases(table: CatalogTable, column: string): ColumnOrigin['bases'] {
  return table.origins?.columns.get(column)?.bases ?? []
}

function markOfOrigin({ bases }: ColumnOrigin, { markOf }: BaseMarks): PiiKind | null {
  return (
    bases.map(({ table, column }) => markOf(table, column)).find((each) => each !== null) ?? null
  )
}

/** The kind of personal data that the column of a view has from its tables. */
export function inheritedMark(
  table: CatalogTable,
  column: string,
  marks: BaseMarks,
): PiiKind | null {
  const origin = table.origins?.columns.get(column)
  return origin === undefined ? null : markOfOrigin(origin, marks)
}

/** The encrypted column of a table, or the one behind the column of a view. */
export function sealedBase(table: CatalogTable, column: string) {
  const own = findSealedColumn(`${table.schema}.${table.name}`, column)
  if (own !== undefined) return own
  return (
    listBases(table, column)
      .map((base) => findSealedColumn(base.table, base.column))
      .find((each) => each !== undefined) ?? null
  )
}

/** The column with the blind index of an encrypted one; of a view, the copy that it has. */
export function indexColumns(
  table: CatalogTable,
  sealed: { readonly table: string; readonly index: string },
): string | null {
  if (table.origins === undefined) return sealed.index
  const found = [...table.origins.columns].find(
    ([, { bases, isCopy }]) =>
      isCopy && bases.some((base) => base.table === sealed.table && base.column === sealed.index),
  )
  return found?.[0] ?? null
}

/** Why a view can be no entity: rows that cannot be followed, or those of a table whose school it does not show. */
export type RowRefusal =
  | { readonly reason: 'unknown' }
  | { readonly reason: 'school'; readonly table: string }

/**
 * @param isOfSchools whether the rows of a table from elsewhere belong to schools, as definitions say
 */
export function refusalOfRows(
  { origins }: CatalogTable,
  tableOf: (name: string) => CatalogTable | undefined,
  isOfSchools: (table: string) => boolean,
): RowRefusal | null {
  if (origins === undefined) return null
  if (origins.isUnknown) return { reason: 'unknown' }
  const open = origins.sources.find(
    ({ table, columns }) =>
      isTableOfSchools(table, tableOf, isOfSchools) && !columns.has('tenant_id'),
  )
  return open === undefined ? null : { reason: 'school', table: open.table }
}

export function isTableOfSchools(
  name: string,
  tableOf: (name: string) => CatalogTable | undefined,
  isOfSchools: (table: string) => boolean,
): boolean {
  const table = tableOf(name)
  // Nobody can tell about a table of the product that the server may not read.
  if (table === undefined) return isOwnSchema(name.split('.')[0] ?? '')
  const column = table.columns.get('tenant_id')
  return column !== undefined && (isSchoolColumn(table.schema, column) || isOfSchools(name))
}

/** A table of the product whose rows belong to no school. */
export function isPlatformTable(
  name: string,
  tableOf: (name: string) => CatalogTable | undefined,
): boolean {
  const table = tableOf(name)
  const column = table?.columns.get('tenant_id')
  return (
    isOwnSchema(name.split('.')[0] ?? '') &&
    (table === undefined || column === undefined || !isSchoolColumn(table.schema, column))
  )
}
