import type { EntryAddition, EntryState } from '@jiaowu/api/contract/entity/entry'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import { limits } from '@jiaowu/api/limits'
import type { Message } from '@jiaowu/api/texts/index'
import { type Problem, toProblem } from '@jiaowu/api/problem'
import type { Values } from '@jiaowu/api/entity/values'
import { assign, emit, setup } from 'xstate'
import { createMissingPorts } from '../port.ts'
import { entryActors, type EntryBy, type EntryPorts } from './ports.ts'

/** @public Declarations of the machine's type name it. */
export interface EntryInput {
  readonly tag: string
  /** Null until a value is chosen for each field. */
  readonly by: EntryBy | null
}
export interface EntryContext extends EntryInput {
  readonly state: EntryState | null
  /** The grid holds something that is not stored. */
  readonly isDirty: boolean
  readonly reason: string
  /** Values of the records for which rows are to be added: a class, a major. */
  readonly from: Values
  /** Records of the last addition that got no row; null: none. */
  readonly refused: Pick<EntryAddition, 'refused' | 'refusals'> | null
  readonly fault: Message | null
  readonly problem: Problem | null
}
export type EntryEvent =
  | { readonly type: 'entry.choose'; readonly by: EntryBy | null }
  /** Rows were stored. */
  | { readonly type: 'entry.refresh' }
  | { readonly type: 'grid.change'; readonly isDirty: boolean }
  | { readonly type: 'submit.ask' }
  | { readonly type: 'submit.confirm' }
  | { readonly type: 'unlock.ask' }
  | { readonly type: 'reason.change'; readonly reason: string }
  | { readonly type: 'unlock.confirm' }
  | { readonly type: 'add.ask' }
  | { readonly type: 'add.change'; readonly from: Values }
  | { readonly type: 'add.confirm' }
  /** Closes a question. */
  | { readonly type: 'ask.cancel' }
type EntryEmitted = { readonly type: 'said'; readonly message: Message }

/** Code of the answer when the sheet is no longer what the user was shown. */
const conflict = 409

const base = setup({
  types: {
    context: {} as EntryContext,
    events: {} as EntryEvent,
    emitted: {} as EntryEmitted,
    input: {} as EntryInput,
    children: {} as {
      readEntry: 'readEntry'
      submitEntry: 'submitEntry'
      unlockEntry: 'unlockEntry'
      addRows: 'addRows'
    },
    tags: {} as 'busy',
  },
  actors: entryActors(createMissingPorts<EntryPorts>()),
  guards: {
    isChosen: ({ context }) => context.by !== null,
    isChoice: (_args, { by }: { by: EntryBy | null }) => by !== null,
    maySubmit: ({ context }) => context.state?.can.submit === true && !context.isDirty,
    mayUnlock: ({ context }) => context.state?.can.unlock === true,
    mayAdd: ({ context }) => context.state?.can.add === true && !context.isDirty,
    canGrow: ({ context }) =>
      context.state?.can.add === true &&
      !context.isDirty &&
      Object.values(context.from).some((value) => !isEmpty(value)),
    isGiven: ({ context }) => [...context.reason.trim()].length >= limits.reasonShortest,
    isConflict: (_args, { error }: { error: unknown }) => toProblem(error).code === conflict,
  },
  actions: {
    choose: assign((_args, { by }: { by: EntryBy | null }) => ({ ...blank, by, state: null })),
    keepState: assign((_args, { state }: { state: EntryState }) => ({ state })),
    keepDirty: assign((_args, { isDirty }: { isDirty: boolean }) => ({ isDirty })),
    keepReason: assign((_args, { reason }: { reason: string }) => ({ reason, fault: null })),
    faultReason: assign({
      fault: { key: 'entry.reasonShort', params: { n: limits.reasonShortest } } as const,
    }),
    keepProblem: assign((_args, { error }: { error: unknown }) => ({ problem: toProblem(error) })),
    keepFrom: assign((_args, { from }: { from: Values }) => ({ from, fault: null })),
    faultFrom: assign({ fault: { key: 'entry.addNeedsOne' } as const }),
    keepRefused: assign((_args, { added: { refused, refusals } }: { added: EntryAddition }) => ({
      refused: refusals === 0 ? null : { refused, refusals },
    })),
    // The grid reads all of its rows again.
    dropState: assign({ state: null }),
    sayAdded: emit((_args, { added: { added, there } }: { added: EntryAddition }) => ({
      type: 'said' as const,
      message: { key: 'entry.added', params: { added, there } } as const,
    })),
    forget: assign(() => ({ reason: '', fault: null, problem: null, refused: null })),
    saySubmitted: emit({ type: 'said', message: { key: 'entry.submitted' } } as const),
    sayUnlocked: emit({ type: 'said', message: { key: 'entry.unlocked' } } as const),
  },
})

const keepProblem = {
  type: 'keepProblem',
  params: ({ event }: { event: { readonly error: unknown } }) => ({ error: event.error }),
} as const
const keepState = {
  type: 'keepState',
  params: ({ event }: { event: { readonly output: EntryState } }) => ({ state: event.output }),
} as const
const pickSheet = ({ tag, by }: EntryContext) => ({ tag, by: by ?? {} })

/**
 * A sheet of rows that are entered together: chosen, entered in a grid, submitted, which locks it, and
 * unlocked (docs/rules/contract.md#entry-sheets).
 */
export const entrySheetMachine = base.createMachine({
  id: 'entrySheet',
  context: ({ input: { tag, by } }) => ({ tag, by, state: null, ...blank }),
  initial: 'beginning',
  on: {
    'entry.choose': [
      {
        guard: { type: 'isChoice', params: ({ event }) => event },
        target: '.reading',
        actions: { type: 'choose', params: ({ event }) => event },
      },
      { target: '.choosing', actions: { type: 'choose', params: ({ event }) => event } },
    ],
  },
  states: {
    beginning: { always: [{ guard: 'isChosen', target: 'reading' }, { target: 'choosing' }] },
    choosing: {},
    reading: {
      tags: 'busy',
      invoke: {
        id: 'readEntry',
        src: 'readEntry',
        input: ({ context }) => pickSheet(context),
        onDone: { target: 'shown', actions: keepState },
        onError: { target: 'failed', actions: keepProblem },
      },
    },
    failed: { on: { 'entry.refresh': { target: 'reading', actions: 'forget' } } },
    shown: {
      initial: 'idle',
      on: { 'grid.change': { actions: { type: 'keepDirty', params: ({ event }) => event } } },
      states: {
        idle: {
          on: {
            'entry.refresh': { target: 'refreshing', actions: 'forget' },
            'submit.ask': { guard: 'maySubmit', target: 'asking', actions: 'forget' },
            'add.ask': { guard: 'mayAdd', target: 'adding', actions: 'forget' },
            'unlock.ask': { guard: 'mayUnlock', target: 'explaining', actions: 'forget' },
          },
        },
        // The grid stays; only the counts and the lock are read again.
        refreshing: {
          on: { 'entry.refresh': { target: 'refreshing', reenter: true } },
          invoke: {
            id: 'readEntry',
            src: 'readEntry',
            input: ({ context }) => pickSheet(context),
            onDone: { target: 'idle', actions: keepState },
            onError: { target: 'idle', actions: keepProblem },
          },
        },
        asking: {
          on: {
            'submit.confirm': { guard: 'maySubmit', target: 'submitting', actions: 'forget' },
            'ask.cancel': { target: 'idle', actions: 'forget' },
          },
        },
        submitting: {
          tags: 'busy',
          // Whether it was carried out is read.
          on: { 'ask.cancel': { target: 'refreshing' } },
          invoke: {
            id: 'submitEntry',
            src: 'submitEntry',
            input: ({ context }) => ({
              ...pickSheet(context),
              entered: context.state?.entered ?? 0,
            }),
            onDone: { target: 'idle', actions: [keepState, 'saySubmitted'] },
            onError: [
              {
                guard: { type: 'isConflict', params: ({ event }) => ({ error: event.error }) },
                target: 'refreshing',
                actions: keepProblem,
              },
              { target: 'asking', actions: keepProblem },
            ],
          },
        },
        explaining: {
          on: {
            'reason.change': { actions: { type: 'keepReason', params: ({ event }) => event } },
            'unlock.confirm': [
              { guard: 'isGiven', target: 'unlocking' },
              { actions: 'faultReason' },
            ],
            'ask.cancel': { target: 'idle', actions: 'forget' },
          },
        },
        adding: {
          on: {
            'add.change': { actions: { type: 'keepFrom', params: ({ event }) => event } },
            'add.confirm': [
              { guard: 'canGrow', target: 'growing' },
              { guard: 'mayAdd', actions: 'faultFrom' },
            ],
            'ask.cancel': { target: 'idle', actions: 'forget' },
          },
        },
        growing: {
          tags: 'busy',
          // Rows that were added until then stay.
          on: { 'ask.cancel': { target: '#entrySheet.reading', actions: ['forget', 'dropState'] } },
          invoke: {
            id: 'addRows',
            src: 'addRows',
            input: ({ context }) => ({ ...pickSheet(context), from: context.from }),
            onDone: {
              target: '#entrySheet.reading',
              actions: [
                'forget',
                'dropState',
                { type: 'keepRefused', params: ({ event }) => ({ added: event.output }) },
                { type: 'sayAdded', params: ({ event }) => ({ added: event.output }) },
              ],
            },
            onError: { target: 'adding', actions: keepProblem },
          },
        },
        unlocking: {
          tags: 'busy',
          on: { 'ask.cancel': { target: 'refreshing', actions: 'forget' } },
          invoke: {
            id: 'unlockEntry',
            src: 'unlockEntry',
            input: ({ context }) => ({ ...pickSheet(context), reason: context.reason.trim() }),
            onDone: { target: 'idle', actions: [keepState, 'forget', 'sayUnlocked'] },
            onError: [
              {
                guard: { type: 'isConflict', params: ({ event }) => ({ error: event.error }) },
                target: 'refreshing',
                actions: keepProblem,
              },
              { target: 'explaining', actions: keepProblem },
            ],
          },
        },
      },
    },
  },
})

const blank = {
  isDirty: false,
  reason: '',
  from: {},
  refused: null,
  fault: null,
  problem: null,
} as const
