import { type DictItem, limits, type LookupAnswer, type Problem, problemOf } from '@jiaowu/api'
import { assign, setup } from 'xstate'
import { unprovided } from '../port.ts'
import { lookupActors, type LookupPorts } from './ports.ts'

export interface LookupInput {
  readonly tag: string
  readonly fieldId: string
  readonly cascades?: Readonly<Record<string, string>>
}
export interface LookupContext {
  readonly tag: string
  readonly fieldId: string
  readonly cascades: Readonly<Record<string, string>>
  readonly searchKey: string
  readonly pageNum: number
  readonly items: readonly DictItem[]
  readonly total: number
  readonly problem: Problem | null
}
export type LookupEvent =
  | { readonly type: 'lookup.open' }
  | { readonly type: 'lookup.close' }
  | { readonly type: 'lookup.search'; readonly searchKey: string }
  | { readonly type: 'lookup.page'; readonly pageNum: number }
  | { readonly type: 'lookup.retry' }
  /** A cascade parent changed, which invalidates the choices found so far. */
  | { readonly type: 'cascades.change'; readonly cascades: Readonly<Record<string, string>> }

/**
 * The choices of a select (docs/spec/1-entity-console.md §9): 10 per page, searched after a pause;
 * late answers are dropped.
 */
export const lookupMachine = setup({
  types: {
    context: {} as LookupContext,
    events: {} as LookupEvent,
    input: {} as LookupInput,
    children: {} as { find: 'find' },
    tags: {} as 'open' | 'busy',
  },
  actors: lookupActors(unprovided<LookupPorts>()),
  delays: { DEBOUNCE: limits.lookupDebounce },
  actions: {
    keep: assign((_args, { answer }: { answer: LookupAnswer }) =>
      Array.isArray(answer)
        ? { items: answer, total: answer.length, problem: null }
        : {
            items: (answer as { records: readonly DictItem[] }).records,
            total: (answer as { total: number }).total,
            problem: null,
          },
    ),
    keepProblem: assign((_args, { error }: { error: unknown }) => ({
      problem: problemOf(error),
      items: [],
      total: 0,
    })),
    seek: assign((_args, { searchKey }: { searchKey: string }) => ({ searchKey, pageNum: 1 })),
    goTo: assign((_args, { pageNum }: { pageNum: number }) => ({ pageNum })),
    cascade: assign((_args, { cascades }: { cascades: Readonly<Record<string, string>> }) => ({
      cascades,
      items: [],
      total: 0,
      pageNum: 1,
      searchKey: '',
    })),
    restart: assign({ searchKey: '', pageNum: 1 }),
  },
}).createMachine({
  id: 'lookup',
  context: ({ input: { tag, fieldId, cascades = {} } }) => ({
    tag,
    fieldId,
    cascades,
    searchKey: '',
    pageNum: 1,
    items: [],
    total: 0,
    problem: null,
  }),
  initial: 'closed',
  on: {
    'cascades.change': {
      target: '.closed',
      actions: { type: 'cascade', params: ({ event }) => event },
    },
  },
  states: {
    closed: { on: { 'lookup.open': { target: 'open', actions: 'restart' } } },
    open: {
      tags: 'open',
      initial: 'loading',
      // Typing re-enters `searching`, which restarts the pause.
      on: {
        'lookup.close': { target: 'closed' },
        'lookup.search': {
          target: '.searching',
          actions: { type: 'seek', params: ({ event }) => event },
        },
      },
      states: {
        searching: { tags: 'busy', after: { DEBOUNCE: { target: 'loading' } } },
        loading: {
          tags: 'busy',
          invoke: {
            id: 'find',
            src: 'find',
            input: ({ context: { tag, fieldId, searchKey, cascades, pageNum } }) => ({
              tag,
              fieldId,
              searchKey,
              cascades,
              pageNum,
              pageSize: limits.lookupPageSize,
            }),
            onDone: {
              target: 'shown',
              actions: { type: 'keep', params: ({ event }) => ({ answer: event.output }) },
            },
            onError: {
              target: 'failed',
              actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
        shown: {
          on: {
            'lookup.page': {
              target: 'loading',
              actions: { type: 'goTo', params: ({ event }) => event },
            },
          },
        },
        failed: { on: { 'lookup.retry': { target: 'loading' } } },
      },
    },
  },
  options: { maxIterations: 100 },
})
