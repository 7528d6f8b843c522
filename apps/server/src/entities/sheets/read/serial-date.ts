import { serialMoment } from '@jiaowu/api'
import type { DateCell } from './model.ts'

/** The cell of a spreadsheet's serial number; null for a number that is no date. */
export const dateCellOf: (serial: number, from1904: boolean) => DateCell | null = serialMoment
