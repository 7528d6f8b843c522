import type { Kysely } from 'kysely'
import type { AuditEvent, InTransaction, Services } from '../../context.ts'
import type { Tables } from '../database/tables/tables.ts'
import { beforeCommit, transact } from '../database/transact.ts'
import { type AuditActor, rowOf, sharedChain } from './line.ts'

type Db = Kysely<Tables>
interface Entry {
  readonly actor: AuditActor
  readonly event: AuditEvent
}
const pending = new WeakMap<object, Entry[]>()

/**
 * Records an action in the transaction that performs it: both are committed, or neither. The line is
 * written last, because it locks the chain of its tenant until the commit. @throws when `trx` is no
 * open transaction of `transact`
 */
export function auditIn(
  services: Pick<Services, 'newId' | 'now'>,
  trx: InTransaction,
  actor: AuditActor,
  event: AuditEvent,
): void {
  const entries = pending.get(trx)
  if (entries !== undefined) {
    entries.push({ actor, event })
    return
  }
  const first = [{ actor, event }]
  beforeCommit(trx, () => append(trx as Db, services, first))
  pending.set(trx, first)
}

/**
 * Records what writes nothing itself: a read, a refusal, a failed attempt. A read fails when its line
 * cannot be written; a refusal stands even then, and the failure is logged.
 */
export async function auditAlone(
  services: Services,
  actor: AuditActor,
  event: AuditEvent,
): Promise<void> {
  try {
    await transact(services.database.kysely, async (trx) => {
      await append(trx, services, [{ actor, event }])
    })
  } catch (error) {
    if (event.result === 'ok') throw error
    services.log.error(
      { err: error, action: event.action, traceId: actor.traceId },
      'an audit line could not be written',
    )
  }
}

async function append(
  trx: Db,
  { newId, now }: Pick<Services, 'newId' | 'now'>,
  entries: readonly Entry[],
): Promise<void> {
  const byTenant = Map.groupBy(entries, ({ actor }) => actor.tenant)
  // In one order for all transactions, so that two of them cannot wait for each other.
  for (const tenant of [...byTenant.keys()].toSorted()) {
    const { number, hash } = await lockHead(trx, tenant)
    let [last, previous] = [BigInt(number), hash]
    const rows = (byTenant.get(tenant) ?? []).map(({ actor, event }) => {
      last += 1n
      const row = rowOf({ id: newId(), at: now(), number: last, previous }, actor, event)
      previous = row.hash
      return row
    })
    await trx
      .with('added', (db) =>
        db
          .insertInto('sys.audit_log')
          .values(rows.map((row) => ({ ...row, detail: JSON.stringify(row.detail) }))),
      )
      .updateTable('sys.audit_chain')
      .set({ number: String(last), hash: previous })
      .where('tenant_id', '=', tenant)
      .execute()
  }
}

/** Locks the last link of a tenant's chain until the commit; makes the first one. */
async function lockHead(trx: Db, tenant: string): Promise<{ number: string; hash: string }> {
  const read = () =>
    trx
      .selectFrom('sys.audit_chain')
      .select(['number', 'hash'])
      .where('tenant_id', '=', tenant)
      .forUpdate()
      .executeTakeFirst()
  const head = await read()
  if (head !== undefined) return head
  const shared = await trx
    .selectFrom('sys.audit_chain')
    .select('hash')
    .where('tenant_id', '=', sharedChain)
    .executeTakeFirst()
  await trx
    .insertInto('sys.audit_chain')
    .values({ tenant_id: tenant, number: '0', hash: shared?.hash ?? '' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const made = await read()
  if (made === undefined) throw new Error(`the audit chain of tenant ${tenant} is missing`)
  return made
}
