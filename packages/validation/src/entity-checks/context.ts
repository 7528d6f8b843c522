import type { FieldDefinition } from '@jiaowu/api'

/**
 * A column as the designer sees it (docs/spec/2-student-service-and-designer.md §3, table column
 * info). `type` is PostgreSQL's own short name: `varchar`, `int8`, `jsonb` …
 */
export interface KnownColumn {
  readonly name: string
  readonly type: string
  /** In characters; null when unbounded or not a text. */
  readonly length: number | null
  readonly nullable: boolean
  readonly hasDefault: boolean
  /** Part of the primary key. */
  readonly isPrimary: boolean
  /** The column alone identifies a row: unique by itself and not null. */
  readonly isKey: boolean
}
/** What checks need to know of another entity for lookups, cascades and buttons. */
export interface KnownEntity {
  readonly tag: string
  readonly parentField: string | null
  readonly fields: readonly Pick<FieldDefinition, 'attrName' | 'uiType' | 'columnName'>[]
}

/**
 * The environment of a definition. A part is null when it is unknown (when a file is checked
 * without a server): checks that need it are skipped.
 */
export interface DesignContext {
  /** Columns of a table in a schema; undefined when the table does not exist. */
  readonly columnsOf: ((table: string) => readonly KnownColumn[] | undefined) | null
  readonly entityOf: ((tag: string) => KnownEntity | undefined) | null
  /** Ids of a dictionary's items; undefined when the dictionary does not exist. */
  readonly dictionary: ((code: string) => readonly string[] | undefined) | null
  /** Why a custom SQL is refused; null when it is accepted (docs/rules/contract.md#definitions). */
  readonly refusalOfSql: ((sql: string) => string | null) | null
  /** Whether a custom SQL exceeded its time repeatedly and is switched off. */
  readonly isSqlOff: ((sql: string) => boolean) | null
}

/** Nothing but the definition itself is known. */
export const unknownContext: DesignContext = {
  columnsOf: null,
  entityOf: null,
  dictionary: null,
  refusalOfSql: null,
  isSqlOff: null,
}
