// Sums and other figures over all rows that a list finds (docs/rules/contract.md#lists).
import type { FooterFunction, FooterQuery, FooterValue } from '@jiaowu/api/entity/list/list-query'
import { parseDecimal } from '@jiaowu/api/fields/families'
import type { WireValue } from '@jiaowu/api/entity/values'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import type { EntityAccess } from '../../access/access.ts'
import { familyOf } from '../../model/fields/column.ts'
import { type Fault, Invalid } from '../../platform/refusal.ts'
import { buildFilterFault, type QueryPlan, unknownField } from '../read/query.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import { type FigureField, figureField } from './figure-field.ts'
import { buildLowCondition } from './low.ts'
import { readFigures } from './remembered.ts'

/** A figure of a column that the caller's lists show. */
export interface Figure extends FooterQuery {
  readonly on: FigureField
}

/**
 * All figures by one statement.
 * @param version of the list's tables, null where nothing is remembered
 * @throws Invalid
 */
export async function computeFooter(
  context: Context,
  plan: QueryPlan,
  asked: readonly FooterQuery[],
  version: string | null,
): Promise<FooterValue[]> {
  const figures = compileFigures(plan.access, asked)
  if (figures.length === 0) return []
  const columns = figures.map(
    (figure, index) => sql`${aggregate(plan.access, figure)} as ${sql.id(`f${index}`)}`,
  )
  const statement = sql<Record<string, unknown>>`
    select ${sql.join(columns)} from ${fromTable(plan.access.entity)}
    where ${plan.where}`
  const rows = await readFigures(context, version, statement)
  return figures.map((figure, index) => ({
    column: figure.column,
    fn: figure.fn,
    value: toWireFigure(figure, rows[0]?.[`f${index}`] ?? null),
  }))
}

/** @throws Invalid with a fault per figure that a list of the caller does not have */
export function assertFooter(access: EntityAccess, asked: readonly FooterQuery[]): void {
  compileFigures(access, asked)
}

/** @throws Invalid with a fault per figure, whose path begins with `place` */
export function compileFigures(
  access: EntityAccess,
  asked: readonly FooterQuery[],
  place = 'footer',
): Figure[] {
  const faults: Fault[] = []
  const figures = asked.flatMap(({ column, fn }, index): Figure[] => {
    const on = figureField(access, column)
    if (on === null) faults.push(unknownField(`${place}.${index}.column`))
    else if (figureFits(access, on, fn)) return [{ column, fn, on }]
    else {
      const label = on.field.definition.uiLabel
      const message = { key: 'entity.notSummable', params: { label } } as const
      faults.push(buildFilterFault(`${place}.${index}.fn`, 'value', message))
    }
    return []
  })
  if (faults.length > 0) throw new Invalid(faults)
  return figures
}

function figureFits(
  access: EntityAccess,
  { field, column }: FigureField,
  fn: FooterFunction,
): boolean {
  const { kind } = field
  const family = familyOf(column)
  const isNumber =
    kind.family === 'number' && (family === 'integer' || family === 'decimal' || family === 'float')
  switch (fn) {
    case 'count':
    case 'empty':
    case 'distinct':
      return true
    case 'below':
      return isNumber && buildLowCondition(access, field) !== null
    case 'sum':
    case 'avg':
      return isNumber
    case 'min':
    case 'max':
      return isNumber || kind.family === 'temporal'
  }
}

function aggregate(access: EntityAccess, { fn, on: { ref, field } }: Figure): RawBuilder<unknown> {
  switch (fn) {
    case 'count':
      return sql`count(${ref})`
    case 'empty':
      return sql`count(*) - count(${ref})`
    case 'distinct':
      return sql`count(distinct ${ref})`
    case 'below':
      return sql`count(*) filter (where ${buildLowCondition(access, field) ?? sql`false`})`
    case 'sum':
      return sql`trim_scale(sum(${ref})::numeric)::text`
    case 'avg':
      return sql`trim_scale(round(avg(${ref})::numeric, 6))::text`
    case 'min':
      return field.kind.family === 'number' ? sql`min(${ref})::text` : sql`min(${ref})`
    case 'max':
      return field.kind.family === 'number' ? sql`max(${ref})::text` : sql`max(${ref})`
  }
}

/** Figures that are numbers of rows or values, whatever the column holds. */
export const countsRows = {
  count: true,
  empty: true,
  distinct: true,
  below: true,
  sum: false,
  avg: false,
  min: false,
  max: false,
} as const satisfies Record<FooterFunction, boolean>

export function toWireFigure({ fn, on: { field, column } }: Figure, value: unknown): WireValue {
  if (value === null) return null
  if (countsRows[fn]) return Number(value)
  return field.kind.family === 'number'
    ? (parseDecimal(String(value)) ?? Number(value))
    : field.storage.load(value, column)
}
