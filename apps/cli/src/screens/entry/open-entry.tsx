import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { LookupPorts } from '@jiaowu/machines/lookup/ports'
import type { CommandLine } from '../../command-line.ts'
import type { Connection } from '../../session/connect.ts'
import { captchaPicture } from '../../terminal/captcha-picture.ts'
import { runScreen } from '../run-screen.tsx'
import { SignInOver } from '../sign-in-over.tsx'
import type { Addition } from './addition.tsx'
import { type EntryActor, EntryScreen } from './entry-screen.tsx'

/** Shows the sheet until it is added to, submitted or unlocked, or the user leaves. */
export async function openEntry(
  line: CommandLine,
  { api, session }: Connection,
  actor: EntryActor,
  config: EntityConfig,
): Promise<void> {
  const addition = await loadAddition(line, api, config)
  return await runScreen<void>(line, (leave) => {
    actor.on('said', () => leave())
    return (
      <SignInOver
        session={session}
        locale={line.locale}
        picture={(key) => captchaPicture(api, key, line.signal)}
      >
        {(isCovered) => (
          <EntryScreen
            actor={actor}
            locale={line.locale}
            addition={addition}
            isCovered={isCovered}
            onLeave={() => leave()}
          />
        )}
      </SignInOver>
    )
  })
}

/** The fields that choose the records to add; null where rows cannot be added. */
async function loadAddition(
  { signal }: CommandLine,
  api: Connection['api'],
  { entry, fields }: EntityConfig,
): Promise<Addition | null> {
  const add = entry?.add
  if (add === undefined) return null
  const { tag, fields: related } = await api.entityData.config({ params: { tag: add.tag }, signal })
  const find: LookupPorts['find'] = ({ fieldId, searchKey, cascades, pageNum, pageSize }, abort) =>
    api.entityData.lookup({
      params: { tag },
      body: { fieldId, searchKey, cascades, pageNum, pageSize },
      signal: AbortSignal.any([abort, signal]),
    })
  return {
    tag,
    find,
    name: fields.find(({ attrName }) => attrName === add.field)?.uiLabel ?? add.field,
    fields: add.from.flatMap((name) => related.find(({ attrName }) => attrName === name) ?? []),
  }
}
