import type { TestApp } from '@jiaowu/server/testing'

/** The callers. Everyone but `nobody`, `student` and `foreign` is staff of the first school. */
export const subjects = [
  'nobody',
  'student',
  /** Staff without any right. */
  'none',
  /** All rights on courses, none on students. */
  'other',
  /** The administrator of another school. */
  'foreign',
  /** All rights on students and organisations, narrowed to some rows, and prints. */
  'rows',
  /** All rights on students and organisations; the ID number does not exist for them. */
  'fields',
  'designer',
  /** Views students and organisations. */
  'reader',
  /** Staff whose password an administrator has set: they must change it first. */
  'renewing',
  /** The administrator. */
  'full',
  /** A program by a token of the administrator, for students and organisations alone. */
  'token',
] as const
export type Subject = (typeof subjects)[number]

export interface SubmittedSheet {
  /** A grade of a submitted sheet. */
  readonly row: string
  /** The values that put another grade into it, through a second entity. */
  readonly body: Readonly<Record<string, unknown>>
}

export interface World {
  readonly app: TestApp
  readonly tokens: Readonly<Record<Subject, string | null>>
  readonly userIds: Readonly<Record<Subject, string>>
  /** A new student of the first school: in the rows of `rows`, or outside of them. */
  readonly student: (reach: 'own' | 'hidden', name?: string) => Promise<string>
  /** The same, deleted. */
  readonly deletedStudent: (reach: 'own' | 'hidden') => Promise<string>
  /** A request of such a student to register. */
  readonly registration: (reach: 'own' | 'hidden') => Promise<string>
  /** The id of a picture of a new student. */
  readonly file: (reach: 'own' | 'hidden') => Promise<{ id: string; row: string }>
  /** A new account without rights. */
  readonly account: () => Promise<string>
  /** The id of a session of a new account. */
  readonly session: () => Promise<string>
  /**
   * Things that belong to the administrator alone, and the order of a student that is not
   * `student`.
   */
  readonly things: {
    readonly view: string
    readonly bulk: string
    /** A dry run of an import. */
    readonly job: string
    readonly message: string
    readonly role: string
    /** The definition of the first school's own entity. */
    readonly entity: string
    readonly orderNo: string
    /** The number and a report of a student of the first school. */
    readonly studentNo: string
    readonly report: string
    /** A report that every student can have. */
    readonly proof: string
    /** The code of a dictionary of the first school. */
    readonly dictionary: string
    readonly sheet: SubmittedSheet
    /** Values that a new student needs besides a number. */
    readonly body: Readonly<Record<string, unknown>>
  }
  /** The id of a new item of the first school's dictionary. */
  readonly item: () => Promise<string>
  /** The id of a refund that waits for its decision. */
  readonly refund: () => Promise<string>
  readonly discrepancy: (state: 'open' | 'settled') => Promise<string>
  /** The number of a document that is not revoked. */
  readonly document: () => Promise<string>
  /** A new organisation made by the administrator. */
  readonly organisation: () => Promise<string>
  readonly admin: Awaited<ReturnType<TestApp['signIn']>>
}
