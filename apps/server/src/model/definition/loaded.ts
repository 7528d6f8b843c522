// An entity ready for use: its definition matched with the columns that exist in the database.
import { dictTypes, type PiiKind, type SystemColumn } from '@jiaowu/api/entity/enums'
import type { EntityDefinition, FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import type { FieldKind } from '@jiaowu/api/fields/families'
import type { Locale } from '@jiaowu/api/locale'
import type { Column } from '../fields/column.ts'
import type { ServerField } from '../fields/index.ts'
import type { CatalogTable } from './catalog.ts'
import type { Sealer } from '../sealed/sealed-columns.ts'

/** Columns that only the server writes (docs/rules/security.md#permissions, system columns). */
export { type SystemColumn, systemColumns } from '@jiaowu/api/entity/enums'

/** How rows without a key are named: by these columns, with a secret of the installation. */
export interface RowDigest {
  readonly secret: () => string
  readonly columns: readonly Column[]
}

/** The field that names the entity, a choice of tags from a dictionary. */
interface NamedTarget {
  readonly attrName: string
  readonly dictionary: string
}

export interface LoadedField {
  readonly definition: FieldDefinition
  readonly kind: FieldKind
  readonly storage: ServerField
  /** Null for a custom field, whose values are in sys.custom_value. */
  readonly column: Column | null
  /** Personal data, as some entity on the same table marks it (docs/rules/security.md#d4). */
  readonly pii: PiiKind | null
  /** Seals a column that is stored encrypted; null for all others (docs/rules/security.md#d6). */
  readonly sealer: Sealer | null
  /** Relations: attributes of the chosen row that formulas of the entity read. */
  readonly reads: readonly string[]
  /** Relations whose entity another field of the row names. */
  readonly namedBy?: NamedTarget
}

export interface LoadedEntity {
  readonly tag: string
  readonly definition: EntityDefinition
  /** Changes with every save of the definition; part of the signature of templates. */
  readonly revision: string
  readonly table: CatalogTable
  /**
   * The columns that identify a row, in the order of their index; none for a view or a table without
   * a key, whose rows are read-only.
   */
  readonly key: readonly Column[]
  /** Users type the key of a new row, or a part of it; it is fixed afterwards. */
  readonly typesKey: boolean
  /** How rows without a key are named. */
  readonly digest: RowDigest | null
  /** The key column. Of several, or none, a stand-in without a name: see row-key.ts. */
  readonly id: Column
  /**
   * The id as a field, even when the definition has none: rows always contain it and lists may sort
   * by it.
   */
  readonly idField: LoadedField
  /** In form order, including layout fields. */
  readonly fields: readonly LoadedField[]
  /** The definitions of the fields as formulas use them: one array as long as the entity is loaded. */
  readonly formulaFields: readonly FieldDefinition[]
  readonly field: (attrName: string) => LoadedField | undefined
  readonly column: (attrName: string) => Column | undefined
  readonly has: (column: SystemColumn) => boolean
  /**
   * Columns of a view that hold the schools of the rows behind it; null where there is no such row.
   */
  readonly schools: readonly string[]
  /** Rows of the platform: only the first school reads them. */
  readonly isOfPlatform: boolean
}

/**
 * Whether users type the key of a new row in this field. The server gives keys that are `id` bigints,
 * the database those with a default; a relation is chosen in any case, for its record must exist.
 */
export function isTypedKey(
  { key }: Pick<LoadedEntity, 'key'>,
  { column, definition: { isAdd, attrName, dictType } }: LoadedField,
): boolean {
  if (column === null || !isKeyColumn(key, column) || column.generated || isAdd !== 1) return false
  if (key.length > 1 || dictType === dictTypes.entity) return true
  return !column.hasDefault && !(column.type === 'int8' && attrName === 'id')
}

const isKeyColumn = (key: readonly Column[], column: Column) =>
  key.some(({ name }) => name === column.name)

/** Whether the field is the key of the rows, or a part of it. */
export function isKeyField({ key }: LoadedEntity, { column }: LoadedField): boolean {
  return column !== null && isKeyColumn(key, column)
}

/** The fields of a key of several columns, in key order; empty when one of them is no field. */
export function keyFields(entity: LoadedEntity): LoadedField[] {
  const fields = entity.key.flatMap(
    ({ name }) => entity.fields.find(({ column }) => column?.name === name) ?? [],
  )
  return fields.length === entity.key.length ? fields : []
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
