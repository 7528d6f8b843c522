// The tables of the audit log (docs/rules/security.md#l1).
import type { ColumnType, Generated } from 'kysely'

type Moment = ColumnType<string, string | Date, string | Date>
type Filled = ColumnType<string, string | Date | undefined, string | Date>
type Json<T> = ColumnType<T, string, string>

interface AuditLog {
  id: string
  seq: Generated<string>
  tenant_id: string
  at: Filled
  user_id: string | null
  account: string | null
  ip: string | null
  action: string
  object: string | null
  object_id: string | null
  result: string
  detail: Json<unknown>
  trace_id: string | null
  prev_hash: string
  hash: string
  /** Position in the tenant's chain; null in lines from before migration 0015. */
  number: Generated<string | null>
  /** Null in lines from before there was a key. */
  key_id: Generated<string | null>
}
/** The last link of a tenant's chain. */
interface AuditChain {
  tenant_id: string
  number: string
  hash: string
}
/** The remainder of archived lines. */
interface AuditAnchor {
  id: string
  tenant_id: string
  number: string
  hash: string
  lines: string
  before: Moment
  at: Moment
  file_sha256: string
  signature: string
  certificate: string
  key_id: Generated<string | null>
  mac: Generated<string | null>
}
interface AuditKey {
  id: string
  check_value: string
  created_at: Generated<string>
}
/** Where a chain ended before it had a key (platform/audit/mark.ts). */
interface AuditMark {
  tenant_id: string
  number: string
  hash: string
  anchored: string
  at: Moment
  key_id: string
  mac: string
}
/** The result of the newest check of a chain. */
interface AuditCheck {
  tenant_id: string
  checked_at: Moment
  lines: string
  broken: ColumnType<unknown, string | null, string | null>
}
/** Up to which line a receiver has a chain (platform/audit/delivery). */
interface AuditDelivery {
  tenant_id: string
  receiver: string
  number: string
  sent_at: ColumnType<string | null, string | Date | null, string | Date | null>
  /** The server that sends this chain to it, until then. */
  held_by: Generated<string | null>
  held_until: ColumnType<string | null, string | Date | null, string | Date | null>
}

export interface AuditTables {
  'sys.audit_log': AuditLog
  'sys.audit_chain': AuditChain
  'sys.audit_anchor': AuditAnchor
  'sys.audit_check': AuditCheck
  'sys.audit_delivery': AuditDelivery
  'sys.audit_key': AuditKey
  'sys.audit_mark': AuditMark
}
