import { describe, expect, it } from 'vitest'
import {
  formatDuration,
  relativeTime,
  schoolDay,
  schoolInstant,
  schoolTime,
  shortNumber,
} from './formats.ts'

const now = Date.UTC(2026, 0, 10, 12)
function ago(seconds: number, locale: 'zh-CN' | 'en' = 'zh-CN') {
  return relativeTime(locale, now - seconds * 1000, now)
}

describe('relative time', () => {
  it.each([
    [0, '刚刚'],
    [29, '刚刚'],
    [30, '1分钟前'],
    [119, '1分钟前'],
    [3599, '59分钟前'],
    [3600, '1小时前'],
    [86_399, '23小时前'],
    [86_400, '1天前'],
    [172_799, '1天前'],
  ])('%i seconds: %s', (seconds, text) => expect(ago(seconds)).toBe(text))
  it('is a date after two days, and follows the language', () => {
    expect(ago(172_800)).toBe('2026-01-08')
    expect([ago(10, 'en'), ago(60, 'en'), ago(7200, 'en'), ago(90_000, 'en')]).toEqual([
      'just now',
      '1 min ago',
      '2 h ago',
      '1 day ago',
    ])
  })
})
describe('school time', () => {
  it('converts to the time zone of the school and back', () => {
    expect(schoolTime('2026-01-09T16:30:05.250Z')).toBe('2026-01-10 00:30:05')
    expect(schoolDay(Date.UTC(2026, 0, 9, 15, 59))).toBe('2026-01-09')
    expect(schoolInstant('2026-01-10 00:30:05')).toBe(Date.UTC(2026, 0, 9, 16, 30, 5))
    expect(schoolInstant('2026-01-10')).toBe(Date.UTC(2026, 0, 9, 16))
  })
})
describe('short numbers', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1k'],
    [40_000, '40k'],
    [1_234_567, '1.2M'],
    [2e9, '2G'],
    [3.45e12, '3.5T'],
    [1e15, '1P'],
    [9e18, '9E'],
    [-1500, '-1.5k'],
  ])('%d: %s', (n, text) => expect(shortNumber(n)).toBe(text))
})

describe('a length of time', () => {
  it.each([
    [0, '1分钟', '1 minute'],
    [3540, '59分钟', '59 minutes'],
    [3660, '1小时1分钟', '1 hour 1 minute'],
    [86_400, '1天', '1 day'],
    [2 * 86_400 + 3 * 3600 + 59, '2天3小时', '2 days 3 hours'],
  ])('%d seconds: %s', (seconds, zh, en) =>
    expect([formatDuration('zh-CN', seconds), formatDuration('en', seconds)]).toEqual([zh, en]),
  )
})
