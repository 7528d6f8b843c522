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
import type { LoadedField } from '../../../model/definition/loaded.ts'
import { formatTyped } from '../../../model/definition/names.ts'
import { type Relation, loadRelation } from '../../../model/definition/relation.ts'
import { keyCast } from '../../../model/definition/row-key.ts'
import { chooseCast, type Column, familyOf } from '../../../model/fields/column.ts'
import { Refusal } from '../../../platform/refusal.ts'

/** Makes the key of a value that a choice stores. */
type MakeKey = (stored: RawBuilder<unknown>) => RawBuilder<unknown>
interface ChoiceKey {
  readonly make: MakeKey
  /** The tables that hold the labels, as `tableKey` names them. */
  readonly tables: readonly string[]
}
export interface OrderKeys {
  /** By attrName, of the choices among the fields to sort by. */
  readonly choices: ReadonlyMap<string, ChoiceKey>
  /** Changes with what the expressions say. */
  readonly mark: string
}
export const noKeys: OrderKeys = { choices: new Map(), mark: '' }

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
/** The label of a choice: rows that store the same value have the same key. */
export interface Label extends ChoiceKey {
  readonly stored: RawBuilder<unknown>
  /** The type to bind a stored value with. */
  readonly storedCast: string
}

/** Builds the key that orders a field by the text that it shows. */
export function orderKey(
  attrName: string,
  column: Column,
  stored: RawBuilder<unknown>,
  { choices }: OrderKeys,
): OrderKey {
  const choice = choices.get(attrName)
  if (choice !== undefined) {
    const name = sql.id(`by ${createHash('sha1').update(attrName).digest('hex').slice(0, 12)}`)
    // The database makes each key once for all rows that store the same value (Memoize).
    return {
      ref: sql`${name}."key"`,
      cast: 'bytea',
      join: sql`left join lateral (select ${choice.make(stored)} as "key" offset 0) as ${name} on true`,
      label: { ...choice, stored, storedCast: chooseCast(column) },
    }
  }
  return isText(column)
    ? { ref: textKey(stored), cast: 'bytea' }
    : { ref: stored, cast: keyCast(column) }
}

/** The keys of the choices among the fields by which a list is ordered. */
export async function orderKeysFor(
  context: Context,
  { entity }: EntityAccess,
  sorts: readonly Sort[],
): Promise<OrderKeys> {
  const asked = sorts.length > 0 ? sorts : entity.definition.options.sorts
  const choices = new Map<string, ChoiceKey>()
  const marks: unknown[] = []
  for (const { column } of asked) {
    const field = entity.field(column)
    if (field === undefined) continue
    const made = await choiceKey(context, field)
    if (made === null) continue
    choices.set(column, made)
    marks.push(made.mark)
  }
  return choices.size === 0 ? noKeys : { choices, mark: JSON.stringify(marks) }
}

/** Null for other fields, and where the label holds personal data, whose order would tell it. */
async function choiceKey(
  context: Context,
  field: LoadedField,
): Promise<(ChoiceKey & { readonly mark: unknown }) | null> {
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
