// Groups the rows of a list by the value of a column (docs/rules/contract.md#lists).
import type {
  Dimension,
  GroupQuery,
  GroupUnit,
  ListGroup,
} from '@jiaowu/api/entity/list/list-query'
import { limits } from '@jiaowu/api/limits'
import type { Row, Sort, WireValue } from '@jiaowu/api/entity/values'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { type Fault, Invalid } from '../../platform/refusal.ts'
import type { EntityAccess } from '../../access/access.ts'
import { labelRows } from '../read/labels.ts'
import { orderKey, orderKeysFor } from '../read/order/order-keys.ts'
import { buildFilterFault, type QueryPlan, unknownField } from '../read/query.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import { type FigureField, figureField } from './figure-field.ts'
import { readFigures } from './remembered.ts'

const patterns = { day: 'YYYY-MM-DD', month: 'YYYY-MM', year: 'YYYY' } as const satisfies Record<
  GroupUnit,
  string
>

/**
 * The groups in the order of their values, descending when the list sorts the column so; rows without a
 * value last.
 * @param version of the list's tables, null where nothing is remembered
 * @throws Invalid
 */
export async function computeGroups(
  context: Context,
  plan: QueryPlan,
  query: GroupQuery,
  sorts: readonly Sort[],
  version: string | null,
): Promise<{ groups: ListGroup[]; moreGroups: boolean }> {
  const grouped = groupedField(plan.access, query)
  const isDescending = sorts.some(({ column, asc }) => column === query.column && !asc)
  const direction = isDescending ? sql`desc nulls last` : sql`asc nulls last`
  // In the order of the rows, which is that of what the field shows.
  const keys = await orderKeysFor(context, plan.access, [{ column: query.column, asc: true }])
  const key = grouped.isUnit
    ? { ref: sql`g.value`, join: undefined }
    : orderKey(query.column, grouped.column, sql`g.value`, keys)
  const statement = sql<{ value: unknown; n: string | number }>`
    select g.value, g.n from (
      select ${grouped.value} as value, count(*) as n
      from ${fromTable(plan.access.entity)} where ${plan.where} group by 1
    ) as g ${key.join ?? sql``}
    order by ${key.ref} ${direction}, g.value ${direction}
    limit ${limits.maxGroups + 1}`
  const rows = await readFigures(context, version, statement)
  const moreGroups = rows.length > limits.maxGroups
  const kept = rows.slice(0, limits.maxGroups)
  const values = await labelValues(
    context,
    grouped,
    kept.map(({ value }) => value),
  )
  return {
    groups: kept.map(({ n }, index) => ({ value: values[index] ?? null, count: Number(n) })),
    moreGroups,
  }
}

/** The values of groups in the form of cells, with the names of choices. */
export async function labelValues(
  context: Context,
  { field, column, isUnit }: GroupedField,
  values: readonly unknown[],
): Promise<WireValue[]> {
  const { attrName } = field.definition
  const cells = values.map((value, index): Row => {
    const cell = isUnit ? (value as string | null) : field.storage.load(value, column)
    return { id: String(index), [attrName]: cell }
  })
  const labelled = await labelRows(context, [field], cells)
  return labelled.map((row) => row[attrName] ?? null)
}

/** A column by whose values rows are grouped. `isUnit`: days, months or years. */
export interface GroupedField extends FigureField {
  readonly value: RawBuilder<unknown>
  readonly isUnit: boolean
}

/** @throws Invalid when a list of the caller does not group so; `place` begins the path of the fault */
export function groupedField(
  access: EntityAccess,
  { column: attrName, by }: Dimension,
  place = 'group',
): GroupedField {
  const found = figureField(access, attrName)
  if (found === null) throw new Invalid([unknownField(`${place}.column`)])
  const label = found.field.definition.uiLabel
  const faults: Fault[] = []
  const isDated = ['date', 'timestamp', 'timestamptz'].includes(found.column.type)
  if (by !== undefined && !isDated)
    faults.push(
      buildFilterFault(`${place}.by`, 'value', { key: 'entity.noGroupUnit', params: { label } }),
    )
  if (found.field.kind.markup)
    faults.push(
      buildFilterFault(`${place}.column`, 'value', {
        key: 'entity.notGroupable',
        params: { label },
      }),
    )
  if (faults.length > 0) throw new Invalid(faults)
  return isDated
    ? {
        ...found,
        value: sql`to_char(${found.ref}, ${sql.lit(patterns[by ?? 'day'])})`,
        isUnit: true,
      }
    : { ...found, value: found.ref, isUnit: false }
}
