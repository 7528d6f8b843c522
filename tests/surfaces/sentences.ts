import type { Locale } from '@jiaowu/api/locale'
import {
  type Message,
  messageText,
  t,
  type TextKey,
  type TextParams,
  texts,
} from '@jiaowu/api/texts/index'

/** Whether a sentence is shown, or with which parameters (several when it is shown several times). */
type When<View> = (view: View) => boolean | TextParams | readonly TextParams[] | null | undefined
export type SentenceTable<View> = Readonly<Partial<Record<TextKey, When<View>>>>

type NamesUnder<Prefix extends string> = {
  [Key in TextKey]: Key extends `${Prefix}.${infer Name}` ? Name : never
}[TextKey]

/** Sentences that are shown at the same time, by their names under a prefix of the catalogue. */
export function under<Prefix extends string, View>(
  prefix: Prefix,
  when: When<View>,
  ...names: readonly NamesUnder<Prefix>[]
): SentenceTable<View> {
  return Object.fromEntries(names.map((name) => [`${prefix}.${name}`, when]))
}

export const always = (): boolean => true

/** A sentence of the catalogue as the screen shows it. */
export function zh(key: TextKey, params?: TextParams): string {
  return translateKey('zh-CN', key, params)
}

function translateKey(locale: Locale, key: TextKey, params?: TextParams): string {
  return (t as (...given: unknown[]) => string)(locale, key, params)
}

/** A message as the screen shows it; empty when there is none. */
export function sentence(message: Message | string | undefined): string {
  return message === undefined
    ? ''
    : typeof message === 'string'
      ? message
      : messageText('zh-CN', message)
}

/** A text that there may be. */
export type Part = string | false | null | undefined

/** Texts one after the other, as `Target.texts` reads them; those that there are. */
export function joinTexts(...parts: readonly Part[]): string {
  return parts.filter((part) => typeof part === 'string' && part !== '').join()
}

/** A name in any language of the page, with any parameters; which one is shown is compared by `says`. */
export function inAnyLanguage(key: TextKey): RegExp {
  const both = (texts as Readonly<Record<TextKey, readonly string[]>>)[key]
  return new RegExp(`^(?:${both.map(toTemplatePattern).join('|')})$`)
}

/** The sentences of a table that a screen must show, sorted, each once. */
export function expectedSentences<View>(
  table: SentenceTable<View>,
  view: View,
  locale: Locale,
): string {
  return joinDistinct(listSentences(table, view, locale))
}

/** The sentences of a table that a screen must show, in the order of the table. */
export function listSentences<View>(
  table: SentenceTable<View>,
  view: View,
  locale: Locale,
): readonly string[] {
  return (Object.entries(table) as [TextKey, When<View>][]).flatMap(([key, when]) => {
    const found = when(view)
    if (found === true) return [translateKey(locale, key)]
    if (found === false || found === null || found === undefined) return []
    return (Array.isArray(found) ? (found as TextParams[]) : [found as TextParams]).map((params) =>
      translateKey(locale, key, params),
    )
  })
}

/** The sentences of a table as the catalogue writes them, with the places of their parameters. */
export function listTemplates<View>(table: SentenceTable<View>, locale: Locale): string[] {
  return (Object.keys(table) as TextKey[]).map((key) => texts[key][locale === 'en' ? 1 : 0])
}

export function joinDistinct(found: readonly string[]): string {
  return [...new Set(found)].sort().join('|')
}

export const hasParams = (template: string): boolean => template.includes('{')

/** The pattern of a text with any parameters. */
export function toTemplatePattern(template: string): string {
  return template
    .split(/\{\w+\}/)
    .map(escapePattern)
    .join('.+')
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
