import type {
  FlowDecided,
  FlowTodo,
  FlowTodoPage,
  TodoKind,
  TodoOrder,
} from '@jiaowu/api/contract/entity/flow'
import { type Problem, toProblem } from '@jiaowu/api/problem'
import type { Message } from '@jiaowu/api/texts/index'
import { assign, setup } from 'xstate'
import { createMissingPorts } from '../port.ts'
import { buildTodoKey, type FlowOffered, listBatchOffers, listCommonOffers } from './batch.ts'
import { type TodoBatch, todoListActors, type TodoListPorts, type TodoQuestion } from './ports.ts'

/** @public Declarations of the machine's type name it. */
export interface TodoListInput {
  readonly mine: TodoKind
  readonly tag: string | null
}
export interface TodoListContext extends TodoQuestion {
  /** The last answer; stays while it is read again. */
  readonly page: FlowTodoPage | null
  /** Keys of the chosen cases of the page. */
  readonly chosen: readonly string[]
  /** The decision of the batch. */
  readonly event: string | null
  readonly note: string
  /** The answers of the check, then those of the decisions. */
  readonly results: readonly FlowDecided[] | null
  readonly fault: Message | null
  readonly problem: Problem | null
}
export type TodoListEvent =
  | { readonly type: 'list.choose'; readonly mine: TodoKind }
  /** Null: cases of every entity. */
  | { readonly type: 'list.filter'; readonly tag: string | null }
  | { readonly type: 'list.order'; readonly order: TodoOrder }
  /** Null: whenever they are due. */
  | { readonly type: 'list.due'; readonly dueWithin: number | null }
  | { readonly type: 'list.page'; readonly pageNum: number }
  | { readonly type: 'list.refresh' }
  | { readonly type: 'row.toggle'; readonly key: string }
  /** All of the page, or none when all are chosen. */
  | { readonly type: 'rows.toggle' }
  | { readonly type: 'batch.ask'; readonly event: string }
  | { readonly type: 'note.change'; readonly note: string }
  | { readonly type: 'batch.check' }
  | { readonly type: 'batch.send' }
  | { readonly type: 'batch.close' }

const base = setup({
  types: {
    context: {} as TodoListContext,
    events: {} as TodoListEvent,
    input: {} as TodoListInput,
    children: {} as {
      loadTodos: 'loadTodos'
      checkTodos: 'checkTodos'
      decideTodos: 'decideTodos'
    },
    tags: {} as 'busy' | 'open',
  },
  actors: todoListActors(createMissingPorts<TodoListPorts>()),
  guards: {
    isPage: ({ context: { page } }, { pageNum }: { pageNum: number }) =>
      page !== null && pageNum >= 1 && pageNum <= countPages(page),
    isChoosable: ({ context }, { key }: { key: string }) =>
      listChoosable(context).some((row) => buildTodoKey(row) === key),
    areChoosable: ({ context }) => listChoosable(context).length > 0,
    isOffered: ({ context }, { event }: { event: string }) =>
      listCommonOffers(listChosen(context)).some((offer) => offer.event === event),
    isNoteGiven: ({ context }) =>
      findBatchOffer(context)?.note !== 'required' || context.note.trim() !== '',
    isSomePossible: ({ context }) => listPossible(context).length > 0,
  },
  actions: {
    choose: assign((_args, { mine }: { mine: TodoKind }) => ({
      ...blank,
      mine,
      tag: null,
      dueWithin: null,
      page: null,
    })),
    filter: assign((_args, { tag }: { tag: string | null }) => ({ ...blank, tag })),
    sort: assign((_args, { order }: { order: TodoOrder }) => ({ ...blank, order })),
    limit: assign((_args, { dueWithin }: { dueWithin: number | null }) => ({
      ...blank,
      dueWithin,
    })),
    turn: assign((_args, { pageNum }: { pageNum: number }) => ({ ...blank, pageNum })),
    keepPage: assign(({ context: { chosen } }, { page }: { page: FlowTodoPage }) => ({
      page,
      problem: null,
      // A case that left the page is chosen no more.
      chosen: chosen.filter((key) =>
        listChoosable({ page }).some((row) => buildTodoKey(row) === key),
      ),
    })),
    keepProblem: assign((_args, { error }: { error: unknown }) => ({ problem: toProblem(error) })),
    toggle: assign(({ context: { chosen } }, { key }: { key: string }) => ({
      chosen: chosen.includes(key) ? chosen.filter((each) => each !== key) : [...chosen, key],
    })),
    toggleAll: assign(({ context }) => {
      const all = listChoosable(context).map(buildTodoKey)
      return { chosen: context.chosen.length === all.length ? [] : all }
    }),
    ask: assign((_args, { event }: { event: string }) => ({ ...unasked, event })),
    keepNote: assign((_args, { note }: { note: string }) => ({
      note,
      fault: null,
      results: null,
      problem: null,
    })),
    faultNote: assign({ fault: { key: 'flowPanel.noteMissing' } as const, problem: null }),
    forgetProblem: assign({ fault: null, problem: null }),
    keepResults: assign((_args, { results }: { results: readonly FlowDecided[] }) => ({
      results,
      problem: null,
    })),
    forgetBatch: assign(() => unasked),
    // Decided cases may have left the list, with its page.
    begin: assign(() => ({ ...blank })),
  },
})

const keepProblem = {
  type: 'keepProblem',
  params: ({ event }: { event: { readonly error: unknown } }) => ({ error: event.error }),
} as const
const keepResults = {
  type: 'keepResults',
  params: ({ event }: { event: { readonly output: readonly FlowDecided[] } }) => ({
    results: event.output,
  }),
} as const

/**
 * Cases that wait for a person, that they began, or that they decided in; several of them can be
 * decided together, after a check that names each (docs/rules/contract.md#flows).
 */
export const todoListMachine = base.createMachine({
  id: 'todoList',
  context: ({ input: { mine, tag } }) => ({
    ...blank,
    mine,
    tag,
    order: 'since',
    dueWithin: null,
    page: null,
  }),
  initial: 'list',
  states: {
    list: {
      initial: 'reading',
      on: {
        'list.choose': {
          target: '.reading',
          actions: { type: 'choose', params: ({ event }) => event },
        },
        'list.filter': {
          target: '.reading',
          actions: { type: 'filter', params: ({ event }) => event },
        },
        'list.order': {
          target: '.reading',
          actions: { type: 'sort', params: ({ event }) => event },
        },
        'list.due': {
          target: '.reading',
          actions: { type: 'limit', params: ({ event }) => event },
        },
        'list.page': {
          guard: { type: 'isPage', params: ({ event }) => event },
          target: '.reading',
          actions: { type: 'turn', params: ({ event }) => event },
        },
        'list.refresh': { target: '.reading' },
      },
      states: {
        reading: {
          tags: 'busy',
          invoke: {
            id: 'loadTodos',
            src: 'loadTodos',
            input: ({ context: { mine, tag, order, dueWithin, pageNum } }) => ({
              mine,
              tag,
              order,
              dueWithin,
              pageNum,
            }),
            onDone: {
              target: 'shown',
              actions: { type: 'keepPage', params: ({ event }) => ({ page: event.output }) },
            },
            onError: { target: 'failed', actions: keepProblem },
          },
        },
        failed: {},
        shown: {
          on: {
            'row.toggle': {
              guard: { type: 'isChoosable', params: ({ event }) => event },
              actions: { type: 'toggle', params: ({ event }) => event },
            },
            'rows.toggle': { guard: 'areChoosable', actions: 'toggleAll' },
            'batch.ask': {
              guard: { type: 'isOffered', params: ({ event }) => event },
              target: '#todoList.batch',
              actions: { type: 'ask', params: ({ event }) => event },
            },
          },
        },
      },
    },
    batch: {
      tags: 'open',
      initial: 'asking',
      states: {
        asking: {
          on: {
            'note.change': { actions: { type: 'keepNote', params: ({ event }) => event } },
            'batch.check': [
              { guard: 'isNoteGiven', target: 'checking', actions: 'forgetProblem' },
              { actions: 'faultNote' },
            ],
            'batch.close': { target: '#todoList.list.shown', actions: 'forgetBatch' },
          },
        },
        checking: {
          tags: 'busy',
          on: { 'batch.close': { target: '#todoList.list.shown', actions: 'forgetBatch' } },
          invoke: {
            id: 'checkTodos',
            src: 'checkTodos',
            input: ({ context }) => buildBatch(context, listChosen(context)),
            onDone: { target: 'checked', actions: keepResults },
            onError: { target: 'asking', actions: keepProblem },
          },
        },
        checked: {
          on: {
            // Another note is checked again.
            'note.change': {
              target: 'asking',
              actions: { type: 'keepNote', params: ({ event }) => event },
            },
            'batch.send': {
              guard: 'isSomePossible',
              target: 'sending',
              actions: 'forgetProblem',
            },
            'batch.close': { target: '#todoList.list.shown', actions: 'forgetBatch' },
          },
        },
        sending: {
          tags: 'busy',
          // Which of them were carried out is read.
          on: { 'batch.close': { target: '#todoList.list', actions: 'begin' } },
          invoke: {
            id: 'decideTodos',
            src: 'decideTodos',
            input: ({ context }) => buildBatch(context, listPossible(context)),
            onDone: { target: 'told', actions: keepResults },
            onError: { target: 'checked', actions: keepProblem },
          },
        },
        told: { on: { 'batch.close': { target: '#todoList.list', actions: 'begin' } } },
      },
    },
  },
  options: { maxIterations: 100 },
})

const unasked = { event: null, note: '', results: null, fault: null, problem: null } as const
const blank = { ...unasked, pageNum: 1, chosen: [] as readonly string[] }

export function countPages({ total, size }: FlowTodoPage): number {
  return Math.max(1, Math.ceil(total / size))
}

/** Cases of the page that take a decision together with others. */
export function listChoosable({ page }: Pick<TodoListContext, 'page'>): readonly FlowTodo[] {
  return (page?.records ?? []).filter((row) => listBatchOffers(row).length > 0)
}

export function listChosen(context: Pick<TodoListContext, 'page' | 'chosen'>): readonly FlowTodo[] {
  return listChoosable(context).filter((row) => context.chosen.includes(buildTodoKey(row)))
}

export function findBatchOffer(context: TodoListContext): FlowOffered | undefined {
  return listCommonOffers(listChosen(context)).find(({ event }) => event === context.event)
}

/** The chosen cases that the check found possible. */
function listPossible(context: TodoListContext): readonly FlowTodo[] {
  const possible = new Set(
    (context.results ?? []).filter(({ ok }) => ok).map((result) => buildTodoKey(result)),
  )
  return listChosen(context).filter((row) => possible.has(buildTodoKey(row)))
}

function buildBatch({ event, note }: TodoListContext, rows: readonly FlowTodo[]): TodoBatch {
  return {
    event: event ?? '',
    note: note.trim(),
    items: rows.map(({ tag, id, version }) => ({ tag, id, version })),
  }
}
