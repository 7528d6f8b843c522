import { type Row, schoolTime } from '@jiaowu/api'
import { entityFormActors, entityFormMachine, type LookupPorts } from '@jiaowu/machines'
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
  const user = await api.session.whoami({ signal })
  const machine = entityFormMachine.provide({
    actors: entityFormActors({
      loadForm: async (input, abort) => {
        const [config, row] = await Promise.all([
          api.entityData.config({ params: { tag }, signal: either(abort) }),
          input.id === null
            ? null
            : api.entityData.get({ params: { tag, id: input.id }, signal: either(abort) }),
        ])
        return { config, row, now: schoolTime(Date.now()) }
      },
      saveRow: ({ id: saved, values, version }, abort) =>
        saved === null
          ? api.entityData.create({ params: { tag }, body: values, signal: either(abort) })
          : api.entityData.update({
              params: { tag, id: saved },
              body: { ...values, ...(version === null ? {} : { version }) },
              signal: either(abort),
            }),
    }),
  })
  const find: LookupPorts['find'] = ({ fieldId, searchKey, cascades, pageNum, pageSize }, abort) =>
    api.entityData.lookup({
      params: { tag },
      body: { fieldId, searchKey, cascades, pageNum, pageSize },
      signal: either(abort),
    })
  const picture = (key: string) => captchaPicture(api, key, signal)
  const actor = createActor(machine, {
    input: { tag, id, person: { user: { id: user.id, name: user.name }, org: user.org } },
  })
  try {
    return await runScreen<Row | null>(line, (leave) => {
      actor.on('saved', ({ row }) => leave(row))
      actor.on('left', () => leave(null))
      actor.start()
      return (
        <SignInOver session={session} locale={locale} picture={picture}>
          {(isCovered) => (
            <FormScreen actor={actor} locale={locale} find={find} isCovered={isCovered} />
          )}
        </SignInOver>
      )
    })
  } finally {
    actor.stop()
  }
}
