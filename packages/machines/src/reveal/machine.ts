import { limits } from '@jiaowu/api/limits'
import type { Message } from '@jiaowu/api/texts/index'
import { type Problem, toProblem } from '@jiaowu/api/problem'
import { assign, setup } from 'xstate'
import { countdownMachine } from '../countdown/machine.ts'
import { createMissingPorts } from '../port.ts'
import { revealActors, type RevealedValue, type RevealPorts } from './ports.ts'

export interface RevealInput {
  readonly tag: string
  readonly rowId: string
  readonly field: string
  readonly now: () => number
}
export interface RevealContext extends RevealInput {
  readonly reason: string
  readonly fault: Message | null
  readonly problem: Problem | null
  /** '' unless it is shown. */
  readonly value: string
  /** End of the display in milliseconds since 1970. */
  readonly shownUntil: number
}
export type RevealEvent =
  | { readonly type: 'reveal.ask' }
  | { readonly type: 'reason.change'; readonly reason: string }
  | { readonly type: 'reveal.confirm' }
  /** Closes the question, the call, or what is shown. */
  | { readonly type: 'reveal.close' }

/** Code of the answer when the person has seen as many values as one may in an hour. */
const tooMany = 429

/**
 * One masked value of personal data: asks for a reason, shows the value until its time is over and
 * forgets it (docs/rules/security.md#d5).
 */
export const revealMachine = setup({
  types: {
    context: {} as RevealContext,
    events: {} as RevealEvent,
    input: {} as RevealInput,
    children: {} as { reveal: 'reveal'; revealTime: 'countdown' },
    tags: {} as 'busy' | 'open',
  },
  actors: { ...revealActors(createMissingPorts<RevealPorts>()), countdown: countdownMachine },
  guards: {
    isGiven: ({ context }) => [...context.reason.trim()].length >= limits.reasonShortest,
    isLimit: (_args, { error }: { error: unknown }) => toProblem(error).code === tooMany,
  },
  actions: {
    keepReason: assign((_args, { reason }: { reason: string }) => ({
      reason,
      fault: null,
      problem: null,
    })),
    faultReason: assign({
      fault: { key: 'pii.reasonShort', params: { n: limits.reasonShortest } } as const,
      problem: null,
    }),
    forgetProblem: assign({ fault: null, problem: null }),
    keepProblem: assign((_args, { error }: { error: unknown }) => ({ problem: toProblem(error) })),
    keepValue: assign(({ context }, { value, seconds }: RevealedValue) => ({
      value,
      shownUntil: context.now() + seconds * 1000,
      reason: '',
    })),
    forget: assign(() => blank),
  },
}).createMachine({
  id: 'reveal',
  context: ({ input: { tag, rowId, field, now } }) => ({ tag, rowId, field, now, ...blank }),
  initial: 'hidden',
  states: {
    hidden: { on: { 'reveal.ask': { target: 'asking' } } },
    asking: {
      tags: 'open',
      on: {
        'reason.change': { actions: { type: 'keepReason', params: ({ event }) => event } },
        'reveal.confirm': [
          { guard: 'isGiven', target: 'loading', actions: 'forgetProblem' },
          { actions: 'faultReason' },
        ],
        'reveal.close': { target: 'hidden', actions: 'forget' },
      },
    },
    loading: {
      tags: ['open', 'busy'],
      on: { 'reveal.close': { target: 'hidden', actions: 'forget' } },
      invoke: {
        id: 'reveal',
        src: 'reveal',
        input: ({ context: { tag, rowId, field, reason } }) => ({
          tag,
          rowId,
          field,
          reason: reason.trim(),
        }),
        onDone: {
          target: 'showing',
          actions: { type: 'keepValue', params: ({ event }) => event.output },
        },
        onError: [
          {
            guard: { type: 'isLimit', params: ({ event }) => ({ error: event.error }) },
            target: 'limited',
            actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
          },
          {
            target: 'asking',
            actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
          },
        ],
      },
    },
    // Another try within the hour would be refused as well.
    limited: {
      tags: 'open',
      on: { 'reveal.close': { target: 'hidden', actions: 'forget' } },
    },
    showing: {
      invoke: {
        id: 'revealTime',
        src: 'countdown',
        input: ({ context }) => ({ deadline: context.shownUntil, now: context.now }),
        onDone: { target: 'hidden', actions: 'forget' },
      },
      on: { 'reveal.close': { target: 'hidden', actions: 'forget' } },
    },
  },
  options: { maxIterations: 100 },
})

const blank = { reason: '', fault: null, problem: null, value: '', shownUntil: 0 } as const
