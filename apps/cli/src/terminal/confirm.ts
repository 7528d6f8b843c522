import { t } from '@jiaowu/api/texts/index'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { askOnTerminal, isYes } from './prompt.ts'

/**
 * Asks before an act; `--yes` agrees. @throws CommandError (usage) off a terminal, (interrupted) for a no
 */
export async function confirmAct(
  { interactive, locale, signal }: CommandLine,
  question: string,
  isAgreed: boolean | undefined,
  /** Says after a no that nothing was done. */
  refused: 'cli.notDone' | 'cli.account.notEnded' | 'cli.account.notHandedOver' = 'cli.notDone',
): Promise<void> {
  if (isAgreed === true) return
  if (!interactive) throw new CommandError(exitCodes.usage, t(locale, 'cli.tr.needYes'))
  if (!isYes(await askOnTerminal(`${question} [y/N] `, signal)))
    throw new CommandError(exitCodes.interrupted, t(locale, refused))
}
