import type { EntryState } from '@jiaowu/api/contract/entity/entry'
import type { Message } from '@jiaowu/api/texts/index'
import type { Problem } from '@jiaowu/api/problem'
import type { Values } from '@jiaowu/api/entity/values'
import type { SnapshotFrom } from 'xstate'
import type { EntryContext, entrySheetMachine } from './machine.ts'
import type { EntryBy } from './ports.ts'

export interface EntryView {
  readonly step:
    | 'choosing'
    | 'reading'
    | 'failed'
    | 'idle'
    | 'refreshing'
    | 'asking'
    | 'submitting'
    | 'explaining'
    | 'unlocking'
    | 'adding'
    | 'growing'
  /** A call is on its way. */
  readonly isWaiting: boolean
  readonly by: EntryBy | null
  readonly state: EntryState | null
  readonly isDirty: boolean
  readonly reason: string
  readonly from: Values
  /** Records of the last addition that got no row. */
  readonly refused: EntryContext['refused']
  readonly fault: Message | null
  readonly problem: Problem | null
  /** Rows can be changed. */
  readonly isOpen: boolean
  readonly can: {
    readonly submit: boolean
    readonly confirmSubmit: boolean
    readonly unlock: boolean
    readonly confirmUnlock: boolean
    readonly add: boolean
    readonly confirmAdd: boolean
    readonly cancel: boolean
    readonly retry: boolean
  }
}

type Snapshot = SnapshotFrom<typeof entrySheetMachine>

export function entryView(s: Snapshot): EntryView {
  const { by, state, isDirty, reason, from, refused, fault, problem } = s.context
  const step = resolveEntryStep(s)
  return {
    step,
    isWaiting: waiting.includes(step),
    by,
    state,
    isDirty,
    reason,
    from,
    refused,
    fault,
    problem,
    isOpen: state !== null && state.locked === null,
    can: {
      submit: s.can({ type: 'submit.ask' }),
      confirmSubmit: s.can({ type: 'submit.confirm' }),
      unlock: s.can({ type: 'unlock.ask' }),
      confirmUnlock: s.can({ type: 'unlock.confirm' }),
      add: s.can({ type: 'add.ask' }),
      confirmAdd: s.can({ type: 'add.confirm' }),
      cancel: s.can({ type: 'ask.cancel' }),
      retry: s.matches('failed'),
    },
  }
}

const waiting: readonly EntryView['step'][] = [
  'reading',
  'refreshing',
  'submitting',
  'unlocking',
  'growing',
]

function resolveEntryStep(s: Snapshot): EntryView['step'] {
  const { value } = s
  if (typeof value !== 'string') return value.shown
  return value === 'beginning' ? 'choosing' : value
}
