// Serial numbers of new rows, composed of counters, dates and fixed texts
// (docs/spec/2-student-service-and-designer.md §3, docs/rules/contract.md#definitions).
import { isEmpty } from '@jiaowu/api/fields/kinds'
import type { SerialSegment } from '@jiaowu/api/entity/definition/definition'
import { serialTypes } from '@jiaowu/api/entity/enums'
import type { WireValue } from '@jiaowu/api/entity/values'
import { sql } from 'kysely'
import type { Context } from '../../../model/context.ts'
import type { Column } from '../../../model/fields/column.ts'
import { transact } from '../../../platform/database/transact.ts'
import type { LoadedEntity } from '../../../model/definition/loaded.ts'
import { localTime } from '../../../model/fields/local-time.ts'
import { type AnyDatabase, databaseOf } from '../../../platform/database/any-database.ts'

export interface SerialNumber {
  /** Call in the transaction of the row. Null when the row needs no number. */
  readonly take: (
    db: AnyDatabase,
  ) => Promise<{ readonly column: Column; readonly text: string } | null>
}
const none: SerialNumber = { take: async () => null }

/**
 * Prepares the number of a new row. With `serialNumFast` the counter is incremented before the
 * transaction of the row, which is faster but leaves a gap when the insert fails.
 */
export async function serialFor(
  context: Context,
  entity: LoadedEntity,
  valueOf: (attrName: string) => WireValue | undefined,
): Promise<SerialNumber> {
  const { serialNumType, serialNumConfig, serialNumField, serialNumFast } =
    entity.definition.options
  const column = serialNumField === null ? undefined : entity.column(serialNumField)
  if (
    serialNumType === null ||
    serialNumField === null ||
    column === undefined ||
    !isEmpty(valueOf(serialNumField))
  )
    return none
  if (serialNumType === serialTypes.snowflake)
    return { take: async () => ({ column, text: context.newId() }) }
  if (serialNumType === serialTypes.custom && serialNumConfig.length === 0) return none
  const { tenant } = context.subject
  const day = localTime(context.now()).slice(0, 10)
  const make = async (db: AnyDatabase) =>
    serialNumType === serialTypes.autoIncrement
      ? await next(db, tenant, entity.tag, '')
      : await compose(db, tenant, entity.tag, serialNumConfig, day)
  if (!serialNumFast) return { take: async (db) => ({ column, text: await make(db) }) }
  const text = await transact(databaseOf(context), make)
  return { take: async () => ({ column, text }) }
}

/**
 * Locks the counter until the transaction ends: no duplicates, and no gap when the insert fails.
 */
async function next(db: AnyDatabase, tenant: string, tag: string, period: string): Promise<string> {
  const { rows } = await sql<{ value: string }>`
    insert into sys.serial_counter (tenant_id, tag, period, value)
    values (${tenant}::int8, ${tag}::text, ${period}::text, 1)
    on conflict (tenant_id, tag, period) do update set value = sys.serial_counter.value + 1
    returning value::text as value`.execute(db)
  return rows[0]?.value ?? '1'
}

async function compose(
  db: AnyDatabase,
  tenant: string,
  tag: string,
  segments: readonly SerialSegment[],
  day: string,
): Promise<string> {
  let text = ''
  for (const segment of segments) {
    if (segment.type === 1)
      text += (await next(db, tenant, tag, periodText(day, segment.period))).padStart(
        segment.length,
        '0',
      )
    else text += segment.type === 2 ? dateText(day, segment.format) : segment.text
  }
  return text
}

function periodText(day: string, period: 'never' | 'day' | 'month' | 'year'): string {
  return period === 'never' ? '' : dateText(day, ({ year: 1, month: 2, day: 3 } as const)[period])
}

/** `2026`, `202601` or `20260105`, by the number of parts. */
function dateText(day: string, parts: 1 | 2 | 3): string {
  return day.replaceAll('-', '').slice(0, [4, 6, 8][parts - 1])
}
