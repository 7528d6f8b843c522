import type { Logger } from 'pino'
import type { Database } from '../../platform/database/open-database.ts'
import type { Settings } from '../../platform/settings/settings.ts'

/** `warn` leaves the server at work; `fail` costs data, or calls, now or at the next start. */
type Grade = 'ok' | 'warn' | 'fail'

export interface Finding {
  readonly check: string
  readonly grade: Grade
  readonly found: string
  /** A sentence about the way out; null when nothing is to be done. */
  readonly advice: string | null
}

/** The parts that a check looks at. */
export interface Patient {
  readonly settings: Settings
  readonly env: Readonly<Record<string, string | undefined>>
  /** Null while it cannot be opened. */
  readonly database: Database | null
  readonly log: Logger
  readonly now: () => Date
  /** Leaves out what reads every row and every file. */
  readonly isQuick: boolean
}

/** A patient whose database is open. */
export type Open = Patient & { readonly database: Database }

export interface Check {
  readonly name: string
  /** Reads every row or every file. */
  readonly isLong?: true
  /** Only what is worth a line; nothing: all is well. */
  readonly look: (patient: Open) => Promise<readonly Complaint[]>
}

export interface Complaint {
  readonly grade: Exclude<Grade, 'ok'>
  readonly found: string
  readonly advice: string
}

export const complain = (found: string, advice: string): Complaint => ({
  grade: 'fail',
  found,
  advice,
})
export const warn = (found: string, advice: string): Complaint => ({ grade: 'warn', found, advice })
