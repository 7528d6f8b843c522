// The condition, order and statements that every page of a list takes, made once for callers with the same access.
import type { Row } from '@jiaowu/api/entity/values'
import type { PageQuery } from '@jiaowu/api/entity/list/page'
import { schoolDay } from '@jiaowu/api/formats'
import type { MemoryKind } from '../../../platform/memory.ts'
import type { Context } from '../../../model/context.ts'
import { type EntityAccess, isAllowed } from '../../../access/access.ts'
import type { LoadedField } from '../../../model/definition/loaded.ts'
import type { RowsPlan } from '../paging/page-window.ts'
import { noKeys, type OrderKeys } from '../order/order-keys.ts'
import { compileQuery, isSearch, orderBy } from '../query.ts'
import { type RawRow, rowReader } from '../rows.ts'
import { databaseOf } from '../../../platform/database/any-database.ts'
import { isServedByOneIndex } from './served.ts'
import { listKey } from '../totals/totals.ts'

export interface ListPlan {
  readonly plan: RowsPlan
  readonly fields: readonly LoadedField[]
  /** Key of its total and its bookmarks; null for lists of which nothing is remembered. */
  readonly key: string | null
  readonly isSearch: boolean
  readonly read: (raw: RawRow) => Row
}
type Asked = Pick<PageQuery, 'queries' | 'sorts' | 'where'>

const maxQueryLength = 2_000

/** By access and query; some 20 kB each. */
const lists: MemoryKind<ListPlan> = { name: 'list plans', limit: 500, idle: 300_000 }
/** An access never changes: another one is made in its place. */
const accessIds = new WeakMap<EntityAccess, number>()
let lastAccessId = 0

/** @throws Invalid with one fault per filter or sort that is not allowed */
export function findListPlan(
  context: Context,
  access: EntityAccess,
  { queries, sorts, where }: Asked,
  fieldsOf: (access: EntityAccess) => readonly LoadedField[],
  keys: OrderKeys = noKeys,
): ListPlan {
  const now = context.now()
  // A condition may name a period, such as this week.
  const asked = JSON.stringify([
    queries,
    sorts,
    where === undefined ? null : [where, schoolDay(now)],
    keys.mark,
  ])
  if (asked.length > maxQueryLength || access.related !== undefined)
    return newList(context, access, { queries, sorts, where }, fieldsOf, keys)
  const id = accessIds.get(access) ?? (lastAccessId += 1)
  accessIds.set(access, id)
  const key = `${id} ${asked}`
  const known = context.memory.of(lists)
  const found = known.get(key)
  if (found !== undefined) return found
  const list = newList(context, access, { queries, sorts, where }, fieldsOf, keys)
  known.set(key, list)
  return list
}

function newList(
  context: Context,
  access: EntityAccess,
  asked: Asked,
  fieldsOf: (access: EntityAccess) => readonly LoadedField[],
  keys: OrderKeys,
): ListPlan {
  const db = databaseOf(context)
  const fields = fieldsOf(access)
  const plan = compileQuery(access, asked, context.now(), keys)
  const whole = isWhole(access, asked)
  const hasOnePlan =
    whole ||
    isServedByOneIndex(
      access.entity,
      plan.where.compile(db).sql,
      orderBy(plan.order).compile(db).sql,
    )
  return {
    plan: { ...plan, hasOnePlan, isWhole: whole, statements: new Map() },
    fields,
    // Rows of other entities change by themselves.
    key: access.related === undefined ? listKey(context, access, asked) : null,
    isSearch: isSearch(access, asked),
    // A field that is no column of the list names its rows.
    read: rowReader(access, fields, (field) =>
      isAllowed(access, field, 'list') ? 'list' : 'detail',
    ),
  }
}

/**
 * Whether the list has no condition besides the school's. For one with a condition that no single index serves, the
 * database chooses a plan by the value that is looked for.
 */
function isWhole({ grants }: EntityAccess, { queries, where }: Asked): boolean {
  return (
    where === undefined &&
    Object.keys(queries).length === 0 &&
    grants.some(({ scope }) => scope === null)
  )
}
