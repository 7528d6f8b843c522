import { expect, it } from 'vitest'
import { findDueTime } from './due.ts'

const find = (from: string, duration: string, days: readonly (readonly [string, boolean])[] = []) =>
  findDueTime(new Date(from), duration, new Map(days))?.toISOString() ?? null

it('counts hours through nights and weekends', () => {
  expect(find('2026-11-27T09:00:00Z', '48 h')).toBe('2026-11-29T09:00:00.000Z')
})

it('counts Monday to Friday, from the day after, at the same time of the school', () => {
  // A Friday, 17:00 in Shanghai.
  expect(find('2026-11-27T09:00:00Z', '1 workdays')).toBe('2026-11-30T09:00:00.000Z')
  expect(find('2026-11-27T09:00:00Z', '5 workdays')).toBe('2026-12-04T09:00:00.000Z')
  // Saturday in Shanghai, though still Friday in London.
  expect(find('2026-11-27T17:00:00Z', '1 workdays')).toBe('2026-11-29T17:00:00.000Z')
})

it('leaves out holidays, and counts worked days of a weekend', () => {
  expect(
    find('2026-09-30T01:00:00Z', '2 workdays', [
      ['2026-10-01', false],
      ['2026-10-02', false],
      ['2026-10-05', false],
      ['2026-10-10', true],
    ]),
  ).toBe('2026-10-07T01:00:00.000Z')
  expect(find('2026-10-09T01:00:00Z', '1 workdays', [['2026-10-10', true]])).toBe(
    '2026-10-10T01:00:00.000Z',
  )
})

it('finds none in a calendar without working days', () => {
  const free = Array.from(
    { length: 800 },
    (_none, i) => [new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10), false] as const,
  )
  expect(find('2026-01-05T01:00:00Z', '1 workdays', free)).toBe(null)
})

it('refuses any other text', () =>
  expect(() => find('2026-01-05T01:00:00Z', '5 days')).toThrow('no duration'))
