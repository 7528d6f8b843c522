// When the timer of a state is due: hours after it began, or working days by the school's calendar.
import { durationPattern } from '@jiaowu/api/entity/definition/flow'
import { findMoments, schoolTimeZone, zonedTime } from '@jiaowu/api/zoned-time'

/** Days that differ from the week, by `YYYY-MM-DD`: holidays, and worked days of a weekend. */
export type FlowCalendar = ReadonlyMap<string, boolean>

const dayMs = 86_400_000
/** Days that are looked at for one working day, on average: a year without any ends the search. */
const patience = 366

/**
 * The n-th working day after the day of `from`, at the same local time; null where the calendar leaves no
 * working days. Without an entry Monday to Friday are worked.
 * @param duration `48 h` or `5 workdays` @throws Error for any other text
 */
export function findDueTime(from: Date, duration: string, calendar: FlowCalendar): Date | null {
  const [, count, unit] = durationPattern.exec(duration) ?? []
  if (count === undefined || unit === undefined) throw new Error(`no duration: ${duration}`)
  if (unit === 'h') return new Date(from.getTime() + Number(count) * 3_600_000)
  const [today = '', time = ''] = zonedTime(from, schoolTimeZone).split(' ')
  let day = Date.parse(`${today}T00:00:00Z`)
  let idle = 0
  for (let left = Number(count); left > 0;) {
    day += dayMs
    const isWorked = isWorkday(day, calendar)
    left -= Number(isWorked)
    idle = isWorked ? 0 : idle + 1
    if (idle > patience) return null
  }
  const [moment] = findMoments(`${formatDay(day)} ${time}`, schoolTimeZone)
  return moment === undefined ? null : new Date(moment)
}

function isWorkday(day: number, calendar: FlowCalendar): boolean {
  const weekday = new Date(day).getUTCDay()
  return calendar.get(formatDay(day)) ?? (weekday > 0 && weekday < 6)
}

function formatDay(day: number): string {
  return new Date(day).toISOString().slice(0, 10)
}
