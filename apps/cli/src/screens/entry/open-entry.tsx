import type { CommandLine } from '../../command-line.ts'
import type { Connection } from '../../session/connect.ts'
import { captchaPicture } from '../../terminal/captcha-picture.ts'
import { runScreen } from '../run-screen.tsx'
import { SignInOver } from '../sign-in-over.tsx'
import { type EntryActor, EntryScreen } from './entry-screen.tsx'

/** Shows the sheet until it is submitted or unlocked, or the user leaves. */
export function openEntry(
  line: CommandLine,
  { api, session }: Connection,
  actor: EntryActor,
): Promise<void> {
  return runScreen<void>(line, (leave) => {
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
            isCovered={isCovered}
            onLeave={() => leave()}
          />
        )}
      </SignInOver>
    )
  })
}
