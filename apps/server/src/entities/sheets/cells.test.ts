import { fieldDefinitionSchema } from '@jiaowu/api/entity/definition/definition'
import { findKind } from '@jiaowu/api/fields/kinds'
import * as v from 'valibot'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { LoadedField } from '../../model/definition/loaded.ts'
import { decodeCell } from '../import/rows/decode.ts'
import type { RawCell } from './read/model.ts'
import { toSheetCell, toSheetColumns, shownText } from './cells.ts'
import { findServerField } from '../../model/fields/index.ts'

const definition = v.parse(fieldDefinitionSchema, {
  id: '1',
  attrName: 'amountFen',
  uiLabel: '金额（元）',
  uiType: 'inputNumber',
  options: { money: 'fen' },
})
const amount = {
  definition,
  kind: findKind('inputNumber'),
  storage: findServerField('inputNumber'),
} as LoadedField

it('writes amounts in yuan, and reads them back as fen', () => {
  expect(toSheetCell(amount, 1_999, 'zh-CN')).toBe(19.99)
  expect(toSheetColumns([amount], 'zh-CN')).toMatchObject([{ header: '金额（元）', decimals: 2 }])
  const read = [19.99, '19.99', '1,234.5', 0.1 + 0.2].map((cell) => decodeCell(amount, cell, false))
  expect(read).toMatchObject([1_999, 1_999, 123_450, 30].map((value) => ({ kind: 'value', value })))
  expect(decodeCell(amount, { wire: 1_999 }, false)).toMatchObject({ value: 1_999 })
})

it('refuses a third decimal and amounts beyond what a number holds', () => {
  const keys = [12.345, '12.345', '1,2', 99_999_999_999_999].map((cell) => {
    const read = decodeCell(amount, cell, false)
    return read.kind === 'fault' ? read.message.key : read.kind
  })
  expect(keys).toEqual([
    'rule.amountDecimals',
    'rule.amountDecimals',
    'rule.amount',
    'rule.amountRange',
  ])
})

it('shows amounts in previews with two decimals', () =>
  expect([1250, null].map((value) => shownText(amount, value, 'en'))).toEqual(['12.50', null]))

it('comes back from every format as it was, for any amount', () =>
  fc.assert(
    fc.property(fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }), (fen) => {
      const cell = toSheetCell(amount, fen, 'zh-CN')
      const again = [cell, String(cell), { wire: fen }].map((each) => {
        const read = decodeCell(amount, each as RawCell, false)
        return read.kind === 'value' ? read.value : read.kind
      })
      expect(again).toEqual([fen, fen, fen])
    }),
    { numRuns: 2000, seed: 18 },
  ))
