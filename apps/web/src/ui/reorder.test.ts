import { expect, test } from 'vitest'
import { placeAt } from './reorder.ts'

test('a row goes where the pointer is past the middle of its neighbours', () => {
  const rows = [0, 20, 40].map((top) => ({ top, height: 20 }))
  expect([-5, 9, 11, 29, 31, 49, 51, 500].map((y) => placeAt(rows, y))).toEqual([0, 0, 1, 1, 2, 2, 2, 2])
})
