// Periods that move with the day, as the operator `during` takes them (docs/rules/contract.md#lists).

export const periods = ['today', 'week', 'month', 'term', 'last30'] as const

/** Code of the dictionary whose items are the terms: `2025-2026-1`, `2025-2026-2`. */
export const termDictionary = 'term'
const termId = /^(\d{4})-(\d{4})-([12])$/
const termPeriod = 'term:'

/** The term of a day: the first from August to January, the second from February to July. */
export function termOfDay(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  const from = month >= 8 ? year : year - 1
  return `${from}-${from + 1}-${month >= 8 || month === 1 ? 1 : 2}`
}

/** The term that `term` or `term:2025-2026-1` means; null for another text. */
export function termOfPeriod(period: unknown, today: string): string | null {
  if (period === 'term') return termOfDay(today)
  if (typeof period !== 'string' || !period.startsWith(termPeriod)) return null
  const id = period.slice(termPeriod.length)
  return termId.test(id) ? id : null
}

/** The period of the term of that id. */
export const periodOfTerm = (id: string): string => `${termPeriod}${id}`

/** First and last day of a period; null for what is none. Weeks begin on Monday. */
export function daysOfPeriod(period: unknown, today: string): readonly [string, string] | null {
  switch (period) {
    case 'today':
      return [today, today]
    case 'week': {
      const first = shiftDay(today, -((weekday(today) + 6) % 7))
      return [first, shiftDay(first, 6)]
    }
    case 'month':
      return [`${today.slice(0, 7)}-01`, shiftDay(firstOfNextMonth(today), -1)]
    case 'last30':
      return [shiftDay(today, -29), today]
    default: {
      const [, from, to, half] = termId.exec(termOfPeriod(period, today) ?? '') ?? []
      if (from === undefined || to === undefined) return null
      return half === '1' ? [`${from}-08-01`, `${to}-01-31`] : [`${to}-02-01`, `${to}-07-31`]
    }
  }
}

const utc = (day: string) => new Date(`${day}T00:00:00Z`)
const weekday = (day: string) => utc(day).getUTCDay()

function shiftDay(day: string, by: number): string {
  const date = utc(day)
  date.setUTCDate(date.getUTCDate() + by)
  return date.toISOString().slice(0, 10)
}

function firstOfNextMonth(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
}
