import type { Button, ButtonAction } from '@jiaowu/api/entity/definition/button'
import { type Problem, toProblem } from '@jiaowu/api/problem'
import type { Row } from '@jiaowu/api/entity/values'
import { assign, enqueueActions, setup } from 'xstate'
import { createMissingPorts } from '../port.ts'
import {
  type ButtonEffect,
  declaredActions,
  buildButtonEffect,
  type Pressed,
  buildButtonRequest,
} from './actions.ts'
import { pressQuestion } from './question.ts'
import { buttonsActors, type ButtonRequest, type ButtonsPorts } from './ports.ts'

export interface ButtonsContext {
  readonly tag: string
  readonly pressed: Pressed | null
  /** Actions of the pressed button that are still to be carried out. */
  readonly remaining: readonly ButtonAction[]
  /** How the last press ended; null while one is under way. */
  readonly outcome: 'done' | 'abandoned' | null
  /** Why the last action failed. */
  readonly problem: Problem | null
}

export type ButtonsEvent =
  | { readonly type: 'button.press'; readonly button: Button; readonly row: Row | null }
  | { readonly type: 'press.confirm' }
  | { readonly type: 'press.cancel' }
  /** Continue with the action that failed; those before it are not repeated. */
  | { readonly type: 'press.retry' }
  | { readonly type: 'press.dismiss' }
  /** The form or the details close: a call under way is aborted. */
  | { readonly type: 'buttons.close' }

export type ButtonsEmitted = ButtonEffect

/**
 * Custom buttons of a form or a record's details (positions 3 and 4 of
 * docs/spec/1-entity-console.md §3). A press carries out the declared actions one after the other
 * and stops at the first that fails; until it ends no other press is taken.
 */
export const buttonsMachine = setup({
  types: {
    context: {} as ButtonsContext,
    events: {} as ButtonsEvent,
    emitted: {} as ButtonsEmitted,
    input: {} as { readonly tag: string },
    children: {} as { loadActions: 'loadActions'; sendRequest: 'sendRequest' },
    tags: {} as 'busy' | 'refused',
  },
  actors: buttonsActors(createMissingPorts<ButtonsPorts>()),
  guards: {
    asksFirst: (_args, { button, row }: Pressed) => pressQuestion(button, row, null) !== null,
    isSql: ({ context }) => context.pressed?.button.eventType === 2,
    hasMore: ({ context }) => context.remaining.length > 0,
  },
  actions: {
    press: assign((_args, { button, row }: Pressed) => ({
      pressed: { button, row },
      remaining: declaredActions(button),
      outcome: null,
      problem: null,
    })),
    finish: assign({ pressed: null, outcome: 'done' as const }),
    abandon: assign({ pressed: null, remaining: [], outcome: 'abandoned' as const, problem: null }),
    keepActions: assign((_args, { actions }: { actions: readonly ButtonAction[] }) => ({
      remaining: actions,
    })),
    keepProblem: assign((_args, { error }: { error: unknown }) => ({ problem: toProblem(error) })),
    dropProblem: assign({ problem: null }),
    completeRequest: assign(({ context }) => ({ remaining: context.remaining.slice(1) })),
    // Emits up to the next request, which is a call of its own.
    carryOut: enqueueActions(({ context: { pressed, remaining }, enqueue }) => {
      const until = remaining.findIndex((action) => action.do === 'request')
      const ready = until === -1 ? remaining : remaining.slice(0, until)
      for (const action of ready) {
        const effect = pressed === null ? null : buildButtonEffect(action, pressed)
        if (effect !== null) enqueue.emit(effect)
      }
      enqueue.assign({ remaining: remaining.slice(ready.length) })
    }),
  },
}).createMachine({
  id: 'buttons',
  context: ({ input }) => ({
    tag: input.tag,
    pressed: null,
    remaining: [],
    outcome: null,
    problem: null,
  }),
  initial: 'ready',
  on: { 'buttons.close': { target: '.closed' } },
  states: {
    ready: {
      initial: 'idle',
      on: {
        'button.press': [
          {
            guard: { type: 'asksFirst', params: ({ event }) => event },
            target: 'asking',
            actions: { type: 'press', params: ({ event }) => event },
          },
          { target: 'pressing', actions: { type: 'press', params: ({ event }) => event } },
        ],
      },
      states: {
        idle: {},
        /** The server refused the actions of the button. */
        unloaded: {
          tags: 'refused',
          on: {
            'press.retry': { target: '#buttons.pressing.loading', actions: 'dropProblem' },
            'press.dismiss': { target: 'idle', actions: 'abandon' },
          },
        },
        /** A request of the button failed. */
        unsent: {
          tags: 'refused',
          on: {
            'press.retry': { target: '#buttons.pressing.requesting', actions: 'dropProblem' },
            'press.dismiss': { target: 'idle', actions: 'abandon' },
          },
        },
      },
    },
    asking: {
      on: {
        'press.confirm': { target: 'pressing' },
        'press.cancel': { target: 'ready', actions: 'abandon' },
      },
    },
    pressing: {
      initial: 'starting',
      states: {
        starting: { always: [{ guard: 'isSql', target: 'loading' }, { target: 'acting' }] },
        loading: {
          tags: 'busy',
          invoke: {
            id: 'loadActions',
            src: 'loadActions',
            input: ({ context }) => ({
              tag: context.tag,
              code: context.pressed?.button.code ?? '',
            }),
            onDone: {
              target: 'acting',
              actions: { type: 'keepActions', params: ({ event }) => ({ actions: event.output }) },
            },
            onError: {
              target: '#buttons.ready.unloaded',
              actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
        acting: {
          entry: 'carryOut',
          always: [
            { guard: 'hasMore', target: 'requesting' },
            { target: '#buttons.ready', actions: 'finish' },
          ],
        },
        requesting: {
          tags: 'busy',
          invoke: {
            id: 'sendRequest',
            src: 'sendRequest',
            input: ({ context }) => nextRequest(context),
            onDone: { target: 'acting', actions: 'completeRequest' },
            onError: {
              target: '#buttons.ready.unsent',
              actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
      },
    },
    closed: { type: 'final' },
  },
  options: { maxIterations: 100 },
})

function nextRequest({ remaining: [next], pressed }: ButtonsContext): ButtonRequest {
  if (next?.do !== 'request') throw new Error('the next action of the button is no request')
  return buildButtonRequest(next, pressed?.row ?? null)
}
