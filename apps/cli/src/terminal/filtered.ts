import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import { parseJson } from '@jiaowu/api/exact-json'
import { CommandError, exitCodes } from '../exit.ts'
import { clean } from './terminal-text.ts'

/** `--jq` or `--template`: what becomes of the JSON lines of a command. */
export interface OutputFilter {
  readonly jq?: string | undefined
  readonly template?: string | undefined
}

/**
 * The JSON lines of a command through a filter of jq, as `| jq -r` prints them, or through a template of
 * Mustache, once for each line. @throws CommandError (usage) with the words of the library
 */
export async function filterLines(
  lines: readonly string[],
  { jq, template }: OutputFilter,
  locale: Locale,
): Promise<string> {
  return clean(
    jq === undefined
      ? await renderTemplate(lines, template ?? '', locale)
      : await runJq(lines, jq, locale),
  )
}

async function runJq(lines: readonly string[], filter: string, locale: Locale): Promise<string> {
  if (lines.length === 0) return ''
  const { raw } = await import('jq-wasm')
  try {
    const text = await raw(lines.join('\n'), filter, ['-r', '-c'])
    return text === '' ? '' : `${text}\n`
  } catch (error) {
    throw buildFilterFault('--jq', error, locale)
  }
}

async function renderTemplate(
  lines: readonly string[],
  template: string,
  locale: Locale,
): Promise<string> {
  const { default: mustache } = await import('mustache')
  const given = template.replaceAll('\\n', '\n').replaceAll('\\t', '\t')
  try {
    // A terminal is no page: values are written as they are.
    const write = (line: string) =>
      mustache.render(given, parseJson(line), {}, { escape: (value) => String(value) })
    return lines.map(write).join('')
  } catch (error) {
    throw buildFilterFault('--template', error, locale)
  }
}

function buildFilterFault(option: string, error: unknown, locale: Locale): CommandError {
  const reason = (error instanceof Error ? error.message : String(error))
    .replace('Failed to execute raw query: ', '')
    .trim()
  return new CommandError(exitCodes.usage, t(locale, 'cli.badOutput', { option, reason }))
}
