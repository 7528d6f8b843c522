// Reads, submits and unlocks an entry sheet.
import type { DictItem, WireValue } from '@jiaowu/api/entity/values'
import { entityPermission, may } from '@jiaowu/api/entity/permission'
import type { EntryState } from '@jiaowu/api/contract/entity/entry'
import { isMoney, valueText } from '@jiaowu/api/fields/money'
import { sql } from 'kysely'
import * as v from 'valibot'
import { accessTo, type EntityAccess, isAllowed, wholeAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { exactlyOne } from '../../platform/database/tables/row-count.ts'
import { transact } from '../../platform/database/transact.ts'
import { forbidden, Invalid, notFound, Refusal } from '../../platform/refusal.ts'
import { tableKey } from '../../model/definition/column-key.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'
import { buildLowCondition } from '../figures/low.ts'
import { labelRows } from '../read/labels.ts'
import { localTime } from '../../model/fields/local-time.ts'
import { compileQuery, buildFilterFault, unknownField } from '../read/query.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'
import { buildFilterTarget } from '../read/target.ts'
import { holdSheets, sheetFields, buildSheetName } from './locks.ts'

export type By = Readonly<Record<string, unknown>>

/** A sheet as its caller asked for it. */
export interface Asked {
  readonly context: Context
  readonly entity: LoadedEntity
  readonly access: EntityAccess
  readonly queries: Readonly<Record<string, WireValue>>
  /** The values with their names. */
  readonly by: EntryState['by']
  readonly sheet: string
}

/** @throws Refusal 403, 404; Invalid */
export async function readEntry(
  context: Context,
  entity: LoadedEntity,
  by: By,
): Promise<EntryState> {
  return await loadEntryState(databaseOf(context), await askedFor(context, entity, by))
}

/** @throws Refusal 403, 404, 409; Invalid */
export async function submitEntry(
  context: Context,
  entity: LoadedEntity,
  by: By,
  shown: number,
): Promise<EntryState> {
  const asked = await askedFor(context, entity, by)
  const { tenant, userId } = context.subject
  const act = await accessTo(context, entity, 'update')
  return await transact(databaseOf(context), async (trx) => {
    await holdSheets(trx, { tenant, table: tableKey(entity) }, true)
    const { total, entered, locked } = await loadEntryState(trx, asked)
    if (total === 0) throw new Refusal(409, { key: 'entry.none' })
    if (locked !== null) throw new Refusal(409, { key: 'entry.alreadyLocked' })
    if (entered !== shown)
      throw new Refusal(409, { key: 'entry.otherCount', params: { n: entered } })
    // A sheet is locked for everybody, so who submits it must be able to change all of it.
    const whole = await countSheetRows(trx, asked, wholeRows(asked))
    const own = await countSheetRows(trx, asked, act)
    if (total !== whole.total || own.total !== whole.total) throw forbidden()
    exactlyOne(
      await sql`
        insert into sys.entry_lock (tenant_id, table_name, sheet, user_id, locked_at)
        values (${tenant}::int8, ${tableKey(entity)}::text, ${asked.sheet}::text, ${userId}::int8,
          ${context.now().toISOString()}::timestamptz)`.execute(trx),
      'sys.entry_lock',
    )
    context.audit(
      {
        action: 'entry.submit',
        object: entity.tag,
        objectId: asked.sheet,
        result: 'ok',
        detail: { total, entered },
      },
      trx,
    )
    return await loadEntryState(trx, asked)
  })
}

/** @throws Refusal 403, 404, 409; Invalid */
export async function unlockEntry(
  context: Context,
  entity: LoadedEntity,
  by: By,
  reason: string,
): Promise<EntryState> {
  const asked = await askedFor(context, entity, by)
  const { tenant, permissions } = context.subject
  const event = { action: 'entry.unlock', object: entity.tag, objectId: asked.sheet } as const
  await accessTo(context, entity, 'update')
  if (!may(permissions, 'entry:unlock')) {
    await context.auditAlone({ ...event, result: 'denied', detail: { why: 'right' } })
    throw forbidden()
  }
  return await transact(databaseOf(context), async (trx) => {
    await holdSheets(trx, { tenant, table: tableKey(entity) }, true)
    if ((await loadEntryState(trx, asked)).locked === null)
      throw new Refusal(409, { key: 'entry.notLocked' })
    exactlyOne(
      await sql`
        delete from sys.entry_lock where tenant_id = ${tenant}::int8
          and table_name = ${tableKey(entity)}::text and sheet = ${asked.sheet}::text`.execute(trx),
      'sys.entry_lock',
    )
    context.audit({ ...event, result: 'ok', detail: { reason } }, trx)
    return await loadEntryState(trx, asked)
  })
}

/** @throws Refusal 403, 404; Invalid */
export async function askedFor(context: Context, entity: LoadedEntity, by: By): Promise<Asked> {
  const access = await accessTo(context, entity, 'view')
  const fields = sheetFields(entity)
  if (fields.length === 0) throw notFound()
  const unknown = Object.keys(by).filter(
    (name) => !fields.some(({ definition }) => definition.attrName === name),
  )
  if (unknown.length > 0) throw new Invalid(unknown.map(unknownField))
  const queries: Record<string, WireValue> = {}
  for (const { definition, kind } of fields) {
    const read = v.safeParse(kind.value, by[definition.attrName])
    if (!read.success)
      throw new Invalid([buildFilterFault(definition.attrName, 'value', { key: 'rule.value' })])
    queries[definition.attrName] = read.output
  }
  const sheet = buildSheetName(fields, (name) => queries[name])
  const missing = fields.find((field) => buildSheetName([field], (name) => queries[name]) === null)
  if (sheet === null || missing !== undefined)
    throw new Invalid([
      buildFilterFault(missing?.definition.attrName ?? 'by', 'required', { key: 'rule.required' }),
    ])
  // Before any transaction: it reads other definitions.
  const [named] = await labelRows(context, fields, [{ id: '', ...queries }])
  const items = fields.map(({ definition: { attrName } }) => [
    attrName,
    toSheetItems(named?.[attrName]),
  ])
  return {
    context,
    entity,
    access,
    queries,
    by: Object.fromEntries(items) as EntryState['by'],
    sheet,
  }
}

export async function loadEntryState(db: AnyDatabase, asked: Asked): Promise<EntryState> {
  const { context, entity, sheet } = asked
  const { tenant, permissions } = context.subject
  const { total, entered } = await countSheetRows(db, asked, asked.access)
  const { rows } = await sql<{ name: string | null; locked_at: Date | string }>`
    select l.locked_at, u.name from sys.entry_lock l
    left join sys.app_user u on u.tenant_id = l.tenant_id and u.id = l.user_id
    where l.tenant_id = ${tenant}::int8 and l.table_name = ${tableKey(entity)}::text
      and l.sheet = ${sheet}::text`.execute(db)
  const [lock] = rows
  // A user who sees no row of a sheet is not told whether and by whom it was submitted.
  const shown = total === 0 ? undefined : lock
  const mayUpdate = may(permissions, `entity:${entity.tag}:update`)
  return {
    by: asked.by,
    total,
    entered,
    figures: entered === 0 ? null : await computeSheetFigures(db, asked),
    locked:
      shown === undefined
        ? null
        : { name: shown.name ?? '', at: localTime(new Date(String(shown.locked_at))) },
    can: {
      submit: lock === undefined && mayUpdate && entered > 0,
      unlock: shown !== undefined && mayUpdate && may(permissions, 'entry:unlock'),
      add:
        shown === undefined &&
        entity.definition.options.entry?.add !== undefined &&
        may(permissions, entityPermission(entity.tag, 'add')),
    },
  }
}

/** The values of a field that names a sheet, with their names. */
export function toSheetItems(value: WireValue | undefined): DictItem[] {
  return Array.isArray(value)
    ? value.map(({ id, name }: DictItem) => ({ id, name }))
    : [{ id: String(value ?? ''), name: String(value ?? '') }]
}

/** Every row of the sheet that is not in the recycle bin, without the scope of the caller. */
export function wholeRows({ entity, access, context }: Asked): EntityAccess {
  const whole = wholeAccess(entity, context.subject.tenant)
  return entity.has('deleted_at')
    ? { ...whole, rows: sql`${whole.rows} and t.deleted_at is null` }
    : { ...whole, tenant: access.tenant }
}

/** Rows of the sheet within `rows`, and those among them with a value in the field of progress. */
async function countSheetRows(
  db: AnyDatabase,
  { entity, access, queries }: Asked,
  within: EntityAccess,
): Promise<{ readonly total: number; readonly entered: number }> {
  const progress = entity.field(entity.definition.options.entry?.progress ?? '')
  // Unknown to a reader who may not see the field.
  if (progress === undefined || !isAllowed(access, progress, 'any')) throw forbidden()
  const { where } = compileQuery({ ...within, rows: within.rows }, { queries, sorts: [] })
  const { ref } = buildFilterTarget(within, progress)
  const { rows } = await sql<{ total: string; entered: string }>`
    select count(*) as total, count(${ref}) as entered
    from ${fromTable(entity)} where ${where}`.execute(db)
  return { total: Number(rows[0]?.total ?? 0), entered: Number(rows[0]?.entered ?? 0) }
}

/**
 * Computes the figures of a sheet for a look before it is submitted; null where its values are no
 * numbers to read.
 */
async function computeSheetFigures(
  db: AnyDatabase,
  { entity, access, queries }: Asked,
): Promise<EntryState['figures']> {
  const { entry } = entity.definition.options
  const progress = entity.field(entry?.progress ?? '')
  if (progress?.kind.family !== 'number' || progress.pii !== null) return null
  const { where } = compileQuery(access, { queries, sorts: [] })
  const { ref } = buildFilterTarget(access, progress)
  const places = isMoney(progress.definition) ? sql`0` : sql`2`
  const fails = buildLowCondition(access, progress, entry?.passed)
  const { rows } = await sql<Record<'average' | 'lowest' | 'highest' | 'fails', string | null>>`
    select trim_scale(round(avg(${ref}::numeric), ${places}))::text as average,
      trim_scale(min(${ref}::numeric))::text as lowest,
      trim_scale(max(${ref}::numeric))::text as highest,
      ${fails === null ? sql`null` : sql`count(*) filter (where ${fails})::text`} as fails
    from ${fromTable(entity)} where ${where}`.execute(db)
  const [row] = rows
  const text = (value: string | null) => valueText(progress.definition, value)
  return row === undefined
    ? null
    : {
        average: text(row.average),
        lowest: text(row.lowest),
        highest: text(row.highest),
        fails: row.fails === null ? null : Number(row.fails),
      }
}
