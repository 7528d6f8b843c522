import type { EntityDefinition, FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import type { Pair } from '@jiaowu/api/texts/group'
import type { TextKey, TextParams } from '@jiaowu/api/texts/index'

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
  /** Filled by the server or the database, whatever the fields are. */
  readonly isServers?: boolean
}
/** Facts about another entity that checks of lookups, cascades and buttons need. */
export interface KnownEntity {
  readonly tag: string
  readonly parentField: string | null
  readonly fields: readonly (Pick<FieldDefinition, 'attrName' | 'uiType' | 'columnName'> &
    Partial<Pick<FieldDefinition, 'pii'>>)[]
}

/** A finding of the prover of flows, which knows the machine that they compile to. */
export interface FlowFinding {
  /** `flow.fault.selfDecision` */
  readonly id: TextKey
  readonly severity: 'error' | 'warning'
  readonly at: string
  /** The steps that show the fault, each as a pair of words. */
  readonly path: readonly { readonly who: Pair; readonly event: Pair }[]
  /** Paths of the states concerned. */
  readonly states: readonly string[]
  readonly params: TextParams
}

/** Something outside of itself that a definition names, which its author must be able to read. */
export type NamedPart =
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'column'; readonly table: string; readonly field: FieldDefinition }
  /** A field without a column, whose values belong to the entity. */
  | { readonly kind: 'custom'; readonly tag: string; readonly attrName: string }
  /** An attribute of another entity, shown as a label or filtered by in a cascade. */
  | { readonly kind: 'attribute'; readonly tag: string; readonly attrName: string }
  | { readonly kind: 'sql'; readonly source: string }
  /** A system parameter, by its code. */
  | { readonly kind: 'parameter'; readonly code: string }

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
  /** Whether a column of `schema.table` is secret (docs/rules/security.md#secrets). */
  readonly isSecret: ((table: string, column: string) => boolean) | null
  /** Why no field may show a column of a view, in the language of the author; null where one may. */
  readonly refusedColumn: ((table: string, column: string) => string | null) | null
  /** Why a view can be no entity, in the language of the author; null where it can. */
  readonly refusedRows: ((table: string) => string | null) | null
  /** Whether some entity marks a column of `schema.table` as personal data. */
  readonly isPersonal: ((table: string, column: string) => boolean) | null
  /**
   * The statement for the index that a search by this operator, or the `order` of the list, lacks on a
   * large table; null where one serves it.
   */
  readonly missingIndex: ((columnName: string, use: string) => string | null) | null
  /** The formulas by which other entities of the table compute a column, in terms of columns. */
  readonly formulasElsewhere:
    | ((columnName: string) => readonly { readonly tag: string; readonly formula: string }[])
    | null
  /** Proves the definition's flow; null where nobody does (docs/rules/contract.md#flows). */
  readonly flowFindings: ((definition: EntityDefinition) => readonly FlowFinding[]) | null
  /** The definition before the save: only what the save adds or widens needs a right. */
  readonly before: EntityDefinition | null
  /** The right that the author lacks to name a part; null when it may be named. */
  readonly missingRight: ((part: NamedPart) => string | null) | null
}

/** Nothing but the definition itself is known. */
export const unknownContext: DesignContext = {
  columnsOf: null,
  entityOf: null,
  dictionary: null,
  refusalOfSql: null,
  isSqlOff: null,
  isSecret: null,
  refusedColumn: null,
  refusedRows: null,
  isPersonal: null,
  missingIndex: null,
  formulasElsewhere: null,
  flowFindings: null,
  before: null,
  missingRight: null,
}
