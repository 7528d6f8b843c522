import { t } from '@jiaowu/api/texts/index'
import { parseJson } from '@jiaowu/api/exact-json'
import * as v from 'valibot'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { readText } from './text-file.ts'

const record = v.pipe(
  v.unknown(),
  v.check((value) => !Array.isArray(value)),
  v.record(v.string(), v.unknown()),
)

/**
 * Reads a JSON object from a file, or from stdin for `-`.
 * @throws CommandError (usage) for anything else
 */
export async function objectFrom(
  path: string,
  { locale }: CommandLine,
): Promise<Record<string, unknown>> {
  const text = await readText(path, locale)
  try {
    return v.parse(record, parseJson(text))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof v.ValiError)
      throw new CommandError(
        exitCodes.usage,
        t(locale, 'cli.notObject', { path: path === '-' ? t(locale, 'cli.stdin') : path }),
      )
    throw error
  }
}
