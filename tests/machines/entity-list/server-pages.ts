import type { Row } from '@jiaowu/api/entity/values'
import type { Page, PageQuery } from '@jiaowu/api/entity/list/page'
import { type Faults, must, expectSame } from '../../surfaces/server/checks.ts'
import { rowFaults } from '../../surfaces/server/rows/row-faults.ts'
import type { RowSet } from '../../surfaces/server/rows/rows.ts'
import type { Api } from '../../surfaces/server/run-context.ts'

export interface Question {
  readonly tag: string
  readonly query: PageQuery
}
/**
 * Queries have names, so that each kind is used on some path: everything, a search, an order,
 * another page.
 */
export const questions = ['two', 'everything', 'found', 'upwards', 'downwards', 'other'] as const

/** The name of a query in a list that opened with a search. */
export function findQuestionName(
  rows: RowSet,
  { queries, sorts, pageNum }: PageQuery,
  search: string,
): (typeof questions)[number] {
  const wanted = String(queries[rows.name] ?? ''),
    [sort] = sorts
  if (wanted === '') return 'everything'
  if (sort !== undefined) return sort.asc ? 'upwards' : 'downwards'
  if (wanted !== `${rows.stem}${search}`) return 'found'
  return pageNum > 1 ? 'other' : 'two'
}

/** Builds the page that the model expects of a query. */
export function samplePage(
  rows: RowSet,
  query: PageQuery,
  others: number,
  there?: readonly string[],
): Page {
  const { names, total } = expectedPage(rows, query, there),
    isOwn = isOurs(rows, query)
  const records: Row[] = isOwn
    ? names.map((called) => ({ id: called.slice(rows.stem.length), [rows.name]: called }))
    : Array.from({ length: Math.min(query.pageSize, others) }, (_, index) => ({
        id: `other${index}`,
      }))
  return {
    records,
    total: query.withTotal === false ? null : isOwn ? total : others,
    size: query.pageSize,
    current: query.pageNum,
  }
}

/** Compares a page with the rows of this run, or with the page that another user gets. */
export async function pageFaults(
  api: Api,
  rows: RowSet,
  { tag, query }: Question,
  page: Page,
  there?: readonly string[],
): Promise<Faults> {
  const seat = [
    expectSame('size', query.pageSize, page.size),
    expectSame('current', query.pageNum, page.current),
    [...new Set(page.records.flatMap((row) => rowFaults(rows.config, row)))],
  ]
  if (!isOurs(rows, query)) {
    const body = { ...query, sorts: [...query.sorts], queries: { ...query.queries } }
    const other = await api.entityData.page({ params: { tag }, body })
    const idsOf = ({ records }: Page) => records.map(({ id }) => id)
    return [
      ...seat,
      expectSame('total', other.total, page.total),
      expectSame('rows', idsOf(other), idsOf(page)),
    ]
  }
  const { names, total } = expectedPage(rows, query, there)
  const got = page.records.map((row) => String(row[rows.name]))
  const ours = new Set(rows.aliases.map(rows.called))
  return [
    ...seat,
    expectSame('total', query.withTotal === false ? null : total, page.total),
    query.sorts.length > 0
      ? expectSame('rows', names, got)
      : [
          expectSame('number of rows', names.length, new Set(got).size),
          got.map((called) => must(ours.has(called), `rows: ${called} does not fit the search`)),
        ],
  ]
}

function isOurs(rows: RowSet, query: PageQuery): boolean {
  return String(query.queries[rows.name] ?? '').startsWith(rows.stem)
}

/**
 * The answer that the server must give for the rows of this run. Without an explicit order it fixes
 * which rows, not their places.
 */
export function expectedPage(
  rows: RowSet,
  { queries, sorts, pageNum, pageSize }: Omit<PageQuery, 'withTotal'>,
  there: readonly string[] = rows.aliases,
): { readonly names: readonly string[]; readonly total: number } {
  const wanted = String(queries[rows.name] ?? '')
  const found = there
    .map((alias) => rows.called(alias))
    .filter((called) => called.includes(wanted))
    .sort()
  const ordered = sorts[0]?.asc === false ? found.reverse() : found
  return { names: ordered.slice((pageNum - 1) * pageSize, pageNum * pageSize), total: found.length }
}
