import { type Problem, toProblem } from '@jiaowu/api/problem'
import { assign, emit, raise, setup } from 'xstate'
import { createMissingPorts } from '../port.ts'
import { type ActionRequest, resourceActors, type ResourcePorts } from './ports.ts'

/** How the last run of an action ended. */
export type ActionResult =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly problem: Problem }
export interface QueuedAction {
  readonly action: ActionRequest
  /** The user confirms it before it runs. */
  readonly asks: boolean
}
export interface ResourceInput {
  /** The query of `load`; null: nothing yet. */
  readonly query: unknown
}
export interface ResourceContext {
  readonly query: unknown
  /** The last answer of `load`; stays while it is read again. */
  readonly data: unknown
  readonly problem: Problem | null
  /** The action that waits for confirmation or runs. */
  readonly action: ActionRequest | null
  readonly queue: readonly QueuedAction[]
  /** By name of the action. */
  readonly results: Readonly<Record<string, ActionResult>>
}
export type ResourceEvent =
  | { readonly type: 'resource.load'; readonly query: unknown }
  | { readonly type: 'resource.reload' }
  | ({ readonly type: 'action.start' } & QueuedAction)
  | { readonly type: 'action.confirm' }
  | { readonly type: 'action.cancel' }
  /** Forget how an action ended: its dialog closes, or its input changed. */
  | { readonly type: 'action.dismiss'; readonly name: string }
export type ResourceEmitted =
  | { readonly type: 'done'; readonly name: string; readonly output: unknown }
  | { readonly type: 'failed'; readonly name: string; readonly problem: Problem }

/**
 * An administration page: it loads, shows, acts, and loads again after each action that succeeded.
 * A new query or a reload drops the answer that is still awaited. Actions run one at a time in the
 * order of the user's clicks; an action equal to one that runs or waits is ignored.
 */
export const resourceMachine = setup({
  types: {
    context: {} as ResourceContext,
    events: {} as ResourceEvent,
    emitted: {} as ResourceEmitted,
    input: {} as ResourceInput,
    children: {} as { load: 'load'; act: 'act' },
    tags: {} as 'busy' | 'acting',
  },
  actors: resourceActors(createMissingPorts<ResourcePorts>()),
  guards: {
    hasQuery: ({ context }) => context.query !== null,
    isQueueEmpty: ({ context }) => context.queue.length === 0,
    nextAsks: ({ context }) => context.queue[0]?.asks === true,
    isNew: ({ context: { action, queue } }, { action: started }: QueuedAction) =>
      ![action, ...queue.map((queued) => queued.action)].some((known) =>
        isSameRequest(known, started),
      ),
  },
  actions: {
    keepQuery: assign((_args, { query }: { query: unknown }) => ({ query })),
    keepData: assign((_args, { data }: { data: unknown }) => ({ data, problem: null })),
    keepProblem: assign((_args, { error }: { error: unknown }) => ({ problem: toProblem(error) })),
    forgetData: assign({ data: null, problem: null }),
    enqueue: assign(({ context }, { action, asks }: QueuedAction) => ({
      queue: [...context.queue, { action, asks }],
    })),
    takeNext: assign(({ context: { queue } }) => ({
      action: queue[0]?.action ?? null,
      queue: queue.slice(1),
    })),
    clearAction: assign({ action: null }),
    forgetFailure: assign(({ context: { action, results } }) =>
      action !== null && results[action.name]?.ok === false
        ? { results: withoutResult(results, action.name) }
        : {},
    ),
    keepResult: assign(({ context: { action, results } }, result: ActionResult) => ({
      results: { ...results, [action?.name ?? '']: result },
    })),
    forgetResult: assign(({ context: { results } }, { name }: { name: string }) => ({
      results: withoutResult(results, name),
    })),
    announceDone: emit(({ context }, { output }: { output: unknown }) => ({
      type: 'done' as const,
      name: context.action?.name ?? '',
      output,
    })),
    announceFailed: emit(({ context }, { error }: { error: unknown }) => ({
      type: 'failed' as const,
      name: context.action?.name ?? '',
      problem: toProblem(error),
    })),
    reload: raise({ type: 'resource.reload' as const }),
  },
}).createMachine({
  id: 'resource',
  context: ({ input: { query } }) => ({
    query,
    data: null,
    problem: null,
    action: null,
    queue: [],
    results: {},
  }),
  type: 'parallel',
  states: {
    data: {
      initial: 'deciding',
      on: {
        'resource.load': {
          target: '.deciding',
          actions: { type: 'keepQuery', params: ({ event }) => event },
        },
      },
      states: {
        deciding: {
          always: [{ guard: 'hasQuery', target: 'read' }, { target: 'empty' }],
        },
        empty: { entry: 'forgetData' },
        read: {
          initial: 'loading',
          on: { 'resource.reload': { target: '.loading' } },
          states: {
            loading: {
              tags: 'busy',
              invoke: {
                id: 'load',
                src: 'load',
                input: ({ context }: { context: ResourceContext }) => context.query,
                onDone: {
                  target: 'shown',
                  actions: { type: 'keepData', params: ({ event }) => ({ data: event.output }) },
                },
                onError: {
                  target: 'failed',
                  actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
                },
              },
            },
            shown: {},
            failed: {},
          },
        },
      },
    },
    action: {
      initial: 'idle',
      on: {
        'action.dismiss': { actions: { type: 'forgetResult', params: ({ event }) => event } },
      },
      states: {
        idle: {
          on: {
            'action.start': {
              target: 'next',
              actions: { type: 'enqueue', params: ({ event }) => event },
            },
          },
        },
        next: {
          always: [
            { guard: 'isQueueEmpty', target: 'idle', actions: 'clearAction' },
            { guard: 'nextAsks', target: 'confirming', actions: 'takeNext' },
            { target: 'acting', actions: 'takeNext' },
          ],
        },
        confirming: {
          on: { 'action.confirm': { target: 'acting' }, 'action.cancel': { target: 'next' } },
        },
        acting: {
          tags: 'acting',
          entry: 'forgetFailure',
          on: {
            'action.start': {
              guard: { type: 'isNew', params: ({ event }) => event },
              actions: { type: 'enqueue', params: ({ event }) => event },
            },
          },
          invoke: {
            id: 'act',
            src: 'act',
            input: ({ context }) => context.action ?? { name: '', input: null },
            onDone: {
              target: 'next',
              actions: [
                {
                  type: 'keepResult',
                  params: ({ event }) => ({ ok: true, output: event.output }),
                },
                { type: 'announceDone', params: ({ event }) => ({ output: event.output }) },
                'reload',
              ],
            },
            onError: {
              target: 'next',
              actions: [
                {
                  type: 'keepResult',
                  params: ({ event }) => ({ ok: false, problem: toProblem(event.error) }),
                },
                { type: 'announceFailed', params: ({ event }) => ({ error: event.error }) },
              ],
            },
          },
        },
      },
    },
  },
  options: { maxIterations: 100 },
})

function isSameRequest(a: ActionRequest | null, b: ActionRequest): boolean {
  return a?.name === b.name && JSON.stringify(a.input) === JSON.stringify(b.input)
}

function withoutResult(
  results: Readonly<Record<string, ActionResult>>,
  name: string,
): Readonly<Record<string, ActionResult>> {
  const { [name]: _forgotten, ...others } = results
  return others
}
