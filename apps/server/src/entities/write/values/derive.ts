// Derived fields and bounds: computed on every write from the row as it will be, whatever the client
// sent (docs/rules/contract.md#derived-fields, #rules-of-values).
import type { DictItem, Row, Values, WireValue } from '@jiaowu/api/entity/values'
import type { FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import { isDerived } from '@jiaowu/api/entity/config'
import { boundReads, brokenBounds, derivedValues, parseFormulas } from '@jiaowu/validation'
import { sql } from 'kysely'
import { tenantRows, wholeAccess } from '../../../access/access.ts'
import type { Context } from '../../../model/context.ts'
import type { Fault } from '../../../platform/refusal.ts'
import {
  type LoadedEntity,
  type LoadedField,
  valueFields,
} from '../../../model/definition/loaded.ts'
import { fieldKey, tableKey } from '../../../model/definition/column-key.ts'
import { allOf } from '../../../model/definition/names.ts'
import { type Relation, loadRelation } from '../../../model/definition/relation.ts'
import { hasId, idText } from '../../../model/definition/row-key.ts'
import { columnViolation } from '../../../model/fields/column.ts'
import { buildFilterFault } from '../../read/query.ts'
import { withIds } from '../../read/row.ts'
import { type RawRow, rowReader, selectList } from '../../read/rows.ts'
import { fromTable } from '../../../model/definition/from-table.ts'
import type { AnyDatabase } from '../../../platform/database/any-database.ts'
import { customColumn } from '../../read/target.ts'
import { type Change, type Checked, isSameValue } from './values.ts'

/** A row that is about to be written; `id` null for a new one. */
interface WrittenRow {
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

/** The formulas and bounds of one definition over a table, with what they read. */
interface TableRules {
  readonly entity: LoadedEntity
  readonly fields: readonly LoadedField[]
  /** Without the formulas of columns that another definition computes. */
  readonly formulas: readonly FieldDefinition[]
  readonly sources: readonly Source[]
}

/**
 * Derives values and checks bounds by the definitions of all entities over the table: a value is
 * the same through whichever of them it is written. Where two compute a column, the formula
 * declared first counts for all. Call before the transaction of the write: it reads other
 * definitions.
 */
export async function createDerivation(
  context: Pick<Context, 'registry' | 'subject'>,
  entity: LoadedEntity,
): Promise<Derive> {
  const { tenant } = context.subject
  const others = context.registry
    .ofTable(tenant, tableKey(entity))
    .filter(({ tag }) => tag !== entity.tag)
  const all = [entity, ...others].filter(hasRules)
  const owners = formulaOwners(all)
  const rules: TableRules[] = []
  // In the order of declaration: later formulas read what earlier ones compute.
  for (const each of all.toSorted((a, b) => compareIds(firstFormula(a), firstFormula(b))))
    rules.push({
      entity: each,
      fields: readable(each),
      formulas: ownFormulas(each, owners),
      sources: await loadBoundSources(context, each),
    })
  if (rules.length === 0) return async (_db, rows) => rows.map(() => nothing)
  return async (db, rows) => {
    const found = rows.map((): Checked => nothing)
    for (const rule of rules) {
      const given = rows.map(({ id, changes }, i) => ({
        id,
        changes: translateChanges(rule.entity, [...changes, ...(found[i]?.changes ?? [])]),
      }))
      for (const [i, followed] of (await follow(db, entity, tenant, rule, given)).entries()) {
        const before = found[i] ?? nothing
        found[i] = joinChecked(entity, rule.entity, before, followed)
      }
    }
    return found
  }
}

function hasRules({ formulaFields }: LoadedEntity): boolean {
  return formulaFields.some(isDerived) || boundReads(formulaFields).length > 0
}

/** The field whose formula computes a column, by column: the one with the oldest id, shipped ones before all. */
function formulaOwners(entities: readonly LoadedEntity[]): ReadonlyMap<string, string> {
  const owners = new Map<string, string>()
  for (const { columnName, id } of entities.flatMap(derivedFields)) {
    const owner = columnName === null ? undefined : owners.get(columnName)
    if (columnName !== null && (owner === undefined || compareIds(id, owner) < 0))
      owners.set(columnName, id)
  }
  return owners
}

function derivedFields({ formulaFields }: LoadedEntity): FieldDefinition[] {
  return formulaFields.filter(isDerived)
}

/** The fields of an entity, computed only where no other definition does it. The same array where nothing changes. */
function ownFormulas(
  entity: LoadedEntity,
  owners: ReadonlyMap<string, string>,
): readonly FieldDefinition[] {
  const isForeign = ({ columnName, id }: FieldDefinition) =>
    columnName !== null && owners.get(columnName) !== id
  return derivedFields(entity).some(isForeign)
    ? entity.formulaFields.map((field) =>
        isDerived(field) && isForeign(field) ? { ...field, derived: null } : field,
      )
    : entity.formulaFields
}

/** The oldest id among computed fields; null for an entity that has bounds alone. */
function firstFormula(entity: LoadedEntity): string | null {
  return derivedFields(entity).reduce<string | null>(
    (first, { id }) => (first === null || compareIds(id, first) < 0 ? id : first),
    null,
  )
}

/** Ids grow with time. Null comes last. */
function compareIds(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  const [left, right] = [BigInt(a), BigInt(b)]
  return left === right ? 0 : left < right ? -1 : 1
}

async function loadBoundSources(
  context: Pick<Context, 'registry' | 'subject'>,
  entity: LoadedEntity,
): Promise<Source[]> {
  const sources: Source[] = []
  for (const field of readable(entity).filter(({ reads }) => reads.length > 0)) {
    const relation = await loadRelation(context, field)
    if (relation !== null)
      sources.push({
        field,
        relation,
        fields: readable(relation.target).filter(({ definition }) =>
          field.reads.includes(definition.attrName),
        ),
      })
  }
  return sources
}

/** Rows of `written`, an entity over the same table, as the rules of another definition read them. */
async function follow(
  db: AnyDatabase,
  written: LoadedEntity,
  tenant: string,
  { entity, fields, formulas, sources }: TableRules,
  rows: readonly WrittenRow[],
): Promise<Checked[]> {
  const stored = await storedRows(db, written, entity, tenant, fields, rows)
  const filled = rows.map(({ id, changes }) => filledRow(fields, stored.get(id ?? ''), changes))
  const related = await relatedValues(db, tenant, sources, filled)
  return filled.map((row, i) =>
    computeFollowing(
      entity,
      formulas,
      withRelated(row, related),
      stored.get(rows[i]?.id ?? ''),
      rows[i]?.changes ?? [],
    ),
  )
}

/** Changes as changes of the fields that a definition has for the same columns. */
function translateChanges(entity: LoadedEntity, changes: readonly Change[]): Change[] {
  return changes.flatMap((change) => {
    const { field } = change
    if (field.column === null)
      return entity.field(field.definition.attrName) === field ? [change] : []
    const same = fieldOfColumn(entity, field.column.name)
    if (same === undefined) return []
    return same === field ? [change] : [{ field: same, value: wireFor(same, change) }]
  })
}

function fieldOfColumn(entity: LoadedEntity, column: string): LoadedField | undefined {
  return valueFields(entity).find((field) => field.column?.name === column)
}

/** A value as another field of its column has it: a choice is a list of items, a text is not. */
function wireFor(to: LoadedField, { field, value }: Change): WireValue {
  const isList = Array.isArray(to.kind.empty)
  if (isList === Array.isArray(field.kind.empty) || value === null) return value
  if (!isList) return listValueItems(value)[0]?.id ?? to.kind.empty
  return value === '' ? [] : [{ id: String(value), name: '' }]
}

/**
 * Translates the results of another definition's rules into terms of the written entity where it
 * has the column.
 */
function joinChecked(
  written: LoadedEntity,
  other: LoadedEntity,
  before: Checked,
  followed: Checked,
): Checked {
  const asWritten = (field: LoadedField | undefined) =>
    field?.column == null ? undefined : fieldOfColumn(written, field.column.name)
  const changes = followed.changes.flatMap((change): Change[] => {
    const { column } = change.field
    if (column === null) return written === other ? [change] : []
    const same = asWritten(change.field)
    return [same === undefined ? change : { field: same, value: wireFor(same, change) }]
  })
  const faults = followed.faults.map((each) => ({
    ...each,
    path: asWritten(other.field(each.path))?.definition.attrName ?? each.path,
  }))
  return { changes: [...before.changes, ...changes], faults: [...before.faults, ...faults] }
}

/** Changes with those that follow from them, which replace what was given for the same columns. */
export function withFollowed(
  changes: readonly Change[],
  followed: readonly Change[],
): readonly Change[] {
  const columns = new Set(followed.map(({ field }) => fieldKey(field)))
  return [...changes.filter(({ field }) => !columns.has(fieldKey(field))), ...followed]
}

/** Formulas read no passwords and no personal data, also not of columns marked after their save. */
function readable(entity: LoadedEntity): LoadedField[] {
  return valueFields(entity).filter(({ kind, pii }) => !kind.secret && pii === null)
}

/** The rows as they are stored, with the values that the writer may not see. */
async function storedRows(
  db: AnyDatabase,
  written: LoadedEntity,
  entity: LoadedEntity,
  tenant: string,
  fields: readonly LoadedField[],
  rows: readonly WrittenRow[],
): Promise<ReadonlyMap<string, Row>> {
  const ids = rows.flatMap(({ id }) => id ?? [])
  if (ids.length === 0) return new Map()
  const names = new Set(
    [
      ...parseFormulas(entity.formulaFields).map(({ field, reads }) => [field.attrName, ...reads]),
      ...boundReads(entity.formulaFields).map(({ attrName, reads }) => [attrName, ...reads]),
    ].flat(),
  )
  const read = fields.filter(({ definition }) => names.has(definition.attrName))
  // The written entity names the rows: another definition may call another column their key.
  const access = wholeAccess(written, tenant)
  const { rows: raws } = await sql<RawRow>`
    select ${selectList(access, read)} from ${fromTable(written)}
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
    const ids = [
      ...new Set(rows.flatMap((row) => listValueItems(row[attrName]).map(({ id }) => id))),
    ]
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
      raws.map((raw) => [raw.key, pickFieldValues(fields, read(raw))]),
    )
    const none = pickFieldValues(fields, { id: '' })
    found.set(attrName, new Map(ids.map((id) => [id, values.get(id) ?? none])))
  }
  return found
}

function pickFieldValues(fields: readonly LoadedField[], row: Row): Values {
  return Object.fromEntries(
    fields.map(({ definition: { attrName }, kind }) => [attrName, row[attrName] ?? kind.empty]),
  )
}

function withRelated(row: Values, related: Related): Values {
  const named = [...related].map(([attrName, values]) => [
    attrName,
    listValueItems(row[attrName]).map(({ id }) => ({ id, name: '', values: values.get(id) ?? {} })),
  ])
  return { ...row, ...(Object.fromEntries(named) as Values) }
}

function listValueItems(value: WireValue | undefined): readonly DictItem[] {
  return Array.isArray(value) ? (value as readonly DictItem[]) : []
}

function computeFollowing(
  entity: LoadedEntity,
  formulas: readonly FieldDefinition[],
  row: Values,
  stored: Row | undefined,
  changes: readonly Change[],
): Checked {
  const derived = computeDerived(entity, formulas, row, stored)
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
        stored === undefined ? true : !isSameValue(value, stored[definition.attrName] ?? null),
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
  return brokenBounds(entity.formulaFields, final, changed).map(({ attrName, name, message }) =>
    buildFilterFault(attrName, name, message),
  )
}

function computeDerived(
  entity: LoadedEntity,
  formulas: readonly FieldDefinition[],
  row: Values,
  stored: Row | undefined,
): Checked {
  const changes: Change[] = []
  const faults: Fault[] = []
  for (const [attrName, value] of Object.entries(derivedValues(formulas, row))) {
    const field = entity.field(attrName)
    if (field === undefined) continue
    const isKept = [stored?.[attrName], row[attrName]].every((old) =>
      isSameValue(value, old ?? null),
    )
    if (stored !== undefined && isKept) continue
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
    return buildFilterFault(attrName, 'required', { key: 'rule.derivedEmpty' })
  return columnViolation(stored, column) === null
    ? null
    : buildFilterFault(attrName, 'derived', { key: 'rule.derived' })
}
