import type { Locale } from './locale.ts'
import { t } from './texts/index.ts'

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000]
/**
 * How long ago: just now under 30 s, minutes under 1 h, hours under 24 h, one day under 48 h, then the date (console spec §9).
 * @param at what was, in milliseconds of the epoch; @param now likewise
 */
export const relativeTime = (locale: Locale, at: number, now: number): string => {
  const past = now - at
  if (past < 30 * second) return t(locale, 'format.justNow')
  if (past < hour) return t(locale, 'format.minutesAgo', { n: Math.max(1, Math.floor(past / minute)) })
  if (past < day) return t(locale, 'format.hoursAgo', { n: Math.floor(past / hour) })
  if (past < 2 * day) return t(locale, 'format.dayAgo')
  return new Intl.DateTimeFormat(locale, { year: 'numeric', month: '2-digit', day: '2-digit' }).format(at)
}

const suffixes = [[1e18, 'E'], [1e15, 'P'], [1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']] as const
/** A number in few characters, with at most `digits` decimals: 40000 is 40k, 1234567 is 1.2M (console spec §9). */
export const shortNumber = (n: number, digits = 1): string => {
  const step = suffixes.find(([size]) => Math.abs(n) >= size)
  if (step === undefined) return String(n)
  const [size, suffix] = step
  return `${String(Number((n / size).toFixed(digits)))}${suffix}`
}
