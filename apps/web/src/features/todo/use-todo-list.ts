import type { TodoKind } from '@jiaowu/api/contract/entity/flow'
import { todoListApiPorts } from '@jiaowu/machines/todo-list/api-ports'
import { type TodoListEvent, todoListMachine } from '@jiaowu/machines/todo-list/machine'
import { todoListActors } from '@jiaowu/machines/todo-list/ports'
import { type TodoListView, todoListView } from '@jiaowu/machines/todo-list/view'
import { useEffect } from 'react'
import { useApi } from '../../app/api-context.ts'
import { onSavedElsewhere, tellSaved, todoSignal } from '../../app/saved-signal.ts'
import { useView } from '../../app/use-view.ts'
import { useMachineActor } from '../../fields/use-machine-actor.ts'

export interface TodoProps {
  readonly view: TodoListView
  readonly send: (event: TodoListEvent) => void
}

/** The list of cases. It follows decisions that are made elsewhere, and tells its own. */
export function useTodoList(mine: TodoKind) {
  const { api } = useApi()
  const actor = useMachineActor(() => ({
    machine: todoListMachine.provide({ actors: todoListActors(todoListApiPorts(api)) }),
    input: { mine, tag: null },
  }))
  const view = useView(actor, todoListView)
  const isTold = view.step === 'told'
  useEffect(
    () =>
      onSavedElsewhere((tag) => {
        if (tag === todoSignal) actor.send({ type: 'list.refresh' })
      }),
    [actor],
  )
  useEffect(() => {
    if (!isTold) return
    tellSaved(todoSignal)
    const rows = actor.getSnapshot().context.results ?? []
    for (const tag of new Set(rows.filter(({ ok }) => ok).map((row) => row.tag))) tellSaved(tag)
  }, [actor, isTold])
  return { view, send: actor.send }
}
