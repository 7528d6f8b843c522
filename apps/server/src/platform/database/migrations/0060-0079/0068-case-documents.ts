import { index, run } from '../columns.ts'
import type { Migration } from '../migrate.ts'

/**
 * Documents that flows issue: of a case instead of a report, and of no student where the case is about none. Their
 * case may be purged; what was issued stays.
 */
export const caseDocumentsMigration: Migration = {
  name: '0068-case-documents',
  up: (db) =>
    run(db, [
      `alter table sys.document alter column student_id drop not null`,
      `alter table sys.document alter column report_id drop not null`,
      `alter table sys.document add column case_id bigint`,
      `alter table sys.document add column template text`,
      `alter table sys.document add constraint sys_document_of_check check (
        (case_id is null) = (template is null)
        and (case_id is not null or (student_id is not null and report_id is not null)))`,
      index('sys.document', 'case_id'),
    ]),
}
