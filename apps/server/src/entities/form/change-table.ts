// The one way in which the product changes tables while it runs: in a transaction of its own that waits for
// no lock longer than a moment, with a line of history and one of audit.
import { may } from '@jiaowu/api/entity/permission'
import type { TextKey } from '@jiaowu/api/texts/index'
import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Context } from '../../model/context.ts'
import type { AnyDatabase } from '../../platform/database/any-database.ts'
import { sqlState } from '../../platform/database/problems.ts'
import { exactlyOne } from '../../platform/database/tables/row-count.ts'
import type { Tables } from '../../platform/database/tables/tables.ts'
import { transact } from '../../platform/database/transact.ts'
import { forbidden, Refusal } from '../../platform/refusal.ts'

export interface TableChange {
  readonly schema: string
  readonly table: string
  readonly kind: 'create' | 'drop' | 'add' | 'archive' | 'restore'
  readonly column?: string
  readonly plan: unknown
  readonly statements: readonly RawBuilder<unknown>[]
  /** The change that this one takes back. */
  readonly undoes?: string
  /** Checks in the transaction, before the statements. What it counts is locked by then. */
  readonly guard?: (trx: AnyDatabase) => Promise<void>
  /** More writes of the same transaction, after the statements. */
  readonly within?: (trx: Transaction<Tables>) => Promise<void>
}

/** Others write to the table meanwhile: they are not kept waiting for longer. */
export const lockSeconds = 3

/** @throws Refusal 403 for authors who may not bring tables in */
export function assertMayMake({ subject }: Pick<Context, 'subject'>): void {
  if (!may(subject.permissions, 'entity:adopt')) throw forbidden()
}

/** The statements as people read them. */
export function printStatements(
  { database }: Pick<Context, 'database'>,
  statements: readonly RawBuilder<unknown>[],
): string {
  return statements
    .map((each) => `${each.compile(database.untyped).sql.replaceAll(/\s+/g, ' ').trim()};`)
    .join('\n')
}

/** @throws Refusal 403 and 409 with the reason of the database; then nothing has changed */
export async function changeTable(context: Context, change: TableChange): Promise<string> {
  assertMayMake(context)
  context.database.assertWritable()
  const { newId, subject } = context
  const id = newId()
  const text = printStatements(context, change.statements)
  await transact(context.database.kysely, async (trx) => {
    await sql`select set_config('lock_timeout', ${`${lockSeconds}s`}, true)`.execute(trx)
    await change.guard?.(trx as unknown as AnyDatabase)
    for (const statement of change.statements) await statement.execute(trx)
    await change.within?.(trx)
    await trx
      .insertInto('sys.table_change')
      .values({
        tenant_id: subject.tenant,
        id,
        schema_name: change.schema,
        table_name: change.table,
        kind: change.kind,
        column_name: change.column ?? null,
        plan: JSON.stringify(change.plan),
        statements: text,
        undone_by: null,
        create_user: subject.userId,
      })
      .execute()
    if (change.undoes !== undefined)
      exactlyOne(
        await trx
          .updateTable('sys.table_change')
          .set({ undone_by: id })
          .where('tenant_id', '=', subject.tenant)
          .where('id', '=', change.undoes)
          .where('undone_by', 'is', null)
          .executeTakeFirst(),
        `${change.schema}.${change.table}`,
      )
    context.audit(
      {
        action: `table.${change.kind}`,
        object: `${change.schema}.${change.table}`,
        objectId: id,
        result: 'ok',
        detail: { statements: text },
      },
      trx,
    )
  }).catch((error: unknown) => {
    throw toRefusal(error, change)
  })
  // Definitions that are checked next know the table.
  await context.registry.catalog(0)
  return id
}

const reasons: Readonly<Record<string, readonly [status: 403 | 409, key: TextKey]>> = {
  '55P03': [409, 'made.locked'],
  '42501': [403, 'made.noRight'],
  '2BP01': [409, 'made.depends'],
  '42P07': [409, 'made.tableTaken'],
  '42701': [409, 'made.columnTaken'],
  '22P02': [409, 'made.badDefault'],
  '22007': [409, 'made.badDefault'],
  '22008': [409, 'made.badDefault'],
  '22001': [409, 'made.badDefault'],
  '22003': [409, 'made.badDefault'],
}

function toRefusal(error: unknown, { schema, table, column }: TableChange): unknown {
  const known = reasons[sqlState(error) ?? '']
  if (known === undefined) return error
  const [status, key] = known
  const params = { table: `${schema}.${table}`, column: column ?? '', schema }
  return new Refusal(status, { key, params })
}
