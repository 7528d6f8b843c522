import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import type { TodoBatch, TodoListPorts } from './ports.ts'

/** The ports of all surfaces. */
export function todoListApiPorts({ flow }: Pick<Client<typeof contract>, 'flow'>): TodoListPorts {
  const decide = async (
    { event, note, items }: TodoBatch,
    preview: boolean,
    signal: AbortSignal,
  ) => {
    const given = note.trim()
    const { results } = await flow.decide({
      body: {
        preview,
        items: items.map((item) => ({ ...item, event, ...(given !== '' && { note: given }) })),
      },
      signal,
    })
    return results
  }
  return {
    loadTodos: ({ mine, tag, order, dueWithin, pageNum }, signal) =>
      flow.todo({
        body: {
          mine,
          order,
          pageNum,
          ...(tag !== null && { tag }),
          ...(dueWithin !== null && { dueWithin }),
        },
        signal,
      }),
    checkTodos: (batch, signal) => decide(batch, true, signal),
    decideTodos: (batch, signal) => decide(batch, false, signal),
  }
}
