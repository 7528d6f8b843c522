import { expect, test } from 'vitest'
import { isLow, shownNumber } from './shown-number.ts'

test.each([
  [1234567, { precision: 0 }, '1,234,567'],
  [85, { precision: 1 }, '85.0'],
  [3000, { money: 'fen' as const }, '30.00'],
  [123456789, { money: 'fen' as const }, '1,234,567.89'],
  [2024, {}, '2024'],
  [0.125, {}, '0.125'],
  ['12345678901234567890', { precision: 1 }, '12345678901234567890'],
  [null, { precision: 1 }, ''],
])('shows %j with %j as %s', (value, options, text) => {
  expect(shownNumber(value, options, 'zh-CN')).toBe(text)
})

test('marks what is below the limit', () => {
  expect([59.9, 60, null, '5'].map((value) => isLow(value, { warnBelow: 60 }))).toEqual([
    true,
    false,
    false,
    false,
  ])
  expect(isLow(1, {})).toBe(false)
})
