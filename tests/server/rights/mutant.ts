// A check of the server that can be taken out.
import type { Subject } from './world-types.ts'

export interface Edit {
  /** Below apps/server/src. */
  readonly file: string
  /** Occurs once in the file. */
  readonly text: string
  readonly without: string
}
export interface Mutant extends Edit {
  readonly check: string
  /** The same check at other places: each of them alone would still refuse. */
  readonly also?: readonly Edit[]
  /** The route and aim, and the subject, whose cell notices it. */
  readonly cell: readonly [route: string, subject: Subject]
}
