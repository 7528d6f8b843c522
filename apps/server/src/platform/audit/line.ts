import { createHash } from 'node:crypto'
import type { AuditEvent } from '../../context.ts'

/** The user who acts; user and account are null before sign-in. */
export interface AuditActor {
  readonly tenant: string
  readonly userId: string | null
  readonly account: string | null
  readonly ip: string
  readonly traceId: string
}

/** Stands for the tenant in the row of the one chain that all tenants shared before migration 0015. */
export const sharedChain = '-1'

/** A line as the database holds it. `number` counts the lines of its tenant's chain from 1. */
export interface AuditRow {
  readonly id: string
  readonly seq: string
  readonly number: string | null
  readonly tenant_id: string
  readonly at: string
  readonly user_id: string | null
  readonly account: string | null
  readonly ip: string | null
  readonly action: string
  readonly object: string | null
  readonly object_id: string | null
  readonly result: string
  readonly detail: unknown
  readonly trace_id: string | null
  readonly prev_hash: string
  readonly hash: string
}

/** The columns of a new line, linked to the hash before it. */
export function rowOf(
  { id, at, number, previous }: { id: string; at: Date; number: bigint; previous: string },
  { tenant, userId, account, ip, traceId }: AuditActor,
  { action, object, objectId, result, detail }: AuditEvent,
): Omit<AuditRow, 'seq'> {
  const row = {
    id,
    number: String(number),
    tenant_id: tenant,
    at: at.toISOString(),
    user_id: userId,
    account,
    ip,
    action,
    object: object ?? null,
    object_id: objectId ?? null,
    result,
    // Drops what JSON has no form for, so that the stored value hashes alike.
    detail: JSON.parse(JSON.stringify(detail ?? {})) as unknown,
    trace_id: traceId,
    prev_hash: previous,
  }
  return { ...row, hash: hashOfRow({ ...row, seq: '', hash: '' }) }
}

/** Covers the previous hash, so that a change breaks every later link. */
export function hashOfRow(row: AuditRow): string {
  const line = {
    id: row.id,
    at: new Date(row.at).toISOString(),
    tenant: row.tenant_id,
    userId: row.user_id,
    account: row.account,
    ip: row.ip ?? '',
    action: row.action,
    object: row.object,
    objectId: row.object_id,
    result: row.result,
    detail: row.detail,
    traceId: row.trace_id ?? '',
    // Lines of the shared chain have none.
    ...(row.number === null ? {} : { number: row.number }),
  }
  return createHash('sha256')
    .update(`${row.prev_hash}\n${JSON.stringify(sortKeys(line))}`)
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
