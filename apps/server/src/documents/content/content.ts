// What stands on the paper and nothing else, as plain data: taken once from the database, kept with the document, handed to the drawing thread.
// A change of anything in here makes a new document; so what is not printed must not be in here, but for the report's name, which names the file.

export const documentKinds = ['transcript', 'enrolled', 'conversion', 'other'] as const
export type DocumentKind = (typeof documentKinds)[number]
export type DocumentLanguage = 'zh' | 'en'

export interface School {
  readonly name: string
  readonly nameEn: string
}

export interface StudentRecord {
  readonly studentNo: string
  readonly name: string
  readonly nameEn: string
  /** In the document's language, as the other words from dictionaries; empty when not known. */
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
  /** Code of the dictionary `studentStatus`; empty where the document does not speak of it. */
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
  /** The second or a later attempt. */
  readonly retake: boolean
}
/** `year` is `2024-2025`, `half` 1 or 2; another kind of term (a summer's) has no half and goes by its `word` in the dictionary. */
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
  /** In order of time; only courses that have been graded. */
  readonly terms: readonly TermResults[]
}

/** What only the final version has. */
export interface Issue {
  readonly number: string
  readonly code: string
  /** ISO. */
  readonly issuedAt: string
}
