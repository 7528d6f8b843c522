import { expect, it } from 'vitest'
import { starsText } from './stars.ts'

it('shows every rating as one star and its number', () => {
  const texts = [0, 1, 2, 3, 4, 5, 4.5, 4.25, 9].map(starsText)
  expect(texts).toEqual([
    '★ 0.0',
    '★ 1.0',
    '★ 2.0',
    '★ 3.0',
    '★ 4.0',
    '★ 5.0',
    '★ 4.5',
    '★ 4.25',
    '★ 9.0',
  ])
  expect(starsText(null)).toBe('')
  expect(starsText(undefined)).toBe('')
})
