import { expect, it } from 'vitest'
import { sampleOfPattern } from './checked-values.ts'

it.each([
  [String.raw`^\d{11}$`, '11111111111'],
  ['^[A-Z]{2}[A-Z0-9]{3}[0-9]{7}$', 'AAAAA0000000'],
  [String.raw`^T-?\d{3}.?\d{3}.?\d{3}[-.]?\d$`, 'T1111111111'],
  [String.raw`^\d{15}[\dX]$`, '1111111111111111'],
  ['^(a|b)$', null],
  ['unanchored', null],
])('makes a text for %s', (pattern, sample) => {
  expect(sampleOfPattern(pattern)).toBe(sample)
  if (sample !== null) expect(sample).toMatch(new RegExp(pattern))
})
