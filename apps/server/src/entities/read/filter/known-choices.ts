// Refuses filters by a word that is no choice of its field, which would find nothing without a word.
import { maxValues } from './operands.ts'
import { dictTypes } from '@jiaowu/api/entity/enums'
import { buildNoChoice } from '@jiaowu/api/fields/no-choice'
import type { DictItem } from '@jiaowu/api/entity/values'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import type { WhereLeaf } from '@jiaowu/api/entity/list/list-query'
import { sql } from 'kysely'
import { type EntityAccess } from '../../../access/access.ts'
import { lookupAccess } from '../../../access/lookup-access.ts'
import type { MemoryKind } from '../../../platform/memory.ts'
import type { Context } from '../../../model/context.ts'
import { type Fault, Invalid, Refusal } from '../../../platform/refusal.ts'
import { dictionaryItems } from '../../../model/definition/dictionary.ts'
import type { LoadedField } from '../../../model/definition/loaded.ts'
import { allOf } from '../../../model/definition/names.ts'
import { type Column, familyOf } from '../../../model/fields/column.ts'
import { loadRelation } from '../../../model/definition/relation.ts'
import { hasId, isPossibleId } from '../../../model/definition/row-key.ts'
import { sqlLimits } from '../../custom-sql/allowed.ts'
import { sqlChoices } from '../../custom-sql/run.ts'
import { compileQuery, filterOperator, isQueryable, type ListQuery } from '../query.ts'
import { fromTable } from '../../../model/definition/from-table.ts'
import { databaseOf } from '../../../platform/database/any-database.ts'
import { listField } from './times.ts'
import { whereLeaves } from './where.ts'

/** Operators that compare with whole choices. */
const wholeOperators: readonly string[] = ['equal', 'notEqual', 'in', 'multiContains']
/** A choice that once was good stays so: rows may still hold it. By school, source and id. */
const goodChoices: MemoryKind<true> = { name: 'choices', limit: 20_000 }

interface Asked {
  readonly path: string
  readonly field: LoadedField
  readonly ids: readonly string[]
  /** One text may be one choice, or several with commas between them. */
  readonly isText: boolean
}

/**
 * Call before a list is read. A value that a row of the caller holds is good, whether or not it can
 * still be chosen.
 * @throws Invalid with one fault per filter, naming the field and its choices
 */
export async function assertChoices(
  context: Context,
  access: EntityAccess,
  query: Pick<ListQuery, 'queries' | 'where'>,
): Promise<void> {
  const faults: Fault[] = []
  for (const asked of choicesIn(access, query)) {
    const fault = await faultIn(context, access, asked)
    if (fault !== null) faults.push(fault)
  }
  if (faults.length > 0) throw new Invalid(faults)
}

function choicesIn(
  access: EntityAccess,
  { queries, where }: Pick<ListQuery, 'queries' | 'where'>,
): Asked[] {
  const filters = Object.entries(queries).map(([name, raw]) => {
    const field = listField(access.entity, name)
    const op = field === undefined ? null : filterOperator(field)
    return { path: `queries.${name}`, field, op: op ?? '', raw }
  })
  const leaves = whereLeaves(where).map(({ column, op, value }: WhereLeaf) => ({
    path: `where.${column}`,
    field: listField(access.entity, column),
    op: op as string,
    raw: value,
  }))
  return [...filters, ...leaves].flatMap(({ path, field, op, raw }) =>
    field === undefined ||
    field.kind.family !== 'choice' ||
    field.sealer !== null ||
    listLength(raw) > maxValues ||
    isEmpty(raw) ||
    !wholeOperators.includes(op) ||
    !isQueryable(access, field)
      ? []
      : [{ path, field, ids: listIds(raw), isText: typeof raw === 'string' }],
  )
}

/** More values than a filter takes are refused as such. */
function listLength(raw: unknown): number {
  return Array.isArray(raw) ? raw.length : typeof raw === 'string' ? raw.split(',').length : 1
}

function listIds(raw: unknown): string[] {
  const list: unknown[] = Array.isArray(raw) ? raw : [raw]
  return list.flatMap((each) => {
    const id = typeof each === 'object' && each !== null && 'id' in each ? each.id : each
    return typeof id === 'string' || typeof id === 'number' ? [String(id)] : []
  })
}

async function faultIn(
  context: Context,
  access: EntityAccess,
  { path, field, ids, isText }: Asked,
): Promise<Fault | null> {
  const source = `${context.subject.tenant} ${String(field.definition.dictType)} ${field.definition.dictValue ?? ''} `
  const known = context.memory.of(goodChoices)
  const doubtful = ids.filter((id) => known.get(source + id) === undefined)
  if (doubtful.length === 0) return null
  const items = await listItems(context, field, doubtful)
  if (items === null) return null
  const isItem = (id: string) => items.some((item) => item.id === id)
  for (const id of doubtful.filter(isItem)) known.set(source + id, true)
  for (const id of doubtful.filter((each) => !isItem(each))) {
    if (await isHeld(context, access, field, id)) continue
    if (isText && id.includes(','))
      return await faultIn(context, access, { path, field, ids: id.split(','), isText: false })
    return { path, rule: 'value', message: buildNoChoice(nameField(context, field), id, items) }
  }
  return null
}

/** The choices of a field; of an entity only those asked for. Null where they cannot be known. */
async function listItems(
  context: Context,
  field: LoadedField,
  ids: readonly string[],
): Promise<readonly DictItem[] | null> {
  const { dictType, dictValue } = field.definition
  if (dictType === dictTypes.dictionary && dictValue !== null) {
    const items = await dictionaryItems(context, dictValue)
    return items.length === 0 ? null : items
  }
  if (dictType === dictTypes.sql && dictValue !== null) return await sqlItems(context, field)
  if (dictType !== dictTypes.entity) return null
  const relation = await loadRelation(context, field)
  if (relation === null) return null
  const { keyed } = relation
  const possible = ids.filter((id) => isPossibleId(keyed, id))
  // A number is no word: a record that is gone, or that others may see, has no rows here.
  if (!hasTextKey(keyed.key)) return possible.map((id) => ({ id, name: '' }))
  const target = lookupAccess(context, relation.target)
  const found: DictItem[] = []
  for (const id of possible) {
    const { rows } = await sql`
      select 1 from ${fromTable(target.entity)}
      where ${allOf([target.rows, hasId(keyed, [id])])} limit 1`.execute(databaseOf(context))
    if (rows.length > 0) found.push({ id, name: '' })
  }
  return found
}

/**
 * The choices of a statement. Unknown where they depend on another field of the row, where there are more
 * than one answer holds, and where the statement fails: the list itself does not need it.
 */
async function sqlItems(
  context: Context,
  { definition: { dictValue, options } }: LoadedField,
): Promise<readonly DictItem[] | null> {
  if ((options.cascades ?? []).length > 0) return null
  try {
    const items = await sqlChoices(context, dictValue ?? '')
    return items.length === 0 || items.length >= sqlLimits.rows ? null : items
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

function hasTextKey(key: readonly Column[]): boolean {
  return key.some((column) => familyOf(column) === 'text')
}

/** Whether a row of the caller holds the value, such as an item that was taken out of use. */
async function isHeld(
  context: Context,
  access: EntityAccess,
  field: LoadedField,
  id: string,
): Promise<boolean> {
  const leaf = { column: field.definition.attrName, op: 'in', value: [id] } as const
  try {
    const { where } = compileQuery(access, { queries: {}, sorts: [], where: { and: [leaf] } })
    const { rows } = await sql`
      select 1 from ${fromTable(access.entity)} where ${where} limit 1`.execute(databaseOf(context))
    return rows.length > 0
  } catch (error) {
    if (error instanceof Invalid) return false
    throw error
  }
}

function nameField({ locale }: Context, { definition: { uiLabel, options } }: LoadedField): string {
  return locale === 'en' ? (options.labelEn ?? uiLabel) : uiLabel
}
