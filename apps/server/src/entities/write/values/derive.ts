// Derived fields and bounds: computed on every write from the row as it will be, whatever the client
// sent (docs/rules/contract.md#derived-fields, #rules-of-values).
import { type DictItem, isDerived, type Row, type Values, type WireValue } from '@jiaowu/api'
import { boundReads, brokenBound, derivedValues, formulasOf } from '@jiaowu/validation'
import { sql } from 'kysely'
import { tenantRows, wholeAccess } from '../../../access/access.ts'
import type { Context } from '../../../context.ts'
import { type Fault, Invalid } from '../../../platform/refusal.ts'
import { type LoadedEntity, type LoadedField, valueFields } from '../../definition/loaded.ts'
import { allOf } from '../../definition/names.ts'
import { type Relation, relationOf } from '../../definition/relation.ts'
import { hasId, idText } from '../../definition/row-key.ts'
import { columnViolation } from '../../fields/column.ts'
import { fault } from '../../read/query.ts'
import { withIds } from '../../read/row.ts'
import { type AnyDatabase, fromTable, type RawRow, rowReader, selectList } from '../../read/rows.ts'
import { customColumn } from '../../read/target.ts'
import { type Change, type Checked, isSame } from './values.ts'

/** A row that is about to be written; `id` null for a new one. */
export interface WrittenRow {
  readonly id: string | null
  readonly changes: readonly Change[]
}

/**
 * The derived values that differ from the stored ones, and the values out of bounds, of each row in
 * their order.
 */
export type Derive = (db: AnyDatabase, rows: readonly WrittenRow[]) => Promise<readonly Checked[]>

interface Source {
  readonly field: LoadedField
  readonly relation: Relation
  readonly fields: readonly LoadedField[]
}
/** Values of related rows by attrName and id. */
type Related = ReadonlyMap<string, ReadonlyMap<string, Values>>

const nothing: Checked = { changes: [], faults: [] }

/** Call before the transaction of the write: it reads other definitions. */
export async function deriveOf(
  context: Pick<Context, 'registry' | 'subject'>,
  entity: LoadedEntity,
): Promise<Derive> {
  const fields = readable(entity)
  if (
    !fields.some(({ definition }) => isDerived(definition)) &&
    boundReads(entity.formulaFields).length === 0
  )
    return async (_db, rows) => rows.map(() => nothing)
  const sources: Source[] = []
  for (const field of fields.filter(({ reads }) => reads.length > 0)) {
    const relation = await relationOf(context, field)
    if (relation !== null)
      sources.push({
        field,
        relation,
        fields: readable(relation.target).filter(({ definition }) =>
          field.reads.includes(definition.attrName),
        ),
      })
  }
  const { tenant } = context.subject
  return async (db, rows) => {
    const stored = await storedRows(db, entity, tenant, fields, rows)
    const filled = rows.map(({ id, changes }) => filledRow(fields, stored.get(id ?? ''), changes))
    const related = await relatedValues(db, tenant, sources, filled)
    return filled.map((row, i) =>
      followingOf(
        entity,
        withRelated(row, related),
        stored.get(rows[i]?.id ?? ''),
        rows[i]?.changes ?? [],
      ),
    )
  }
}

/** The changes of a row with those that follow from them. @throws Invalid */
export async function withDerived(
  derive: Derive,
  db: AnyDatabase,
  row: WrittenRow,
): Promise<readonly Change[]> {
  const [{ changes, faults } = nothing] = await derive(db, [row])
  if (faults.length > 0) throw new Invalid(faults)
  return [...row.changes, ...changes]
}

/** Formulas read no passwords and no personal data, also not of columns marked after their save. */
function readable(entity: LoadedEntity): LoadedField[] {
  return valueFields(entity).filter(({ kind, pii }) => !kind.secret && pii === null)
}

/** The rows as they are stored, with the values that the writer may not see. */
async function storedRows(
  db: AnyDatabase,
  entity: LoadedEntity,
  tenant: string,
  fields: readonly LoadedField[],
  rows: readonly WrittenRow[],
): Promise<ReadonlyMap<string, Row>> {
  const ids = rows.flatMap(({ id }) => id ?? [])
  if (ids.length === 0) return new Map()
  const names = new Set(
    [
      ...formulasOf(entity.formulaFields).map(({ field, reads }) => [field.attrName, ...reads]),
      ...boundReads(entity.formulaFields).map(({ attrName, reads }) => [attrName, ...reads]),
    ].flat(),
  )
  const read = fields.filter(({ definition }) => names.has(definition.attrName))
  const access = wholeAccess(entity, tenant)
  const { rows: raws } = await sql<RawRow>`
    select ${selectList(access, read)} from ${fromTable(entity)}
    where ${withIds(access, ids)}`.execute(db)
  return new Map(raws.map(rowReader(access, read, 'any', 'stored')).map((row) => [row.id, row]))
}

function filledRow(
  fields: readonly LoadedField[],
  stored: Row | undefined,
  changes: readonly Change[],
): Values {
  const changed = new Map(changes.map(({ field, value }) => [field.definition.attrName, value]))
  return Object.fromEntries(
    fields.map(({ definition: { attrName }, kind }) => [
      attrName,
      changed.get(attrName) ?? (changed.has(attrName) ? null : stored?.[attrName]) ?? kind.empty,
    ]),
  )
}

async function relatedValues(
  db: AnyDatabase,
  tenant: string,
  sources: readonly Source[],
  rows: readonly Values[],
): Promise<Related> {
  const found = new Map<string, ReadonlyMap<string, Values>>()
  for (const { field, relation, fields } of sources) {
    const { attrName } = field.definition
    const ids = [...new Set(rows.flatMap((row) => itemsOf(row[attrName]).map(({ id }) => id)))]
    const { target, keyed } = relation
    const access = wholeAccess(target, tenant)
    // Rows in the recycle bin count too: the row still refers to them.
    const where = allOf([tenantRows(target, tenant), hasId(keyed, ids)])
    const { rows: raws } =
      ids.length === 0
        ? { rows: [] }
        : await sql<RawRow & { key: string }>`
            select ${selectList(access, fields)}, ${idText(keyed)} as key
            from ${fromTable(target)} where ${where}`.execute(db)
    const read = rowReader(access, fields, 'any', 'stored')
    const values = new Map<string, Values>(
      raws.map((raw) => [raw.key, valuesOf(fields, read(raw))]),
    )
    const none = valuesOf(fields, { id: '' })
    found.set(attrName, new Map(ids.map((id) => [id, values.get(id) ?? none])))
  }
  return found
}

function valuesOf(fields: readonly LoadedField[], row: Row): Values {
  return Object.fromEntries(
    fields.map(({ definition: { attrName }, kind }) => [attrName, row[attrName] ?? kind.empty]),
  )
}

function withRelated(row: Values, related: Related): Values {
  const named = [...related].map(([attrName, values]) => [
    attrName,
    itemsOf(row[attrName]).map(({ id }) => ({ id, name: '', values: values.get(id) ?? {} })),
  ])
  return { ...row, ...(Object.fromEntries(named) as Values) }
}

function itemsOf(value: WireValue | undefined): readonly DictItem[] {
  return Array.isArray(value) ? (value as readonly DictItem[]) : []
}

function followingOf(
  entity: LoadedEntity,
  row: Values,
  stored: Row | undefined,
  changes: readonly Change[],
): Checked {
  const derived = derivedOf(entity, row, stored)
  return {
    changes: derived.changes,
    faults: [
      ...derived.faults,
      ...outOfBounds(entity, row, stored, [...changes, ...derived.changes]),
    ],
  }
}

/**
 * Values out of bounds that the write brings about: a changed value, or a changed bound. What was
 * stored before its field had bounds stays until then.
 */
function outOfBounds(
  entity: LoadedEntity,
  row: Values,
  stored: Row | undefined,
  changes: readonly Change[],
): Fault[] {
  const changed = new Set(
    changes
      .filter(({ field: { definition }, value }) =>
        stored === undefined ? true : !isSame(value, stored[definition.attrName] ?? null),
      )
      .map(({ field }) => field.definition.attrName),
  )
  const final = {
    ...row,
    ...Object.fromEntries(
      changes
        .filter(({ field }) => isDerived(field.definition))
        .map(({ field, value }) => [field.definition.attrName, value]),
    ),
  }
  return boundReads(entity.formulaFields).flatMap(({ attrName, reads }) => {
    const field = entity.field(attrName)
    if (field === undefined || ![attrName, ...reads].some((name) => changed.has(name))) return []
    const broken = brokenBound(field.definition, final[attrName] ?? null, final)
    return broken === null ? [] : [fault(attrName, broken.name, broken.message)]
  })
}

function derivedOf(entity: LoadedEntity, row: Values, stored: Row | undefined): Checked {
  const changes: Change[] = []
  const faults: Fault[] = []
  for (const [attrName, value] of Object.entries(derivedValues(entity.formulaFields, row))) {
    const field = entity.field(attrName)
    if (field === undefined || (stored !== undefined && isSame(value, stored[attrName] ?? null)))
      continue
    const wrong = unfit(field, value)
    if (wrong === null) changes.push({ field, value })
    else faults.push(wrong)
  }
  return { changes, faults }
}

function unfit(field: LoadedField, value: WireValue): Fault | null {
  const { attrName } = field.definition
  const column = field.column ?? customColumn(field)
  const stored = field.storage.store(value, column)
  if (stored === null && !column.nullable && !column.hasDefault)
    return fault(attrName, 'required', { key: 'rule.derivedEmpty' })
  return columnViolation(stored, column) === null
    ? null
    : fault(attrName, 'derived', { key: 'rule.derived' })
}
