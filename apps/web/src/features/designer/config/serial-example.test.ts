import { expect, it } from 'vitest'
import { serialExample } from './serial-example.ts'

it('joins counter, date and text in the order of the segments', () => {
  const day = '2026-01-05'
  expect(
    serialExample(
      [
        { type: 3, text: 'L' },
        { type: 2, format: 3 },
        { type: 1, length: 4, period: 'day' },
      ],
      7,
      day,
    ),
  ).toBe('L202601050007')
  expect(
    serialExample(
      [
        { type: 2, format: 1 },
        { type: 2, format: 2 },
      ],
      1,
      day,
    ),
  ).toBe('2026202601')
  expect(serialExample([{ type: 1, length: 3, period: 'never' }], 12345, day)).toBe('12345')
})
