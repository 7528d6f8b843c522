// Not from the whole package: each reading of a file starts a thread that loads this.
import { serialMoment } from '@jiaowu/api/fields/dates'
import type { DateCell } from './model.ts'

/** The cell of a spreadsheet's serial number; null for a number that is no date. */
export const dateCellOf: (serial: number, from1904: boolean) => DateCell | null = serialMoment
