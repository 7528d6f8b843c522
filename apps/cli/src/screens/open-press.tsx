import { buttonsView } from '@jiaowu/machines/buttons/view'
import type { CommandLine } from '../command-line.ts'
import type { Connection } from '../session/connect.ts'
import { captchaPicture } from '../terminal/captcha-picture.ts'
import { type ButtonsActor, PressScreen } from './form/press-screen.tsx'
import { runScreen } from './run-screen.tsx'
import { SignInOver } from './sign-in-over.tsx'

/** Shows a pressed button until it is done, cancelled or aborted; `press` starts it. */
export function openPress(
  line: CommandLine,
  { api, session }: Connection,
  actor: ButtonsActor,
  press: () => void,
): Promise<void> {
  return runScreen<void>(line, (left) => {
    actor.subscribe((snapshot) => {
      const { step, outcome } = buttonsView(snapshot)
      if (outcome !== null || step === 'closed') left()
    })
    press()
    return (
      <SignInOver
        session={session}
        locale={line.locale}
        picture={(key) => captchaPicture(api, key, line.signal)}
      >
        {(isCovered) => <PressScreen actor={actor} locale={line.locale} isCovered={isCovered} />}
      </SignInOver>
    )
  })
}
