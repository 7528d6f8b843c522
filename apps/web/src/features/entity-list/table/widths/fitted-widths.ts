import { findKind } from '@jiaowu/api/fields/kinds'
import type { Column, Widths } from '../../../../ui/table/columns.ts'

/** Narrower than this, in px, a column is not made to share the width; what has a fixed form stays readable. */
function computeLeastWidth({ field, width }: Column): number {
  const { family, temporal } = findKind(field.uiType)
  if (family === 'text') {
    // A pinned text, such as a number, is what a row is known by.
    if (field.options.column?.fixed !== undefined) return width
    const formed = (field.valids.type ?? '').split(',').map((type) => formWidths[type] ?? 0)
    return Math.min(width, Math.max(88, ...formed))
  }
  const least = temporal?.hasDay === true ? (temporal.unit === 'second' ? 172 : 112) : 72
  return Math.min(width, family === 'choice' ? 88 : least)
}

/** Texts of a fixed form, masked or not: a part of one says nothing. */
const formWidths: Readonly<Record<string, number>> = { Idcard: 176, mobile: 120, Email: 150 }

/** The buttons of rows may need somewhat more than their column asks for. */
const spare = 14

/**
 * Widths with which columns that are too wide together share a width: each gives way by what it has to spare; those
 * that the user set stay.
 * @param available px beside the columns for selection and buttons; 0: unknown
 */
export function fittedWidths(columns: readonly Column[], available: number): Widths {
  const excess = columns.reduce((sum, { width }) => sum + width, 0) - available + spare
  if (available <= 0 || excess <= spare) return {}
  const free = columns
    .filter(({ isGiven }) => !isGiven)
    .map((column) => ({ column, gives: column.width - computeLeastWidth(column) }))
  const all = free.reduce((sum, { gives }) => sum + gives, 0)
  const share = all === 0 ? 0 : Math.min(1, excess / all)
  return Object.fromEntries(
    free.map(({ column: { field, width }, gives }) => [
      field.attrName,
      Math.floor(width - gives * share),
    ]),
  )
}
