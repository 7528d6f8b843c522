import type { FieldDefinition } from '@jiaowu/api'

/** A column as the designer sees it (docs/spec/2-student-service-and-designer.md §3, table column info). `type` is PostgreSQL's own short name: `varchar`, `int8`, `jsonb` … */
export interface KnownColumn {
  readonly name: string
  readonly type: string
  /** In characters; null when unbounded or not a text. */
  readonly length: number | null
  readonly nullable: boolean
  readonly hasDefault: boolean
  readonly isPrimary: boolean
}
/** Another entity, as far as lookups, cascades and buttons name it. */
export interface KnownEntity {
  readonly tag: string
  readonly parentField: string | null
  readonly fields: readonly Pick<FieldDefinition, 'attrName' | 'uiType' | 'columnName'>[]
}

/**
 * What surrounds a definition. Each part may be null when the asker does not know it (a file linted without a server):
 * the checks that need it are then left out, never guessed.
 */
export interface DesignWorld {
  /** The columns of `schema.table`; undefined when there is no such table. */
  readonly columnsOf: ((table: string) => readonly KnownColumn[] | undefined) | null
  readonly entityOf: ((tag: string) => KnownEntity | undefined) | null
  /** The ids of a dictionary's items; undefined when there is no such dictionary. */
  readonly dictionary: ((code: string) => readonly string[] | undefined) | null
  /** Why a custom SQL is refused; null when it may run (docs/rules/contract.md#definitions). */
  readonly refusalOfSql: ((sql: string) => string | null) | null
}

/** Nothing is known but the definition itself. */
export const unknownWorld: DesignWorld = {
  columnsOf: null,
  entityOf: null,
  dictionary: null,
  refusalOfSql: null,
}
