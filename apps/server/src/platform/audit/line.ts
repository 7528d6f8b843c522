import { parseJson } from '@jiaowu/api/exact-json'
import { createHash } from 'node:crypto'
import type { AuditEvent } from '../context.ts'
import { countAuditLine } from '../counters.ts'
import type { NewLine } from '../database/finish-write.ts'
import { type AuditKeys, keyedLink, paddedKeys } from './keys.ts'

/** The user who acts; user and account are null before sign-in. */
export interface AuditActor {
  readonly tenant: string
  readonly userId: string | null
  readonly account: string | null
  readonly ip: string
  readonly traceId: string
  /** The name of the token by which a program acts for the user. */
  readonly token?: string
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
  /** Null in lines from before there was a key; absent in archives from before. */
  readonly key_id?: string | null
}

type Content = Omit<AuditRow, 'seq' | 'number' | 'prev_hash' | 'hash' | 'key_id'>

/** A new line, which the database numbers and links to the one before. */
export function newLine(
  { id, at, keys }: { readonly id: string; readonly at: Date; readonly keys: AuditKeys },
  { tenant, userId, account, ip, traceId, token }: AuditActor,
  { action, object, objectId, result, detail }: AuditEvent,
): NewLine {
  countAuditLine({ action, result })
  const row = {
    id,
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
    detail: parseJson(
      JSON.stringify({ ...detail, ...(token !== undefined && { byToken: token }) }),
    ) as unknown,
    trace_id: traceId,
  }
  const lineKey = keys.lineKey(contentText(row)) ?? Buffer.alloc(0)
  return { ...row, key_id: keys.current, ...paddedKeys(lineKey) }
}

/**
 * Covers the previous hash, so that a change breaks every later link. Undefined for a line under a key that is
 * not here.
 */
function hashOfRow(row: AuditRow, keys: AuditKeys | null): string | undefined {
  if (typeof row.key_id !== 'string') return unkeyedHash(row)
  const lineKey = keys?.lineKey(contentText(row), row.key_id)
  return lineKey && keyedLink(lineKey, row.prev_hash, row.number ?? '')
}

export function isKeyedRow({ key_id }: AuditRow): boolean {
  return typeof key_id === 'string'
}

/**
 * Why a line does not follow the one before: another hash before it, content that gives another hash, no key after
 * lines that have one, or a key that is not here.
 */
export function linkFault(
  row: AuditRow,
  {
    previous,
    isKeyed,
    keys,
  }: { readonly previous: string; readonly isKeyed: boolean; readonly keys: AuditKeys | null },
): 'missing' | 'unkeyed' | 'key' | 'changed' | null {
  if (row.prev_hash !== previous) return 'missing'
  if (isKeyed && !isKeyedRow(row)) return 'unkeyed'
  const hash = hashOfRow(row, keys)
  if (hash === undefined) return 'key'
  return row.hash === hash ? null : 'changed'
}

/** Hashes lines from before there was a key. */
function unkeyedHash(row: AuditRow): string {
  const { before, after } = hashedParts(row)
  // Lines of the shared chain have no number.
  const number = row.number === null ? '' : `"number":${JSON.stringify(row.number)},`
  return createHash('sha256')
    .update(`${row.prev_hash}\n${before},${number}${after}`)
    .digest('base64url')
}

/** Formats the content that the key of a line covers: all but its place in the chain. */
function contentText(row: Content): string {
  const { before, after } = hashedParts(row)
  return `${before},${after}`
}

/**
 * Lists the parts that the hash covers besides the previous hash, as JSON with sorted keys, without
 * the number between its parts.
 */
function hashedParts(row: Content): {
  readonly before: string
  readonly after: string
} {
  const before = {
    account: row.account,
    action: row.action,
    at: new Date(row.at).toISOString(),
    detail: row.detail,
    id: row.id,
    ip: row.ip ?? '',
  }
  const after = {
    object: row.object,
    objectId: row.object_id,
    result: row.result,
    tenant: row.tenant_id,
    traceId: row.trace_id ?? '',
    userId: row.user_id,
  }
  return {
    before: JSON.stringify(sortKeys(before)).slice(0, -1),
    after: JSON.stringify(sortKeys(after)).slice(1),
  }
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
