// Local times of a time zone, by the zone table of the platform (ICU). The server's database has a
// table of its own; apps/server/src/model/fields/school-time.test.ts compares the two.

/**
 * Times are shown and entered in the school's time zone, wherever the user is
 * (docs/rules/contract.md#entity-data: no zone on the wire).
 */
export const schoolTimeZone = 'Asia/Shanghai'

const clocks = new Map<string, Intl.DateTimeFormat>()

/**
 * A moment in a time zone: `2026-01-05 08:30:00`.
 * @param at a Date, milliseconds of the epoch, or ISO 8601 with a zone
 */
export function zonedTime(at: Date | number | string, zone: string): string {
  const parts = new Map(
    createClock(zone)
      .formatToParts(new Date(at))
      .map(({ type, value }) => [type, value]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}:${part('second')}`
}

/**
 * The moments, in milliseconds of the epoch, at which the clocks of a zone show a local time: one,
 * two where the clocks were set back, none where they were set forward.
 * @param text `2026-01-05 08:30:00` or `2026-01-05`
 */
export function findMoments(text: string, zone: string): readonly number[] {
  const shown = text.trim().length > 10 ? text.trim() : `${text.trim()} 00:00:00`
  const wall = utc(shown)
  if (Number.isNaN(wall)) return []
  // No zone changes its offset twice within two days.
  const offsets = [wall - dayMs, wall + dayMs].map((at) => utc(zonedTime(at, zone)) - at)
  return [...new Set(offsets.map((offset) => wall - offset))]
    .filter((at) => zonedTime(at, zone) === shown)
    .toSorted((a, b) => a - b)
}

const dayMs = 86_400_000
const utc = (shown: string): number => Date.parse(`${shown.replace(' ', 'T')}Z`)

function createClock(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  clocks.set(zone, made)
  return made
}
