import { schoolTime, type UiType } from '@jiaowu/api'

/** An instant as the school's clock shows it: `2026-01-05 08:30:00`. */
export const localTime: (at: Date) => string = schoolTime

/** The same moment in the form of a temporal kind. */
export function nowFor(uiType: UiType, at: Date): string {
  const text = localTime(at)
  if (uiType === 'date') return text.slice(0, 10)
  if (uiType === 'year') return text.slice(0, 4)
  return uiType === 'time' ? text.slice(11) : text
}
