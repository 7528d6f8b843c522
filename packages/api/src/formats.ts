import type { Locale } from './locale.ts'
import { t } from './texts/index.ts'
import { findMoments, schoolTimeZone, zonedTime } from './zoned-time.ts'

/**
 * A moment in the school's time zone: `2026-01-05 08:30:00`.
 * @param at a Date, milliseconds of the epoch, or ISO 8601 with a zone
 */
export const schoolTime = (at: Date | number | string): string => zonedTime(at, schoolTimeZone)
/** The date part: `2026-01-05`. */
export const schoolDay = (at: Date | number | string): string => schoolTime(at).slice(0, 10)
/**
 * Milliseconds of the epoch from a time in the school's time zone; of two moments the later, as the
 * database has it. NaN for a time that the clocks skipped.
 */
export const schoolInstant = (text: string): number =>
  findMoments(text, schoolTimeZone).at(-1) ?? Number.NaN

/** Whether the clocks of the school never showed this local time: they were set forward over it. */
export const isSkippedTime = (text: string): boolean => Number.isNaN(schoolInstant(text))

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000]
/**
 * Time elapsed, in words: "just now" under 30 s, minutes under 1 h, hours under 24 h, one day under
 * 48 h, then the date in the school's time zone (docs/spec/1-entity-console.md §9).
 * @param at milliseconds of the epoch
 * @param now milliseconds of the epoch
 */
export function relativeTime(locale: Locale, at: number, now: number): string {
  const past = now - at
  if (past < 30 * second) return t(locale, 'format.justNow')
  if (past < hour)
    return t(locale, 'format.minutesAgo', { n: Math.max(1, Math.floor(past / minute)) })
  if (past < day) return t(locale, 'format.hoursAgo', { n: Math.floor(past / hour) })
  if (past < 2 * day) return t(locale, 'format.dayAgo')
  return schoolDay(at)
}

/** A length of time in its two largest units, such as 2 days 3 hours; at least a minute. */
export function formatDuration(locale: Locale, seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  const parts = [
    ['day', Math.floor(minutes / 1440)],
    ['hour', Math.floor((minutes % 1440) / 60)],
    ['minute', minutes % 60],
  ] as const
  return parts
    .filter(([, n]) => n > 0)
    .slice(0, 2)
    .map(([unit, n]) =>
      new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(n),
    )
    .join(locale === 'en' ? ' ' : '')
}

const suffixes = [
  [1e18, 'E'],
  [1e15, 'P'],
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const
/**
 * A short form with at most `digits` decimals: 40000 is 40k, 1234567 is 1.2M
 * (docs/spec/1-entity-console.md §9).
 */
export function shortNumber(n: number, digits = 1): string {
  const step = suffixes.find(([size]) => Math.abs(n) >= size)
  if (step === undefined) return String(n)
  const [size, suffix] = step
  return `${String(Number((n / size).toFixed(digits)))}${suffix}`
}
