import type { Problem } from '@jiaowu/api/problem'
import type { SnapshotFrom } from 'xstate'
import type { ActionResult, resourceMachine } from './machine.ts'
import type { ActionRequest } from './ports.ts'

export interface ResourceView {
  readonly step: 'empty' | 'loading' | 'shown' | 'failed'
  readonly query: unknown
  /** The last answer, also while another is loading; null before the first. */
  readonly data: unknown
  /** Why `load` failed; null in every other step. */
  readonly problem: Problem | null
  /** Waits for the user's confirmation. */
  readonly asking: ActionRequest | null
  readonly acting: ActionRequest | null
  /** How the last run of each action ended, by name. */
  readonly results: Readonly<Record<string, ActionResult>>
}
export function resourceView(s: SnapshotFrom<typeof resourceMachine>): ResourceView {
  const { query, data, problem, action, results } = s.context
  const failed = s.matches({ data: { read: 'failed' } })
  return {
    step: s.matches({ data: { read: 'loading' } })
      ? 'loading'
      : failed
        ? 'failed'
        : s.matches({ data: { read: 'shown' } })
          ? 'shown'
          : 'empty',
    query,
    data,
    problem: failed ? problem : null,
    asking: s.matches({ action: 'confirming' }) ? action : null,
    acting: s.hasTag('acting') ? action : null,
    results,
  }
}
