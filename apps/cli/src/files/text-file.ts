// Texts that people hand to a command: files and stdin, in UTF-8 or UTF-16. Other encodings can only be
// guessed, so they are refused by name.
import { guessEncoding, unicodeText } from '@jiaowu/api/text-encoding'
import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import { readFile } from 'node:fs/promises'
import { CommandError, exitCodes } from '../exit.ts'
import { stdinBytes } from '../terminal/prompt.ts'
import { fileFault } from './file-fault.ts'

/**
 * The text of a file, or of stdin for `-`, without its byte order mark.
 * @throws CommandError (usage) for a file that cannot be read, and for another encoding
 */
export async function readText(path: string, locale: Locale): Promise<string> {
  if (path === '-') return await readStdin(locale)
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(
      exitCodes.usage,
      t(locale, 'cli.cannotRead', { path, reason: fileFault(locale, error) }),
    )
  })
  return textOfBytes(bytes, path, locale)
}

/** All of stdin, without its byte order mark. @throws CommandError (usage) for another encoding */
export async function readStdin(locale: Locale): Promise<string> {
  return textOfBytes(await stdinBytes(), t(locale, 'cli.stdin'), locale)
}

/** @param name what the refusal calls the bytes @throws CommandError (usage) for another encoding */
export function textOfBytes(bytes: Uint8Array, name: string, locale: Locale): string {
  const text = unicodeText(bytes)
  if (text !== null) return text
  const encoding = guessEncoding(bytes)
  throw new CommandError(
    exitCodes.usage,
    t(locale, 'cli.notUnicode', { path: name, encoding: encoding.toUpperCase(), from: encoding }),
  )
}
