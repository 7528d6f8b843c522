import type {
  FlowDecided,
  FlowTodo,
  FlowTodoPage,
  TodoKind,
  TodoOrder,
} from '@jiaowu/api/contract/entity/flow'
import type { Problem } from '@jiaowu/api/problem'
import type { Message } from '@jiaowu/api/texts/index'
import type { SnapshotFrom } from 'xstate'
import { buildTodoKey, type FlowOffered, listCommonOffers } from './batch.ts'
import {
  countPages,
  findBatchOffer,
  listChoosable,
  listChosen,
  type TodoListContext,
  type todoListMachine,
} from './machine.ts'

interface TodoRow extends FlowTodo {
  readonly key: string
  readonly isChosen: boolean
  readonly isChoosable: boolean
}
interface TodoBatchView {
  readonly offer: FlowOffered
  readonly note: string
  /** The cases by name, with what the check or the decision came to; null: not yet. */
  readonly rows: readonly {
    readonly key: string
    readonly title: string
    readonly entity: string
    readonly result: FlowDecided | null
  }[]
  /** Cases that were possible, or are decided. */
  readonly ok: number
}
export interface TodoListView {
  readonly step:
    | 'reading'
    | 'failed'
    | 'shown'
    | 'asking'
    | 'checking'
    | 'checked'
    | 'sending'
    | 'told'
  readonly mine: TodoKind
  readonly tag: string | null
  readonly order: TodoOrder
  readonly dueWithin: number | null
  /** Null until the first answer. */
  readonly rows: readonly TodoRow[] | null
  readonly total: number
  readonly pageNum: number
  readonly pages: number
  readonly entities: FlowTodoPage['entities']
  readonly chosen: number
  readonly isAllChosen: boolean
  /** Decisions that all chosen cases take. */
  readonly offers: readonly FlowOffered[]
  readonly batch: TodoBatchView | null
  readonly fault: Message | null
  readonly problem: Problem | null
  readonly can: {
    readonly choose: boolean
    readonly previous: boolean
    readonly next: boolean
    readonly note: boolean
    readonly check: boolean
    readonly send: boolean
    readonly close: boolean
  }
}

type Snapshot = SnapshotFrom<typeof todoListMachine>

export function todoListView(s: Snapshot): TodoListView {
  const { mine, tag, order, dueWithin, page, pageNum, chosen, fault, problem } = s.context
  const choosable = new Set(listChoosable(s.context).map(buildTodoKey))
  return {
    step: resolveTodoStep(s),
    mine,
    tag,
    order,
    dueWithin,
    rows:
      page === null
        ? null
        : page.records.map((row) => {
            const key = buildTodoKey(row)
            return { ...row, key, isChosen: chosen.includes(key), isChoosable: choosable.has(key) }
          }),
    total: page?.total ?? 0,
    pageNum,
    pages: page === null ? 1 : countPages(page),
    entities: listEntities(s.context),
    chosen: chosen.length,
    isAllChosen: chosen.length > 0 && chosen.length === choosable.size,
    offers: listCommonOffers(listChosen(s.context)),
    batch: s.matches('batch') ? buildBatchView(s) : null,
    fault,
    problem,
    can: {
      choose: s.can({ type: 'rows.toggle' }),
      previous: s.can({ type: 'list.page', pageNum: pageNum - 1 }),
      next: s.can({ type: 'list.page', pageNum: pageNum + 1 }),
      note: s.can({ type: 'note.change', note: '' }),
      check: s.can({ type: 'batch.check' }),
      send: s.can({ type: 'batch.send' }),
      close: s.can({ type: 'batch.close' }),
    },
  }
}

function buildBatchView({ context }: Snapshot): TodoBatchView | null {
  const offer = findBatchOffer(context)
  if (offer === undefined) return null
  const results = new Map(context.results?.map((result) => [buildTodoKey(result), result]))
  const rows = listChosen(context).map((row) => ({
    key: buildTodoKey(row),
    title: row.title,
    entity: row.entity,
    result: results.get(buildTodoKey(row)) ?? null,
  }))
  return {
    offer,
    note: context.note,
    rows,
    ok: rows.filter(({ result }) => result?.ok === true).length,
  }
}

/** With the one that is asked for, which may have no case left. */
function listEntities({ page, tag }: TodoListContext): FlowTodoPage['entities'] {
  const known = page?.entities ?? []
  return tag === null || known.some((each) => each.tag === tag)
    ? known
    : [...known, { tag, name: tag }]
}

function resolveTodoStep({ value }: Snapshot): TodoListView['step'] {
  return 'list' in value ? value.list : value.batch
}
