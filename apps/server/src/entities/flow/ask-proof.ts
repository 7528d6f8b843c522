// Asks for another proof of a school's flows, in the transaction that changes what they stand on: roles, people and
// definitions (docs/rules/contract.md#flows). The queue `proof` does it.
import { type Kysely, sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { tableKey } from '../../model/definition/column-key.ts'
import type { AnyDatabase } from '../../platform/database/any-database.ts'
import type { Tables } from '../../platform/database/tables/tables.ts'
import type { Batch } from '../write/writer.ts'

const staffTables: readonly string[] = ['sys.role', 'sys.app_user']
/** Columns of people that no flow reads. */
const idle: readonly string[] = ['name', 'email', 'mobile', 'password_hash', 'avatar', 'remark']

/** The write effect of roles and people: a flow may have lost the only person who decides. */
export async function askProofOfStaff({ trx, writer, rows }: Batch): Promise<void> {
  const { context, entity } = writer
  if (!staffTables.includes(tableKey(entity))) return
  const matters = rows.some(
    ({ kind, changes }) =>
      kind !== 'update' || changes.some(({ field }) => !idle.includes(field.column?.name ?? '')),
  )
  if (matters) await askProof(trx, context)
}

/** A task that runs loses its lease and is done again after the commit. */
export async function askProof(
  trx: AnyDatabase | Kysely<Tables>,
  { subject: { tenant }, now }: Pick<Context, 'subject' | 'now'>,
): Promise<void> {
  const due = now().toISOString()
  await sql`
    insert into sys.flow_proof as p (tenant_id, id, next_at)
    values (${tenant}::int8, ${tenant}::int8, ${due}::timestamptz)
    on conflict (tenant_id, id) do update
    set next_at = excluded.next_at, leased_until = null, done_at = null, failure = null`.execute(
    trx,
  )
}
