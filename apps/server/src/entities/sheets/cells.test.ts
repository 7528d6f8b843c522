import { fieldDefinitionSchema, kindOf } from '@jiaowu/api'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import type { LoadedField } from '../definition/loaded.ts'
import { decodeCell } from '../import/rows/decode.ts'
import { cellOf, columnsOf } from './cells.ts'
import { serverFieldOf } from '../fields/index.ts'

const definition = v.parse(fieldDefinitionSchema, {
  id: '1',
  attrName: 'amountFen',
  uiLabel: '金额（元）',
  uiType: 'inputNumber',
  options: { money: 'fen' },
})
const amount = {
  definition,
  kind: kindOf('inputNumber'),
  storage: serverFieldOf('inputNumber'),
} as LoadedField

it('writes amounts in yuan, and reads them back as fen', () => {
  expect(cellOf(amount, 1_999, 'zh-CN')).toBe(19.99)
  expect(columnsOf([amount], 'zh-CN')).toMatchObject([{ header: '金额（元）', decimals: 2 }])
  const read = [19.99, '19.99', '1,234.5', 0.1 + 0.2].map((cell) => decodeCell(amount, cell, false))
  expect(read).toMatchObject([1_999, 1_999, 123_450, 30].map((value) => ({ kind: 'value', value })))
  expect(decodeCell(amount, { wire: 1_999 }, false)).toMatchObject({ value: 1_999 })
})
