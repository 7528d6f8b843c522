import { expect, it } from 'vitest'
import { maskIdNumber, maskMobile } from './mask.ts'

it.each([
  ['13800000001', '138****0001'],
  ['', '****'],
  ['12345', '****'],
])('%j is shown as %s', (mobile, shown) => {
  expect(maskMobile(mobile)).toBe(shown)
})
it.each([
  ['110105200401011234', '110***********1234'],
  ['E12345678', 'E1*****78'],
  ['A1', '****'],
  ['', '****'],
])('%j is shown as %s', (id, shown) => {
  expect(maskIdNumber(id)).toBe(shown)
})
