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

test.each([
  [59.9, { warnBelow: 60 }, {}, true],
  [60, { warnBelow: 60 }, {}, false],
  [null, { warnBelow: 60 }, {}, false],
  ['5', { warnBelow: 60 }, {}, false],
  [1, {}, {}, false],
  // 70 of 150 fails where 70 of 100 passes: the row says so.
  [70, { warnBelow: 60, warnUnless: 'passed' }, { passed: '0' }, true],
  [50, { warnBelow: 60, warnUnless: 'passed' }, { passed: '1' }, false],
  [50, { warnUnless: 'passed' }, { passed: null }, false],
  [50, { warnUnless: 'passed' }, {}, false],
  [null, { warnUnless: 'passed' }, { passed: '0' }, false],
])('%j with %j in %j is low: %j', (value, options, row, low) => {
  expect(isLow(value, options, row)).toBe(low)
})
