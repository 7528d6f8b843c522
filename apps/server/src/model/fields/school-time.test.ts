// Compares the calendar of the database with the zone table of the platform (ICU).
import { daysOfPeriod } from '@jiaowu/api/entity/list/periods'
import { findMoments, schoolTimeZone } from '@jiaowu/api/zoned-time'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../testing/database/database.ts'
import type { Database } from '../../platform/database/open-database.ts'
import { periodEdges, toInstant, toLocal } from './school-time.ts'

const zones = [
  schoolTimeZone,
  'America/New_York',
  'Europe/London',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
]
const years = { from: '1980-01-01', to: '2040-12-31' }
let database: Database
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const milliseconds = (instant: RawBuilder<unknown>) =>
  sql<string>`(extract(epoch from ${instant}) * 1000)::int8::text`

interface Period {
  readonly first: string
  readonly from: string
  readonly to: string
  readonly next: string
}

/** The edges of all periods of a length between two years, by the database. */
async function readPeriods(span: string, zone: string): Promise<Period[]> {
  const { from, to } = periodEdges(sql`s.at`, span, 'instant', zone)
  const { rows } = await sql<Period>`
    select to_char(s.at, 'YYYY-MM-DD') as first, ${milliseconds(from)} as from,
      ${milliseconds(to ?? from)} as to,
      to_char(s.at + ${sql.lit(span)}::interval, 'YYYY-MM-DD') as next
    from generate_series(${years.from}::timestamp, ${years.to}::timestamp, ${sql.lit(span)}::interval)
      as s(at)`.execute(database.untyped)
  return rows
}

const dayAfter = (day: string, by = 1) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + by * 86_400_000).toISOString().slice(0, 10)

/** The first moment of a day, also where the clocks skipped midnight. */
function midnight(day: string, zone: string): string {
  const [last = Number.NaN] = findMoments(`${dayAfter(day, -1)} 23:59:59`, zone)
  return String(findMoments(day, zone).at(-1) ?? last + 1000)
}

describe.each(zones)('in %s from 1980 to 2040', (zone) => {
  it.each([
    ['1 day', 22_281],
    ['7 day', 3183],
    ['1 month', 732],
    ['1 year', 61],
  ])('periods of %s begin and end at the midnights of ICU', async (span, count) => {
    const periods = await readPeriods(span, zone)
    expect(periods).toHaveLength(count)
    const differing = periods.filter(
      ({ first, from, to, next }) => from !== midnight(first, zone) || to !== midnight(next, zone),
    )
    expect(differing).toEqual([])
  })

  it('terms begin and end at the midnights of ICU', async () => {
    const days = Array.from({ length: 60 }, (_none, i) => [
      `${1980 + i}-09-01`,
      `${1981 + i}-03-01`,
    ])
    const terms = days.flat().map((today) => daysOfPeriod('term', today) ?? ['', ''])
    const edges = terms.map(([first, last]) => {
      const { from } = periodEdges(sql`${first}::timestamp`, null, 'instant', zone)
      const { to } = periodEdges(sql`${last}::timestamp`, '1 day', 'instant', zone)
      return sql`(${milliseconds(from)}, ${milliseconds(to ?? from)})`
    })
    const { rows } = await sql<{ from: string; to: string }>`
      select * from (values ${sql.join(edges)}) as v("from", "to")`.execute(database.untyped)
    expect(rows).toEqual(
      terms.map(([first, last]) => ({
        from: midnight(first, zone),
        to: midnight(dayAfter(last), zone),
      })),
    )
  })

  it('local times of days on which the clocks change are skipped, single or double alike', async () => {
    const changes = (await readPeriods('1 day', zone)).filter(
      ({ from, to }) => Number(to) - Number(from) !== 86_400_000,
    )
    const instant = toInstant(sql`s.at`, zone)
    const days = changes.map(({ first }) => first)
    const { rows } = await sql<{ text: string; instant: string; back: string }>`
      select to_char(s.at, 'YYYY-MM-DD HH24:MI:SS') as text, ${milliseconds(instant)} as instant,
        to_char(${toLocal(instant, zone)}, 'YYYY-MM-DD HH24:MI:SS') as back
      from unnest(${days}::date[]) as d(day), generate_series(d.day::timestamp,
        d.day + interval '23:45', interval '15 minutes') as s(at)`.execute(database.untyped)
    const differing = rows.filter((row) => {
      const moments = findMoments(row.text, zone)
      return row.back === row.text ? row.instant !== String(moments.at(-1)) : moments.length > 0
    })
    expect(differing).toEqual([])
    expect(rows).toHaveLength(days.length * 96)
    expect(days.length).toBe(changesIn[zone])
  })
})

/** Days with 23, 23.5, 24.5 or 25 hours; Kathmandu went on a quarter of an hour in 1986. */
const changesIn: Readonly<Record<string, number>> = {
  'Asia/Shanghai': 12,
  'America/New_York': 122,
  'Europe/London': 122,
  'Australia/Lord_Howe': 120,
  'Asia/Kathmandu': 1,
}
