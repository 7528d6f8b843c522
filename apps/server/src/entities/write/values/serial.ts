// Serial numbers of new rows, composed of counters, dates and fixed texts
// (docs/spec/2-student-service-and-designer.md §3, docs/rules/contract.md#definitions).
import { type AnyDatabase, databaseOf } from '../../../platform/database/any-database.ts'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import type { SerialSegment } from '@jiaowu/api/entity/definition/definition'
import { serialTypes } from '@jiaowu/api/entity/enums'
import { sql } from 'kysely'
import type { Context } from '../../../model/context.ts'
import { transact } from '../../../platform/database/transact.ts'
import type { LoadedEntity } from '../../../model/definition/loaded.ts'
import { localTime } from '../../../model/fields/local-time.ts'
import type { Batch, RowWrite } from '../writer.ts'
import type { Change } from './values.ts'

/**
 * The number of a new row where its definition counts before the transaction of the row (`serialNumFast`), which
 * is faster but leaves a gap when the insert fails. Call before the transaction.
 */
export async function countAhead(
  context: Context,
  entity: LoadedEntity,
  changes: readonly Change[],
): Promise<SerialNumber | undefined> {
  const { serialNumFast, serialNumType } = entity.definition.options
  const isCounted = serialNumFast && serialNumType !== serialTypes.snowflake
  if (!isCounted || !takesNumber(entity, changes)) return undefined
  return await transact(databaseOf(context), (trx) => nextNumber(trx, context, entity))
}

/** Gives new rows without one their number. A counter stays locked until the commit: no gap, no duplicate. */
export async function addNumbers({ trx, writer, rows }: Batch): Promise<void> {
  const { context, entity } = writer
  for (const row of rows) {
    if (!takesNumber(entity, row.changes)) {
      delete row.number
      continue
    }
    const number = row.number ?? (await nextNumber(trx, context, entity))
    if (number !== undefined) row.number = number
  }
}

type SerialNumber = NonNullable<RowWrite['number']>

function takesNumber({ definition, column }: LoadedEntity, changes: readonly Change[]): boolean {
  const { serialNumType, serialNumField } = definition.options
  if (serialNumType === null || serialNumField === null || column(serialNumField) === undefined)
    return false
  const given = changes.find(({ field }) => field.definition.attrName === serialNumField)
  return given === undefined || isEmpty(given.value)
}

async function nextNumber(
  db: AnyDatabase,
  context: Context,
  entity: LoadedEntity,
): Promise<SerialNumber | undefined> {
  const { serialNumType, serialNumConfig, serialNumField } = entity.definition.options
  const column = serialNumField === null ? undefined : entity.column(serialNumField)
  if (column === undefined) return undefined
  if (serialNumType === serialTypes.snowflake) return { column, text: context.newId() }
  if (serialNumType === serialTypes.custom && serialNumConfig.length === 0) return undefined
  const { tenant } = context.subject
  const text =
    serialNumType === serialTypes.autoIncrement
      ? await next(db, tenant, entity.tag, '')
      : await compose(
          db,
          tenant,
          entity.tag,
          serialNumConfig,
          localTime(context.now()).slice(0, 10),
        )
  return { column, text }
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
