import type { WireValue } from '../entity/values.ts'

/**
 * A rating in a cell: one star and the number. A row of stars is cut in a narrow cell, where four look like
 * one.
 */
export function starsText(value: WireValue | undefined): string {
  return typeof value === 'number'
    ? `★ ${Number.isInteger(value) ? value.toFixed(1) : String(value)}`
    : ''
}
