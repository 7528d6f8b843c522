// An entity ready for use: its definition matched with the columns that exist in the database.
import {
  type EntityDefinition,
  type FieldDefinition,
  fieldDefinitionSchema,
  type FieldKind,
  holdsValue,
  kindOf,
  type Locale,
  type PiiKind,
} from '@jiaowu/api'
import * as v from 'valibot'
import { type Column, familyOf } from '../fields/column.ts'
import { type ServerField, serverFieldOf } from '../fields/index.ts'
import type { CatalogTable } from './catalog.ts'
import { indexColumns, type Sealer } from '../../pii/sealed-columns.ts'
import { isPlainName } from './names.ts'

/** Columns that only the server writes (docs/rules/security.md#permissions, system columns). */
export const systemColumns = [
  'tenant_id',
  'org_id',
  'create_user',
  'create_time',
  'update_user',
  'update_time',
  'version',
  'deleted_at',
] as const
export type SystemColumn = (typeof systemColumns)[number]

export interface LoadedField {
  readonly definition: FieldDefinition
  readonly kind: FieldKind
  readonly storage: ServerField
  /** Null for a custom field, whose values are in sys.custom_value. */
  readonly column: Column | null
  /** Personal data, as some entity on the same table marks it (docs/rules/security.md#d4). */
  readonly pii: PiiKind | null
  /** Of a column that is stored encrypted; null for all others (docs/rules/security.md#d6). */
  readonly sealer: Sealer | null
}

export interface LoadedEntity {
  readonly tag: string
  readonly definition: EntityDefinition
  /** Changes with every save of the definition; part of the signature of templates. */
  readonly revision: string
  readonly table: CatalogTable
  readonly id: Column
  /**
   * The id as a field, even when the definition has none: rows always contain it and lists may sort
   * by it.
   */
  readonly idField: LoadedField
  /** In form order, including layout fields. */
  readonly fields: readonly LoadedField[]
  readonly field: (attrName: string) => LoadedField | undefined
  readonly column: (attrName: string) => Column | undefined
  readonly has: (column: SystemColumn) => boolean
}

/** A field whose column is missing or unusable: it is logged and left out. */
export interface Drift {
  readonly attrName: string
  readonly columnName: string | null
}

/**
 * Why a definition cannot be used: its table or id column is missing, or several rows can have the
 * same value in that column (docs/rules/database.md#writes-by-key).
 */
export type Unloadable = 'no usable table' | 'no unique key column'

/** What other definitions and the product say about the personal data in a field. */
export interface PersonalData {
  readonly markOf: (field: FieldDefinition) => PiiKind | null
  readonly sealerOf: (table: string, column: string) => Sealer | null
}
const nothing: PersonalData = { markOf: ({ pii }) => pii, sealerOf: () => null }

export function loadEntity(
  definition: EntityDefinition,
  revision: string,
  table: CatalogTable | undefined,
  onDrift: (drift: Drift) => void,
  personal: PersonalData = nothing,
): LoadedEntity | Unloadable {
  if (table === undefined || !isPlainName(table.name)) return 'no usable table'
  const idField = definition.fields.find(({ attrName }) => attrName === definition.idField)
  const id = table.columns.get(idField?.columnName ?? 'id')
  if (id === undefined || !isPlainName(id.name)) return 'no usable table'
  if (!table.keys.has(id.name)) return 'no unique key column'
  const fields = definition.fields
    .toSorted((a, b) => a.uiSort - b.uiSort)
    .flatMap((field) => {
      const loaded = loadField(field, table, personal)
      if (loaded === null) onDrift({ attrName: field.attrName, columnName: field.columnName })
      return loaded ?? []
    })
  const byName = new Map(fields.map((field) => [field.definition.attrName, field]))
  return {
    tag: definition.tag,
    definition,
    revision,
    table,
    id,
    fields,
    idField: byName.get(definition.idField) ?? fieldOfId(definition.idField, id),
    field: (attrName) => byName.get(attrName),
    column: (attrName) => byName.get(attrName)?.column ?? undefined,
    has: (column) => table.columns.has(column),
  }
}

function loadField(
  definition: FieldDefinition,
  table: CatalogTable,
  personal: PersonalData,
): LoadedField | null {
  const kind = kindOf(definition.uiType)
  const common = { definition, kind, storage: serverFieldOf(definition.uiType) }
  if (!holdsValue(definition.uiType) || definition.columnName === null)
    return { ...common, column: null, pii: personal.markOf(definition), sealer: null }
  const column = table.columns.get(definition.columnName)
  if (column === undefined || !isPlainName(column.name) || familyOf(column) === undefined)
    return null
  const name = `${table.schema}.${table.name}`
  if (indexColumns.has(`${name}.${column.name}`)) return null
  return {
    ...common,
    column,
    pii: definition.pii ?? personal.markOf(definition),
    sealer: personal.sealerOf(name, column.name),
  }
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
    kind: kindOf(definition.uiType),
    storage: serverFieldOf(definition.uiType),
    column,
    pii: null,
    sealer: null,
  }
}

/** All fields except section headers. */
export function valueFields(entity: LoadedEntity): LoadedField[] {
  return entity.fields.filter(({ kind }) => kind.family !== 'layout')
}

/** The fields whose values can be read: no passwords (docs/rules/security.md#permissions). */
export function readableFields(entity: LoadedEntity): LoadedField[] {
  return valueFields(entity).filter(({ kind }) => !kind.secret)
}

/** The name of an entity in a language; Chinese when it has no English one. */
export function entityName({ definition }: LoadedEntity, locale: Locale): string {
  return locale === 'en' ? (definition.nameEn ?? definition.name) : definition.name
}
