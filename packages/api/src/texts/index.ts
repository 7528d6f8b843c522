import type { Locale } from '../locale.ts'
import { allTexts } from './all.ts'
import type { Pair } from './group.ts'

export const texts = allTexts

export type TextKey = keyof typeof texts
/** A pair is a word of its own in both languages, such as the name of a state. */
export type TextParams = Readonly<Record<string, string | number | Pair>>

/**
 * A text as data (from machines, issues, problems), rendered where the user's language is known.
 */
export interface Message {
  readonly key: TextKey
  readonly params?: TextParams
}

type Holes<S extends string> = S extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Holes<Rest>
  : never
type ParamsFor<K extends TextKey> = Holes<(typeof texts)[K][0]>

/**
 * The text of `key` in `locale`, with its `{placeholders}` filled in.
 * @example t('en', 'rule.maxLength', { max: 20 })
 */
export function t<K extends TextKey>(
  locale: Locale,
  key: K,
  ...params: [ParamsFor<K>] extends [never]
    ? []
    : [Readonly<Record<ParamsFor<K>, TextParams[string]>>]
): string {
  return fillParams(locale, findSentence(locale, key), params[0] as TextParams | undefined)
}

/** The key itself where the text is not loaded, so that a page shows that instead of ending. */
function findSentence(locale: Locale, key: TextKey): string {
  const known: Readonly<Partial<Record<TextKey, readonly [string, string]>>> = texts
  return known[key]?.[locale === 'en' ? 1 : 0] ?? key
}

/**
 * Adds the sentences of one language to a build that carries none, as that of the web, which loads the language
 * of its user (apps/web/vite-texts.ts). A pair stands for both languages.
 */
export function addTexts(
  locale: Locale,
  sentences: Readonly<Record<string, string | readonly [string, string]>>,
): void {
  const known: Record<string, readonly [string, string]> = texts
  for (const [key, sentence] of Object.entries(sentences)) {
    const [zh, en] = known[key] ?? ['', '']
    known[key] =
      typeof sentence !== 'string' ? sentence : locale === 'en' ? [zh, sentence] : [sentence, en]
  }
}

function fillParams(locale: Locale, sentence: string, params: TextParams | undefined) {
  return params === undefined
    ? sentence
    : sentence.replace(/\{(\w+)\}/g, (hole, name: string) => {
        const value = params[name] ?? hole
        return typeof value === 'object' ? value[locale === 'en' ? 1 : 0] : String(value)
      })
}

/** Renders a {@link Message}. */
export function messageText(locale: Locale, message: Message): string {
  return fillParams(locale, findSentence(locale, message.key), message.params)
}
