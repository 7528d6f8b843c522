import { expect, it } from 'vitest'
import type { Column } from './columns.ts'
import { fittedWidths } from './fitted-widths.ts'

function column(attrName: string, uiType: string, width: number, isGiven = false): Column {
  return { field: { attrName, uiType }, width, isGiven } as unknown as Column
}

it('lets columns that are too wide share the width, each by what it can spare', () => {
  const columns = [
    column('a', 'input', 188),
    column('day', 'date', 112),
    column('b', 'select', 288),
    column('set', 'input', 100, true),
  ]
  expect(fittedWidths(columns, 688)).toEqual({})
  expect(fittedWidths(columns, 602)).toEqual({ a: 154, day: 112, b: 221 })
  expect(fittedWidths(columns, 100)).toEqual({ a: 88, day: 112, b: 88 })
  expect(fittedWidths(columns, 0)).toEqual({})
})
