// Tables of groups with figures, and cross tables: one statement each (docs/rules/contract.md#tables-of-groups).
import type {
  GroupCondition,
  GroupQuery,
  GroupTable,
  TableCell,
  TableQuery,
  Where,
} from '@jiaowu/api/entity/list/list-query'
import type { Row, WireValue } from '@jiaowu/api/entity/values'
import type { PageQuery } from '@jiaowu/api/entity/list/page'
import { limits } from '@jiaowu/api/limits'
import { type RawBuilder, sql } from 'kysely'
import type { EntityAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { allOf, type Condition, formatTyped } from '../../model/definition/names.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import { type Fault, Invalid } from '../../platform/refusal.ts'
import { codedRows } from '../read/coded-labels.ts'
import { assertChoices } from '../read/filter/known-choices.ts'
import { whereLeaves } from '../read/filter/where.ts'
import { orderKey, type OrderKeys, orderKeysFor } from '../read/order/order-keys.ts'
import { buildFilterFault, compileQuery, compileWhere, unknownField } from '../read/query.ts'
import { compileFigures, countsRows, type Figure, toWireFigure } from './footer.ts'
import { type GroupedField, groupedField, labelValues } from './groups.ts'
import { readListVersion } from '../read/totals/totals.ts'
import { buildLowCondition } from './low.ts'
import { readFigures } from './remembered.ts'

/** A figure of each group, and the rows of the group that it is over. */
interface TableFigure extends Figure {
  readonly only: Condition | null
}

interface CompiledTable {
  readonly rows: GroupedField
  readonly across: GroupedField | null
  readonly figures: readonly TableFigure[]
  readonly having: readonly GroupCondition[]
  readonly order: NonNullable<TableQuery['order']>
}

interface FoundCell {
  /** 1: of all rows, of all heads. */
  readonly gr: number
  readonly gc: number
  readonly r: unknown
  readonly c: unknown
  /** Place of the group on the page, and of the head, from 1. */
  readonly at: string | number | null
  readonly head: string | number | null
  readonly n: string | number
  readonly groups: string | number
  readonly [figure: `f${number}`]: unknown
}

/**
 * The groups of a page with their figures, the totals, and the number of groups that meet the conditions.
 * @throws Invalid
 */
export async function computeTable(
  context: Context,
  access: EntityAccess,
  { group, queries, where }: Pick<PageQuery, 'group' | 'queries' | 'where'>,
  page: { readonly size: number; readonly offset: number },
): Promise<{ table: GroupTable; groups: number }> {
  if (group === undefined) throw new Error('a table without groups')
  const compiled = compileTable(access, group, context.now())
  await assertChoices(context, access, { queries, where })
  for (const each of group.table?.figures ?? [])
    await assertChoices(context, access, { queries: {}, where: each.where })
  const plan = compileQuery(access, { queries, where, sorts: [] }, context.now())
  const sorts = [compiled.rows, compiled.across].flatMap((dimension) =>
    dimension === null ? [] : [{ column: dimension.field.definition.attrName, asc: true }],
  )
  const keys = await orderKeysFor(context, access, sorts)
  const found = await readFigures(
    context,
    await readListVersion(context, plan),
    buildStatement({ compiled, keys, where: plan.where, access }, page),
  )
  return await readTable(context, compiled, found)
}

/** @throws Invalid for a table that a list of the caller does not have */
export function assertGroup(access: EntityAccess, group: GroupQuery, now = new Date()): void {
  if (group.table === undefined) groupedField(access, group)
  else compileTable(access, group, now)
}

/** The columns whose values the table shows or measures. */
export function tableColumns({ column, table }: GroupQuery): string[] {
  const measured = (table?.figures ?? []).map((figure) => figure.column)
  return [...new Set([column, ...(table?.across ? [table.across.column] : []), ...measured])]
}

/** The conditions of the figures. */
export function listFigureWheres(group: GroupQuery | undefined): (Where | undefined)[] {
  return (group?.table?.figures ?? []).map(({ where }) => where)
}

function compileTable(access: EntityAccess, group: GroupQuery, now: Date): CompiledTable {
  const { across, figures: asked = [], having = [], order } = group.table ?? {}
  const faults: Fault[] = []
  const rows = groupedField(access, group)
  const columns = across === undefined ? null : groupedField(access, across, 'group.table.across')
  if (across !== undefined && across.column === group.column && across.by === group.by)
    faults.push(
      buildFilterFault('group.table.across.column', 'duplicate', { key: 'entity.tableSame' }),
    )
  const figures = compileFigures(access, asked, 'group.table.figures').map(
    (figure, index): TableFigure => ({
      ...figure,
      only: compileOnly(access, asked[index]?.where, `group.table.figures.${index}`, faults, now),
    }),
  )
  const places = [
    ...having.map(({ of }, index) => [of, `group.table.having.${index}.of`] as const),
    ...(order === undefined ? [] : [[order.by, 'group.table.order.by'] as const]),
  ]
  for (const [of, path] of places)
    if (typeof of === 'number' && figures[of] === undefined)
      faults.push(
        buildFilterFault(path, 'range', { key: 'entity.tableNoFigure', params: { n: of + 1 } }),
      )
  for (const [index, { of }] of having.entries()) {
    const figure = typeof of === 'number' ? figures[of] : undefined
    if (figure === undefined || isNumeric(figure)) continue
    const label = figure.on.field.definition.uiLabel
    const message = { key: 'entity.tableNotNumber', params: { label } } as const
    faults.push(buildFilterFault(`group.table.having.${index}.of`, 'value', message))
  }
  if (faults.length > 0) throw new Invalid(faults)
  return { rows, across: columns, figures, having, order: order ?? { by: 'value', asc: true } }
}

/** The condition of a figure. Groups tell the values of personal data, so that none is compared in it. */
function compileOnly(
  access: EntityAccess,
  where: TableFigureWhere,
  place: string,
  faults: Fault[],
  now: Date,
): Condition | null {
  if (where === undefined) return null
  const own: Fault[] = []
  const condition = compileWhere(access, where, own, now)
  for (const { column } of whereLeaves(where))
    if ((access.entity.field(column)?.pii ?? null) !== null) own.push(unknownField('where'))
  faults.push(...own.map((fault) => ({ ...fault, path: `${place}.${fault.path}` })))
  return condition
}
type TableFigureWhere = NonNullable<TableQuery['figures']>[number]['where']

function isNumeric({ fn, on }: Figure): boolean {
  return countsRows[fn] || on.field.kind.family === 'number'
}

interface Statement {
  readonly access: EntityAccess
  readonly compiled: CompiledTable
  readonly keys: OrderKeys
  readonly where: Condition
}

/**
 * All cells by one scan. The rows are added up by both dimensions first, by several processes where the
 * database has them, and those few parts to groups and totals; distinct values alone do not add up.
 * Groups are told apart by `k`, which is never null and so can be hashed.
 */
function buildStatement(
  { access, compiled, keys, where }: Statement,
  { size, offset }: { readonly size: number; readonly offset: number },
): RawBuilder<FoundCell> {
  const { rows, across, figures, having, order } = compiled
  const { inputs, parts, results, count } = buildFigures(access, figures)
  const source = parts === null ? sql`base` : sql`parts`
  const added =
    parts === null
      ? sql``
      : sql`parts as materialized (
          select r, c, count(*) as n ${sql.join(parts, sql``)} from base group by r, c
        ),`
  const named = (prefix: string, parts: readonly RawBuilder<unknown>[]) =>
    parts.map((part, index) => sql`, ${part} as ${sql.id(`${prefix}${index}`)}`)
  const measured = sql.join(named('f', results), sql``)
  const kept =
    having.length === 0
      ? sql``
      : sql`kept as materialized (
          select coalesce(r::text, '') as k from ${source} group by r
          having ${allOf(having.map((condition) => buildHaving(condition, results, count)))}
        ),`
  const wanted =
    having.length === 0 ? sql`` : sql`where coalesce(r::text, '') in (select k from kept)`
  const [cGroup, sets] =
    across === null ? [sql`1`, sql`(r), ()`] : [sql`grouping(c)`, sql`(r, c), (r), (c), ()`]
  const byRows = buildOrder(rows, keys)
  const byHeads = across === null ? null : buildOrder(across, keys)
  const direction = order.asc ? sql`asc nulls last` : sql`desc nulls last`
  const first =
    order.by === 'value'
      ? sql`${byRows.key} ${direction}, g.value ${direction}`
      : sql`${order.by === 'count' ? sql`g.n` : sql`g.${sql.id(`f${order.by}`)}`} ${direction},
          ${byRows.key} asc nulls last, g.value asc nulls last`
  return sql<FoundCell>`
    with base as not materialized (
      select ${rows.value} as r, ${across === null ? sql`null::text` : across.value} as c
        ${sql.join(inputs, sql``)}
      from ${fromTable(access.entity)} where ${where}
    ),
    ${added}
    ${kept}
    cells as materialized (
      select grouping(r) as gr, ${cGroup} as gc, r, ${across === null ? sql`null::text` : sql`c`} as c,
        coalesce(r::text, '') as k, ${count} as n ${measured}
      from ${source} ${wanted} group by grouping sets (${sets})
    ),
    page as (
      select g.k, row_number() over (order by ${first}) as at
      from (select r as value, cells.* from cells where gr = 0 and gc = 1) as g ${byRows.join}
      order by 2 limit ${size} offset ${offset}
    ),
    heads as (
      ${
        byHeads === null
          ? sql`select null::text as h, null::int8 as at where false`
          : sql`select coalesce(g.value::text, '') as h,
              row_number() over (order by ${byHeads.key} asc nulls last, g.value asc nulls last) as at
            from (select c as value from cells where gr = 1 and gc = 0) as g ${byHeads.join}`
      }
    )
    select cells.gr, cells.gc, cells.r, cells.c, page.at, heads.at as head, cells.n,
      (select count(*) from cells where gr = 0 and gc = 1) as groups
      ${sql.join(
        figures.map((figure, index) => {
          const name = sql.id(`f${index}`)
          return sql`, ${buildShown(figure, sql`cells.${name}`)} as ${name}`
        }),
        sql``,
      )}
    from cells
      left join page on cells.gr = 0 and page.k = cells.k
      left join heads on cells.gc = 0 and heads.h = coalesce(cells.c::text, '')
    where (cells.gr = 1 or page.at is not null)
      and (cells.gc = 1 or heads.at <= ${limits.tableHeads + 1})`
}

function buildOrder(
  { isUnit, field, column }: GroupedField,
  keys: OrderKeys,
): { readonly key: RawBuilder<unknown>; readonly join: RawBuilder<unknown> } {
  if (isUnit) return { key: sql`g.value`, join: sql`` }
  const { ref, join } = orderKey(field.definition.attrName, column, sql`g.value`, keys)
  return { key: ref, join: join ?? sql`` }
}

interface Figures {
  /** Values that each row gives to the figures: `x` and whether it counts, `y`. */
  readonly inputs: readonly RawBuilder<unknown>[]
  /** Columns of the parts that add up to the figures; null: they do not. */
  readonly parts: readonly RawBuilder<unknown>[] | null
  /** The figures of a group of rows, or of parts. */
  readonly results: readonly RawBuilder<unknown>[]
  /** The number of rows. */
  readonly count: RawBuilder<unknown>
}

function buildFigures(access: EntityAccess, figures: readonly TableFigure[]): Figures {
  const inputs = figures.map(({ fn, on, only }, index) => {
    const low = fn === 'below' ? [buildLowCondition(access, on.field) ?? sql`false`] : []
    const holds = allOf([...(only === null ? [] : [only]), ...low])
    return sql`, ${on.ref} as ${sql.id(`x${index}`)}, ${holds} as ${sql.id(`y${index}`)}`
  })
  const direct = figures.map(aggregateRows)
  if (figures.some(({ fn }) => fn === 'distinct'))
    return { inputs, parts: null, results: direct, count: sql`count(*)` }
  const parts = figures.map((figure, index) => {
    const [sum, number] = [sql.id(`p${index}`), sql.id(`q${index}`)]
    return figure.fn === 'avg'
      ? sql`, ${aggregateRows({ ...figure, fn: 'sum' }, index)} as ${sum},
          ${aggregateRows({ ...figure, fn: 'count' }, index)} as ${number}`
      : sql`, ${direct[index] ?? sql`null`} as ${sum}`
  })
  const count = sql`coalesce(sum(n), 0)::int8`
  return { inputs, parts, results: figures.map(aggregateParts), count }
}

function aggregateRows({ fn, only }: TableFigure, index: number): RawBuilder<unknown> {
  const value = sql.id(`x${index}`)
  const filter =
    only === null && fn !== 'below' ? sql`` : sql`filter (where ${sql.id(`y${index}`)})`
  switch (fn) {
    case 'count':
      return sql`count(${value}) ${filter}`
    case 'empty':
      return sql`(count(*) ${filter} - count(${value}) ${filter})`
    case 'distinct':
      return sql`count(distinct ${value}) ${filter}`
    case 'below':
      return sql`count(*) ${filter}`
    case 'sum':
      return sql`(sum(${value}) ${filter})::numeric`
    case 'avg':
      return sql`round((avg(${value}) ${filter})::numeric, 6)`
    case 'min':
      return sql`min(${value}) ${filter}`
    case 'max':
      return sql`max(${value}) ${filter}`
  }
}

function aggregateParts({ fn }: TableFigure, index: number): RawBuilder<unknown> {
  const part = sql.id(`p${index}`)
  if (fn === 'sum') return sql`sum(${part})`
  if (fn === 'avg') return sql`round(sum(${part}) / nullif(sum(${sql.id(`q${index}`)}), 0), 6)`
  if (fn === 'min') return sql`min(${part})`
  if (fn === 'max') return sql`max(${part})`
  return sql`coalesce(sum(${part}), 0)::int8`
}

const operators = {
  ge: sql`>=`,
  gt: sql`>`,
  le: sql`<=`,
  lt: sql`<`,
  equal: sql`=`,
  notEqual: sql`<>`,
} as const satisfies Record<GroupCondition['op'], RawBuilder<unknown>>

function buildHaving(
  { of, op, value }: GroupCondition,
  results: readonly RawBuilder<unknown>[],
  count: RawBuilder<unknown>,
): Condition {
  const result = of === 'count' ? count : (results[of] ?? sql`null`)
  // Amounts are compared as they are stored; lists show them divided.
  return sql`(${result}) ${operators[op]} ${formatTyped(String(value), 'numeric')}`
}

/** The wire form of a figure, which is ordered and compared in its own type. */
function buildShown({ fn, on }: Figure, figure: RawBuilder<unknown>): RawBuilder<unknown> {
  if (countsRows[fn]) return figure
  if (fn === 'sum' || fn === 'avg') return sql`trim_scale(${figure})::text`
  return on.field.kind.family === 'number' ? sql`${figure}::text` : figure
}

async function readTable(
  context: Context,
  { rows, across, figures }: CompiledTable,
  found: readonly FoundCell[],
): Promise<{ table: GroupTable; groups: number }> {
  const toCell = (cell: FoundCell): TableCell => ({
    count: Number(cell.n),
    figures: figures.map((figure, index) => toWireFigure(figure, cell[`f${index}`] ?? null)),
  })
  const byPlace = (place: 'at' | 'head') => (a: FoundCell, b: FoundCell) =>
    Number(a[place]) - Number(b[place])
  const heads = found.filter(({ gr, gc }) => gr === 1 && gc === 0).toSorted(byPlace('head'))
  if (across !== null && heads.length > limits.tableHeads) {
    const params = {
      label: across.field.definition.uiLabel,
      n: limits.tableHeads,
      most: limits.tableHeads,
    }
    const message = { key: 'entity.tableTooWide', params } as const
    throw new Invalid([buildFilterFault('group.table.across.column', 'range', message)])
  }
  const groups = found.filter(({ gr, gc }) => gr === 0 && gc === 1).toSorted(byPlace('at'))
  const inner = Map.groupBy(
    found.filter(({ gr, gc }) => gr === 0 && gc === 0),
    ({ at }) => Number(at),
  )
  const values = await nameValues(
    context,
    rows,
    groups.map(({ r }) => r),
  )
  const all = found.find(({ gr, gc }) => gr === 1 && gc === 1)
  return {
    table: {
      heads:
        across === null
          ? []
          : await nameValues(
              context,
              across,
              heads.map(({ c }) => c),
            ),
      rows: groups.map((row, index) => {
        const cells = new Map((inner.get(Number(row.at)) ?? []).map((c) => [Number(c.head), c]))
        return {
          value: values[index] ?? null,
          cells: heads.map(({ head }) => {
            const cell = cells.get(Number(head))
            return cell === undefined ? null : toCell(cell)
          }),
          all: toCell(row),
        }
      }),
      totals: heads.map(toCell),
      all: all === undefined ? { count: 0, figures: figures.map(() => null) } : toCell(all),
    },
    groups: Number(found[0]?.groups ?? 0),
  }
}

/** The values with their names; those of records that share a name with their numbers as well. */
async function nameValues(
  context: Context,
  dimension: GroupedField,
  found: readonly unknown[],
): Promise<WireValue[]> {
  const values = await labelValues(context, dimension, found)
  const { attrName } = dimension.field.definition
  const rows = values.map((value, index): Row => ({ id: String(index), [attrName]: value }))
  const byName = Map.groupBy(rows, (row) => dimension.field.kind.toText(row[attrName] ?? null))
  const shared = rows.filter((row) => {
    const name = dimension.field.kind.toText(row[attrName] ?? null)
    return name !== '' && (byName.get(name)?.length ?? 0) > 1
  })
  if (dimension.field.kind.family !== 'choice' || shared.length === 0) return values
  const coded = await codedRows(context, [dimension.field], shared)
  const told = new Map(coded.map((row) => [row.id, row[attrName] ?? null]))
  return values.map((value, index) => told.get(String(index)) ?? value)
}
