import type { ImportReading, TextEncoding } from '@jiaowu/api/contract/job'
import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import type { ReviewView } from './view.ts'

type File = Pick<ReviewView['file'], 'encoding'>

/** The name of an encoding; the one that the server only guessed says so. */
export function encodingLabel(locale: Locale, { encoding }: File, name: TextEncoding): string {
  const label = t(locale, `import.encoding.${name}`)
  return encoding?.name === name && encoding.isGuess
    ? t(locale, 'import.encodingGuess', { name: label })
    : label
}

/**
 * Builds the request to read a file in a chosen encoding; null: nothing. The one that was found has
 * to be chosen too where some bytes do not fit it.
 */
export function decodedAs({ encoding }: File, name: TextEncoding): ImportReading | null {
  return encoding === null || (encoding.name === name && encoding.isBroken !== true)
    ? null
    : { encoding: name }
}
