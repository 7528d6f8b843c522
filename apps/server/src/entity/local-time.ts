import type { UiType } from '@jiaowu/api'
import { schoolTimeZone } from './filter.ts'

const local = new Intl.DateTimeFormat('en-CA', { timeZone: schoolTimeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** An instant as the school's clock shows it: `2026-01-05 08:30:00`. */
export const localTime = (at: Date): string => {
  const parts = new Map(local.formatToParts(at).map(({ type, value }) => [type, value]))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}:${part('second')}`
}

/** The same moment in the form of a temporal kind. */
export const nowFor = (uiType: UiType, at: Date): string => {
  const text = localTime(at)
  if (uiType === 'date') return text.slice(0, 10)
  if (uiType === 'year') return text.slice(0, 4)
  return uiType === 'time' ? text.slice(11) : text
}
