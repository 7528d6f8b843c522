// Checks that chosen items exist, as items of a dictionary or rows the caller may choose, and that
// the choice of a cascade belongs to the choice of its parent (docs/spec/1-entity-console.md §4).
import { dictTypes } from '@jiaowu/api/entity/enums'
import type { DictItem, Row, WireValue } from '@jiaowu/api/entity/values'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import { type RawBuilder, sql } from 'kysely'
import { cascadeConditions, cascadeItems, type ParentIds } from './cascades.ts'
import type { Context } from '../../model/context.ts'
import { sqlChoices } from '../custom-sql/run.ts'
import { type Fault, Invalid } from '../../platform/refusal.ts'
import { type LookupAccess, lookupAccess } from '../../access/lookup-access.ts'
import { dictionaryItems } from '../../model/definition/dictionary.ts'
import type { LoadedField } from '../../model/definition/loaded.ts'
import { allOf } from '../../model/definition/names.ts'
import { namedTargets, tagIn, unpairedFault } from '../../model/definition/named-target.ts'
import { hasId, isPossibleId, type Keyed } from '../../model/definition/row-key.ts'
import { buildFilterFault } from '../read/query.ts'
import { loadRelation } from '../../model/definition/relation.ts'
import { sharedLock } from '../read/rows.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import type { AnyDatabase } from '../../platform/database/any-database.ts'
import type { Change } from '../write/values/values.ts'
import type { Run } from '../write/writer.ts'

/** Where the choices of a field come from, read before the transaction that checks them. */
export interface ChoiceSource {
  readonly field: LoadedField
  readonly target: LookupAccess | null
  /** The key of the target that the field stores. */
  readonly keyed?: Keyed | undefined
  /** Items of a dictionary or custom SQL; null for an entity. */
  readonly items: readonly DictItem[] | null
  /** The sources of a relation to several entities, by tag. */
  readonly named?: ReadonlyMap<string, ChoiceSource>
}

/** Reads the sources of the fields' choices. Call before the transaction. */
export async function loadChoiceSources(
  context: Context,
  fields: readonly LoadedField[],
): Promise<ChoiceSource[]> {
  const found: ChoiceSource[] = []
  for (const field of fields.filter(({ kind }) => kind.family === 'choice')) {
    const { dictType, dictValue } = field.definition
    if (dictType === dictTypes.dictionary && dictValue !== null)
      found.push({ field, target: null, items: await dictionaryItems(context, dictValue) })
    if (dictType === dictTypes.sql)
      found.push({
        field,
        target: null,
        items: dictValue === null ? [] : await sqlChoices(context, dictValue),
      })
    if (dictType === dictTypes.entity)
      found.push(
        field.namedBy === undefined
          ? await relatedSource(context, field)
          : await namedSource(context, field),
      )
  }
  return found
}

async function relatedSource(context: Context, field: LoadedField): Promise<ChoiceSource> {
  const relation = await loadRelation(context, field)
  return {
    field,
    target: relation === null ? null : lookupAccess(context, relation.target),
    keyed: relation?.keyed,
    items: relation === null ? [] : null,
  }
}

async function namedSource(context: Context, field: LoadedField): Promise<ChoiceSource> {
  const named = new Map<string, ChoiceSource>()
  for (const [tag, target] of await namedTargets(context, field))
    named.set(tag, await relatedSource(context, target))
  return { field, target: null, items: [], named }
}

/** The check of choices for a write of single rows. */
export function checkedChoices(sources: readonly ChoiceSource[]): Run {
  return async ({ trx, rows, refuse }) => {
    for (const row of rows) {
      const faults = await choiceFaults(
        trx,
        sources,
        row.changes,
        valueIn(row.changes, row.stored ?? null),
      )
      if (faults.length > 0) refuse(row, { rule: 'choice' }, () => new Invalid(faults))
    }
  }
}

/** Values of a row as it will be. */
export function valueIn(changes: readonly Change[], stored: Row | null) {
  return (attrName: string): WireValue | undefined => {
    const change = changes.find(({ field }) => field.definition.attrName === attrName)
    return change === undefined ? stored?.[attrName] : change.value
  }
}

/**
 * The faults of changed choices, and of those whose cascade parent changed. Other stored choices
 * are not checked again. `valueOf` reads the row as it will be after the save.
 */
export async function choiceFaults(
  db: AnyDatabase,
  choices: readonly ChoiceSource[],
  changes: readonly Change[],
  valueOf: (attrName: string) => WireValue | undefined,
): Promise<Fault[]> {
  const changed = new Set(changes.map(({ field }) => field.definition.attrName))
  const faults: Fault[] = []
  for (const each of choices) {
    const { attrName, options } = each.field.definition
    const parents = (options.cascades ?? []).map((cascade) => cascade.attrName)
    const ids = listChoiceIds(valueOf(attrName))
    if (!(changed.has(attrName) || parents.some((parent) => changed.has(parent)))) continue
    const unpaired = unpairedFault(each.field, valueOf)
    if (unpaired !== null) faults.push(unpaired)
    if (ids.length === 0 || unpaired !== null) continue
    const tag = tagIn(valueOf(each.field.namedBy?.attrName ?? ''))
    const source = each.named?.get(tag ?? '') ?? each
    const found = await findChoiceFault(db, source, ids, (parent) => {
      const chosen = listChoiceIds(valueOf(parent))
      return chosen.length === 0 ? null : chosen
    })
    if (found !== null) faults.push(found)
  }
  return faults
}

function listChoiceIds(value: WireValue | undefined): string[] {
  return Array.isArray(value)
    ? value.map(({ id }: DictItem) => id)
    : isEmpty(value)
      ? []
      : [String(value)]
}

async function findChoiceFault(
  db: AnyDatabase,
  { field, target, keyed, items }: ChoiceSource,
  ids: readonly string[],
  parentIds: ParentIds,
): Promise<Fault | null> {
  const { attrName } = field.definition
  if (items !== null) {
    const has = (some: readonly DictItem[]) =>
      ids.every((id) => some.some((item) => item.id === id))
    if (!has(items)) return buildFilterFault(attrName, 'choice', { key: 'rule.choice' })
    return has(cascadeItems(field, items, parentIds))
      ? null
      : buildFilterFault(attrName, 'cascade', { key: 'entity.cascade' })
  }
  const key = keyed ?? target?.entity
  if (
    target === null ||
    key === undefined ||
    (await countExisting(db, target, key, ids, [])) !== ids.length
  )
    return buildFilterFault(attrName, 'choice', { key: 'rule.choice' })
  const conditions = cascadeConditions(target, field, parentIds)
  return conditions.length === 0 ||
    (await countExisting(db, target, key, ids, conditions)) === ids.length
    ? null
    : buildFilterFault(attrName, 'cascade', { key: 'entity.cascade' })
}

/** Counts the chosen rows and locks them against deletion until the transaction ends. */
async function countExisting(
  db: AnyDatabase,
  target: LookupAccess,
  keyed: Keyed,
  ids: readonly string[],
  conditions: readonly RawBuilder<unknown>[],
): Promise<number> {
  if (!ids.every((id) => isPossibleId(keyed, id))) return 0
  const where = allOf([target.rows, hasId(keyed, ids), ...conditions])
  const { rows } = await sql`
    select 1 from ${fromTable(target.entity)} where ${where} ${sharedLock(target.entity)}`.execute(
    db,
  )
  return rows.length
}
