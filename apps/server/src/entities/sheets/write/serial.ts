import { momentSerial, readTime } from '@jiaowu/api/fields/dates'
import type { SheetColumn } from '../format.ts'

/**
 * The serial number of a wire value in a column of dates, datetimes or times: what a spreadsheet
 * filters, sorts and computes with. Null for other columns, and for values that no serial number
 * stands for (days before March 1900): those are written as text.
 */
export function cellSerial(type: SheetColumn['type'], text: string): number | null {
  switch (type) {
    case 'date':
      return momentSerial({ day: text, clock: '00:00:00' })
    case 'datetime':
      return momentSerial({ day: text.slice(0, 10), clock: text.slice(11) })
    case 'time':
      return readTime(text) === text ? momentSerial({ day: null, clock: text }) : null
    default:
      return null
  }
}
