import type {
  FlowDecided,
  FlowTodoPage,
  TodoKind,
  TodoOrder,
} from '@jiaowu/api/contract/entity/flow'
import { createPortActors, type ActorsOf, type Port } from '../port.ts'

/** @public Declarations of the machine's type name it. */
export interface TodoQuestion {
  readonly mine: TodoKind
  /** Null: of every entity. */
  readonly tag: string | null
  readonly order: TodoOrder
  /** Null: whenever they are due; else days from today, with what is overdue. */
  readonly dueWithin: number | null
  /** From 1. */
  readonly pageNum: number
}
/** @public Declarations of the machine's type name it. */
export interface TodoItem {
  readonly tag: string
  readonly id: string
  readonly version: string
}
/** @public Declarations of the machine's type name it. */
export interface TodoBatch {
  readonly event: string
  readonly note: string
  readonly items: readonly TodoItem[]
}
/** The calls `flow.todo` and `flow.decide`, which decides each case by itself; a check writes nothing. */
export interface TodoListPorts {
  readonly loadTodos: Port<TodoQuestion, FlowTodoPage>
  readonly checkTodos: Port<TodoBatch, readonly FlowDecided[]>
  readonly decideTodos: Port<TodoBatch, readonly FlowDecided[]>
}
export function todoListActors(ports: TodoListPorts): ActorsOf<TodoListPorts> {
  return createPortActors(ports, ['loadTodos', 'checkTodos', 'decideTodos'])
}
