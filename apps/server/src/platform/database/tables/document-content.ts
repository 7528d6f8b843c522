// The printed content of a document as plain data: read once from the database, stored with the
// document, passed to the drawing thread. Any change here makes a new document, so only printed
// values belong in it, and the report's name, which names the file.

export const reportKinds = ['transcript', 'enrolled', 'conversion', 'other'] as const
/** The kinds of reports, and the notices that flows issue. */
export type DocumentKind = (typeof reportKinds)[number] | 'notice'
export type DocumentLanguage = 'zh' | 'en'

export interface School {
  readonly name: string
  readonly nameEn: string
}

export interface StudentRecord {
  readonly studentNo: string
  readonly name: string
  readonly nameEn: string
  /** In the document's language, like other texts from dictionaries; empty when unknown. */
  readonly gender: string
  /** YYYY-MM-DD. */
  readonly birthDate: string | null
  readonly idNumber: string | null
  readonly faculty: string
  readonly facultyEn: string
  readonly major: string
  readonly majorEn: string
  /** Length of the programme. */
  readonly years: number | null
  /** YYYY-MM-DD. */
  readonly enrolDate: string | null
  /** Code of the dictionary `studentStatus`; empty when the document does not state it. */
  readonly status: string
}

export interface CourseResult {
  readonly code: string
  readonly name: string
  readonly nameEn: string
  readonly nature: string
  readonly credit: number
  /** Out of 100. */
  readonly score: number
  /** Out of 5. */
  readonly point: number
  readonly passed: boolean
  /** Whether this is a second or later attempt. */
  readonly retake: boolean
}
/**
 * `year` is `2024-2025`, `half` 1 or 2; another kind of term (summer) has no half and is named by
 * its `word` in the dictionary.
 */
export interface TermResults {
  readonly year: string
  readonly half: 1 | 2 | null
  readonly word: string
  readonly courses: readonly CourseResult[]
}

export interface DocumentContent {
  readonly kind: DocumentKind
  readonly language: DocumentLanguage
  readonly reportName: string
  readonly school: School
  readonly student: StudentRecord
  /** In chronological order; only graded courses. */
  readonly terms: readonly TermResults[]
  /** The text of a notice, whose title is `reportName`. */
  readonly paragraphs?: readonly string[]
}
