import type { Locale } from '@jiaowu/api/locale'
import { messageText, t, type TextKey, texts } from '@jiaowu/api/texts/index'

/** The text of a failure, `wechat: 401 SIGN_ERROR (unverified)`, with what its code means. */
export function failureInWords(locale: Locale, failure: string): string {
  const words = failure
    .split(/[\s:()]+/)
    .map((part) => wordsFor(locale, part))
    .find((known) => known !== null)
  return words === undefined || words === null
    ? failure
    : t(locale, 'provider.withWords', { code: failure, words })
}

function wordsFor(locale: Locale, code: string): string | null {
  const key = `provider.code.${code}`
  return Object.hasOwn(texts, key) ? messageText(locale, { key: key as TextKey }) : null
}
