// Matches a definition with the columns that exist in the database.
import { type PiiKind, systemColumns } from '@jiaowu/api/entity/enums'
import {
  type EntityDefinition,
  type FieldDefinition,
  fieldDefinitionSchema,
} from '@jiaowu/api/entity/definition/definition'
import type { FieldKind } from '@jiaowu/api/fields/families'
import { hidesSecret, soundsSecret } from '@jiaowu/api/entity/definition/secret-names'
import { holdsValue, findKind } from '@jiaowu/api/fields/kinds'
import { isDerived } from '@jiaowu/api/entity/config'
import { boundReads, parseFormulas } from '@jiaowu/validation'
import * as v from 'valibot'
import { type Column, familyOf } from '../fields/column.ts'
import { findServerField } from '../fields/index.ts'
import type { CatalogTable } from './catalog.ts'
import { indexColumns, type Sealer } from '../sealed/sealed-columns.ts'
import { keepsItsColumns } from './kept.ts'
import { withNamedTarget } from './named-target.ts'
import { isSqlName } from './names.ts'
import type { ColumnRefusal } from './origins/view-guard.ts'
import { isOwnColumn } from './school-columns.ts'
import { withinSchool } from './school-tables.ts'
import { isTypedKey, type LoadedEntity, type LoadedField, type RowDigest } from './loaded.ts'

/** A field whose column is missing or unusable: it is logged and left out. */
export interface Drift {
  readonly attrName: string
  readonly columnName: string | null
  /** Why the column of a view has no field; null for a column that is missing or unusable. */
  readonly refusal: ColumnRefusal | null
}

/**
 * Why a definition cannot be used: its table is missing, or several rows can have the same value in
 * its id column (docs/rules/database.md#writes-by-key).
 */
export type Unloadable = 'no usable table' | 'no unique key column'

/** Marks of other definitions and of the product on the personal data in a field. */
export interface PersonalData {
  readonly markOf: (field: FieldDefinition) => PiiKind | null
  readonly sealerOf: (table: string, column: string) => Sealer | null
  /** Keeps the names of rows without a key from telling what the reader may not see. */
  readonly digestSecret: () => string
  /** Why no field may show a column, which a view has. */
  readonly refusalOf?: (column: string) => ColumnRefusal | null
  /** The rows behind a view. */
  readonly behind?: Pick<LoadedEntity, 'schools' | 'isOfPlatform'>
}

const nothing: PersonalData = {
  markOf: ({ pii }) => pii,
  sealerOf: () => null,
  digestSecret: () => '',
}

/** The id column of an entity whose key has several columns, or none. */
const compositeId: Column = {
  name: '',
  type: 'text',
  length: null,
  precision: null,
  scale: null,
  nullable: false,
  hasDefault: false,
  generated: true,
}

export function loadEntity(
  definition: EntityDefinition,
  revision: string,
  known: CatalogTable | undefined,
  onDrift: (drift: Drift) => void,
  personal: PersonalData = nothing,
): LoadedEntity | Unloadable {
  if (known === undefined) return 'no usable table'
  const obeyed = definition.options.systemColumns ?? []
  const table = obeyed.includes('tenant_id') ? withinSchool(known) : known
  const key = findEntityKey(definition, table)
  if (key === null) return 'no unique key column'
  const [only = compositeId, ...more] = key
  const id = more.length === 0 ? only : compositeId
  const each = definition.fields
    .toSorted((a, b) => a.uiSort - b.uiSort)
    .flatMap((field) => {
      const { attrName, columnName } = field
      const refusal = columnName === null ? null : (personal.refusalOf?.(columnName) ?? null)
      const loaded = refusal === null ? loadField(field, table, personal) : null
      if (loaded === null) onDrift({ attrName, columnName, refusal })
      return loaded ?? []
    })
  const found = each.map((field) => withNamedTarget(field, each))
  const formulaFields = found.map((field) => field.definition)
  const relations = [...parseFormulas(formulaFields), ...boundReads(formulaFields)].flatMap(
    (formula) => formula.relations,
  )
  const fields = found.map((field) => ({
    ...field,
    reads: [
      ...new Set(
        relations.flatMap(({ attrName, property }) =>
          attrName === field.definition.attrName ? [property] : [],
        ),
      ),
    ],
  }))
  if (!keepsItsColumns(definition, fields)) return 'no usable table'
  const byName = new Map(fields.map((field) => [field.definition.attrName, field]))
  const system = new Set(
    systemColumns.filter((name) => {
      const column = table.columns.get(name)
      return (
        column !== undefined && (obeyed.includes(name) || isOwnColumn(table.schema, name, column))
      )
    }),
  )
  return {
    tag: definition.tag,
    definition,
    revision,
    table,
    key,
    typesKey: fields.some((field) => isTypedKey({ key }, field)),
    digest: key.length > 0 ? null : buildRowDigest(fields, personal),
    id,
    fields,
    formulaFields,
    idField: byName.get(definition.idField) ?? fieldOfId(definition.idField, id),
    field: (attrName) => byName.get(attrName),
    column: (attrName) => byName.get(attrName)?.column ?? undefined,
    has: (column) => system.has(column),
    schools: personal.behind?.schools ?? [],
    // A table without tenant_id belongs to the platform.
    isOfPlatform: !system.has('tenant_id') || personal.behind?.isOfPlatform === true,
  }
}

/**
 * The key of an entity: its id field when that is unique, else the primary key or the smallest unique
 * index. Null when the id field names a column of a table that other rows may share the value of.
 */
function findEntityKey(
  { fields, idField }: EntityDefinition,
  table: CatalogTable,
): Column[] | null {
  const columns = (names: readonly string[]) =>
    names.flatMap((name) => table.columns.get(name) ?? [])
  const named = fields.find(({ attrName }) => attrName === idField)
  const wanted = named === undefined ? (idField === 'id' ? 'id' : null) : named.columnName
  if (wanted !== null && table.keys.has(wanted)) return columns([wanted])
  const sets = (table.keySets ?? []).filter(
    (names) => !names.some((name) => isSecretPart(name, fields)),
  )
  const [first] = sets
  if (named !== undefined && (first === undefined || first.length === 1))
    return first === undefined && !isWritable(table) ? [] : null
  return first === undefined ? [] : columns(first)
}

/** A password names no row: ids stand in addresses. */
function isSecretPart(column: string, fields: readonly FieldDefinition[]): boolean {
  const its = fields.filter(({ columnName }) => columnName === column)
  return its.length === 0 ? soundsSecret(column, '') : its.some(hidesSecret)
}

const isWritable = ({ kind = 'table' }: CatalogTable) => kind === 'table'

function buildRowDigest(fields: readonly LoadedField[], personal: PersonalData): RowDigest {
  return {
    secret: personal.digestSecret,
    columns: fields.flatMap(({ column, kind }) => (column === null || kind.secret ? [] : [column])),
  }
}

function loadField(
  definition: FieldDefinition,
  table: CatalogTable,
  personal: PersonalData,
): LoadedField | null {
  const kind = findKind(definition.uiType)
  const common = { definition, kind, storage: findServerField(definition.uiType), reads: [] }
  if (!holdsValue(definition.uiType) || definition.columnName === null)
    return { ...common, column: null, pii: personal.markOf(definition), sealer: null }
  const column = table.columns.get(definition.columnName)
  if (column === undefined || !isSqlName(column.name) || familyOf(column) === undefined) return null
  const name = `${table.schema}.${table.name}`
  if (indexColumns.has(`${name}.${column.name}`)) return null
  return {
    ...common,
    definition: isDerived(definition) ? withDecimals(definition, column) : definition,
    column: shownAs(kind, column),
    pii: definition.pii ?? personal.markOf(definition),
    sealer: personal.sealerOf(name, column.name),
  }
}

/** A computed number is rounded to what its column keeps, in clients too. */
function withDecimals(definition: FieldDefinition, column: Column): FieldDefinition {
  const family = familyOf(column)
  const scale = family === 'integer' ? 0 : family === 'decimal' ? column.scale : null
  const { options } = definition
  return scale === null
    ? definition
    : {
        ...definition,
        options: { ...options, precision: Math.min(scale, options.precision ?? scale) },
      }
}

/** A text field shows an array in the text form of the database. */
function shownAs(kind: FieldKind, column: Column): Column {
  const family = familyOf(column)
  return kind.family === 'text' && (family === 'texts' || family === 'integers')
    ? { ...column, type: `text:${column.type}` }
    : column
}

function fieldOfId(attrName: string, column: Column): LoadedField {
  const definition = v.parse(fieldDefinitionSchema, {
    id: '',
    attrName,
    uiLabel: 'id',
    columnName: column.name,
    isAdd: 0,
    isEdit: 0,
  })
  return {
    definition,
    kind: findKind(definition.uiType),
    storage: findServerField(definition.uiType),
    column,
    pii: null,
    sealer: null,
    reads: [],
  }
}
