// The school's calendar in SQL: arithmetic happens on local times, and the result becomes an instant.
// An instant plus a month is a month of the session's zone, which is UTC.
import { schoolTimeZone } from '@jiaowu/api/zoned-time'
import { type RawBuilder, sql } from 'kysely'
import { type ColumnFamily } from './column.ts'

/**
 * The instant of a local time. Of two instants, where the clocks were set back, the later; a local
 * time that the clocks skipped gives the moment at which they went on, so that days begin there.
 */
export function toInstant(local: RawBuilder<unknown>, zone = schoolTimeZone): RawBuilder<unknown> {
  return sql`(${local} at time zone ${sql.lit(zone)})`
}

/** The local time of an instant. */
export function toLocal(instant: RawBuilder<unknown>, zone = schoolTimeZone): RawBuilder<unknown> {
  return sql`(${instant} at time zone ${sql.lit(zone)})`
}

/** The first moment of a period, and the first moment after it; null where it has no length. */
export interface Edges {
  readonly from: RawBuilder<unknown>
  readonly to: RawBuilder<unknown> | null
}

/**
 * The edges of a period in the form of a column's family.
 * @param first its first local time
 * @param span an interval of the calendar: `1 month`
 */
export function periodEdges(
  first: RawBuilder<unknown>,
  span: string | null,
  family: ColumnFamily,
  zone = schoolTimeZone,
): Edges {
  const stored = (local: RawBuilder<unknown>) =>
    family === 'instant' ? toInstant(local, zone) : local
  return {
    from: stored(first),
    to: span === null ? null : stored(sql`(${first} + ${sql.lit(span)}::interval)`),
  }
}
