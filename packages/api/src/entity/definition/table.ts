import type { EntityDefinition, FieldDefinition, KeptFields } from './definition.ts'

/**
 * A column of a table as the designer sees it (docs/spec/2-student-service-and-designer.md §3,
 * table column info).
 */
export interface TableColumn {
  readonly columnName: string
  readonly columnComment: string
  /** `PRI`: part of the primary key. */
  readonly columnKey: '' | 'PRI'
  /** The column alone identifies a row: unique by itself and not null. */
  readonly isKey: boolean
  /** For display: `varchar(64)`, `numeric(10,2)`. */
  readonly columnType: string
  /** PostgreSQL's short name: `varchar`, `int8`, `timestamptz`. */
  readonly dataType: string
  /** Characters of a text; null when unbounded. */
  readonly dataLength: number | null
  readonly isNullable: 'YES' | 'NO'
  /** The database fills the column when no value is given. */
  readonly hasDefault: boolean
}

/**
 * A table, view or materialized view that may become an entity
 * (docs/rules/contract.md#definitions: only the schemas of BUSINESS_SCHEMAS are offered). Names are
 * those of the catalog.
 */
export interface TableInfo {
  readonly schema: string
  readonly name: string
  readonly comment: string
  readonly kind: 'table' | 'view' | 'materialized'
  /** Number of rows; above 10,000 the database's estimate, null where it is unknown. */
  readonly rows: number | null
  /** The columns that name a row; none for a view or a table without a key. */
  readonly key: readonly string[]
  /** Rows can only be looked at; `reason` says why. */
  readonly readOnly: boolean
  readonly reason: string | null
  /** The entity on the table, the first of `tags`. */
  readonly entityTag?: string
  /** Tags of the entities defined on it. */
  readonly tags: readonly string[]
}

/** A column without a field, and why. */
export interface LeftOut {
  readonly column: string
  readonly reason: string
}

/** A stranger's `tenant_id`. `rows`: how many rows hold the author's school; null: unknown. */
export interface SchoolField {
  readonly attrName: string
  readonly rows: number | null
}

/** The fields of a table with relations that the names of its columns tell, and its parent field. */
export interface NamedLinks {
  readonly fields: readonly FieldDefinition[]
  readonly parentField: string | null
}

/** A first definition of a table, with what its author should know. */
export interface TableDraft {
  readonly definition: EntityDefinition
  readonly leftOut: readonly LeftOut[]
  readonly notes: readonly string[]
  /** Columns that the server could keep, if a person says so: `withKept` applies it. */
  readonly kept?: KeptFields | null
  /** A column that may hold the school of a row, if a person says so: `withSchool` applies it. */
  readonly school?: SchoolField | null
  /** Fields of passwords, which a person may have stored as typed: `withPasswords` adds them. */
  readonly passwords?: readonly FieldDefinition[]
  /** Relations without a foreign key, if a person says so: `withLinks` applies them, before the others. */
  readonly links?: NamedLinks | null
}

/** The drafts of several tables, with the relations between them. */
export interface TableDrafts {
  readonly drafts: readonly (TableDraft &
    Pick<TableInfo, 'schema' | 'name' | 'kind' | 'rows' | 'key' | 'readOnly'>)[]
  /** Tables without a draft, and why. */
  readonly refused: readonly {
    readonly schema: string
    readonly name: string
    readonly reason: string
  }[]
}

/** Differences between a table and its definition. */
export interface TableDrift {
  /** Columns in the definition that the table no longer has. */
  readonly missing: readonly string[]
  /** Columns of the table without a field. */
  readonly unused: readonly string[]
  /** Columns among `unused` that were added or altered after the last save of the definition. */
  readonly added: readonly string[]
  /** Columns whose type differs from the one the field was made for. */
  readonly changed: readonly {
    readonly columnName: string
    readonly from: string
    readonly to: string
  }[]
}
