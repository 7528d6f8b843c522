// Compiles the filters and sorts of a list to SQL. A field the caller may not use gives the same
// error as a field that does not exist (docs/rules/contract.md#entity-data).
import { daysOfPeriod, termDictionary, termOfPeriod } from '@jiaowu/api/entity/list/periods'
import { isEmpty, isFilterable } from '@jiaowu/api/fields/kinds'
import type { Message } from '@jiaowu/api/texts/index'
import { toQueryOperator, type QueryOperator } from '@jiaowu/api/entity/enums'
import { schoolDay } from '@jiaowu/api/formats'
import type { Sort } from '@jiaowu/api/entity/values'
import { isRelatedLeaf, type Where, type WhereLeaf } from '@jiaowu/api/entity/list/list-query'
import { type RawBuilder, sql } from 'kysely'
import { familyOf, isOrdered } from '../../model/fields/column.ts'
import { type Fault, Invalid } from '../../platform/refusal.ts'
import { type EntityAccess, type FieldUse, fieldRows, isAllowed } from '../../access/access.ts'
import { compileFilter, emptyCondition } from './filter/filter.ts'
import type { LoadedEntity, LoadedField } from '../../model/definition/loaded.ts'
import { allOf, columnRef, type Condition } from '../../model/definition/names.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import { idRef, keyCast } from '../../model/definition/row-key.ts'
import { OperandFault, type Operands, parseOperands } from './filter/operands.ts'
import { isText, type Label, noKeys, orderKey, type OrderKeys } from './order/order-keys.ts'
import { type Target, buildFilterTarget } from './target.ts'
import { listField } from './filter/times.ts'
import { buildRelatedCondition, readRelatedCount } from './filter/related.ts'
import { whereCondition, whereLeaves } from './filter/where.ts'

export interface ListQuery {
  readonly queries: Readonly<Record<string, unknown>>
  readonly sorts: readonly Sort[]
  readonly where?: Where | undefined
}
/** One term of the order. `cast` is the type for binding a value of it, see keyset.ts. */
export interface OrderTerm {
  readonly ref: RawBuilder<unknown>
  /** The joins after the table in `from`, so that each label is made once a row; see `fromPlan`. */
  readonly join?: RawBuilder<unknown>
  readonly cast: string
  readonly asc: boolean
  readonly nullable: boolean
  /** The choice whose label orders the rows. */
  readonly label?: Label & {
    /** On which rows the caller may see it; null: on all. */
    readonly rows: Condition | null
  }
}
export interface QueryPlan {
  readonly access: EntityAccess
  readonly where: Condition
  /** Ends in the id, which makes the order total. */
  readonly order: readonly OrderTerm[]
}

export function buildFilterFault(path: string, rule: string, message: Message): Fault {
  return {
    path,
    rule,
    message,
  }
}

export function unknownField(path: string): Fault {
  return buildFilterFault(path, 'unknownField', { key: 'rule.unknownField' })
}

/** Whether lists may filter by the field (docs/rules/security.md#permissions). */
export function isQueryable(access: EntityAccess, field: LoadedField): boolean {
  const isDocument =
    field.column !== null && familyOf(field.column) === 'json' && !field.kind.multiple
  return (
    isFilterable(field.kind) &&
    !isDocument &&
    filterOperator(field) !== null &&
    isAllowed(access, field, 'query')
  )
}

/** Personal data is compared by whole values only (docs/rules/security.md#d4). */
const wholeValueOperators: readonly QueryOperator[] = ['equal', 'notEqual', 'in', 'multiContains']

/**
 * The operator of the field's filter. Personal data is found by whole values: patterns mean equality,
 * and ranges are not offered, since each answer would tell a part of the value
 * (docs/rules/security.md#d4).
 */
export function filterOperator({ definition, pii }: LoadedField): QueryOperator | null {
  const operator = toQueryOperator(definition.queryType)
  if (pii === null) return operator
  switch (operator) {
    case 'equal':
    case 'notEqual':
    case 'in':
    case 'multiContains':
      return operator
    case 'like':
    case 'leftLike':
    case 'rightLike':
      return 'equal'
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
    case 'between':
      return null
  }
}

/** Whether the query looks for parts of texts, which few indexes serve. */
export function isSearch({ entity }: EntityAccess, { queries, where }: ListQuery): boolean {
  const isPattern = (op: string | null | undefined) => op?.toLowerCase().endsWith('like') === true
  return (
    whereLeaves(where).some(({ op }) => isPattern(op)) ||
    Object.keys(queries).some((name) => isPattern(entity.field(name)?.definition.queryType))
  )
}

/**
 * Whether lists may sort by the field: shown in lists, a single value in a column, not personal
 * (docs/rules/security.md#permissions).
 */
export function isSortable(access: EntityAccess, field: LoadedField): boolean {
  if (field.column === null || field.pii !== null || !isAllowed(access, field, 'list')) return false
  return isOrdered(field.column) && field.kind.sortable
}

/** @throws Invalid with one fault per filter or sort that is not allowed */
export function compileQuery(
  access: EntityAccess,
  { queries, sorts, where }: ListQuery,
  now: Date = new Date(),
  labels: OrderKeys = noKeys,
): QueryPlan {
  const faults: Fault[] = []
  const filters = Object.entries(queries).flatMap(([attrName, raw]) =>
    compileQueryFilter(access, attrName, raw, faults),
  )
  if (where !== undefined) filters.push(compileWhere(access, where, faults, now))
  const requested = requestedOrder(access, sorts, labels, faults)
  if (faults.length > 0) throw new Invalid(faults)
  const usesDefault = sorts.length === 0
  const effective = usesDefault ? access.entity.definition.options.sorts : sorts
  return {
    access,
    where: allOf([access.rows, ...filters]),
    order: withIdTerm(access, usesDefault ? defaultOrder(access, labels) : requested, effective),
  }
}

/** Compiles conditions in groups alone; adds a fault per one that is not allowed. */
export function compileWhere(
  access: EntityAccess,
  where: Where,
  faults: Fault[],
  now: Date,
): Condition {
  return whereCondition(where, faults, (leaf, path) =>
    leafCondition(access, leaf, path, faults, now),
  )
}

function compileQueryFilter(
  access: EntityAccess,
  attrName: string,
  raw: unknown,
  faults: Fault[],
): Condition | readonly Condition[] {
  const path = `queries.${attrName}`
  const field = listField(access.entity, attrName)
  const operator = field === undefined ? null : filterOperator(field)
  if (field === undefined || operator === null || !isQueryable(access, field)) {
    faults.push(unknownField(path))
    return []
  }
  return filterCondition(access, field, operator, raw, path, faults) ?? []
}

/** Compares a field that the caller may filter by; null when `raw` is empty. */
function filterCondition(
  access: EntityAccess,
  field: LoadedField,
  operator: QueryOperator,
  raw: unknown,
  path: string,
  faults: Fault[],
): Condition | null {
  const target = buildFilterTarget(access, field)
  try {
    const operands = parseOperands(field, target.column, operator, raw)
    const condition = listCondition(access, target, operator, operands)
    const rows = fieldRows(access, field, 'query')
    return condition === null || rows === null ? condition : allOf([condition, rows])
  } catch (error) {
    if (!(error instanceof OperandFault)) throw error
    faults.push(buildFilterFault(path, error.rule, { key: error.key }))
    return null
  }
}

/** A leaf of `where`, which names its operator (docs/rules/contract.md#lists). */
function leafCondition(
  access: EntityAccess,
  leaf: WhereLeaf,
  path: string,
  faults: Fault[],
  now: Date,
): Condition | null {
  if (isRelatedLeaf(leaf)) return relatedCondition(access, leaf, path, faults, now)
  const { column: attrName, op, value } = leaf
  if (leaf.where !== undefined) faults.push(unknownField(`${path}.where`))
  const field = listField(access.entity, attrName)
  if (field === undefined || !isQueryable(access, field)) {
    faults.push(unknownField(`${path}.column`))
    return null
  }
  if (op === 'isEmpty' || op === 'notEmpty') {
    const empty = emptyCondition(buildFilterTarget(access, field))
    const rows = fieldRows(access, field, 'query')
    const condition = op === 'isEmpty' ? empty : sql`(not ${empty})`
    return rows === null ? condition : allOf([condition, rows])
  }
  if (op === 'during') {
    if (isEmpty(value)) return null
    const [operator, operand] = resolvePeriod(field, value, schoolDay(now)) ?? []
    if (operator !== undefined)
      return filterCondition(access, field, operator, operand, `${path}.value`, faults)
    faults.push(buildFilterFault(`${path}.value`, 'value', { key: 'rule.value' }))
    return null
  }
  if (field.pii !== null && !wholeValueOperators.includes(op)) {
    faults.push(buildFilterFault(`${path}.op`, 'value', { key: 'entity.wholeValue' }))
    return null
  }
  return filterCondition(access, field, op, value, `${path}.value`, faults)
}

/** A condition on the number of rows of another entity that name the row. Personal data is not asked of them. */
function relatedCondition(
  access: EntityAccess,
  { column, op, value, where }: WhereLeaf,
  path: string,
  faults: Fault[],
  now: Date,
): Condition | null {
  const related = access.related?.get(column)
  if (related === undefined || !isQueryable(related.access, related.field)) {
    faults.push(unknownField(`${path}.column`))
    return null
  }
  if (isEmpty(value)) return null
  const count = readRelatedCount(op, value)
  if (count === null)
    faults.push(buildFilterFault(`${path}.value`, 'value', { key: 'entity.relatedCount' }))
  const own: Fault[] = []
  const inner = where === undefined ? null : compileWhere(related.access, where, own, now)
  for (const leaf of whereLeaves(where))
    if ((related.access.entity.field(leaf.column)?.pii ?? null) !== null)
      own.push(unknownField('where'))
  faults.push(...own.map((fault) => ({ ...fault, path: `${path}.${fault.path}` })))
  return count === null ? null : buildRelatedCondition(related, inner, count)
}

/** A period as a range of days, or as the term of a field with terms; null: the field has no such period. */
function resolvePeriod(
  { kind, definition }: LoadedField,
  period: unknown,
  today: string,
): [QueryOperator, unknown] | null {
  if ((definition.pii ?? null) !== null) return null
  if (definition.dictValue === termDictionary) {
    const term = termOfPeriod(period, today)
    return term === null ? null : ['in', [term]]
  }
  const days = daysOfPeriod(period, today)
  return days === null || kind.temporal?.hasDay !== true ? null : ['between', days]
}

/** The rows of the one value that a text with commas is; where no row has it, those of the list. */
function listCondition(
  access: EntityAccess,
  target: Target,
  operator: QueryOperator,
  operands: Operands,
): Condition | null {
  const listed = compileFilter(...compareSealed(access, target, operator, operands))
  if (operands.kind !== 'list' || operands.whole === undefined || listed === null) return listed
  const whole = { kind: 'list', values: [operands.whole] } as const
  const one = compileFilter(...compareSealed(access, target, 'in', whole))
  const same = compileFilter(...compareSealed(access, target, operator, whole))
  if (one === null || same === null) return listed
  return sql`case when exists (select from ${fromTable(access.entity)}
    where ${allOf([access.rows, one])}) then ${same} else ${listed} end`
}

/** An encrypted column is compared by its blind index. */
function compareSealed(
  { entity }: EntityAccess,
  target: Target,
  operator: QueryOperator,
  operands: Operands,
): [Target, QueryOperator, Operands] {
  const { sealer } = target.field
  const column = sealer === null ? undefined : entity.table.columns.get(sealer.index)
  if (sealer === null || column === undefined) return [target, operator, operands]
  const blind = (value: string | boolean) => sealer.blind(String(value))
  return [
    { ...target, column, ref: columnRef(column.name) },
    operator,
    operands.kind === 'one'
      ? { ...operands, value: blind(operands.value) }
      : operands.kind === 'list'
        ? { ...operands, values: operands.values.map(blind) }
        : operands,
  ]
}

function requestedOrder(
  access: EntityAccess,
  sorts: readonly Sort[],
  labels: OrderKeys,
  faults: Fault[],
): OrderTerm[] {
  return sorts.flatMap(({ column: attrName, asc }, index) => {
    const path = `sorts.${attrName}`
    const isId = attrName === access.entity.definition.idField
    const field = isId ? access.entity.idField : listField(access.entity, attrName)
    if (field === undefined || !(isId || isSortable(access, field))) faults.push(unknownField(path))
    else if (sorts.findIndex(({ column }) => column === attrName) !== index)
      faults.push(buildFilterFault(path, 'duplicate', { key: 'entity.duplicateSort' }))
    else
      return isId
        ? idTerms(access, asc, 'list')
        : (buildOrderTerm(access, field, asc, 'list', labels) ?? [])
    return []
  })
}

/** The order of what the field shows: the label of a choice, a text as people order it, else the value. */
function buildOrderTerm(
  access: EntityAccess,
  field: LoadedField,
  asc: boolean,
  use: FieldUse,
  labels: OrderKeys = noKeys,
): OrderTerm | null {
  const { column } = field
  const family = column === null ? undefined : familyOf(column)
  if (column === null || family === undefined) return null
  const rows = fieldRows(access, field, use)
  const { attrName } = field.definition
  const { ref: stored } = buildFilterTarget(access, field)
  const { ref, cast, join, label } = orderKey(attrName, column, stored, labels)
  return {
    ref: rows === null ? ref : sql`(case when ${rows} then ${ref} end)`,
    cast,
    asc,
    nullable: column.nullable || rows !== null,
    ...(join === undefined ? {} : { join }),
    ...(label === undefined ? {} : { label: { ...label, rows } }),
  }
}

/** The terms of a sort by the id, whose texts people order too. */
function idTerms(access: EntityAccess, asc: boolean, use: FieldUse): OrderTerm[] {
  const { entity } = access
  const shown =
    entity.key.length === 1 && isText(entity.id)
      ? buildOrderTerm(access, entity.idField, asc, use)
      : null
  return [...(shown === null ? [] : [shown]), ...keyTerms(entity, asc)]
}

function withIdTerm(
  { entity }: EntityAccess,
  terms: readonly OrderTerm[],
  sorts: readonly Sort[],
): OrderTerm[] {
  if (
    sorts.some(
      ({ column }) =>
        column === entity.definition.idField ||
        (entity.key.length === 1 &&
          entity.column(column)?.name === entity.id.name &&
          !isText(entity.id)),
    )
  )
    return [...terms]
  // The direction of the last sort, so that one index over it and the id serves both; newest first
  // without a sort (docs/spec/1-entity-console.md §9).
  return [...terms, ...keyTerms(entity, terms.at(-1)?.asc ?? entity.typesKey)]
}

/** The key columns as terms, which make any order total. */
export function keyTerms(entity: LoadedEntity, asc: boolean): OrderTerm[] {
  return entity.key.length === 0
    ? [{ ref: idRef(entity), cast: 'text', asc, nullable: false }]
    : entity.key.map((column) => ({
        ref: columnRef(column.name),
        cast: keyCast(column),
        asc,
        nullable: false,
      }))
}

/** The sorts of the definition, which may use fields that lists do not show. */
function defaultOrder(access: EntityAccess, labels: OrderKeys): OrderTerm[] {
  return access.entity.definition.options.sorts.flatMap(({ column, asc }) => {
    if (column === access.entity.definition.idField) return idTerms(access, asc, 'detail')
    const field = access.entity.field(column)
    return field === undefined || field.pii !== null || !isAllowed(access, field, 'detail')
      ? []
      : (buildOrderTerm(access, field, asc, 'detail', labels) ?? [])
  })
}

export function orderBy(order: readonly OrderTerm[]): RawBuilder<unknown> {
  return sql.join(order.map(({ ref, asc }) => sql`${ref} ${asc ? sql`asc` : sql`desc`}`))
}

/** The table of the plan with what its order takes from others. */
export function fromPlan({
  access,
  order,
}: Pick<QueryPlan, 'access' | 'order'>): RawBuilder<unknown> {
  return sql`${fromTable(access.entity)}${joinOrderTables(order)}`
}

/** Follows the table in `from`. */
export function joinOrderTables(order: readonly OrderTerm[]): RawBuilder<unknown> {
  const joins = order.flatMap(({ join }) => (join === undefined ? [] : [join]))
  return joins.length === 0 ? sql`` : sql` ${sql.join(joins, sql` `)}`
}
