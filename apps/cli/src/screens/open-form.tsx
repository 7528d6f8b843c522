import { may } from '@jiaowu/api/entity/permission'
import type { Row } from '@jiaowu/api/entity/values'
import { entityFormActors } from '@jiaowu/machines/entity-form/ports'
import { entityFormApiPorts } from '@jiaowu/machines/entity-form/api-ports'
import { entityFormMachine } from '@jiaowu/machines/entity-form/machine'
import type { LookupPorts } from '@jiaowu/machines/lookup/ports'
import { revealActors } from '@jiaowu/machines/reveal/ports'
import { revealApiPorts } from '@jiaowu/machines/reveal/api-ports'
import { revealMachine } from '@jiaowu/machines/reveal/machine'
import { createActor } from 'xstate'
import type { CommandLine } from '../command-line.ts'
import type { Connection } from '../session/connect.ts'
import { captchaPicture } from '../terminal/captcha-picture.ts'
import { FormScreen } from './form/form-screen.tsx'
import { runScreen } from './run-screen.tsx'
import { SignInOver } from './sign-in-over.tsx'

/**
 * Adds or edits a record in a form screen.
 * @returns the saved record; null if the user left the form
 */
export async function openForm(
  line: CommandLine,
  { api, session }: Connection,
  tag: string,
  id: string | null,
): Promise<Row | null> {
  const { signal, locale } = line
  const either = (own: AbortSignal) => AbortSignal.any([own, signal])
  const [user, resources] = await Promise.all([
    api.session.whoami({ signal }),
    api.session.resources({ signal }),
  ])
  const mayReveal = may(
    resources.map(({ code }) => code),
    'pii:reveal',
  )
  const ports = entityFormApiPorts(api)
  const machine = entityFormMachine.provide({
    actors: entityFormActors({
      loadForm: (input, abort) => ports.loadForm(input, either(abort)),
      saveRow: (input, abort) => ports.saveRow(input, either(abort)),
    }),
  })
  const find: LookupPorts['find'] = ({ fieldId, searchKey, cascades, pageNum, pageSize }, abort) =>
    api.entityData.lookup({
      params: { tag },
      body: { fieldId, searchKey, cascades, pageNum, pageSize },
      signal: either(abort),
    })
  const picture = (key: string) => captchaPicture(api, key, signal)
  const makeReveal = (rowId: string, field: string) =>
    createActor(revealMachine.provide({ actors: revealActors(revealApiPorts(api)) }), {
      input: { tag, rowId, field, now: Date.now },
    })
  const actor = createActor(machine, {
    input: { tag, id, person: { user: { id: user.id, name: user.name }, org: user.org } },
  })
  try {
    return await runScreen<Row | null>(line, (leave) => {
      actor.on('saved', ({ row, next }) => {
        if (!next) leave(row)
      })
      actor.on('left', () => leave(null))
      actor.start()
      return (
        <SignInOver session={session} locale={locale} picture={picture}>
          {(isCovered) => (
            <FormScreen
              actor={actor}
              locale={locale}
              find={find}
              isCovered={isCovered}
              {...(mayReveal ? { makeReveal } : {})}
            />
          )}
        </SignInOver>
      )
    })
  } finally {
    actor.stop()
  }
}
