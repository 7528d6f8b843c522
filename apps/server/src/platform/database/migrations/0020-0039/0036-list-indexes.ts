import type { Migration } from '../migrate.ts'
import { index, liveIndex, run } from '../columns.ts'

/**
 * Indexes for the searches and orders of lists whose tables grow with use: orders, documents, files, text
 * messages and the audit log. Fields of few values (language, result) have none: an index that finds half of the
 * rows is slower than reading them in the order of the list (docs/rules/database.md#indexes-for-lists).
 */
export const listIndexesMigration: Migration = {
  name: '0036-list-indexes',
  up: (db) =>
    run(db, [
      liveIndex('biz.print_order', 'create_time, id'),
      liveIndex('biz.print_order', 'report_id, id'),
      liveIndex('biz.print_order', 'state, id'),
      index('sys.document', 'issued_at, id'),
      index('sys.document', 'revoked_at, id'),
      `create index sys_document_number_bigrams on sys.document
        using gin (sys.bigrams(tenant_id, number))`,
      index('sys.audit_log', 'object_id, id'),
      index('sys.audit_log', 'action, id'),
      index('sys.audit_log', 'ip, id'),
      liveIndex('sys.attachment', 'create_time, id'),
      liveIndex('sys.attachment', 'biz_id, id'),
      liveIndex('sys.sms_task', 'template_code, id'),
      liveIndex('sys.sms_task', 'status, id'),
    ]),
}
