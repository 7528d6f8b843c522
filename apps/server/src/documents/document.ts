import type {
  DocumentKind,
  DocumentLanguage,
} from '../platform/database/tables/document-content.ts'

/**
 * Student and report of a document. The ids come from the session or a checked row, never from a
 * request.
 */
export interface DocumentOf {
  readonly tenant: string
  readonly studentId: string
  readonly reportId: string
}

/** An issued document: every read returns the same bytes until it is revoked. */
export interface IssuedDocument {
  readonly id: string
  readonly tenant: string
  readonly studentId: string | null
  readonly reportId: string | null
  readonly kind: DocumentKind
  readonly language: DocumentLanguage
  /** Unique in its tenant: `T-2026-000123`. */
  readonly number: string
  /** 16 characters, 80 bits (docs/rules/security.md#files). */
  readonly code: string
  readonly sha256: string
  /** Bytes. */
  readonly size: number
  /** ISO. */
  readonly issuedAt: string
  /** ISO; null unless revoked. */
  readonly revokedAt: string | null
  /** File name of the download: `张三-中文成绩单-T-2026-000123.pdf`. */
  readonly fileName: string
}
