import type { TodoKind } from '@jiaowu/api/contract/entity/flow'
import { todoListApiPorts } from '@jiaowu/machines/todo-list/api-ports'
import { todoListMachine } from '@jiaowu/machines/todo-list/machine'
import { todoListActors } from '@jiaowu/machines/todo-list/ports'
import { createActor } from 'xstate'
import type { CommandLine } from '../../command-line.ts'
import type { Connection } from '../../session/connect.ts'
import { captchaPicture } from '../../terminal/captcha-picture.ts'
import { runScreen } from '../run-screen.tsx'
import { SignInOver } from '../sign-in-over.tsx'
import type { TodoRow } from './todo-row.ts'
import { TodoScreen } from './todo-screen.tsx'

interface TodoToOpen {
  readonly mine: TodoKind
  readonly tag: string | null
  readonly readCase: (row: TodoRow, signal: AbortSignal) => Promise<readonly string[]>
}

/** Shows the lists of cases until the user leaves. */
export async function openTodo(
  line: CommandLine,
  { api, session }: Connection,
  { mine, tag, readCase }: TodoToOpen,
): Promise<void> {
  const ports = todoListApiPorts(api)
  const both = (signal: AbortSignal) => AbortSignal.any([signal, line.signal])
  const actor = createActor(
    todoListMachine.provide({
      actors: todoListActors({
        loadTodos: (question, signal) => ports.loadTodos(question, both(signal)),
        checkTodos: (batch, signal) => ports.checkTodos(batch, both(signal)),
        decideTodos: (batch, signal) => ports.decideTodos(batch, both(signal)),
      }),
    }),
    { input: { mine, tag } },
  )
  actor.start()
  try {
    await runScreen<void>(line, (leave) => (
      <SignInOver
        session={session}
        locale={line.locale}
        picture={(key) => captchaPicture(api, key, line.signal)}
      >
        {(isCovered) => (
          <TodoScreen
            actor={actor}
            locale={line.locale}
            readCase={readCase}
            isCovered={isCovered}
            onLeave={() => leave()}
          />
        )}
      </SignInOver>
    ))
  } finally {
    actor.stop()
  }
}
