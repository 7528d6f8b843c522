import type { CommandLine } from '../../command-line.ts'
import type { Connection } from '../../session/connect.ts'
import { captchaPicture } from '../../terminal/captcha-picture.ts'
import { runScreen } from '../run-screen.tsx'
import { SignInOver } from '../sign-in-over.tsx'
import { type AdoptActor, AdoptScreen } from './adopt-screen.tsx'

/**
 * Shows the tables of a database until they are saved.
 * @returns how many were saved; null if the user left
 */
export function openAdopt(
  line: CommandLine,
  { api, session }: Connection,
  actor: AdoptActor,
): Promise<number | null> {
  return runScreen<number | null>(line, (leave) => {
    actor.on('adopted', ({ n }) => leave(n))
    actor.on('left', () => leave(null))
    actor.start()
    return (
      <SignInOver
        session={session}
        locale={line.locale}
        picture={(key) => captchaPicture(api, key, line.signal)}
      >
        {(isCovered) => <AdoptScreen actor={actor} locale={line.locale} isCovered={isCovered} />}
      </SignInOver>
    )
  })
}
