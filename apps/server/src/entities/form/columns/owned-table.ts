// Whether the columns of an entity's table may be changed in the product: tables of the schema `form` that the
// school has made, and the product's own teaching tables, which all schools of an installation share.
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import { formSchema } from '@jiaowu/api/entity/definition/sheet'
import { addedPrefix } from '@jiaowu/api/entity/definition/table-change'
import type { Message } from '@jiaowu/api/texts/index'
import { sql } from 'kysely'
import type { Context } from '../../../model/context.ts'
import type { CatalogTable } from '../../../model/definition/catalog.ts'
import { isSchoolColumn } from '../../../model/definition/school-columns.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { serverColumnNames } from '../table-statements.ts'

export type Place = { readonly schema: string; readonly table: string }

export interface OwnedTable extends Place {
  /** Names of new columns begin with it. */
  readonly prefix: string
  /** Null where its columns may be changed. */
  readonly refusal: Message | null
  readonly known: CatalogTable | undefined
}

/** The schema of the product's own teaching tables. */
const shippedSchema = 'biz'

export async function findOwnedTable(
  context: Context,
  { schemaName, tableName }: Pick<EntityDefinition, 'schemaName' | 'tableName'>,
): Promise<OwnedTable> {
  const place = { schema: schemaName, table: tableName }
  const known = (await context.registry.catalog(0)).get(`${schemaName}.${tableName}`)
  const found = {
    ...place,
    known,
    prefix: schemaName === shippedSchema ? addedPrefix : '',
    params: { table: `${schemaName}.${tableName}` },
  }
  const refuse = (key: 'made.notOwned' | 'made.otherSchool' | 'made.noOwner'): OwnedTable => ({
    ...found,
    refusal: { key, params: found.params },
  })
  const school = known?.columns.get('tenant_id')
  const isOwn =
    (schemaName === shippedSchema || schemaName === formSchema) &&
    (known?.kind ?? 'table') === 'table' &&
    school !== undefined &&
    isSchoolColumn(schemaName, school) &&
    known?.columns.has('deleted_at') === true
  if (!isOwn) return refuse('made.notOwned')
  if (schemaName === formSchema && (await isOfOtherSchool(context, place)))
    return refuse('made.otherSchool')
  return (await isOwner(context, place)) ? { ...found, refusal: null } : refuse('made.noOwner')
}

/** @throws Refusal 403 with the reason */
export async function requireOwnedTable(
  context: Context,
  definition: Pick<EntityDefinition, 'schemaName' | 'tableName'>,
): Promise<OwnedTable> {
  const owned = await findOwnedTable(context, definition)
  if (owned.refusal !== null) throw new Refusal(403, owned.refusal)
  return owned
}

/** Columns that may leave the table: those of users in a table of the school, added ones in a shipped table. */
export function isChangeable({ prefix }: Pick<OwnedTable, 'prefix'>, column: string): boolean {
  return !serverColumnNames.has(column) && column.startsWith(prefix)
}

/** Another school has made the table: it alone changes its columns. */
async function isOfOtherSchool(
  { database, subject }: Context,
  { schema, table }: Place,
): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select bool_or(tenant_id = ${subject.tenant}::int8) as mine from sys.table_change
    where tenant_id > 0 and schema_name = ${schema} and table_name = ${table}
      and kind = 'create' and undone_by is null`.execute(database.untyped)
  return rows[0]?.mine === false
}

/** The restricted role of the database owns no table. */
async function isOwner({ database }: Context, { schema, table }: Place): Promise<boolean> {
  const { rows } = await sql<{ owns: boolean }>`
    select pg_has_role(c.relowner, 'USAGE') as owns from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relname = ${table}`.execute(database.untyped)
  return rows[0]?.owns === true
}
