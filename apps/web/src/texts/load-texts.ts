import { addTexts } from '@jiaowu/api/texts/index'
import type { Locale } from '@jiaowu/api/locale'
import { changeSettings, currentLocale } from '../app/settings.ts'

/** The texts of all pages, those of the console's shell, lists and forms, and those of its other pages. */
type Part = 'start' | 'console' | 'more'

/** By key; both languages of the few that are needed in both. */
export type Sentences = Parameters<typeof addTexts>[1]

const files = {
  'zh-CN': {
    start: () => import('./zh-cn-start.ts'),
    console: () => import('./zh-cn-console.ts'),
    more: () => import('./zh-cn-more.ts'),
  },
  en: {
    start: () => import('./en-start.ts'),
    console: () => import('./en-console.ts'),
    more: () => import('./en-more.ts'),
  },
} as const
const wanted = new Set<Part>()
/** Parts that are there or on their way, by language and name. */
const loads = new Map<string, Promise<void>>()

/** Loads the texts of a part in the language of the user, before the pages that need them. */
export async function loadTexts(part: Part): Promise<void> {
  wanted.add(part)
  await loadPart(part, currentLocale())
}

/** Changes the language once its texts are there. */
export async function changeLocale(locale: Locale): Promise<void> {
  await Promise.all([...wanted].map((part) => loadPart(part, locale)))
  changeSettings({ locale })
}

/** Loads a part once; one that failed is asked for again. */
function loadPart(part: Part, locale: Locale): Promise<void> {
  const key = `${locale} ${part}`
  const known = loads.get(key)
  if (known !== undefined) return known
  const loading = fetchPart(part, locale).catch((error: unknown) => {
    loads.delete(key)
    throw error
  })
  loads.set(key, loading)
  return loading
}

async function fetchPart(part: Part, locale: Locale): Promise<void> {
  const { sentences } = await files[locale][part]()
  addTexts(locale, sentences)
}
