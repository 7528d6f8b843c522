// Choices as sheets write them: with the key beside the name where the name alone does not tell the
// record, because it is masked or another record has the same one. An import takes them back.
import { dictTypes } from '@jiaowu/api/entity/enums'
import type { DictItem, Row } from '@jiaowu/api/entity/values'
import { sql } from 'kysely'
import { fieldRows, isAllowed } from '../../access/access.ts'
import { labelRef, type LookupAccess, lookupAccess } from '../../access/lookup-access.ts'
import type { Context } from '../../model/context.ts'
import { dictionaryItems } from '../../model/definition/dictionary.ts'
import { type LoadedField, valueFields } from '../../model/definition/loaded.ts'
import { allOf, columnRef } from '../../model/definition/names.ts'
import { type Relation, loadRelation } from '../../model/definition/relation.ts'
import { namedTargets } from '../../model/definition/named-target.ts'
import { hasId, idText } from '../../model/definition/row-key.ts'
import { familyOf } from '../../model/fields/column.ts'
import { codedName } from '../sheets/coded-name.ts'
import { withRows } from './labels.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { countUpTo } from './totals/count.ts'

/** Names of more records than this are not compared with each other: they carry their keys. */
const compared = 200_000

/** The fields among these whose names do not tell the records apart. */
export async function codedFields(
  context: Context,
  fields: readonly LoadedField[],
): Promise<LoadedField[]> {
  const found: LoadedField[] = []
  for (const field of fields) {
    const { dictType, dictValue } = field.definition
    if (field.kind.family !== 'choice') continue
    const isCoded =
      dictType === dictTypes.dictionary && dictValue !== null
        ? repeats(await dictionaryItems(context, dictValue))
        : dictType === dictTypes.entity && (await isDoubtful(context, field))
    if (isCoded) found.push(field)
  }
  return found
}

function repeats(items: readonly DictItem[]): boolean {
  const names = items.map(({ name }) => name.normalize('NFKC').toLowerCase().trim())
  return new Set(names).size < names.length
}

async function isDoubtful(context: Context, field: LoadedField): Promise<boolean> {
  if (field.namedBy === undefined) return await isDoubtfulRelation(context, field)
  for (const target of (await namedTargets(context, field)).values())
    if (await isDoubtfulRelation(context, target)) return true
  return false
}

async function isDoubtfulRelation(context: Context, field: LoadedField): Promise<boolean> {
  const relation = await loadRelation(context, field)
  if (relation === null) return false
  if (relation.pii !== null) return true
  const access = lookupAccess(context, relation.target)
  if (isNamedUniquely(relation, access)) return false
  const db = databaseOf(context)
  const plan = { access, where: access.rows, order: [] }
  if ((await countUpTo(db, plan, compared + 1)) > compared) return true
  const name = labelRef(context, access, relation)
  const { rows } = await sql`
    select 1 from ${fromTable(relation.target)} where ${access.rows}
    group by lower(normalize(trim(${name}::text), NFKC)) having count(*) > 1 limit 1`.execute(db)
  return rows.length > 0
}

/** Whether the one column that names the records has a unique index, whose texts differ in more than case. */
function isNamedUniquely({ labels, pattern, target }: Relation, access: LookupAccess): boolean {
  const [first] = labels
  return (
    pattern === null &&
    first !== undefined &&
    first.column !== null &&
    familyOf(first.column) !== 'text' &&
    isUnique(target, first.column.name) &&
    isAllowed(access, first, 'detail') &&
    fieldRows(access, first, 'detail') === null
  )
}

function isUnique({ table }: Relation['target'], column: string): boolean {
  return [...table.uniques.values()].some(
    (names) => names.filter((name) => name !== 'tenant_id').join() === column,
  )
}

/** The rows with the keys of their chosen records beside the names. */
export async function codedRows(
  context: Context,
  fields: readonly LoadedField[],
  rows: readonly Row[],
): Promise<Row[]> {
  const coded = new Map<Row, Record<string, readonly DictItem[]>>()
  for (const asked of fields.flatMap((field) => withRows(field, rows))) {
    const { attrName } = asked.field.definition
    const items = (row: Row) => toItemList(row[attrName])
    const ids = [...new Set(asked.rows.flatMap((row) => items(row).map(({ id }) => id)))]
    if (ids.length === 0) continue
    const codes = await loadCodes(context, asked.field, ids)
    for (const row of asked.rows) {
      const named = items(row).map((item) => withCode(item, codes.get(item.id) ?? item.id))
      coded.set(row, { ...coded.get(row), [attrName]: named })
    }
  }
  return rows.map((row) => ({ ...row, ...coded.get(row) }))
}

function withCode(item: DictItem, code: string): DictItem {
  return item.name === code || item.name === ''
    ? item
    : { ...item, name: codedName(item.name, code) }
}

function toItemList(value: unknown): readonly DictItem[] {
  return Array.isArray(value) ? (value as readonly DictItem[]) : []
}

/**
 * Loads the codes that records show beside their names, by ide their names, by id: a number such as
 * that of a student, else the id.
 */
async function loadCodes(
  context: Context,
  field: LoadedField,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const relation = await loadRelation(context, field)
  if (relation === null) return new Map()
  const access = lookupAccess(context, relation.target)
  const column = codeColumn(access, relation)
  if (column === null) return new Map()
  const { rows } = await sql<{ id: string; code: string | null }>`
    select ${idText(relation.keyed)} as id, ${columnRef(column)}::text as code
    from ${fromTable(relation.target)}
    where ${allOf([access.rows, hasId(relation.keyed, ids)])}`.execute(databaseOf(context))
  return new Map(
    rows.flatMap(({ id, code }) => (code === null || code === '' ? [] : [[id, code] as const])),
  )
}

/** A column of unique texts that the caller may see and that names nobody, such as a student number. */
function codeColumn(access: LookupAccess, { labels, pattern, keyed }: Relation): string | null {
  if (!access.mayView) return null
  const found = valueFields(access.entity).find((field) => {
    const { column } = field
    return (
      column !== null &&
      familyOf(column) === 'text' &&
      !field.kind.secret &&
      field.pii === null &&
      field.sealer === null &&
      (pattern !== null || labels[0] !== field) &&
      !keyed.key.some(({ name }) => name === column.name) &&
      isUnique(access.entity, column.name) &&
      isAllowed(access, field, 'detail') &&
      fieldRows(access, field, 'detail') === null
    )
  })
  return found?.column?.name ?? null
}
