// The lines of sys.table_change, and what is counted before values are lost.
import type { FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import type { PlannedColumn } from '@jiaowu/api/entity/definition/sheet'
import { sql } from 'kysely'
import type { Context } from '../../../model/context.ts'
import { identifier, tableName } from '../../../model/definition/names.ts'
import type { AnyDatabase } from '../../../platform/database/any-database.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { TableChange } from '../change-table.ts'
import type { Place } from './owned-table.ts'

export interface StoredChange {
  readonly id: string
  readonly kind: TableChange['kind']
  readonly column_name: string | null
  readonly plan: ChangePlan
  readonly statements: string
  readonly undone_by: string | null
  readonly create_time: Date | string
  readonly user_name: string | null
}

/** Parts of the plans of all kinds. */
interface ChangePlan {
  readonly columns?: readonly PlannedColumn[]
  /** Archived: the field, to be restored as it was, and its place. */
  readonly field?: FieldDefinition
  readonly at?: number
}

/** The changes that this school has made, newest first. */
export async function loadChanges(
  { database, subject }: Context,
  { schema, table }: Place,
): Promise<StoredChange[]> {
  const { rows } = await sql<StoredChange>`
    select c.id::text as id, c.kind, c.column_name, c.plan, c.statements, c.undone_by::text as undone_by,
      c.create_time, u.name as user_name
    from sys.table_change c
    left join sys.app_user u on u.tenant_id = c.tenant_id and u.id = c.create_user
    where c.tenant_id = ${subject.tenant}::int8 and c.schema_name = ${schema} and c.table_name = ${table}
    order by c.id desc`.execute(database.untyped)
  return rows
}

export function listColumnNames({ kind, column_name, plan }: StoredChange): string[] {
  if (column_name !== null) return [column_name]
  return kind === 'add' || kind === 'create'
    ? (plan.columns ?? []).map(({ columnName }) => columnName)
    : []
}

/** The last change that archived each column, unless it was restored or dropped since. `changes`: newest first. */
export function findArchived(changes: readonly StoredChange[]): ReadonlyMap<string, StoredChange> {
  const last = new Map<string, StoredChange>()
  for (const change of changes) {
    if (change.undone_by !== null) continue
    for (const name of listColumnNames(change)) if (!last.has(name)) last.set(name, change)
  }
  return new Map([...last].filter(([, { kind }]) => kind === 'archive'))
}

/** Values of the columns in rows of the school, and of others. */
export async function countValues(
  db: AnyDatabase,
  { subject }: Pick<Context, 'subject'>,
  { schema, table }: Place,
  columns: readonly string[],
): Promise<{ readonly mine: number; readonly others: number }> {
  const values = sql.join(
    columns.map((column) => sql`(${identifier(column)} is not null)::int`),
    sql` + `,
  )
  const { rows } = await sql<{ mine: string | null; others: string | null }>`
    select sum(${values}) filter (where tenant_id = ${subject.tenant}::int8) as mine,
      sum(${values}) filter (where tenant_id <> ${subject.tenant}::int8) as others
    from ${tableName(schema, table)}`.execute(db)
  return { mine: Number(rows[0]?.mine ?? 0), others: Number(rows[0]?.others ?? 0) }
}

/** Definitions of other schools on the table, or on one of its columns. */
export async function countOtherSchools(
  { database, subject }: Context,
  { schema, table }: Place,
  columns: readonly string[] | null = null,
): Promise<number> {
  const { rows } = await sql<{ schools: number | string }>`
    select count(distinct tenant_id) as schools from sys.entity
    where tenant_id <> ${subject.tenant}::int8 and (definition ->> 'tableName') = ${table}
      and coalesce(definition ->> 'schemaName', 'biz') = ${schema}
      and (${columns === null}::boolean or exists (
        select 1 from jsonb_array_elements(definition -> 'fields') f
        where f ->> 'columnName' = any(${columns ?? []}::text[])))`.execute(database.untyped)
  return Number(rows[0]?.schools ?? 0)
}

/** @throws Refusal 409 where other schools have fields or values in the columns */
export async function assertOnlyMine(
  context: Context,
  place: Place,
  columns: readonly string[],
  others: number,
): Promise<void> {
  if (others > 0 || (await countOtherSchools(context, place, columns)) > 0)
    throw new Refusal(409, {
      key: 'made.othersUse',
      params: { column: columns.join('、'), table: `${place.schema}.${place.table}` },
    })
}

/** Waits no longer than the lock time-out, and then counts what nobody can change any more. */
export async function lockTable(trx: AnyDatabase, { schema, table }: Place): Promise<void> {
  await sql`lock table ${tableName(schema, table)} in access exclusive mode`.execute(trx)
}
