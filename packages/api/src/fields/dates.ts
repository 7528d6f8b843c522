// Reads dates and times as people write them: in forms, prompts, filters and sheets alike.
import { orders, plainBlanks, plainClock, plainDate } from './date-words.ts'

const pad = (n: number) => String(n).padStart(2, '0')
const dayMs = 86_400_000

/** A moment of a spreadsheet; `day` is null for a time of day alone. */
export interface SerialMoment {
  readonly day: string | null
  readonly clock: string
}

/**
 * Converts a spreadsheet's serial number to date and time, rounded to seconds. Null when out of
 * range, and for 60: Excel counts a 29 February 1900, which did not exist.
 */
export function serialMoment(serial: number, from1904: boolean): SerialMoment | null {
  if (!Number.isFinite(serial) || serial < 0 || serial >= 2_958_466) return null
  const seconds = Math.round(serial * 86_400)
  const [days, rest] = [Math.floor(seconds / 86_400), seconds % 86_400]
  const clock = `${pad(Math.floor(rest / 3600))}:${pad(Math.floor(rest / 60) % 60)}:${pad(rest % 60)}`
  if (days === 0 && !from1904) return { day: null, clock }
  if (days === 60 && !from1904) return null
  const epoch = from1904
    ? Date.UTC(1904, 0, 1)
    : days < 60
      ? Date.UTC(1899, 11, 31)
      : Date.UTC(1899, 11, 30)
  const day = new Date(epoch + days * dayMs).toISOString()
  return { day: day.slice(0, day.indexOf('T')), clock }
}

/**
 * The serial number of a moment, counted from 1900: the inverse of `serialMoment`. Null for days
 * before 1 March 1900, where Excel counts a day that did not exist, and for text that is no moment.
 */
export function momentSerial({ day, clock }: SerialMoment): number | null {
  if (readTime(clock) !== clock || (day !== null && readDate(day) !== day)) return null
  const clockPart = Date.parse(`1970-01-01T${clock}Z`) / dayMs
  if (day === null) return clockPart
  const days = (Date.parse(`${day}T00:00:00Z`) - Date.UTC(1899, 11, 30)) / dayMs
  return Number.isInteger(days) && days > 60 && days < 2_958_466 ? days + clockPart : null
}

/**
 * A day with or without a clock, in any usual notation (`date-words.ts`), or a spreadsheet's serial
 * number of five digits (1927 to 2173: shorter ones look like years).
 */
interface DateText {
  readonly day: string
  /** Null when the text names no clock. */
  readonly clock: string | null
}

const ordered = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T]+(\S.*))?$/
const compact = /^(\d{4})(\d{2})(\d{2})(?:[ T]+(\S.*))?$/
const serial = /^[1-9]\d{4}(\.\d+)?$/

/** Undefined for text that names no real calendar day or clock. */
function readDateText(input: string): DateText | undefined {
  const text = plainDate(input)
  if (serial.test(text)) {
    const moment = serialMoment(Number(text), false)
    return moment?.day === undefined || moment.day === null
      ? undefined
      : { day: moment.day, clock: text.includes('.') ? moment.clock : null }
  }
  const [, year, month, date, time] = ordered.exec(text) ?? compact.exec(text) ?? []
  if (year === undefined) return undefined
  const day = `${year}-${pad(Number(month))}-${pad(Number(date))}`
  const clock = time === undefined ? null : readTime(time)
  return clock === undefined || !isRealDay(day) ? undefined : { day, clock }
}

/** The days that a text such as `9/1/2004` can mean; empty when it is not of that kind. */
export function possibleDays(input: string): string[] {
  return orders(input).filter(isRealDay)
}

function isRealDay(day: string): boolean {
  const [y, m, d] = day.split('-').map(Number)
  const at = new Date(Date.UTC(y ?? 0, (m ?? 0) - 1, d ?? 0))
  return at.getUTCMonth() === (m ?? 0) - 1 && at.getUTCDate() === d
}

/** `YYYY-MM-DD`. */
export function readDate(input: string): string | undefined {
  return readDateText(input)?.day
}

/** `YYYY-MM-DD HH:mm:ss`. */
export function readDatetime(input: string): string | undefined {
  const read = readDateText(input)
  return read === undefined ? undefined : `${read.day} ${read.clock ?? '00:00:00'}`
}

/** `HH:mm:ss`. */
export function readTime(input: string): string | undefined {
  const found = /^(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.0*)?)?$/.exec(plainClock(input))
  if (found === null) return undefined
  const [h, m, sec] = [Number(found[1]), Number(found[2]), Number(found[3] ?? 0)]
  return h < 24 && m < 60 && sec < 60 ? `${pad(h)}:${pad(m)}:${pad(sec)}` : undefined
}

/** `YYYY`, from 1800 to 2199; with or without 年, 级 or 届. */
export function readYear(input: string): string | undefined {
  const text = plainBlanks(input)
  const year = text.replace(/\s*(年|级|届|学年)$|\.0+$/, '')
  if (/^\d\d[级届]$/.test(text)) return `20${text.slice(0, 2)}`
  return /^(1[89]|20|21)\d\d$/.test(year) ? year : undefined
}

/** The span that one end of a range covers: a whole month, a whole day, or one second. */
export interface RangeEnd {
  readonly from: string
  readonly unit: 'month' | 'day' | 'second'
}

/**
 * An end of a range on a date or datetime (docs/rules/contract.md#ranges): `2024-09` is the whole
 * month, a day without a clock the whole day.
 */
export function readRangeEnd(input: string): RangeEnd | undefined {
  const month = /^(\d{4})\s*(?:[-/.]|年)\s*(\d{1,2})\s*月?$/.exec(input.normalize('NFKC').trim())
  if (month !== null) {
    const from = `${month[1]}-${pad(Number(month[2]))}-01`
    return isRealDay(from) ? { from, unit: 'month' } : undefined
  }
  const read = readDateText(input)
  if (read === undefined) return undefined
  return read.clock === null
    ? { from: read.day, unit: 'day' }
    : { from: `${read.day} ${read.clock}`, unit: 'second' }
}
