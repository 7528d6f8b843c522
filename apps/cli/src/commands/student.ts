import { t } from '@jiaowu/api/texts/index'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { toStudentLine } from './student-application.ts'
import { loadScreen } from '../screens/load-screen.ts'

/**
 * `jiaowu student`: the download service for students as a screen, with a profile separate from
 * those of staff.
 */
export async function runStudentScreen(
  line: CommandLine,
  flags: { readonly output?: string },
): Promise<void> {
  if (!line.interactive) throw new CommandError(exitCodes.usage, t(line.locale, 'cli.needTerminal'))
  const { openStudent } = await loadScreen(
    line,
    () => import('../screens/student/open-student.tsx'),
  )
  await openStudent(toStudentLine(line), flags.output)
}
