import type { DictItem } from '@jiaowu/api/entity/values'
import { limits } from '@jiaowu/api/limits'
import type { LookupAnswer } from '@jiaowu/api/contract/entity/entity-data'
import { type Problem, toProblem } from '@jiaowu/api/problem'
import { assign, enqueueActions, setup } from 'xstate'
import { createMissingPorts } from '../port.ts'
import { firstInTree } from './lines.ts'
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
  /** Enter was pressed while the search was under way: its answer is awaited to choose from. */
  readonly entered: boolean
}
export type LookupEvent =
  | { readonly type: 'lookup.open' }
  | { readonly type: 'lookup.close' }
  | { readonly type: 'lookup.search'; readonly searchKey: string }
  | { readonly type: 'lookup.page'; readonly pageNum: number }
  | { readonly type: 'lookup.retry' }
  /** A press on a line. That of an older search is not among the items any more, and is ignored. */
  | { readonly type: 'lookup.choose'; readonly id: string }
  /** Enter, with the line under the cursor: while a search is under way it waits for the answer. */
  | { readonly type: 'lookup.enter'; readonly id: string | null }
  /** A cascade parent changed, which invalidates the choices found so far. */
  | { readonly type: 'cascades.change'; readonly cascades: Readonly<Record<string, string>> }

/** `isTyped`: found by a search, so that choosing it again keeps it. */
export interface LookupChosen {
  readonly type: 'chosen'
  readonly item: DictItem
  readonly isTyped: boolean
}

/**
 * The choices of a select (docs/spec/1-entity-console.md §9): 10 per page, searched after a pause;
 * late answers are dropped, and nothing of an older search can be chosen.
 */
export const lookupMachine = setup({
  types: {
    context: {} as LookupContext,
    events: {} as LookupEvent,
    emitted: {} as LookupChosen,
    input: {} as LookupInput,
    children: {} as { find: 'find' },
    tags: {} as 'open' | 'busy',
  },
  actors: lookupActors(createMissingPorts<LookupPorts>()),
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
      entered: false,
      problem: toProblem(error),
      items: [],
      total: 0,
    })),
    seek: assign((_args, { searchKey }: { searchKey: string }) => ({
      searchKey,
      pageNum: 1,
      entered: false,
    })),
    goTo: assign((_args, { pageNum }: { pageNum: number }) => ({ pageNum })),
    cascade: assign((_args, { cascades }: { cascades: Readonly<Record<string, string>> }) => ({
      cascades,
      items: [],
      total: 0,
      pageNum: 1,
      searchKey: '',
      entered: false,
    })),
    restart: assign({ searchKey: '', pageNum: 1, entered: false }),
    awaitAnswer: assign({ entered: true }),
    forgetEnter: assign({ entered: false }),
    chooseFirst: enqueueActions(({ context, enqueue }, { answer }: { answer: LookupAnswer }) => {
      if (!context.entered) return
      enqueue.assign({ entered: false })
      const { items, searchKey } = context
      const item = Array.isArray(answer) ? firstInTree(items, searchKey) : items[0]
      if (item !== undefined) enqueue.emit({ type: 'chosen', item, isTyped: true })
    }),
    choose: enqueueActions(({ context, enqueue }, { id }: { id: string | null }) => {
      const item = context.items.find((each) => each.id === id)
      if (item !== undefined)
        enqueue.emit({ type: 'chosen', item, isTyped: context.searchKey !== '' })
    }),
  },
  guards: {
    // Nothing is typed yet: the first of all is nobody's choice.
    hasKey: ({ context }) => context.searchKey.trim() !== '',
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
    entered: false,
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
        'lookup.close': { target: 'closed', actions: 'forgetEnter' },
        'lookup.search': {
          target: '.searching',
          actions: { type: 'seek', params: ({ event }) => event },
        },
      },
      states: {
        searching: {
          tags: 'busy',
          after: { DEBOUNCE: { target: 'loading' } },
          on: { 'lookup.enter': { guard: 'hasKey', actions: 'awaitAnswer' } },
        },
        loading: {
          tags: 'busy',
          on: { 'lookup.enter': { guard: 'hasKey', actions: 'awaitAnswer' } },
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
              actions: [
                { type: 'keep', params: ({ event }) => ({ answer: event.output }) },
                { type: 'chooseFirst', params: ({ event }) => ({ answer: event.output }) },
              ],
            },
            onError: {
              target: 'failed',
              actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
        shown: {
          on: {
            'lookup.choose': { actions: { type: 'choose', params: ({ event }) => event } },
            'lookup.enter': { actions: { type: 'choose', params: ({ event }) => event } },
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
