import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { AuditEvent, Services } from '../context.ts'
import type { Tables } from './database/tables.ts'
import { transact } from './database/transact.ts'

/** The user who acts; user and account are null before sign-in. */
export interface AuditActor {
  readonly tenant: string
  readonly userId: string | null
  readonly account: string | null
  readonly ip: string
  readonly traceId: string
}

/** Appends one line. Failures are logged, not thrown, because the recorded action has already happened. */
export async function writeAudit(
  { database: { kysely }, newId, now, log }: Services,
  actor: AuditActor,
  event: AuditEvent,
): Promise<void> {
  try {
    await transact(kysely, (trx) => insert(trx, newId(), now(), actor, event))
  } catch (error) {
    log.error(
      { err: error, action: event.action, traceId: actor.traceId },
      'an audit line could not be written',
    )
  }
}

async function insert(
  db: Kysely<Tables>,
  id: string,
  at: Date,
  actor: AuditActor,
  event: AuditEvent,
): Promise<void> {
  // This row lock serialises writers; otherwise two lines could name the same predecessor.
  await sql`select id from sys.audit_turn where id = 1 for update`.execute(db)
  const last = await db
    .selectFrom('sys.audit_log')
    .select('hash')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  const line = lineOf(id, at.toISOString(), actor, event)
  await db
    .insertInto('sys.audit_log')
    .values({
      id,
      tenant_id: actor.tenant,
      at,
      user_id: actor.userId,
      account: actor.account,
      ip: actor.ip,
      action: event.action,
      object: line.object,
      object_id: line.objectId,
      result: event.result,
      detail: JSON.stringify(line.detail),
      trace_id: actor.traceId,
      prev_hash: last?.hash ?? '',
      hash: digest(last?.hash ?? '', line),
    })
    .execute()
}

function lineOf(
  id: string,
  at: string,
  { tenant, userId, account, ip, traceId }: AuditActor,
  { action, object, objectId, result, detail }: AuditEvent,
) {
  return {
    id,
    at,
    tenant,
    userId,
    account,
    ip,
    action,
    object: object ?? null,
    objectId: objectId ?? null,
    result,
    detail: detail ?? {},
    traceId,
  }
}

function digest(previous: string, line: Readonly<Record<string, unknown>>): string {
  return createHash('sha256')
    .update(`${previous}\n${JSON.stringify(sortKeys(line))}`)
    .digest('base64url')
}

/** jsonb does not keep the order of keys, so the digest sorts them. */
function sortKeys(value: unknown): unknown {
  return Array.isArray(value)
    ? value.map(sortKeys)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([k, inner]) => [k, sortKeys(inner)]),
        )
      : value
}

/** The `seq` of the first line whose hash or predecessor does not match; null when the chain is intact. */
export async function verifyAudit({
  database: { kysely },
}: Pick<Services, 'database'>): Promise<string | null> {
  let [previous, after] = ['', '0']
  for (;;) {
    const rows = await kysely
      .selectFrom('sys.audit_log')
      .selectAll()
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(1000)
      .execute()
    for (const row of rows) {
      const line = lineOf(
        row.id,
        new Date(row.at).toISOString(),
        {
          tenant: row.tenant_id,
          userId: row.user_id,
          account: row.account,
          ip: row.ip ?? '',
          traceId: row.trace_id ?? '',
        },
        {
          action: row.action,
          ...(row.object === null ? {} : { object: row.object }),
          ...(row.object_id === null ? {} : { objectId: row.object_id }),
          result: row.result as AuditEvent['result'],
          detail: row.detail as Record<string, unknown>,
        },
      )
      if (row.prev_hash !== previous || row.hash !== digest(previous, line)) return row.seq
      previous = row.hash
      after = row.seq
    }
    if (rows.length < 1000) return null
  }
}
