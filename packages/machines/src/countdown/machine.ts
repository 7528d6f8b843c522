import { assign, setup } from 'xstate'

export interface CountdownInput {
  /** End of the countdown in milliseconds since 1970. */
  readonly deadline: number
  /**
   * The surface's clock. The remainder is computed from a deadline rather than decremented, so that
   * it stays correct in throttled tabs and after sleep.
   */
  readonly now: () => number
}
export interface CountdownContext extends CountdownInput {
  readonly secondsLeft: number
}

/**
 * Counts down to a deadline. Invoked as a child, so that its ticks do not change the parent's
 * snapshot.
 */
export const countdownMachine = setup({
  types: {
    context: {} as CountdownContext,
    input: {} as CountdownInput,
    events: {} as { type: 'countdown.look' },
  },
  delays: { TICK: 1000 },
  actions: { look: assign({ secondsLeft: ({ context }) => left(context) }) },
  guards: { isOver: ({ context }) => context.secondsLeft <= 0 },
}).createMachine({
  id: 'countdown',
  context: ({ input }) => ({ ...input, secondsLeft: left(input) }),
  initial: 'running',
  states: {
    running: {
      always: { guard: 'isOver', target: 'done' },
      after: { TICK: { target: 'running', reenter: true, actions: 'look' } },
      on: { 'countdown.look': { actions: 'look' } },
    },
    done: { type: 'final' },
  },
  options: { maxIterations: 100 },
})

function left({ deadline, now }: CountdownInput) {
  return Math.max(0, Math.ceil((deadline - now()) / 1000))
}
