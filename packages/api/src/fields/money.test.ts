import { expect, it } from 'vitest'
import { valueText, yuanText } from './money.ts'

it.each([
  [1250, '12.50'],
  [0, '0.00'],
  [5, '0.05'],
  [-5, '-0.05'],
  [123_456_789, '1234567.89'],
  ['12345678901234567', '123456789012345.67'],
  ['007', '0.07'],
  [12.5, '12.5'],
  ['12.345', '12.345'],
  ['十元', '十元'],
  [null, ''],
  [undefined, ''],
])('%j fen is %j', (value, text) => expect(yuanText(value)).toBe(text))

it('leaves numbers without a unit as they are', () =>
  expect([
    valueText({ uiType: 'inputNumber', options: {} }, 1250),
    valueText({ uiType: 'inputNumber', options: { money: 'fen' } }, 1250),
  ]).toEqual(['1250', '12.50']))
