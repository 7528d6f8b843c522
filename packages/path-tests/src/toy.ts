import { assign, emit, fromPromise, setup } from 'xstate'
import { call, type Clock, defineModel, fails, ok, timer } from './index.ts'

/**
 * A small shop with one of everything the explorer supports: calls, polling, a countdown child,
 * parallel states, guards, `always`, reenter, emit.
 */
type ShopEvent =
  | { type: 'order.create'; pieces: number }
  | { type: 'order.cancel' }
  | { type: 'poll.now' }
  | { type: 'panel.toggle' }
  | { type: 'shop.leave' }
  | { type: 'text.set'; text: string }
interface ShopContext {
  readonly now: () => number
  readonly pieces: number
  readonly order: string | null
  readonly problem: string | null
  readonly text: string
}

export const countdown = setup({
  types: {
    context: {} as { deadline: number; now: () => number; left: number },
    input: {} as { deadline: number; now: () => number },
  },
  delays: { TICK: 1000 },
  guards: { isOver: ({ context }) => context.left <= 0 },
}).createMachine({
  id: 'countdown',
  context: ({ input }) => ({ ...input, left: secondsLeft(input) }),
  initial: 'running',
  states: {
    running: {
      always: { guard: 'isOver', target: 'over' },
      after: {
        TICK: {
          target: 'running',
          reenter: true,
          actions: assign({ left: ({ context }) => secondsLeft(context) }),
        },
      },
    },
    over: { type: 'final' },
  },
})

function secondsLeft({ deadline, now }: { deadline: number; now: () => number }) {
  return Math.max(0, Math.ceil((deadline - now()) / 1000))
}

export const shopMachine = setup({
  types: {
    context: {} as ShopContext,
    events: {} as ShopEvent,
    input: {} as Clock,
    emitted: {} as { type: 'paid'; order: string } | { type: 'noted'; text: string },
    tags: {} as 'busy' | 'open',
  },
  actors: {
    createOrder: never<string, { pieces: number }>(),
    orderStatus: never<'paid' | 'pending', { order: string }>(),
    countdown,
  },
  delays: { POLL: 2000, HINT: ({ context }) => context.pieces * 500 },
  guards: {
    isSome: (_args, { pieces }: { pieces: number }) => pieces > 0,
    isPaid: (_args, { status }: { status: string }) => status === 'paid',
    hasOrder: ({ context }) => context.order !== null,
  },
  actions: {
    take: assign((_args, { pieces }: { pieces: number }) => ({ pieces, problem: null })),
    keepOrder: assign((_args, { order }: { order: string }) => ({ order })),
    keepProblem: assign((_args, { error }: { error: unknown }) => ({
      problem: error instanceof Error ? error.message : 'unknown',
    })),
    keepText: assign((_args, { text }: { text: string }) => ({ text })),
    forget: assign({ order: null, pieces: 0 }),
    reportPaid: emit(({ context }) => ({ type: 'paid' as const, order: context.order ?? '' })),
    reportText: emit(({ context }) => ({ type: 'noted' as const, text: context.text })),
  },
}).createMachine({
  id: 'shop',
  type: 'parallel',
  context: ({ input }) => ({ now: input.now, pieces: 0, order: null, problem: null, text: '' }),
  states: {
    panel: {
      initial: 'shut',
      states: {
        shut: { on: { 'panel.toggle': { target: 'shown' } } },
        shown: { tags: 'open', on: { 'panel.toggle': { target: 'shut' } } },
      },
    },
    flow: {
      initial: 'choosing',
      on: { 'shop.leave': { target: '.left' } },
      states: {
        choosing: {
          on: {
            'order.create': {
              guard: { type: 'isSome', params: ({ event }) => event },
              target: 'creating',
              actions: { type: 'take', params: ({ event }) => event },
            },
            'text.set': {
              actions: [{ type: 'keepText', params: ({ event }) => event }, 'reportText'],
            },
          },
        },
        creating: {
          tags: 'busy',
          on: { 'shop.leave': {} },
          invoke: {
            id: 'createOrder',
            src: 'createOrder',
            input: ({ context }) => ({ pieces: context.pieces }),
            onDone: {
              target: 'paying',
              actions: { type: 'keepOrder', params: ({ event }) => ({ order: event.output }) },
            },
            onError: {
              target: 'choosing',
              actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
        paying: {
          initial: 'polling',
          invoke: {
            id: 'payTime',
            src: 'countdown',
            input: ({ context }) => ({ deadline: context.now() + 30_000, now: context.now }),
            onDone: { target: 'checking', actions: 'forget' },
          },
          on: { 'order.cancel': { target: 'checking', actions: 'forget' } },
          states: {
            polling: {
              invoke: {
                id: 'orderStatus',
                src: 'orderStatus',
                input: ({ context }) => ({ order: context.order ?? '' }),
                onDone: [
                  {
                    guard: { type: 'isPaid', params: ({ event }) => ({ status: event.output }) },
                    target: '#shop.flow.checking',
                    actions: 'reportPaid',
                  },
                  { target: 'waiting' },
                ],
                onError: { target: 'waiting' },
              },
            },
            waiting: {
              after: { POLL: { target: 'polling' } },
              on: { 'poll.now': { target: 'polling' } },
            },
          },
        },
        checking: { always: [{ guard: 'hasOrder', target: 'thanks' }, { target: 'choosing' }] },
        thanks: {
          after: { HINT: { target: 'left' } },
          on: { 'poll.now': { target: 'thanks', reenter: true } },
        },
        left: { type: 'final' },
      },
    },
  },
  options: { maxIterations: 100 },
})

function never<Output, Input>() {
  return fromPromise<Output, Input>(() => Promise.reject(new Error('call not provided')))
}

export interface ShopSeen {
  readonly step: string
  readonly busy: boolean
  readonly open: boolean
  readonly problem: string | null
  readonly secondsLeft: number | null
  readonly offers: readonly string[]
}

export const shopModel = defineModel(shopMachine, {
  input: (clock) => clock,
  events: {
    'order.create': { none: { pieces: 0 }, two: { pieces: 2 } },
    'text.set': { short: { text: 'a' } },
  },
  children: {
    createOrder: call((input: { pieces: number }) => ({
      made: ok(`o${input.pieces}`),
      refused: fails(new Error('sold out')),
    })),
    orderStatus: call({
      paid: ok('paid'),
      pending: ok('pending'),
      offline: fails(new Error('offline')),
    }),
    payTime: timer((input, now) => (input as { deadline: number }).deadline - now, {
      live: true,
      left: (child) => (child as { context: { left: number } }).context.left * 1000,
    }),
  },
  key: ({ value, context }) => JSON.stringify([value, context.problem, context.text]),
  project: (snapshot, left): ShopSeen => {
    const inFlow = Object.values(snapshot.value).map((each) =>
      typeof each === 'string' ? each : Object.keys(each).join(' '),
    )
    const seconds = left('payTime')
    return {
      step: inFlow.join(' '),
      busy: snapshot.hasTag('busy'),
      open: snapshot.hasTag('open'),
      problem: snapshot.context.problem,
      secondsLeft: seconds === null ? null : Math.ceil(seconds / 1000),
      offers: (['order.cancel', 'poll.now', 'shop.leave', 'panel.toggle'] as const).filter((type) =>
        snapshot.can({ type }),
      ),
    }
  },
})
