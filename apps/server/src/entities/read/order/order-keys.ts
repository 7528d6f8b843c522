// The expressions that order rows by what their fields show (docs/rules/database.md#order).
import { createHash } from 'node:crypto'
import { dictTypes } from '@jiaowu/api/entity/enums'
import type { Sort } from '@jiaowu/api/entity/values'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../model/context.ts'
import type { EntityAccess } from '../../../access/access.ts'
import { relatedLabel } from '../../../access/lookup-access.ts'
import { sqlChoices } from '../../custom-sql/run.ts'
import { tableKey } from '../../../model/definition/column-key.ts'
import { itemOrder } from '../../../model/definition/dictionary.ts'
import type { LoadedEntity, LoadedField } from '../../../model/definition/loaded.ts'
import { buildSortKeyName } from '../../../model/definition/catalog.ts'
import { formatTyped } from '../../../model/definition/names.ts'
import { type Relation, loadRelation } from '../../../model/definition/relation.ts'
import { keyCast } from '../../../model/definition/row-key.ts'
import { chooseCast, type Column, familyOf } from '../../../model/fields/column.ts'
import { Refusal } from '../../../platform/refusal.ts'

/** Makes the key of a value that a field stores. */
type MakeKey = (stored: RawBuilder<unknown>) => RawBuilder<unknown>
interface LabelKey {
  readonly make: MakeKey
  /** The tables that hold the labels, as `tableKey` names them. */
  readonly tables: readonly string[]
  /** Whether the value is its own label. */
  readonly isText?: boolean
}
export interface OrderKeys {
  /** By attrName, of the fields to sort by: choices, and texts whose keys no index holds. */
  readonly labels: ReadonlyMap<string, LabelKey>
  /** Changes with what the expressions say. */
  readonly mark: string
}
export const noKeys: OrderKeys = { labels: new Map(), mark: '' }

/** Whether people order its values as texts. */
export function isText(column: Column): boolean {
  return familyOf(column) === 'text'
}

/** The key by which people order a text. */
export function textKey(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`sys.sort_key(${text}::text)`
}

interface OrderKey {
  readonly ref: RawBuilder<unknown>
  readonly cast: string
  readonly join?: RawBuilder<unknown>
  readonly label?: Label
}
/** The label of a choice, or a text: rows that store the same value have the same key. */
export interface Label extends LabelKey {
  readonly stored: RawBuilder<unknown>
  /** The type to bind a stored value with. */
  readonly storedCast: string
}

/** Builds the key that orders a field by the text that it shows. */
export function orderKey(
  attrName: string,
  column: Column,
  stored: RawBuilder<unknown>,
  { labels }: OrderKeys,
): OrderKey {
  const label = labels.get(attrName)
  if (label !== undefined) {
    const name = sql.id(`by ${createHash('sha1').update(attrName).digest('hex').slice(0, 12)}`)
    // The database makes each key once for all rows that store the same value (Memoize). A condition on the key alone
    // would make the join an inner one, and a comparison with keys and ids a part of it, made for each row: `nullif`
    // hides from the planner that the key is compared. No key is one zero byte.
    return {
      ref: sql`nullif(${name}."key", '\\x00'::bytea)`,
      cast: 'bytea',
      join: sql`left join lateral (select ${label.make(stored)} as "key" offset 0) as ${name} on true`,
      // Texts that a collation or a type takes for equal have keys of their own.
      label: label.isText
        ? { ...label, stored: sql`(${stored}::text collate "C")`, storedCast: 'text' }
        : { ...label, stored, storedCast: chooseCast(column) },
    }
  }
  return isText(column)
    ? { ref: textKey(stored), cast: 'bytea' }
    : { ref: stored, cast: keyCast(column) }
}

/** The keys of the choices and of the texts without an index among the fields by which a list is ordered. */
export async function orderKeysFor(
  context: Context,
  { entity }: EntityAccess,
  sorts: readonly Sort[],
): Promise<OrderKeys> {
  const asked = sorts.length > 0 ? sorts : entity.definition.options.sorts
  const labels = new Map<string, LabelKey>()
  const marks: unknown[] = []
  for (const { column } of asked) {
    const field = entity.field(column)
    if (field === undefined) continue
    const made = (await choiceKey(context, field)) ?? unindexedText(entity, field)
    if (made === null) continue
    labels.set(column, made)
    marks.push(made.mark)
  }
  return labels.size === 0 ? noKeys : { labels, mark: JSON.stringify(marks) }
}

/**
 * Null where an index holds the keys: the expression must then be that of the index. Without one the database makes
 * a key for each value instead of each row.
 */
function unindexedText(
  { table }: LoadedEntity,
  { column, pii }: LoadedField,
): (LabelKey & { readonly mark: unknown }) | null {
  if (column === null || pii !== null || !isText(column)) return null
  const name = buildSortKeyName(column.name)
  if ((table.orders ?? []).some(({ columns }) => columns.includes(name))) return null
  return { make: textKey, tables: [], isText: true, mark: ['text', column.name] }
}

/** Null for other fields, and where the label holds personal data, whose order would tell it. */
async function choiceKey(
  context: Context,
  field: LoadedField,
): Promise<(LabelKey & { readonly mark: unknown }) | null> {
  const { kind, definition, column } = field
  const { dictType, dictValue } = definition
  if (kind.family !== 'choice' || kind.multiple || column === null || dictValue === null)
    return null
  if (dictType === dictTypes.dictionary)
    return {
      make: (stored) =>
        sql`coalesce(${itemOrder(context, dictValue, sql`${stored}::text`)}, '\\x02'::bytea || ${textKey(stored)})`,
      tables: [itemTable],
      mark: dictValue,
    }
  if (dictType === dictTypes.sql) return await sqlKey(context, dictValue)
  const relation = await loadRelation(context, field)
  if (relation === null || relation.pii !== null || relation.sealer !== null) return null
  return {
    make: (stored) => textKey(relatedLabel(context, relation, stored)),
    tables: [itemTable, ...listLabelTables(relation)],
    mark: [relation.target.tag, relation.target.revision],
  }
}

const itemTable = 'sys.dict_item'

/** The tables of a label that may be a relation, whose label may be one. */
function listLabelTables({ target, related }: Relation): string[] {
  return [tableKey(target), ...[...related.values()].flatMap(listLabelTables)]
}

/** Where the statement fails, its ids are the names of the choices, as in lists. */
async function sqlKey(context: Context, source: string) {
  const items = await sqlChoices(context, source).catch((error: unknown) => {
    if (error instanceof Refusal) return []
    throw error
  })
  const [ids, names] = [items.map(({ id }) => id), items.map(({ name }) => name)]
  return {
    make: (stored: RawBuilder<unknown>) =>
      textKey(sql`coalesce((
        select c.name from unnest(${formatTyped(ids, 'text[]')}, ${formatTyped(names, 'text[]')}) as c(id, name)
        where c.id = ${stored}::text limit 1), ${stored}::text)`),
    // Its names are values of the statement.
    tables: [],
    mark: createHash('sha1').update(JSON.stringify(items)).digest('base64'),
  }
}
