import { type Problem, problemOf, type TableDrafts } from '@jiaowu/api'
import { assign, emit, setup } from 'xstate'
import { unprovided } from '../port.ts'
import { type AdoptChoices, definitionsOf } from './definitions.ts'
import { adoptTablesActors, type AdoptTablesAsked, type AdoptTablesPorts } from './ports.ts'

export interface AdoptTablesContext extends AdoptChoices {
  readonly asked: AdoptTablesAsked
  /** Tables without a draft, and why. */
  readonly refused: TableDrafts['refused']
  /** Why reading or saving failed. */
  readonly problem: Problem | null
}
export type AdoptTablesEvent =
  | { readonly type: 'adopt.retry' }
  | { readonly type: 'table.choose'; readonly tags: readonly string[]; readonly isChosen: boolean }
  | { readonly type: 'table.rename'; readonly tag: string; readonly name: string }
  | { readonly type: 'kept.choose'; readonly keeps: boolean }
  | { readonly type: 'adopt.save' }
  | { readonly type: 'adopt.leave' }
export type AdoptTablesEmitted =
  | { readonly type: 'adopted'; readonly n: number }
  | { readonly type: 'left' }

/**
 * Brings tables in: reads the drafts of all tables without an entity, lets a person leave out and
 * rename them and say whether the server keeps columns such as `del_flag`, and saves all or none.
 * What was chosen stays when a save is refused.
 */
export const adoptTablesMachine = setup({
  types: {
    context: {} as AdoptTablesContext,
    events: {} as AdoptTablesEvent,
    emitted: {} as AdoptTablesEmitted,
    input: {} as AdoptTablesAsked,
    children: {} as { draft: 'draft'; adopt: 'adopt' },
  },
  actors: adoptTablesActors(unprovided<AdoptTablesPorts>()),
  guards: {
    isAnyChosen: ({ context }) => definitionsOf(context).length > 0,
    isDrafted: ({ context: { drafts } }, { tags }: { tags: readonly string[] }) =>
      tags.some((tag) => drafts.some(({ definition }) => definition.tag === tag)),
    isProposed: ({ context: { drafts } }) => drafts.some(({ kept }) => kept),
  },
  actions: {
    keepDrafts: assign((_args, { drafts, refused }: TableDrafts) => ({
      drafts,
      refused,
      problem: null,
    })),
    keepProblem: assign((_args, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
    choose: assign(
      ({ context }, { tags, isChosen }: { tags: readonly string[]; isChosen: boolean }) => ({
        left: [...context.left.filter((tag) => !tags.includes(tag)), ...(isChosen ? [] : tags)],
        problem: null,
      }),
    ),
    rename: assign(({ context }, { tag, name }: { tag: string; name: string }) => ({
      names: { ...context.names, [tag]: name },
      problem: null,
    })),
    keepKept: assign((_args, { keeps }: { keeps: boolean }) => ({ keeps, problem: null })),
    tellAdopted: emit((_args, { n }: { n: number }) => ({ type: 'adopted' as const, n })),
    tellLeft: emit({ type: 'left' as const }),
  },
}).createMachine({
  id: 'adoptTables',
  context: ({ input }) => ({
    asked: input,
    drafts: [],
    refused: [],
    left: [],
    names: {},
    keeps: false,
    problem: null,
  }),
  initial: 'drafting',
  states: {
    drafting: {
      on: { 'adopt.leave': { target: 'left' } },
      invoke: {
        id: 'draft',
        src: 'draft',
        input: ({ context }) => context.asked,
        onDone: {
          target: 'choosing',
          actions: { type: 'keepDrafts', params: ({ event }) => event.output },
        },
        onError: {
          target: 'failed',
          actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    failed: {
      on: { 'adopt.retry': { target: 'drafting' }, 'adopt.leave': { target: 'left' } },
    },
    choosing: {
      on: {
        'table.choose': {
          guard: { type: 'isDrafted', params: ({ event }) => event },
          actions: { type: 'choose', params: ({ event }) => event },
        },
        'table.rename': {
          guard: { type: 'isDrafted', params: ({ event }) => ({ tags: [event.tag] }) },
          actions: { type: 'rename', params: ({ event }) => event },
        },
        'kept.choose': {
          guard: 'isProposed',
          actions: { type: 'keepKept', params: ({ event }) => event },
        },
        'adopt.save': { guard: 'isAnyChosen', target: 'saving' },
        'adopt.leave': { target: 'left' },
      },
    },
    // A save is all or nothing: its result is shown before the dialog can be left.
    saving: {
      invoke: {
        id: 'adopt',
        src: 'adopt',
        input: ({ context }) => ({ definitions: definitionsOf(context) }),
        onDone: {
          target: 'done',
          actions: { type: 'tellAdopted', params: ({ event }) => ({ n: event.output }) },
        },
        onError: {
          target: 'choosing',
          actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    done: { type: 'final' },
    left: { type: 'final', entry: 'tellLeft' },
  },
  options: { maxIterations: 100 },
})
