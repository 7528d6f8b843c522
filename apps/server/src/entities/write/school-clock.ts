import { schoolTimeZone } from '@jiaowu/api/zoned-time'
import { sql } from 'kysely'
import type { Batch } from './writer.ts'

/**
 * Makes `now()` in defaults and triggers of columns without a time zone mean the time of the school, before
 * anything else of a write.
 */
export async function setSchoolClock({ trx, writer: { entity } }: Batch): Promise<void> {
  const { table } = entity
  const needsIt = [...table.columns.values()].some(
    ({ type, defaultIsNow, name }) =>
      ['timestamp', 'date', 'time'].includes(type) &&
      (defaultIsNow === true || table.hasTriggers === true || name.endsWith('_time')),
  )
  if (needsIt) await sql`select set_config('TimeZone', ${schoolTimeZone}, true)`.execute(trx)
}
