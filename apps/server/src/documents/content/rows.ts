import { cutText } from '@jiaowu/api/cut-text'
import type { Selectable } from 'kysely'
import type { Tables } from '../../platform/database/tables/tables.ts'
import type { DocumentContent } from '../../platform/database/tables/document-content.ts'
import type { IssuedDocument } from '../document.ts'

/** A row of sys.document: a claim while `sha256` is null. */
export type DocumentRow = Selectable<Tables['sys.document']>

const unsafe = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069"*/\\:<>?|]/g

/** The row as callers see it; null until its file is drawn. */
export function toIssuedDocument(row: DocumentRow): IssuedDocument | null {
  return row.sha256 === null || row.size === null
    ? null
    : {
        id: row.id,
        tenant: row.tenant_id,
        studentId: row.student_id,
        reportId: row.report_id,
        kind: row.content.kind,
        language: row.content.language,
        number: row.number,
        code: row.code,
        sha256: row.sha256,
        size: row.size,
        issuedAt: row.issued_at,
        revokedAt: row.revoked_at,
        fileName: fileName(row.content, row.number),
      }
}

function fileName({ language, reportName, student }: DocumentContent, number: string): string {
  const name = language === 'en' ? student.nameEn : student.name
  return nameFile([name, reportName, number])
}

export function nameFile(parts: readonly string[]): string {
  return `${cutText(parts.join('-').replace(unsafe, ''), 150)}.pdf`
}
