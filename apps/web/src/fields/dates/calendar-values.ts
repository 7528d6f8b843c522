import type { Locale } from '@jiaowu/api/locale'
import { readDatetime } from '@jiaowu/api/fields/dates'
import { t as translate } from '@jiaowu/api/texts/index'
import { format, parse } from 'date-fns'
import { enUS, zhCN } from 'date-fns/locale'
import { type DateKind, placeholders } from './date-kinds.ts'

export const patterns = { date: 'yyyy-MM-dd', datetime: 'yyyy-MM-dd HH:mm:ss' } as const
const locales = { 'zh-CN': zhCN, en: enUS } as const

/** Builds the properties that all calendars have in common. */
export function calendarProps(kind: DateKind, locale: Locale) {
  return {
    formatDate: (date: Date) => format(date, patterns[kind]),
    parseDate: (text: string) => parseInput(text) ?? (false as const),
    locale: locales[locale],
    minDate: new Date(1900, 0, 1),
    maxDate: new Date(2100, 11, 31),
    invalidDateMessage: translate(locale, 'field.noDate'),
    outOfRangeMessage: translate(locale, 'field.dateOut'),
    placeholder: placeholders[kind],
    ...(kind === 'datetime' ? { timePrecision: 'second' as const } : {}),
  }
}

/**
 * Wire strings are wall-clock time without a zone; parsing them as local time keeps the day in
 * every time zone.
 */
export function parseInput(text: string): Date | null {
  const read = readDatetime(text)
  if (read === undefined) return null
  const date = parse(read, patterns.datetime, new Date(2000, 0, 1))
  // A time that the clocks of the browser's zone skipped would become another one.
  return format(date, patterns.datetime) === read ? date : null
}
