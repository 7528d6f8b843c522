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

/** A table of the business schema (docs/rules/contract.md#definitions: only those are offered). */
export interface TableInfo {
  readonly tableName: string
  readonly tableComment: string
  /** Tags of the entities defined on it. */
  readonly tags: readonly string[]
  /** Number of rows, estimated by the database. */
  readonly rows: number
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
