import { t } from '@jiaowu/api/texts/index'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'

/**
 * Reads words between commas.
 *
 * @param refusal the text with `value` and `known`
 * @throws CommandError (usage) for a word that is not among `known`
 */
export function readKnownWords<Word extends string>(
  { locale }: CommandLine,
  text: string,
  known: readonly Word[],
  refusal: 'cli.token.badRight' | 'cli.hook.badEvent',
): Word[] {
  return text.split(',').map((part) => {
    const found = known.find((word) => word === part.trim())
    if (found === undefined)
      throw new CommandError(
        exitCodes.usage,
        t(locale, refusal, { value: part, known: known.join(' ') }),
      )
    return found
  })
}
