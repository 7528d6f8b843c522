import { expect, it } from 'vitest'
import type { Column } from '../../../../ui/table/columns.ts'
import { fittedWidths } from './fitted-widths.ts'

function buildSizedColumn(
  attrName: string,
  uiType: string,
  width: number,
  isGiven = false,
  more: object = {},
): Column {
  const field = { attrName, uiType, valids: {}, options: {}, ...more }
  return { field, width, isGiven } as unknown as Column
}

it('lets columns that are too wide share the width, each by what it can spare', () => {
  const columns = [
    buildSizedColumn('a', 'input', 188),
    buildSizedColumn('day', 'date', 112),
    buildSizedColumn('b', 'select', 288),
    buildSizedColumn('set', 'input', 100, true),
  ]
  expect(fittedWidths(columns, 688)).toEqual({})
  expect(fittedWidths(columns, 602)).toEqual({ a: 154, day: 112, b: 221 })
  expect(fittedWidths(columns, 100)).toEqual({ a: 88, day: 112, b: 88 })
  expect(fittedWidths(columns, 0)).toEqual({})
})

it('keeps numbers readable: pinned texts whole, and those of a fixed form', () => {
  const columns = [
    buildSizedColumn('no', 'input', 110, false, { options: { column: { fixed: 'left' } } }),
    buildSizedColumn('idCard', 'input', 180, false, { valids: { type: 'Idcard' } }),
    buildSizedColumn('mobile', 'input', 130, false, { valids: { type: 'mobile' } }),
    buildSizedColumn('remarks', 'textarea', 300),
  ]
  expect(fittedWidths(columns, 200)).toEqual({ no: 110, idCard: 176, mobile: 120, remarks: 88 })
})
