import type { Message } from '@jiaowu/api/texts/index'
import type { Problem } from '@jiaowu/api/problem'
import type { SnapshotFrom } from 'xstate'
import type { revealMachine } from './machine.ts'

export interface RevealView {
  /** `limited`: the hour's limit is reached; `asking` also after a refusal. */
  readonly step: 'hidden' | 'asking' | 'loading' | 'limited' | 'showing'
  readonly reason: string
  readonly fault: Message | null
  readonly problem: Problem | null
  /** Null unless it is shown. */
  readonly value: string | null
  readonly can: {
    readonly ask: boolean
    readonly change: boolean
    readonly confirm: boolean
    readonly close: boolean
  }
}

/** The seconds left are in the child `s.children.revealTime`, `context.secondsLeft`. */
export function revealView(s: SnapshotFrom<typeof revealMachine>): RevealView {
  const { reason, fault, problem, value } = s.context
  return {
    step: resolveRevealStep(s),
    reason,
    fault,
    problem,
    value: s.matches('showing') ? value : null,
    can: {
      ask: s.can({ type: 'reveal.ask' }),
      change: s.can({ type: 'reason.change', reason: '' }),
      confirm: s.can({ type: 'reveal.confirm' }),
      close: s.can({ type: 'reveal.close' }),
    },
  }
}

function resolveRevealStep(s: SnapshotFrom<typeof revealMachine>): RevealView['step'] {
  if (s.matches('asking')) return 'asking'
  if (s.matches('loading')) return 'loading'
  if (s.matches('limited')) return 'limited'
  return s.matches('showing') ? 'showing' : 'hidden'
}
