import { t } from '@jiaowu/api'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { loadScreen } from '../screens/load-screen.ts'

/** `jiaowu student`: the download service as a screen. Its session stands beside those of staff, under a name of its own. */
export async function student(
  line: CommandLine,
  flags: { readonly output?: string },
): Promise<void> {
  if (!line.interactive) throw new CommandError(exitCodes.usage, t(line.locale, 'cli.needTerminal'))
  const { openStudent } = await loadScreen(
    line,
    () => import('../screens/student/open-student.tsx'),
  )
  await openStudent({ ...line, profile: `student@${new URL(line.server).host}` }, flags.output)
}
