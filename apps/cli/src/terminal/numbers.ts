import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import { CommandError, exitCodes } from '../exit.ts'

/** @throws CommandError (usage) for anything but a whole number from 1 */
export function readPageNumber(text: string, locale: Locale, most = 1_000_000): number {
  const n = Number(text)
  if (!Number.isInteger(n) || n < 1 || n > most)
    throw new CommandError(exitCodes.usage, t(locale, 'cli.badNumber', { value: text, most }))
  return n
}
