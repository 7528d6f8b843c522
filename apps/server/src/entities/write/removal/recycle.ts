// The recycle bin: lists and restores rows with deleted_at that the caller may see and delete.
import { databaseOf } from '../../../platform/database/any-database.ts'
import type { RecycledPage, RecycledRow } from '@jiaowu/api/contract/entity/history'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../model/context.ts'
import { familyOf } from '../../../model/fields/column.ts'
import { Invalid, notFound, Refusal } from '../../../platform/refusal.ts'
import { brokenConstraint } from '../../../platform/database/problems.ts'
import { transact } from '../../../platform/database/transact.ts'
import { accessTo, type EntityAccess, fieldRows, tenantRows } from '../../../access/access.ts'
import { auditEach } from '../audit-rows.ts'
import { writeRows } from '../write-rows.ts'
import type { RowWriter } from '../writer.ts'
import { parseIds } from './id-list.ts'
import { labelRows } from '../../read/labels.ts'
import { type Bin, findBin } from '../../../model/definition/kept.ts'
import { localTime } from '../../../model/fields/local-time.ts'
import type { LoadedEntity } from '../../../model/definition/loaded.ts'
import {
  allOf,
  always,
  anyOf,
  columnRef,
  type Condition,
  escapeLike,
  matchesPattern,
  formatTyped,
} from '../../../model/definition/names.ts'
import { countExactly } from '../../read/totals/count.ts'
import { listFields } from '../../read/page.ts'
import { readWindow } from '../../read/paging/page-rows.ts'
import { buildFilterFault, keyTerms, type OrderTerm } from '../../read/query.ts'
import { planKey } from '../../read/totals/totals.ts'
import { withTitles } from '../../read/titles.ts'
import { rowReader } from '../../read/rows.ts'

/**
 * The rows of the bin the caller may both see and delete.
 * @throws Refusal 403; 404 for an entity without a bin
 */
export async function binAccess(
  context: Context,
  entity: LoadedEntity,
): Promise<{ readonly view: EntityAccess; readonly rows: Condition; readonly bin: Bin }> {
  const [view, remove] = [
    await accessTo(context, entity, 'view'),
    await accessTo(context, entity, 'delete'),
  ]
  const bin = findBin(entity)
  if (bin === null) throw notFound()
  return { view, rows: allOf([inBin(bin, view), inBin(bin, remove)]), bin }
}

/** Restricts an access to rows in the bin. */
function inBin(bin: Bin, { entity, tenant, grants }: EntityAccess): Condition {
  const scopes = grants.map(({ scope }) => scope)
  return allOf([
    tenantRows(entity, tenant),
    bin.deleted,
    ...(scopes.includes(null) ? [] : [anyOf(scopes.filter((each) => each !== null))]),
  ])
}

/** A page of the bin, last deleted first. */
export async function recycledPage(
  context: Context,
  entity: LoadedEntity,
  {
    pageNum,
    pageSize,
    searchKey = '',
  }: {
    readonly pageNum: number
    readonly pageSize: number
    readonly searchKey?: string | undefined
  },
): Promise<RecycledPage> {
  const { view, rows: binned, bin } = await binAccess(context, entity)
  const where = allOf([binned, containsText(view, searchKey)])
  const offset = (pageNum - 1) * pageSize
  if (pageNum < 1 || !Number.isSafeInteger(offset))
    throw new Invalid([buildFilterFault('pageNum', 'range', { key: 'entity.pageNum' })])
  const fields = listFields(view)
  const plan = {
    access: { ...view, rows: binned },
    where,
    order: binOrder(entity, bin),
    extra: sql`${bin.time ?? sql`null::timestamptz`} as deleted_at,
      ${selectDeleter(view)} as deleted_by`,
  }
  const counted = await countExactly(databaseOf(context), plan)
  const window = { size: pageSize, current: pageNum, offset }
  const { rows } = await readWindow(context, plan, fields, window, planKey(context, plan), counted)
  const labelled = await labelRows(context, fields, rows.map(rowReader(view, fields, 'list')))
  const records = withTitles(context, entity, labelled).map((row, i): RecycledRow => ({
    ...row,
    deletedAt: timeText(rows[i]?.deleted_at),
    deletedBy: rows[i]?.deleted_by === null ? null : String(rows[i]?.deleted_by),
  }))
  return {
    records,
    total: counted.total,
    size: pageSize,
    current: pageNum,
    // Only rows of the product's own tables are purged.
    keptDays:
      context.settings.recycleDays === 0 || !entity.has('deleted_at')
        ? null
        : context.settings.recycleDays,
  }
}

/** Last deleted first. A table of others may keep no time, or not of every row: those come last. */
function binOrder(entity: LoadedEntity, { time }: Bin): readonly OrderTerm[] {
  const isAlways = entity.has('deleted_at')
  const ref = isAlways ? time : sql`coalesce(${time}::timestamptz, '-infinity')`
  return [
    ...(time === null || ref === null
      ? []
      : [{ ref, cast: 'timestamptz', asc: false, nullable: false }]),
    ...keyTerms(entity, false),
  ]
}

/** Empty where the table does not keep the time. */
function timeText(value: unknown): string {
  return value === null || value === undefined ? '' : localTime(new Date(String(value)))
}

/**
 * Rows with the words in a text field of the list that the caller may see on the row; personal data
 * is found by the whole value only.
 */
function containsText(view: EntityAccess, searchKey: string): Condition {
  const words = searchKey.trim()
  if (words === '') return always
  return anyOf(
    listFields(view).flatMap((field) => {
      if (
        field.column === null ||
        familyOf(field.column) !== 'text' ||
        field.kind.family !== 'text'
      )
        return []
      return [
        allOf([
          field.pii === null
            ? matchesPattern(columnRef(field.column.name), `%${escapeLike(words)}%`)
            : field.sealer === null
              ? sql`${columnRef(field.column.name)} = ${formatTyped(words, 'text')}`
              : sql`${columnRef(field.sealer.index)} = ${formatTyped(field.sealer.blind(words), 'text')}`,
          fieldRows(view, field, 'list') ?? always,
        ]),
      ]
    }),
  )
}

function selectDeleter({ entity, tenant }: EntityAccess): RawBuilder<unknown> {
  return entity.has('update_user')
    ? sql`(
        select u.name from sys.app_user u
        where u.tenant_id = ${tenant}::int8 and u.id::text = ${columnRef('update_user')}::text
      )`
    : sql`null::text`
}

/**
 * Restores all of the rows or none.
 * @throws Refusal 404; 409 when another row has a unique value now; Invalid above 500
 */
export async function restoreRows(
  context: Context,
  entity: LoadedEntity,
  joined: string,
): Promise<{ restored: number }> {
  const ids = parseIds(entity, joined)
  const { view, rows } = await binAccess(context, entity)
  if (ids.length === 0) throw notFound()
  const writer: RowWriter = {
    context,
    entity,
    isJob: false,
    add: null,
    change: view,
    within: rows,
    audit: auditEach(context, entity, 'entity.restore'),
  }
  await transact(databaseOf(context), async (trx) => {
    await writeRows(
      trx,
      writer,
      ids.map((id) => ({ kind: 'restore', id, changes: [] })),
    )
  }).catch((error: unknown) => {
    throw brokenConstraint(error)?.kind === 'unique'
      ? new Refusal(409, { key: 'recycle.taken', params: { name: entity.definition.name } })
      : error
  })
  return { restored: ids.length }
}
