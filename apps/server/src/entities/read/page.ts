import { limits, type Page, type PageQuery, type Row } from '@jiaowu/api'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../context.ts'
import { type Fault, Invalid } from '../../platform/refusal.ts'
import { type EntityAccess, isAllowed } from '../../access/access.ts'
import { countRows, type Total } from './count.ts'
import { labelRows } from './labels.ts'
import { type LoadedField, readableFields } from '../definition/loaded.ts'
import { columnRef } from '../definition/names.ts'
import { footerOf } from '../figures/footer.ts'
import { groupsOf } from '../figures/groups.ts'
import { compileQuery, fault, orderBy, type QueryPlan } from './query.ts'
import { databaseOf, fromTable, type RawRow, rowReader, selectList } from './rows.ts'

/**
 * Beyond this offset the query finds ids first, then joins the rows
 * (docs/rules/database.md#deep-pages).
 */
const deepOffset = 1_000
/** The largest offset of a page. Further rows need a filter or an export. */
export const maxOffset = 100_000
/**
 * Page size -1 (all rows) is allowed only for the notices of the sign-in page
 * (docs/rules/contract.md#student-service, docs/rules/security.md#h11).
 */
const unpagedTags: readonly string[] = ['SYS_NOTICE']

interface Window {
  readonly size: number
  readonly current: number
  readonly offset: number
}

/**
 * The fields of a list: isList and readable, without passwords
 * (docs/rules/security.md#permissions).
 */
export function listFields(access: EntityAccess): LoadedField[] {
  return readableFields(access.entity).filter((field) => isAllowed(access, field, 'list'))
}

/** One page of rows with labels, and the total. */
export async function pageOf(
  context: Context,
  access: EntityAccess,
  query: PageQuery,
): Promise<Page<Row>> {
  const span = windowOf(access.entity.tag, query)
  const plan = compileQuery(access, query)
  const fields = listFields(access)
  const { rows } = await pageStatement(plan, fields, span).execute(databaseOf(context))
  const { total, isEstimate } =
    query.withTotal === false
      ? { total: null, isEstimate: false }
      : await totalOf(context, plan, rows.length, span)
  const records = await labelRows(context, fields, rows.map(rowReader(access, fields, 'list')))
  return {
    records,
    total,
    size: span.size,
    current: span.current,
    ...(isEstimate && { totalIsEstimate: true }),
    ...(await figuresOf(context, plan, query)),
  }
}

async function figuresOf(
  context: Context,
  plan: QueryPlan,
  { group, footer, sorts }: PageQuery,
): Promise<Pick<Page, 'groups' | 'moreGroups' | 'footer'>> {
  const grouped = group === undefined ? null : await groupsOf(context, plan, group, sorts)
  return {
    ...(grouped !== null && { groups: grouped.groups }),
    ...(grouped?.moreGroups === true && { moreGroups: true }),
    ...(footer !== undefined && { footer: await footerOf(context, plan, footer) }),
  }
}

function windowOf(tag: string, { pageSize, pageNum }: PageQuery): Window {
  if (pageSize === -1 && pageNum === -1 && unpagedTags.includes(tag))
    return { size: limits.maxPageSize, current: 1, offset: 0 }
  const faults: Fault[] = []
  if (pageSize < 1 || pageSize > limits.maxPageSize)
    faults.push(fault('pageSize', 'range', { key: 'entity.pageSize' }))
  if (pageNum < 1) faults.push(fault('pageNum', 'range', { key: 'entity.pageNum' }))
  const offset = (pageNum - 1) * pageSize
  if (faults.length === 0 && offset > maxOffset)
    faults.push(fault('pageNum', 'range', { key: 'entity.pageTooFar', params: { n: maxOffset } }))
  if (faults.length > 0) throw new Invalid(faults)
  return { size: pageSize, current: pageNum, offset }
}

function pageStatement(
  { access, where, order }: QueryPlan,
  fields: readonly LoadedField[],
  { size, offset }: Window,
): RawBuilder<RawRow> {
  const [from, columns, ordered] = [
    fromTable(access.entity),
    selectList(access, fields),
    orderBy(order),
  ]
  if (offset <= deepOffset)
    return sql<RawRow>`
      select ${columns} from ${from} where ${where}
      order by ${ordered} limit ${size} offset ${offset}`
  const id = columnRef(access.entity.id.name)
  return sql<RawRow>`
    select ${columns} from ${from}
    join (
      select ${id} as found from ${from} where ${where}
      order by ${ordered} limit ${size} offset ${offset}
    ) as ids on ids.found = ${id}
    order by ${ordered}`
}

/** A page that is not full gives the total without counting. */
async function totalOf(
  context: Context,
  plan: QueryPlan,
  found: number,
  { size, offset }: Window,
): Promise<Total> {
  return found < size && (found > 0 || offset === 0)
    ? { total: offset + found, isEstimate: false }
    : await countRows(databaseOf(context), plan)
}
