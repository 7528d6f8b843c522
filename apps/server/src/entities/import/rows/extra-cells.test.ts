import { expect, it } from 'vitest'
import { joinTexts } from './extra-cells.ts'

it.each([
  ['2019-2020', '1', '2019-2020-1'],
  ['2019-2020学年', '第二学期', '2019-2020-2'],
  ['2025—2026', '春', '2025-2026-2'],
  ['欧阳', '修', '欧阳修'],
  ['Ann', 'Lee', 'Ann Lee'],
  ['A1', '07', 'A1-07'],
  ['2019-2020', '', '2019-2020'],
  ['', '1', '1'],
])('%s and %s is %s', (first, second, joined) => {
  expect(joinTexts(first, second)).toBe(joined)
})
