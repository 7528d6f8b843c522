import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'

/** Translates a Commander error about the command line into the user's language. */
export function usageFault(locale: Locale, message: string): string {
  return `${translateUsage(locale, message)}${suggestion(locale, message)}`
}

function translateUsage(locale: Locale, message: string): string {
  const [first = '', second = ''] = listQuotedWords(message)
  if (message.includes('unknown command'))
    return t(locale, 'cli.use.unknownCommand', { name: first })
  if (message.includes('unknown option')) return t(locale, 'cli.use.unknownOption', { name: first })
  if (message.includes('missing required argument'))
    return t(locale, 'cli.use.missingArgument', { name: first })
  if (message.includes('argument missing'))
    return t(locale, 'cli.use.missingValue', { name: first })
  if (message.includes('too many arguments')) return t(locale, 'cli.use.tooMany')
  if (message.includes('Allowed choices'))
    return t(locale, 'cli.use.badChoice', {
      name: second,
      value: first,
      choices: /Allowed choices are (.+?)\.$/.exec(message.trim())?.[1] ?? '',
    })
  return t(locale, 'cli.use.needCommand')
}

function listQuotedWords(message: string): string[] {
  return [...message.matchAll(/'([^']*)'/g)].map(([, word = '']) => word)
}

function suggestion(locale: Locale, message: string): string {
  const found = /\(Did you mean (?:one of )?(.+?)\?\)/.exec(message)?.[1]
  return found === undefined ? '' : ` ${t(locale, 'cli.use.suggestion', { words: found })}`
}
