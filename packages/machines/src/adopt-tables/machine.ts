import { limits } from '@jiaowu/api/limits'
import { type Problem, toProblem } from '@jiaowu/api/problem'
import type { TableDrafts } from '@jiaowu/api/entity/definition/table'
import { assign, emit, setup } from 'xstate'
import { createMissingPorts } from '../port.ts'
import { type AdoptChoices, buildDefinitions } from './definitions.ts'
import { adoptTablesActors, type AdoptTablesAsked, type AdoptTablesPorts } from './ports.ts'

export interface AdoptTablesContext extends AdoptChoices {
  readonly asked: AdoptTablesAsked
  /** The tables to draft, at most as many as can be saved at once. */
  readonly tables: readonly string[]
  /** How many of them have been drafted or refused. */
  readonly done: number
  /** How many more there are than can be saved at once. */
  readonly beyond: number
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
  | { readonly type: 'school.choose'; readonly owns: boolean }
  | { readonly type: 'links.choose'; readonly relates: boolean }
  | { readonly type: 'passwords.choose'; readonly writes: boolean }
  | { readonly type: 'adopt.save' }
  | { readonly type: 'adopt.leave' }
export type AdoptTablesEmitted =
  | { readonly type: 'adopted'; readonly n: number }
  | { readonly type: 'left' }

/** Tables that one call drafts: a hundred take five calls. */
const usualBatch = 20

/**
 * Brings tables in: reads the drafts of all tables without an entity, some at a time, lets a person
 * leave out and rename them and say whether the server keeps columns such as `del_flag`, obeys
 * `tenant_id`, makes relations of names and stores passwords as typed, and saves all or none. What was
 * chosen stays when a save is refused.
 */
export const adoptTablesMachine = setup({
  types: {
    context: {} as AdoptTablesContext,
    events: {} as AdoptTablesEvent,
    emitted: {} as AdoptTablesEmitted,
    input: {} as AdoptTablesAsked,
    children: {} as { tables: 'tables'; draft: 'draft'; adopt: 'adopt' },
  },
  actors: adoptTablesActors(createMissingPorts<AdoptTablesPorts>()),
  guards: {
    isAnyChosen: ({ context }) => buildDefinitions(context).length > 0,
    isDrafted: ({ context: { drafts } }, { tags }: { tags: readonly string[] }) =>
      tags.some((tag) => drafts.some(({ definition }) => definition.tag === tag)),
    isProposed: ({ context: { drafts } }) => drafts.some(({ kept }) => kept),
    isSchoolProposed: ({ context: { drafts } }) => drafts.some(({ school }) => school),
    isLinkProposed: ({ context: { drafts } }) => drafts.some(({ links }) => links),
    isPasswordProposed: ({ context: { drafts } }) =>
      drafts.some(({ passwords = [] }) => passwords.length > 0),
    hasNone: (_args, { tables }: { tables: readonly string[] }) => tables.length === 0,
    isLast: ({ context }) => context.done + nextBatch(context).length >= context.tables.length,
  },
  actions: {
    keepTables: assign((_args, { tables }: { tables: readonly string[] }) => ({
      tables: tables.slice(0, limits.adoptTables),
      beyond: Math.max(0, tables.length - limits.adoptTables),
      done: 0,
      drafts: [],
      refused: [],
      problem: null,
    })),
    keepDrafts: assign(({ context }, { drafts, refused }: TableDrafts) => ({
      drafts: [...context.drafts, ...drafts],
      refused: [...context.refused, ...refused],
      done: context.done + nextBatch(context).length,
    })),
    keepProblem: assign((_args, { error }: { error: unknown }) => ({ problem: toProblem(error) })),
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
    keepSchools: assign((_args, { owns }: { owns: boolean }) => ({ owns, problem: null })),
    keepLinks: assign((_args, { relates }: { relates: boolean }) => ({ relates, problem: null })),
    keepPasswords: assign((_args, { writes }: { writes: boolean }) => ({
      writesPasswords: writes,
      problem: null,
    })),
    tellAdopted: emit((_args, { n }: { n: number }) => ({ type: 'adopted' as const, n })),
    tellLeft: emit({ type: 'left' as const }),
  },
}).createMachine({
  id: 'adoptTables',
  context: ({ input }) => ({
    asked: input,
    tables: [],
    done: 0,
    beyond: 0,
    drafts: [],
    refused: [],
    left: [],
    names: {},
    keeps: false,
    owns: false,
    relates: false,
    writesPasswords: false,
    problem: null,
  }),
  initial: 'drafting',
  states: {
    drafting: {
      on: { 'adopt.leave': { target: 'left' } },
      initial: 'listing',
      states: {
        listing: {
          invoke: {
            id: 'tables',
            src: 'tables',
            input: ({ context }) => context.asked,
            onDone: [
              {
                guard: { type: 'hasNone', params: ({ event }) => ({ tables: event.output }) },
                target: '#adoptTables.choosing',
                actions: { type: 'keepTables', params: ({ event }) => ({ tables: event.output }) },
              },
              {
                target: 'reading',
                actions: { type: 'keepTables', params: ({ event }) => ({ tables: event.output }) },
              },
            ],
            onError: {
              target: '#adoptTables.failed',
              actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
        reading: {
          invoke: {
            id: 'draft',
            src: 'draft',
            input: ({ context }) => ({ tables: nextBatch(context), together: context.tables }),
            onDone: [
              {
                guard: 'isLast',
                target: '#adoptTables.choosing',
                actions: { type: 'keepDrafts', params: ({ event }) => event.output },
              },
              {
                target: 'reading',
                reenter: true,
                actions: { type: 'keepDrafts', params: ({ event }) => event.output },
              },
            ],
            onError: {
              target: '#adoptTables.failed',
              actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
            },
          },
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
        'school.choose': {
          guard: 'isSchoolProposed',
          actions: { type: 'keepSchools', params: ({ event }) => event },
        },
        'links.choose': {
          guard: 'isLinkProposed',
          actions: { type: 'keepLinks', params: ({ event }) => event },
        },
        'passwords.choose': {
          guard: 'isPasswordProposed',
          actions: { type: 'keepPasswords', params: ({ event }) => event },
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
        input: ({ context }) => ({ definitions: buildDefinitions(context) }),
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

function nextBatch({
  tables,
  done,
  asked: { batch = usualBatch },
}: Pick<AdoptTablesContext, 'tables' | 'done' | 'asked'>): readonly string[] {
  return tables.slice(done, done + batch)
}
