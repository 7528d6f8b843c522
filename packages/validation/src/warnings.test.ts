import { expect, test } from 'vitest'
import { findWarning } from './warnings.ts'

const wrong = { key: 'form.idCheckDigit' }

test.each([
  // The example of GB 11643-1999, and one whose remainder is another.
  ['11010519491231002X', null],
  ['11010519491231002x', null],
  ['440524188001010014', null],
  ['110105194912310021', wrong],
  ['440524188001010015', wrong],
  [' 110105194912310021 ', wrong],
  // Masked, old numbers of 15 digits, passports and nothing have no check digit.
  ['1****************X', null],
  ['110105491231002', null],
  ['E12345678', null],
  ['', null],
  [null, null],
])('of the ID number %j: %j', (value, warning) => {
  expect(findWarning({ pii: 'idCard' }, value)).toEqual(warning)
})
test('other fields of 18 digits are none', () => {
  expect(findWarning({}, '110105194912310021')).toBeNull()
  expect(findWarning({ pii: 'bank' }, '110105194912310021')).toBeNull()
})
