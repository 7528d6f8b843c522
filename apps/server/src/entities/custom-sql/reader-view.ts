// The view of a custom SQL for the user who runs it: their rows, the columns that their roles show,
// and masks of personal data (docs/rules/security.md#designers).
import { may } from '@jiaowu/api/entity/permission'
import { narrowedFlags } from '@jiaowu/api/entity/role'
import type { PiiKind } from '@jiaowu/api/entity/enums'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Grant, tenantRows } from '../../access/access.ts'
import { lookupAccess } from '../../access/lookup-access.ts'
import type { Context } from '../../model/context.ts'
import { maskedRef } from '../personal/masked-ref.ts'
import { indexColumns } from '../../model/sealed/sealed-columns.ts'
import type { CatalogTable } from '../../model/definition/catalog.ts'
import { fieldKey, tableKey } from '../../model/definition/column-key.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'
import { productMark } from '../../model/definition/registry/marks.ts'
import { marksOfEntities } from '../design/view-refusals.ts'
import {
  type BaseMarks,
  inheritedMark,
  refusalOfColumn,
  sealedBase,
} from '../../model/definition/origins/view-guard.ts'
import { findBin } from '../../model/definition/kept.ts'
import { allOf, anyOf, columnRef, type Condition, never } from '../../model/definition/names.ts'

/** A part of a statement over the alias `t`, with its values for `$1`, `$2` … */
export interface SqlPart {
  readonly text: string
  readonly values: readonly unknown[]
}
export interface TableView {
  /** Parts in place of a column; null: it does not exist. Other columns are read as they are. */
  readonly columns: ReadonlyMap<string, SqlPart | null>
  /** Columns that are read as masks. */
  readonly masked: ReadonlySet<string>
  /** Null for every row of the tenant. */
  readonly rows: SqlPart | null
}
/**
 * Finds the reader's view of a table; undefined for everything of it, null where it may not be
 * read.
 */
export type ReaderView = (table: CatalogTable) => TableView | undefined | null

export async function buildReaderView(context: Context): Promise<ReaderView> {
  const entities = await context.registry.all(context.subject.tenant)
  const bases = marksOfEntities(entities)
  return (table) => {
    const key = tableKey({ table })
    return buildTableView(
      context,
      table,
      entities.filter((entity) => tableKey(entity) === key),
      bases,
    )
  }
}

function buildTableView(
  context: Context,
  table: CatalogTable,
  entities: readonly LoadedEntity[],
  bases: BaseMarks,
): TableView | null {
  const [entity] = entities
  // An adopted table is readable once an entity stands on it, and so is every view.
  if (entity === undefined && (table.schema !== 'biz' || table.origins !== undefined)) return null
  const grants = entity === undefined ? [] : lookupAccess(context, entity).grants
  const secrets = passwordColumns(entities)
  const marks = collectPiiMarks(table, entities, bases)
  const isPlain = may(context.subject.permissions, 'pii:reveal')
  const part = createSqlPartCompiler(context.database.untyped)
  const isOut = (name: string) =>
    indexColumns.has(`${tableKey({ table })}.${name}`) ||
    secrets.has(name) ||
    refusalOfColumn(table, name, bases) !== null
  const columns = new Map<string, SqlPart | null>()
  const masked = new Set<string>()
  for (const name of table.columns.keys()) {
    const rows = rowsShowing(grants, name)
    if (rows === never || isOut(name)) {
      columns.set(name, null)
      continue
    }
    // The database cannot open an encrypted value.
    const isSealed = sealedBase(table, name) !== null
    const kind = isSealed || !isPlain ? (marks.get(name) ?? null) : null
    if (kind !== null) masked.add(name)
    if (kind === null && rows === null) continue
    const ref = kind === null ? columnRef(name) : maskedRef(isSealed ? null : kind, name)
    columns.set(name, part(rows === null ? ref : sql`(case when ${rows} then ${ref} end)`))
  }
  const conditions = [
    ...(entity === undefined ? [] : theirRows(context, entity)),
    ...grantedRows(grants),
  ]
  return {
    columns,
    masked,
    rows: conditions.length === 0 ? null : part(allOf(conditions)),
  }
}

function passwordColumns(entities: readonly LoadedEntity[]): ReadonlySet<string> {
  const fields = entities.flatMap((entity) => entity.fields)
  return new Set(
    fields.flatMap(({ column, kind }) => (column !== null && kind.secret ? [column.name] : [])),
  )
}

/** Nothing where some grant reaches every row. */
function grantedRows(grants: readonly Grant[]): Condition[] {
  const scopes = grants.map(({ scope }) => scope)
  return grants.length === 0 || scopes.includes(null)
    ? []
    : [anyOf(scopes.filter((scope) => scope !== null))]
}

/**
 * The definition says which school owns the rows of a table from elsewhere, or of a view, and which
 * are deleted.
 */
function theirRows({ subject }: Context, entity: LoadedEntity): Condition[] {
  const { schema, origins } = entity.table
  if (schema === 'biz' && origins === undefined) return []
  const bin = findBin(entity)
  const isOfSchools = entity.has('tenant_id') || entity.schools.length > 0
  return [
    ...(isOfSchools ? [tenantRows(entity, subject.tenant)] : []),
    ...(bin === null ? [] : [bin.kept]),
  ]
}

/** The rows on which some role shows the column: null for all of them, `never` for none. */
function rowsShowing(grants: readonly Grant[], column: string) {
  const showing = grants.filter(
    ({ overrides }) => !narrowedFlags.every((flag) => overrides[column]?.[flag] === 0),
  )
  if (showing.length === grants.length) return null
  const scopes = showing.map(({ scope }) => scope)
  if (scopes.includes(null)) return null
  return showing.length === 0 ? never : anyOf(scopes.filter((scope) => scope !== null))
}

/** The kinds of personal data by column, as the product or some entity on the table marks them. */
function collectPiiMarks(
  table: CatalogTable,
  entities: readonly LoadedEntity[],
  bases: BaseMarks,
): ReadonlyMap<string, PiiKind> {
  const marks = new Map<string, PiiKind>()
  for (const name of table.columns.keys()) {
    const mark = productMark(`${tableKey({ table })}.${name}`) ?? inheritedMark(table, name, bases)
    if (mark !== null) marks.set(name, mark)
  }
  for (const field of entities.flatMap(({ fields }) => fields))
    if (field.column !== null && field.pii !== null) marks.set(fieldKey(field), field.pii)
  return marks
}

function createSqlPartCompiler(db: Kysely<unknown>): (fragment: RawBuilder<unknown>) => SqlPart {
  return (fragment) => {
    const { sql: text, parameters } = fragment.compile(db)
    return { text, values: parameters }
  }
}
