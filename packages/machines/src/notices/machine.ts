import { type Problem, toProblem } from '@jiaowu/api/problem'
import { assign, setup } from 'xstate'
import { createMissingPorts } from '../port.ts'
import { type Notice, noticesActors, type NoticesPorts } from './ports.ts'

export interface NoticesContext {
  readonly notices: readonly Notice[]
  readonly openId: string | null
  readonly problem: Problem | null
}
export type NoticesEvent =
  | { readonly type: 'notice.open'; readonly id: string }
  | { readonly type: 'notice.close' }
  | { readonly type: 'notices.retry' }

/** The public notices on the sign-in page (docs/spec/2-student-service-and-designer.md §2). */
export const noticesMachine = setup({
  types: {
    context: {} as NoticesContext,
    events: {} as NoticesEvent,
    children: {} as { notices: 'notices' },
    tags: {} as 'busy',
  },
  actors: noticesActors(createMissingPorts<NoticesPorts>()),
  guards: {
    isThere: ({ context }, { id }: { id: string }) =>
      context.notices.some((notice) => notice.id === id),
  },
  actions: {
    keep: assign((_args, { notices }: { notices: readonly Notice[] }) => ({
      notices,
      problem: null,
    })),
    keepProblem: assign((_args, { error }: { error: unknown }) => ({ problem: toProblem(error) })),
    open: assign((_args, { id }: { id: string }) => ({ openId: id })),
    shut: assign({ openId: null }),
  },
}).createMachine({
  id: 'notices',
  context: { notices: [], openId: null, problem: null },
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'notices',
        src: 'notices',
        onDone: {
          target: 'list',
          actions: { type: 'keep', params: ({ event }) => ({ notices: event.output }) },
        },
        onError: {
          target: 'failed',
          actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    failed: { on: { 'notices.retry': { target: 'loading' } } },
    list: {
      on: {
        'notice.open': {
          guard: { type: 'isThere', params: ({ event }) => event },
          target: 'open',
          actions: { type: 'open', params: ({ event }) => event },
        },
        'notices.retry': { target: 'loading' },
      },
    },
    open: { on: { 'notice.close': { target: 'list', actions: 'shut' } } },
  },
  options: { maxIterations: 100 },
})
