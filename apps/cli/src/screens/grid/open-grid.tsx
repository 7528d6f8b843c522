import { setTimeout as sleep } from 'node:timers/promises'
import type { ReadStream } from 'node:tty'
import { messageText } from '@jiaowu/api/texts/index'
import type { Block } from '@jiaowu/machines/grid-edit/clipboard/clipboard'
import { gridActors, type GridPorts } from '@jiaowu/machines/grid-edit/ports'
import { gridApiPorts } from '@jiaowu/machines/grid-edit/api-ports'
import { gridEditMachine } from '@jiaowu/machines/grid-edit/machine'
import { gridEditView } from '@jiaowu/machines/grid-edit/view'
import type { GridQuery } from '@jiaowu/machines/grid-edit/context'
import { createActor } from 'xstate'
import type { CommandLine } from '../../command-line.ts'
import type { Connection } from '../../session/connect.ts'
import { captchaPicture } from '../../terminal/captcha-picture.ts'
import { runScreen } from '../run-screen.tsx'
import { SignInOver } from '../sign-in-over.tsx'
import { GridScreen } from './grid-screen.tsx'

interface Subject {
  readonly tag: string
  readonly query: GridQuery
  readonly columns: readonly string[] | null
  readonly mayEdit: boolean
  readonly mayAdd: boolean
  /** Cells to paste. */
  readonly copied: Block | null
}

/** Edits the rows of an entity. @returns the number of rows that were left unsaved */
export async function openGrid(
  line: CommandLine,
  { api, session }: Connection,
  keys: ReadStream,
  { copied, ...input }: Subject,
): Promise<number> {
  const { signal, locale } = line
  const ports = interruptible(
    gridApiPorts(
      api,
      (ms, abort) => sleep(ms, undefined, { signal: abort }),
      (message) => messageText(locale, message),
    ),
    signal,
  )
  const actor = createActor(gridEditMachine.provide({ actors: gridActors(ports) }), {
    input: { ...input, history: null },
  })
  const picture = (key: string) => captchaPicture(api, key, signal)
  try {
    await runScreen<void>(
      line,
      (leave) => {
        actor.start()
        return (
          <SignInOver session={session} locale={locale} picture={picture}>
            {(isCovered) => (
              <GridScreen
                actor={actor}
                locale={locale}
                copied={copied}
                isCovered={isCovered}
                onLeave={() => leave()}
              />
            )}
          </SignInOver>
        )
      },
      keys,
    )
    return gridEditView(actor.getSnapshot()).unsaved
  } finally {
    actor.stop()
  }
}

/** Ctrl-C ends the calls too. */
function interruptible(ports: GridPorts, signal: AbortSignal): GridPorts {
  return Object.fromEntries(
    Object.entries(ports).map(([name, port]) => [
      name,
      (input: never, abort: AbortSignal) =>
        (port as (input: never, signal: AbortSignal) => Promise<unknown>)(
          input,
          AbortSignal.any([abort, signal]),
        ),
    ]),
  ) as unknown as GridPorts
}
