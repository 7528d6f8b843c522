import { todoListMachine } from '@jiaowu/machines/todo-list/machine'
import type { MachineModel } from '../machine-model.ts'
import { answerFailure } from '../problems.ts'
import { bare, modelSpec } from '../spec.ts'
import { todoListRules } from './rules.ts'
import { todoPages, todoResults } from './samples.ts'

export interface TodoListSeen {
  readonly at: string
  readonly list: string
  readonly page: string
  readonly chosen: string
  readonly batch: string
  readonly fault: string | null
  readonly problem: number | null
  readonly offers: string
}
const offered = ['rows.toggle', 'list.refresh', 'batch.check', 'batch.send', 'batch.close'] as const

const listEvents = {
  'list.choose': { open: { mine: 'open' }, started: { mine: 'started' } },
  'list.filter': { kind: { tag: 'A' }, every: { tag: null } },
  'list.order': { due: { order: 'due' }, since: { order: 'since' } },
  'list.page': { first: { pageNum: 1 }, second: { pageNum: 2 }, beyond: { pageNum: 4 } },
  'list.refresh': bare,
  'row.toggle': { first: { key: 'A/1' } },
} as const
/** Apart from the other choices of the list, with which the states would be twice as many. */
const dueEvents = {
  'list.choose': { open: { mine: 'open' }, started: { mine: 'started' } },
  'list.due': { soon: { dueWithin: 3 }, any: { dueWithin: null } },
  'list.page': { first: { pageNum: 1 }, second: { pageNum: 2 } },
  'list.refresh': bare,
  'row.toggle': { first: { key: 'A/1' } },
} as const
const batchEvents = {
  'list.refresh': bare,
  'row.toggle': { first: { key: 'A/1' }, second: { key: 'B/2' }, third: { key: 'B/3' } },
  'rows.toggle': bare,
  'batch.ask': { agree: { event: 'APPROVE' }, refuse: { event: 'REJECT' } },
  'note.change': { given: { note: '属实 ' }, blank: { note: ' ' } },
  'batch.check': bare,
  'batch.send': bare,
  'batch.close': bare,
} as const
const none = {
  'list.choose': {},
  'list.filter': {},
  'list.order': {},
  'list.due': {},
  'list.page': {},
  'rows.toggle': {},
  'batch.ask': {},
  'note.change': {},
  'batch.check': {},
  'batch.send': {},
  'batch.close': {},
} as const

const outcomes = {
  loadTodos: {
    many: { ok: true, output: todoPages.many },
    one: { ok: true, output: todoPages.one },
    none: { ok: true, output: todoPages.none },
    broken: answerFailure(500),
  },
  checkTodos: {
    all: { ok: true, output: todoResults.all },
    part: { ok: true, output: todoResults.part },
    none: { ok: true, output: todoResults.none },
    broken: answerFailure(500),
  },
  decideTodos: {
    all: { ok: true, output: todoResults.all },
    part: { ok: true, output: todoResults.part },
    broken: answerFailure(500),
  },
} as const

function todoListSpec(events: typeof listEvents | typeof dueEvents | typeof batchEvents) {
  return modelSpec({
    machine: todoListMachine,
    input: () => ({ mine: 'open', tag: null }) as const,
    events: { ...none, ...events },
    outcomes,
    eventsIn: () => ({}),
    unhandled: 'all',
    key: (s) => {
      const {
        mine,
        tag,
        order,
        dueWithin,
        pageNum,
        page,
        chosen,
        event,
        note,
        results,
        fault,
        problem,
      } = s.context
      return JSON.stringify([
        s.value,
        [mine, tag, order, dueWithin, pageNum, findTodoName(todoPages, page)],
        [...chosen].sort(),
        [event, note, findTodoName(todoResults, results)],
        fault?.key ?? null,
        problem?.code ?? null,
      ])
    },
    project: (s): TodoListSeen => {
      const {
        mine,
        tag,
        order,
        dueWithin,
        pageNum,
        page,
        chosen,
        event,
        note,
        results,
        fault,
        problem,
      } = s.context
      return {
        at: JSON.stringify(s.value) + [...s.tags].sort().join(),
        list: JSON.stringify([mine, tag, order, dueWithin, pageNum]),
        page: findTodoName(todoPages, page),
        chosen: [...chosen].sort().join(),
        batch: JSON.stringify([event, note, findTodoName(todoResults, results)]),
        fault: fault?.key ?? null,
        problem: problem?.code ?? null,
        offers: offered.filter((type) => s.can({ type })).join(),
      }
    },
  })
}

function findTodoName(samples: Readonly<Record<string, unknown>>, value: unknown): string {
  const found = Object.entries(samples).find(
    ([, each]) => JSON.stringify(each) === JSON.stringify(value),
  )
  return found?.[0] ?? 'absent'
}

export const todoListModels: MachineModel<TodoListSeen> = {
  parts: {
    list: todoListSpec(listEvents),
    due: todoListSpec(dueEvents),
    batch: todoListSpec(batchEvents),
  },
  rules: todoListRules,
}
