import type { Locale } from './locale.ts'
import { t } from './texts/index.ts'

/**
 * Times are shown and entered in the school's time zone, wherever the user is
 * (docs/rules/contract.md#entity-data: no zone on the wire).
 */
export const schoolTimeZone = 'Asia/Shanghai'
const clock = new Intl.DateTimeFormat('en-CA', {
  timeZone: schoolTimeZone,
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
/**
 * A moment in the school's time zone: `2026-01-05 08:30:00`.
 * @param at a Date, milliseconds of the epoch, or ISO 8601 with a zone
 */
export function schoolTime(at: Date | number | string): string {
  const parts = new Map(clock.formatToParts(new Date(at)).map(({ type, value }) => [type, value]))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}:${part('second')}`
}
/** The date part: `2026-01-05`. */
export const schoolDay = (at: Date | number | string): string => schoolTime(at).slice(0, 10)
/**
 * Milliseconds of the epoch from a time in the school's time zone, which has no daylight saving.
 */
export function schoolInstant(text: string): number {
  return Date.parse(
    `${text.trim().replace(' ', 'T')}${text.trim().length > 10 ? '' : 'T00:00:00'}+08:00`,
  )
}

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
