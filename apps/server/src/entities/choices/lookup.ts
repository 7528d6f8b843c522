// The choices of a field: a page of them, or the whole flat list for a tree
// (docs/spec/1-entity-console.md §7).
import { dictTypes } from '@jiaowu/api/entity/enums'
import type { DictItem } from '@jiaowu/api/entity/values'
import { fieldKinds } from '@jiaowu/api/fields/kinds'
import { jsonText } from '@jiaowu/api/exact-json'
import { limits } from '@jiaowu/api/limits'
import type { LookupAnswer } from '@jiaowu/api/contract/entity/entity-data'
import { type RawBuilder, sql } from 'kysely'
import * as v from 'valibot'
import type { Context } from '../../model/context.ts'
import { sqlChoices } from '../custom-sql/run.ts'
import { Invalid } from '../../platform/refusal.ts'
import { accessTo, isAllowed } from '../../access/access.ts'
import {
  labelColumn,
  labelRef,
  type LookupAccess,
  lookupAccess,
  noteRef,
} from '../../access/lookup-access.ts'
import { cascadeConditions, cascadeItems } from './cascades.ts'
import { countUpTo } from '../read/totals/count.ts'
import { dictionaryItems } from '../../model/definition/dictionary.ts'
import type { LoadedEntity, LoadedField } from '../../model/definition/loaded.ts'
import {
  allOf,
  anyOf,
  columnRef,
  type Condition,
  escapeLike,
  matchesPattern,
  formatTyped,
} from '../../model/definition/names.ts'
import { namedTargets } from '../../model/definition/named-target.ts'
import { idRef, idText } from '../../model/definition/row-key.ts'
import { listOrder } from '../read/order/list-order.ts'
import { textKey } from '../read/order/order-keys.ts'
import { buildFilterFault, fromPlan, orderBy, unknownField } from '../read/query.ts'
import {
  type Naming,
  type Relation,
  loadRelation,
  shownName,
} from '../../model/definition/relation.ts'
import { chosenValues } from '../read/filter/chosen-values.ts'
import type { RawRow } from '../read/rows.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { searchCondition, searchedColumn } from '../read/filter/text-search.ts'
import { findTreeParent } from '../tree/read.ts'

export interface LookupQuery {
  readonly fieldId: string
  readonly searchKey?: string | null | undefined
  /** Only the choices with one of these names. */
  readonly names?: readonly string[] | undefined
  readonly cascades?: Readonly<Record<string, unknown>> | null | undefined
  readonly pageNum: number
  readonly pageSize: number
}
/** Maximum nodes of a tree, which is sent whole. */
const maxTree = 10_000
const maxCounted = 10_000
const maxSearch = 200

interface Window {
  readonly size: number
  readonly offset: number
}

/**
 * The choices of a field of `entity`. Needs permission to view `entity`, not the target: the answer
 * contains only ids and labels (docs/rules/security.md#lookups).
 * @throws Refusal 422 for custom SQL that fails
 */
export async function findLookupChoices(
  context: Context,
  entity: LoadedEntity,
  query: LookupQuery,
): Promise<LookupAnswer> {
  const access = await accessTo(context, entity, 'view')
  const field =
    entity.fields.find(({ definition }) => definition.id === query.fieldId) ??
    entity.field(query.fieldId)
  if (field === undefined || field.kind.family !== 'choice' || !isAllowed(access, field, 'any'))
    throw new Invalid([unknownField('fieldId')])
  const { dictType, dictValue } = field.definition
  if (dictType === dictTypes.sql)
    return dictValue === null
      ? fromItems(field, [], query)
      : await fromSql(context, field, dictValue, query)
  if (dictType === dictTypes.dictionary && dictValue !== null)
    return await fromDictionary(context, field, dictValue, query)
  const { namedBy } = field
  if (namedBy === undefined) return await fromEntity(context, field, query)
  const tag = createParentReader(query.cascades)(namedBy.attrName)?.[0] ?? ''
  const target = (await namedTargets(context, field)).get(tag)
  return target === undefined ? noChoices(field) : await fromEntity(context, target, query)
}

function noChoices({ kind }: LoadedField): LookupAnswer {
  return kind.tree ? [] : { records: [], total: 0 }
}

/** Answers from a complete list of items: all of them for a tree, else a searched page. */
function fromItems(
  field: LoadedField,
  items: readonly DictItem[],
  query: LookupQuery,
): LookupAnswer {
  if (field.kind.tree) return [...items]
  const wanted = (query.searchKey ?? '').trim().toLowerCase()
  const names = query.names === undefined ? null : new Set(query.names.map(lower))
  const found = items.filter(
    ({ name }) => lower(name).includes(wanted) && names?.has(lower(name)) !== false,
  )
  const { size, offset } = computeWindow(query)
  return {
    records: found.slice(offset, offset + size).map(({ id, name }) => ({ id, name })),
    total: found.length,
  }
}

function lower(text: string): string {
  return text.toLowerCase()
}

function computeWindow({ pageNum, pageSize }: LookupQuery): Window {
  const size = pageSize === -1 ? limits.maxPageSize : pageSize
  const offset = (Math.max(pageNum, 1) - 1) * size
  if (size < 1 || size > limits.maxPageSize)
    throw new Invalid([buildFilterFault('pageSize', 'range', { key: 'entity.pageSize' })])
  if (pageNum < -1 || pageNum === 0 || offset > maxCounted)
    throw new Invalid([buildFilterFault('pageNum', 'range', { key: 'entity.pageNum' })])
  return { size, offset }
}

/** Binds the search text as `:searchKey` and the cascade parents by attrName. */
async function fromSql(
  context: Context,
  field: LoadedField,
  source: string,
  query: LookupQuery,
): Promise<LookupAnswer> {
  const parents = createParentReader(query.cascades)
  const chosen = (field.definition.options.cascades ?? []).map(
    ({ attrName }) => [attrName, parents(attrName)?.[0] ?? null] as const,
  )
  return fromItems(
    field,
    await sqlChoices(context, source, {
      ...Object.fromEntries(chosen),
      searchKey: query.searchKey ?? null,
    }),
    query,
  )
}

/** Reads the ids chosen in a cascade parent, by attrName; null when nothing is chosen. */
function createParentReader(cascades: LookupQuery['cascades']) {
  return (attrName: string): readonly string[] | null => {
    const parsed = v.safeParse(fieldKinds.multiSelect.value, cascades?.[attrName])
    if (!parsed.success)
      throw new Invalid([buildFilterFault(`cascades.${attrName}`, 'value', { key: 'rule.value' })])
    const ids = (parsed.output as readonly DictItem[]).map(({ id }) => id)
    return ids.length === 0 ? null : ids
  }
}

async function fromDictionary(
  context: Context,
  field: LoadedField,
  code: string,
  query: LookupQuery,
): Promise<LookupAnswer> {
  return fromItems(
    field,
    cascadeItems(field, await dictionaryItems(context, code), createParentReader(query.cascades)),
    query,
  )
}

async function fromEntity(
  context: Context,
  field: LoadedField,
  query: LookupQuery,
): Promise<LookupAnswer> {
  const relation = await loadRelation(context, field)
  if (relation === null) return noChoices(field)
  const { target, keyed, pattern, pii, sealer } = relation
  const access = lookupAccess(context, target)
  const [id, name] = [idRef(keyed), labelRef(context, access, relation)]
  const shown = labelRef(context, access, relation, 'parts')
  const search = (query.searchKey ?? '').trim()
  if (search.length > maxSearch || search.includes('\u0000'))
    throw new Invalid([buildFilterFault('searchKey', 'value', { key: 'rule.value' })])
  const where = allOf([
    access.rows,
    ...cascadeConditions(access, field, createParentReader(query.cascades)),
    ...(query.names === undefined ? [] : [isNamed(name, relation, query.names)]),
    ...(search === '' || field.kind.tree
      ? []
      : [
          pii === null
            ? labelContains(context, access, relation, search)
            : sealer === null || pattern !== null
              ? sql`${name}::text = ${formatTyped(search, 'text')}`
              : // Only where the caller may read the label.
                sql`(${columnRef(sealer.index)} = ${formatTyped(sealer.blind(search), 'text')}
                  and ${name}::text like 'enc1:%')`,
        ]),
  ])
  const db = databaseOf(context)
  if (field.kind.tree) return await treeItems(context, access, relation, where)
  const { size, offset } = computeWindow(query)
  const values = chosenValues(access, field.reads)
  const note = noteRef(context, access, relation)
  const { rows } = await sql<RawRow & { key: string; name: string; note: string | null }>`
    select ${idText(keyed)} as key, coalesce(${shown}::text, '') as name${values.columns},
      ${note?.ref ?? sql`null`}::text as note
    from ${fromTable(target)}
    where ${where} order by ${pii === null ? sql`${textKey(name)}, ${id}` : id} limit ${size} offset ${offset}`.execute(
    db,
  )
  const total =
    rows.length < size && (rows.length > 0 || offset === 0)
      ? offset + rows.length
      : await countUpTo(db, { access, where, order: [] }, maxCounted)
  return {
    records: rows.map((row) => ({
      id: row.key,
      name: shownName(relation, row.name),
      ...noteIn(note?.naming, row.note),
      ...values.of(row),
    })),
    total,
  }
}

/** All rows of a tree, in the order of its list. */
async function treeItems(
  context: Context,
  access: LookupAccess,
  relation: Relation,
  where: Condition,
): Promise<Required<Pick<DictItem, 'id' | 'name' | 'pid'>>[]> {
  const { target, keyed, pii } = relation
  const parent = findTreeParent(access)?.column
  const pid = parent === undefined ? sql`'0'` : sql`coalesce(${columnRef(parent.name)}::text, '0')`
  const id = idRef(keyed)
  const order = await listOrder(context, access)
  const isOrdered = target.definition.options.sorts.length > 0
  // Without an order of its own by name.
  const shown = isOrdered ? orderBy(order) : textKey(labelRef(context, access, relation))
  const { rows } = await sql<Required<Pick<DictItem, 'id' | 'name' | 'pid'>>>`
    select ${idText(keyed)} as id,
      coalesce(${labelRef(context, access, relation, 'parts')}::text, '') as name, ${pid} as pid
    from ${isOrdered ? fromPlan({ access, order }) : fromTable(target)} where ${where}
    order by ${pii === null ? sql`${shown}, ${id}` : id} limit ${maxTree}`.execute(
    databaseOf(context),
  )
  return rows.map((row) => ({ ...row, name: shownName(relation, row.name) }))
}

/**
 * The records that have one of these names, in either case; of personal data only the whole name, as it is stored.
 */
function isNamed(
  name: RawBuilder<unknown>,
  { pii, sealer, pattern }: Relation,
  names: readonly string[],
): Condition {
  if (names.some((each) => each.includes('\u0000')))
    throw new Invalid([buildFilterFault('names', 'value', { key: 'rule.value' })])
  if (sealer !== null && pattern === null) {
    const blinds = formatTyped(names.map(sealer.blind), 'text[]')
    // Only where the caller may read the label.
    return sql`(${columnRef(sealer.index)} = any(${blinds}) and ${name}::text like 'enc1:%')`
  }
  const exact = sql`${name}::text = any(${formatTyped(names, 'text[]')})`
  const folded = names.filter((each) => each.toLowerCase() !== each.toUpperCase())
  // An index of the column serves names without a case, such as numbers.
  return pii !== null || folded.length === 0
    ? exact
    : anyOf([exact, sql`lower(${name}::text) = any(${formatTyped(folded.map(lower), 'text[]')})`])
}

function noteIn(naming: Naming | undefined, parts: string | null): Pick<DictItem, 'note'> {
  const note = naming === undefined || parts === null ? '' : shownName(naming, parts)
  return note === '' ? {} : { note }
}

function labelContains(
  context: Context,
  access: LookupAccess,
  relation: Relation,
  search: string,
): Condition {
  const name = sql`${labelRef(context, access, relation)}::text`
  const column = labelColumn(access, relation)
  const pattern = `%${escapeLike(search)}%`
  const byName =
    column === null
      ? matchesPattern(name, pattern)
      : searchCondition(searchedColumn(access, column), name, search, pattern)
  // A number in the second line is formatTyped from its beginning.
  const numbers = (noteRef(context, access, relation)?.naming.pattern?.fields ?? []).filter(
    ({ kind, pii }) => kind.family === 'text' && pii === null,
  )
  return anyOf([
    byName,
    ...numbers.map((field) =>
      matchesPattern(sql`${columnRef(field.column?.name ?? '')}::text`, `${escapeLike(search)}%`),
    ),
  ])
}

const jsonObject = v.pipe(v.string(), jsonText, v.record(v.string(), v.unknown()))

/** Parses the cascades of a form-encoded lookup, which are JSON in one field. @throws Invalid */
export function parseCascades(text: string | undefined): Readonly<Record<string, unknown>> | null {
  if (text === undefined || text === '') return null
  const parsed = v.safeParse(jsonObject, text)
  if (!parsed.success)
    throw new Invalid([buildFilterFault('cascades', 'value', { key: 'rule.value' })])
  return parsed.output
}
