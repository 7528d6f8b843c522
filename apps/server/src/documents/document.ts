import type { DocumentKind, DocumentLanguage } from './content/content.ts'

/** Whose document of which report. Ids come from the session or from a checked row, never from a request's parameters. */
export interface DocumentOf {
  readonly tenant: string
  readonly studentId: string
  readonly reportId: string
}

/** A document that stands for good: the same bytes on every read, until it is revoked. */
export interface IssuedDocument {
  readonly id: string
  readonly tenant: string
  readonly studentId: string
  readonly reportId: string
  readonly kind: DocumentKind
  readonly language: DocumentLanguage
  /** Unique in its school: `T-2026-000123`. */
  readonly number: string
  /** 16 characters, 80 bits (docs/rules/security.md#files). */
  readonly code: string
  readonly sha256: string
  /** Bytes. */
  readonly size: number
  /** ISO. */
  readonly issuedAt: string
  /** ISO; null while the document stands. */
  readonly revokedAt: string | null
  /** What the file is called when it is saved: `张三-中文成绩单-T-2026-000123.pdf`. */
  readonly fileName: string
}
