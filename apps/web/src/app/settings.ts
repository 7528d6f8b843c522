import { limits, themeColours } from '@jiaowu/api/limits'
import { type Locale, parseLocale } from '@jiaowu/api/locale'
import { parseJson } from '@jiaowu/api/exact-json'
import { useSyncExternalStore } from 'react'
import * as v from 'valibot'

/** Heights of a list's rows: 32, 40 and 48 pixels. */
export const densities = ['compact', 'usual', 'wide'] as const

const key = 'JIAOWU_SETTINGS'
const schema = v.object({
  locale: v.fallback(v.picklist(['zh-CN', 'en']), 'zh-CN'),
  colour: v.fallback(v.picklist(themeColours), themeColours[0]),
  theme: v.fallback(v.picklist(['light', 'dark', 'system']), 'light'),
  /** The kind of user who signed in last on this device; selects the tab of the sign-in page. */
  signInAs: v.fallback(v.nullable(v.picklist(['student', 'staff'])), null),
  // All on by default (docs/spec/1-entity-console.md §9,
  // docs/spec/2-student-service-and-designer.md §9).
  sidebarOpen: v.fallback(v.boolean(), true),
  sidebarLogo: v.fallback(v.boolean(), true),
  tagsView: v.fallback(v.boolean(), true),
  fixedHeader: v.fallback(v.boolean(), true),
  fixedSidebar: v.fallback(v.boolean(), true),
  overflowTooltips: v.fallback(v.boolean(), true),
  density: v.fallback(v.picklist(densities), 'usual'),
  /** Id of the current term; null: the one of the calendar. */
  term: v.fallback(v.nullable(v.string()), null),
  /** Columns of lists share the width of the window. */
  fitWidth: v.fallback(v.boolean(), true),
  /** Rows on a page of every list; null: as many as the window holds. */
  listSize: v.fallback(v.nullable(v.picklist(limits.pageSizes)), null),
})
export type Settings = v.InferOutput<typeof schema>

let settings: Settings | null = null
const listeners = new Set<() => void>()
export const getSettings = (): Settings => (settings ??= readSettings())

function readSettings(): Settings {
  let stored: unknown = {}
  try {
    stored = parseJson(localStorage.getItem(key) ?? '{}')
  } catch {
    stored = {}
  }
  const record = typeof stored === 'object' && stored !== null ? stored : {}
  // Language: stored setting, else the browser's, else Chinese
  // (docs/spec/2-student-service-and-designer.md §1).
  return v.parse(schema, { locale: parseLocale(globalThis.navigator?.language), ...record })
}

export function changeSettings(change: Partial<Settings>): void {
  settings = { ...getSettings(), ...change }
  localStorage.setItem(key, JSON.stringify(settings))
  for (const listener of listeners) listener()
}

export const useSettings = (): Settings => useSyncExternalStore(subscribe, getSettings)

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Pixels above and below the rows of a list, and those of one row. */
const besideRows = 330
const rowHeights = { compact: 32, usual: 40, wide: 48 } as const
/** The height of the window when the console was opened: a size that follows it would turn pages. */
const openingHeight = globalThis.innerHeight ?? 0

/** Rows on a page of a list: as chosen, else the size that is nearest to what the window holds. */
export function resolveListSize(
  { listSize, density }: Pick<Settings, 'listSize' | 'density'>,
  height: number = openingHeight,
): number {
  const held = (height - besideRows) / rowHeights[density]
  return (
    listSize ?? limits.pageSizes.reduce((best, size) => (nearer(size, best, held) ? size : best))
  )
}

function nearer(size: number, best: number, held: number): boolean {
  return Math.abs(size - held) < Math.abs(best - held)
}

export const useListSize = (): number => resolveListSize(useSettings())

export const currentLocale = (): Locale => getSettings().locale

/** Applies language, colours and theme to the document. */
export function applySettings(now: Settings): void {
  document.documentElement.lang = now.locale
  document.documentElement.style.setProperty('--accent', now.colour)
  document.documentElement.dataset.theme = isDark(now) ? 'dark' : 'light'
  document.body.classList.toggle('bp6-dark', isDark(now))
}

function isDark({ theme }: Settings): boolean {
  return (
    theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  )
}
