import type { DateCell } from './model.ts'

const dayMs = 86_400_000
const pad = (n: number) => String(n).padStart(2, '0')

/**
 * Converts a spreadsheet's serial number to date and time, rounded to seconds. Null when out of
 * range, and for 60: Excel counts a 29 February 1900, which did not exist.
 */
export function dateCellOf(serial: number, from1904: boolean): DateCell | null {
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
