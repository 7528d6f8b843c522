import { run } from '../columns.ts'
import type { Migration } from '../migrate.ts'

/** The lines of one call in the audit log, by the id that a refusal names (docs/operations/watching.md). */
export const auditTraceMigration: Migration = {
  name: '0083-audit-trace',
  up: (db) =>
    run(db, [`create index sys_audit_log_trace_idx on sys.audit_log (tenant_id, trace_id)`]),
}
