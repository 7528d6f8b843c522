import { describe, expect, it } from 'vitest'
import {
  momentSerial,
  readDate,
  readDatetime,
  readRangeEnd,
  readTime,
  serialMoment,
} from './dates.ts'
import { fieldKinds } from './kinds.ts'

describe('a day', () => {
  it.each([
    ['1980年5月6日', '1980-05-06'],
    ['１９８０年０５月０６日', '1980-05-06'],
    ['1980 年 5 月 6 日', '1980-05-06'],
    ['2024.9.1', '2024-09-01'],
    ['2024/9/1', '2024-09-01'],
    [' 2024-09-01 ', '2024-09-01'],
    ['20240901', '2024-09-01'],
    ['45536', '2024-09-01'],
    ['2024-09-01 08:30', '2024-09-01'],
  ])('%s is %s, as text and on the wire', (text, day) => {
    expect(readDate(text)).toBe(day)
    expect(fieldKinds.date.fromText(text)).toBe(day)
  })
  it.each(['2024', '202409', '2024-02-30', '20240230', '2024-13-01', 'soon', '2024-09-01 25:00'])(
    '%s is none',
    (text) => expect(readDate(text)).toBeUndefined(),
  )
})

describe('a moment', () => {
  it.each([
    ['2024年9月1日 8:30', '2024-09-01 08:30:00'],
    ['2024.9.1', '2024-09-01 00:00:00'],
    ['20240901 08:30:15', '2024-09-01 08:30:15'],
    ['2024-09-01T08:30', '2024-09-01 08:30:00'],
    ['45536.5', '2024-09-01 12:00:00'],
  ])('%s is %s', (text, moment) => expect(readDatetime(text)).toBe(moment))
  it('has no time zone', () => expect(readDatetime('2024-09-01T08:30:00Z')).toBeUndefined())
})

it('reads clocks of 24 hours', () => {
  expect(readTime('8:05')).toBe('08:05:00')
  expect(readTime('24:00')).toBeUndefined()
})

describe('an end of a range', () => {
  it.each([
    ['2026-02', { from: '2026-02-01', unit: 'month' }],
    ['2026年2月', { from: '2026-02-01', unit: 'month' }],
    ['2026-2-28', { from: '2026-02-28', unit: 'day' }],
    ['20260228', { from: '2026-02-28', unit: 'day' }],
    ['2026-02-28 00:00:00', { from: '2026-02-28 00:00:00', unit: 'second' }],
  ] as const)('%s', (text, end) => expect(readRangeEnd(text)).toEqual(end))
  it.each(['2026', '2026-13', '2026-02-29'])('%s is none', (text) =>
    expect(readRangeEnd(text)).toBeUndefined(),
  )
})

describe('serial numbers', () => {
  it('are the inverse of reading them, to the second', () => {
    for (const moment of [
      { day: '1900-03-01', clock: '00:00:00' },
      { day: '2024-02-29', clock: '23:59:59' },
      { day: '9999-12-31', clock: '12:00:01' },
      { day: null, clock: '08:30:00' },
    ])
      expect(serialMoment(momentSerial(moment) ?? Number.NaN, false)).toEqual(moment)
    expect(momentSerial({ day: '2026-01-31', clock: '00:00:00' })).toBe(46_053)
  })
  it('stand for no day before March 1900, and for no text that is no moment', () => {
    for (const [day, clock] of [
      ['1900-02-28', '00:00:00'],
      ['2026', '00:00:00'],
      ['2026-13-01', '00:00:00'],
      ['2026-01-01', '24:00:00'],
      ['2026-01-01', ''],
    ] as const)
      expect(momentSerial({ day, clock })).toBeNull()
  })
})
