// Reads rows of an entity's table into wire form: the select list, and the reader of each value.
import { maskValue } from '@jiaowu/api/pii'
import type { PiiKind } from '@jiaowu/api/entity/enums'
import type { Row, WireValue } from '@jiaowu/api/entity/values'
import { type RawBuilder, sql } from 'kysely'
import { type Column, familyOf } from '../../model/fields/column.ts'
import { toLocal } from '../../model/fields/school-time.ts'
import { type EntityAccess, type FieldUse, type Grant, isAllowed } from '../../access/access.ts'
import type { LoadedEntity, LoadedField } from '../../model/definition/loaded.ts'
import { always, columnRef, identifier, rowAlias } from '../../model/definition/names.ts'
import { idText } from '../../model/definition/row-key.ts'
import { shownText, buildFilterTarget } from './target.ts'

export type RawRow = Readonly<Record<string, unknown>>

/**
 * Keeps the selected rows from being deleted until the transaction ends. Rows of views cannot be
 * locked, and a lock needs the right to update.
 */
export function sharedLock({ table }: LoadedEntity): RawBuilder<unknown> {
  return (table.kind ?? 'table') === 'table' && table.denied?.includes('update') !== true
    ? sql`for share`
    : sql``
}

/**
 * Selects `id`, `version` and the fields as `c0`, `c1` …, so that no attrName becomes a SQL name;
 * and as `g0`, `g1` … which grants hold for the row, when that matters.
 */
export function selectList(
  access: EntityAccess,
  fields: readonly LoadedField[],
): RawBuilder<unknown> {
  return sql.join([
    sql`${idText(access.entity)} as id`,
    sql`${versionRef(access.entity)} as version`,
    ...fields.map((field, index) => sql`${cellRef(access, field)} as ${sql.id(`c${index}`)}`),
    ...(grantsDifferByRow(access)
      ? access.grants.map(
          ({ scope }, index) => sql`coalesce(${scope ?? always}, false) as ${sql.id(`g${index}`)}`,
        )
      : []),
  ])
}

/** The version that a save must send back: the version column, or xmin for tables without one. */
export function versionRef(entity: LoadedEntity): RawBuilder<unknown> {
  if (entity.has('version')) return columnRef('version')
  return (entity.table.kind ?? 'table') === 'table'
    ? sql`${identifier(rowAlias)}.xmin::text`
    : sql`'0'`
}

function cellRef(access: EntityAccess, field: LoadedField): RawBuilder<unknown> {
  const { ref, column } = buildFilterTarget(access, field)
  const family = familyOf(column)
  if (family === 'instant') return toLocal(ref)
  // As text, numbers keep all their digits.
  if (family === 'json' && field.kind.family === 'text')
    return column.type === 'jsonb' ? sql`jsonb_pretty(${ref})` : sql`${ref}::text`
  // As text, a char(n) has no padding.
  return family === 'other' || column.type === 'bpchar' ? shownText(column, ref) : ref
}

/** Whether the readable fields may differ from row to row: several grants, some with overrides. */
function grantsDifferByRow({ grants }: EntityAccess): boolean {
  return grants.length > 1 && grants.some(({ overrides }) => Object.keys(overrides).length > 0)
}

/** The grants whose scope contains the row. */
export function grantsOn(access: EntityAccess, raw: RawRow): readonly Grant[] {
  return grantsDifferByRow(access)
    ? access.grants.filter((_grant, index) => raw[`g${index}`] === true)
    : access.grants
}

interface FieldReader {
  readonly field: LoadedField
  readonly attrName: string
  readonly name: string
  readonly column: Column
  readonly use: FieldUse
  readonly allowed: boolean
  /** The mask of the value; null to read it as it is stored. */
  readonly mask: PiiKind | null
}

/** `stored` values are for comparing and writing. They never leave the server. */
export type ValueForm = 'masked' | 'stored'

/**
 * Returns a function from raw rows to wire rows, without labels of choices. A field the caller may
 * not use on a row is absent, and personal data is masked (docs/rules/security.md#d4). Computes
 * what is equal for all rows once: exports read a million.
 */
export function rowReader(
  access: EntityAccess,
  fields: readonly LoadedField[],
  uses: FieldUse | ((field: LoadedField) => FieldUse),
  form: ValueForm = 'masked',
): (raw: RawRow) => Row {
  const { idField } = access.entity
  const mixed = grantsDifferByRow(access)
  const useOf = typeof uses === 'string' ? () => uses : uses
  const readers = fields.map((field, index): FieldReader => ({
    field,
    attrName: field.definition.attrName,
    name: `c${index}`,
    column: buildFilterTarget(access, field).column,
    use: useOf(field),
    allowed: field === idField || isAllowed(access, field, useOf(field)),
    mask: form === 'stored' ? null : field.pii,
  }))
  return (raw) => {
    const grants = mixed ? grantsOn(access, raw) : access.grants
    const row: Record<string, WireValue> = {}
    for (const { field, attrName, name, column, use, allowed, mask } of readers) {
      if (!(mixed ? field === idField || isAllowed({ grants }, field, use) : allowed)) continue
      const value = field.storage.load(openedCell(field, raw[name]), column)
      row[attrName] = mask === null ? value : maskValue(mask, value)
    }
    return { ...row, id: String(raw.id), version: toVersion(raw.version) }
  }
}

function openedCell({ sealer }: LoadedField, stored: unknown): unknown {
  return sealer === null || typeof stored !== 'string' ? stored : sealer.open(stored)
}

function toVersion(value: unknown): number | string {
  return typeof value === 'number' ? value : String(value ?? '')
}

export function readRow(
  access: EntityAccess,
  fields: readonly LoadedField[],
  raw: RawRow,
  use: FieldUse,
  form: ValueForm = 'masked',
): Row {
  return rowReader(access, fields, use, form)(raw)
}
