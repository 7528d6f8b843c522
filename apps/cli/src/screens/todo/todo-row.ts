import { listBatchOffers } from '@jiaowu/machines/todo-list/batch'
import type { TodoListView } from '@jiaowu/machines/todo-list/view'

export type TodoRow = NonNullable<TodoListView['rows']>[number]

/** Whether a case can be decided here: what asks for fields is a command with their values. */
export function isDecidedHere(row: TodoRow, event: string): boolean {
  return listBatchOffers(row).some((each) => each.event === event)
}
