/**
 * The two languages of the interface; Chinese is the default
 * (docs/spec/2-student-service-and-designer.md §1).
 */
export const locales = ['zh-CN', 'en'] as const
export type Locale = (typeof locales)[number]
export const defaultLocale: Locale = 'zh-CN'

/**
 * Chooses the language from an `Accept-Language` header or a browser's language; Chinese unless it
 * is English.
 */
export function parseLocale(accept: string | null | undefined): Locale {
  const first = (accept ?? '').split(',')[0]?.trim().toLowerCase() ?? ''
  return first.startsWith('en') ? 'en' : defaultLocale
}
