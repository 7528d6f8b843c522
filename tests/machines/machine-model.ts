import type { Reasons, Rule } from '@jiaowu/path-tests'
import type { Spec } from './spec.ts'

/**
 * Facts of one machine for the tests: the table `registry.ts` asks for one per machine of the
 * product (docs/testing.md). A wide machine is looked at one concern at a time, each a spec of its
 * own; together they take every transition and notice every mutant.
 */
export interface MachineModel<Seen = unknown> {
  /** The concerns by name, in the order in which they are asked about a mutant: the quick ones first. */
  readonly parts: Readonly<Record<string, Spec<Seen>>>
  /** The machine's own promises; the common ones (no dead end, what is busy ends) are always asked. */
  readonly rules: readonly Rule[]
  /**
   * Mutants that no path can detect, each with the reason. The test fails for an unlisted survivor
   * and for a listed mutant that a path detects.
   */
  readonly survivors?: Reasons
  /** Random walks per concern. */
  readonly walks?: number
  /** Model states a concern may have: more means that data leaks into its key. */
  readonly limit?: number
}
