import { expect, it } from 'vitest'
import { gapAt } from './field-drag.ts'

it('selects the gap before the first row whose middle lies below the pointer', () => {
  const rows = [
    { top: 0, bottom: 40 },
    { top: 40, bottom: 80 },
    { top: 80, bottom: 120 },
  ]
  expect([-5, 19, 21, 59, 61, 99, 101, 900].map((y) => gapAt(rows, y))).toEqual([
    0, 0, 1, 1, 2, 2, 3, 3,
  ])
  expect(gapAt([], 10)).toBe(0)
})
