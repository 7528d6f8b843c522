/** The two languages of the interface; Chinese is the default (docs/spec/2-student-service-and-designer.md §1). */
export const locales = ['zh-CN', 'en'] as const
export type Locale = (typeof locales)[number]

/** Picks a language from an `Accept-Language` header or a browser's language; anything not English is Chinese. */
export function localeOf(accept: string | null | undefined): Locale {
  const first = (accept ?? '').split(',')[0]?.trim().toLowerCase() ?? ''
  return first.startsWith('en') ? 'en' : 'zh-CN'
}
