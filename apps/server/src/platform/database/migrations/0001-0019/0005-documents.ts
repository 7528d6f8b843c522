import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/**
 * Issued documents. A row is first inserted without a file: number, code, time and content are fixed,
 * so that the same bytes can be rendered after a crash. In `sys`, so that no entity can be designed
 * over verification codes.
 */
const documents = [
  `create table sys.document (
    id bigint primary key, tenant_id bigint not null, student_id bigint not null references biz.student(id),
    report_id bigint not null references biz.report(id),
    kind text not null, language text not null check (language in ('zh', 'en')), number text not null,
    code text not null unique check (code ~ '^[0-9A-HJKMNP-TV-Z]{16}$'),
    content jsonb not null, content_hash text not null, issued_at timestamptz not null,
    sha256 text, size integer, storage_name text,
    check ((sha256 is null) = (storage_name is null) and (sha256 is null) = (size is null)),
    revoked_at timestamptz, revoked_by bigint, revoke_reason text,
    check ((revoked_at is null) = (revoke_reason is null)), unique (tenant_id, number))`,
  `create index sys_document_of_idx on sys.document (tenant_id, student_id, report_id, issued_at desc)`,
  // An order has one document; a document may belong to several orders (later, free downloads).
  `create table sys.document_order (tenant_id bigint not null, order_no text not null,
    document_id bigint not null references sys.document(id), primary key (tenant_id, order_no))`,
]

export const documentsMigration: Migration = {
  name: '0005-documents',
  up: (db) => run(db, documents),
}
