/** A column of a table as the designer sees it (docs/spec/2-student-service-and-designer.md §3, table column info). */
export interface TableColumn {
  readonly columnName: string
  readonly columnComment: string
  /** `PRI`: part of the primary key. */
  readonly columnKey: '' | 'PRI'
  /** As people write it: `varchar(64)`, `numeric(10,2)`. */
  readonly columnType: string
  /** PostgreSQL's own short name: `varchar`, `int8`, `timestamptz`. */
  readonly dataType: string
  /** Characters of a text; null when unbounded. */
  readonly dataLength: number | null
  readonly isNullable: 'YES' | 'NO'
  /** The database fills the column when nothing is given. */
  readonly hasDefault: boolean
}

/** A table of the business schema (docs/rules/contract.md#definitions: only those are offered). */
export interface TableInfo {
  readonly tableName: string
  readonly tableComment: string
  /** Tags of the entities that stand on it. */
  readonly tags: readonly string[]
  /** About so many rows, as the database estimates. */
  readonly rows: number
}

/** What a table has and the definition does not, or the other way round. */
export interface TableDrift {
  /** Columns the definition names and the table has no more. */
  readonly missing: readonly string[]
  /** Columns of the table that no field stands for. */
  readonly unused: readonly string[]
  /** Those of them that came (or were altered) after the definition was last saved: nobody has decided about them yet. */
  readonly added: readonly string[]
  /** Columns whose type is no longer the one the field was made for. */
  readonly changed: readonly {
    readonly columnName: string
    readonly from: string
    readonly to: string
  }[]
}
