// Adds the names of chosen items to rows, with one query per source for a whole page
// (docs/rules/requests.md#r13).
import { dictTypes } from '@jiaowu/api/entity/enums'
import type { DictItem, Row } from '@jiaowu/api/entity/values'
import { sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { sqlChoices } from '../custom-sql/run.ts'
import { Refusal } from '../../platform/refusal.ts'
import { dictionaryNames } from '../../model/definition/dictionary.ts'
import type { LoadedField } from '../../model/definition/loaded.ts'
import { allOf } from '../../model/definition/names.ts'
import { aimedAt, tagIn } from '../../model/definition/named-target.ts'
import { hasId, idText } from '../../model/definition/row-key.ts'
import { labelledRows, labelRef, lookupAccess } from '../../access/lookup-access.ts'
import { loadRelation, type Relation, shownName } from '../../model/definition/relation.ts'
import { chosenValues } from './filter/chosen-values.ts'
import type { RawRow } from './rows.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import { databaseOf } from '../../platform/database/any-database.ts'

/** Names by id, of related rows with the values that formulas read. */
type Names = ReadonlyMap<string, Omit<DictItem, 'id'>>
const noNames: Names = new Map()

/**
 * Names of another entity's rows that the caller may read, including deleted ones: rows may still
 * refer to them.
 */
async function relationNames(
  context: Context,
  relation: Relation,
  reads: readonly string[],
  ids: readonly string[],
): Promise<Names> {
  const { target, keyed } = relation
  const access = lookupAccess(context, target)
  const values = chosenValues(access, reads)
  const where = allOf([labelledRows(access), hasId(keyed, ids)])
  const { rows } = await sql<RawRow & { key: string; name: string | null }>`
    select ${idText(keyed)} as key, ${labelRef(context, access, relation, 'parts')}::text as name${values.columns}
    from ${fromTable(target)} where ${where}`.execute(databaseOf(context))
  return new Map(
    rows.map((row) => [
      row.key,
      { name: row.name === null ? row.key : shownName(relation, row.name), ...values.of(row) },
    ]),
  )
}

/** The rows with the names of their choices. An unknown id is its own name. */
export async function labelRows(
  context: Context,
  fields: readonly LoadedField[],
  rows: readonly Row[],
): Promise<Row[]> {
  const choices = fields.filter(({ kind }) => kind.family === 'choice')
  if (rows.length === 0 || choices.length === 0) return [...rows]
  const names = new Map<string, Names>()
  const asked = choices.flatMap((field) => withRows(field, rows))
  for (const [source, sharing] of Map.groupBy(asked, ({ field }) => buildSourceKey(field)))
    names.set(source, await namesFor(context, sharing))
  const label = (row: Row, field: LoadedField): readonly [string, readonly DictItem[]][] => {
    const { attrName } = field.definition
    if (row[attrName] === undefined) return []
    const known = names.get(buildSourceKey(inRow(field, row))) ?? noNames
    return [
      [attrName, readItems(row[attrName]).map(({ id }) => ({ id, name: id, ...known.get(id) }))],
    ]
  }
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(choices.flatMap((field) => label(row, field))),
  }))
}

/** A field with the rows whose labels it needs. */
interface Asked {
  readonly field: LoadedField
  readonly rows: readonly Row[]
}

/** Pairs a relation to several entities with the rows in which it has each target. */
export function withRows(field: LoadedField, rows: readonly Row[]): Asked[] {
  const { namedBy } = field
  if (namedBy === undefined) return [{ field, rows }]
  return [...Map.groupBy(rows, (row) => tagIn(row[namedBy.attrName]) ?? '')].map(([tag, some]) => ({
    field: aimedAt(field, tag),
    rows: some,
  }))
}

function inRow(field: LoadedField, row: Row): LoadedField {
  return field.namedBy === undefined
    ? field
    : aimedAt(field, tagIn(row[field.namedBy.attrName]) ?? '')
}

function buildSourceKey({ definition: { dictType, dictValue } }: LoadedField): string {
  return `${dictType} ${dictValue ?? ''}`
}

async function namesFor(context: Context, asked: readonly Asked[]): Promise<Names> {
  const fields = asked.map(({ field }) => field)
  const [first] = fields
  const ids = [...new Set(asked.flatMap(listLabelIds))]
  if (first === undefined || ids.length === 0) return noNames
  const { dictType, dictValue } = first.definition
  if (dictType === dictTypes.dictionary && dictValue !== null)
    return toNames(await dictionaryNames(context, dictValue, ids))
  if (dictType === dictTypes.sql) return await sqlNames(context, dictValue)
  const relation = await loadRelation(context, first)
  const reads = [...new Set(fields.flatMap((field) => field.reads))]
  return relation === null ? noNames : await relationNames(context, relation, reads, ids)
}

function toNames(names: ReadonlyMap<string, string>): Names {
  return new Map([...names].map(([id, name]) => [id, { name }]))
}

function listLabelIds({ field: { definition }, rows }: Asked): string[] {
  return rows.flatMap((row) => readItems(row[definition.attrName]).map(({ id }) => id))
}

function readItems(value: unknown): readonly DictItem[] {
  return Array.isArray(value) ? (value as readonly DictItem[]) : []
}

/**
 * When the statement fails, which sqlChoices logs, the ids serve as names so that the list still
 * loads.
 */
async function sqlNames(context: Context, source: string | null): Promise<Names> {
  if (source === null) return noNames
  try {
    return new Map((await sqlChoices(context, source)).map(({ id, name }) => [id, { name }]))
  } catch (error) {
    if (error instanceof Refusal) return noNames
    throw error
  }
}
