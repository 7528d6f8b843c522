/** One choice of a dictionary, an entity lookup or an attachment list (docs/spec/1-entity-console.md §3). */
export interface DictItem {
  readonly id: string
  readonly name: string
  /** Tree kinds: the parent's id, `'0'` is the root. */
  readonly pid?: string
}

/** A field's value on the wire (docs/rules/contract.md#entity-data). Empty is null, or `[]` for lists. */
export type WireValue = string | number | readonly DictItem[] | null

/** A row keyed by attrName. `version` is echoed on update; a row saved meanwhile has another. */
export interface Row {
  readonly id: string
  readonly version?: number | string
  readonly [attrName: string]: WireValue | undefined
}

/** Keys that every form carries about its record: what is sent under them is no value of a field (docs/rules/contract.md#entity-data). */
export const carriedNames = ['id', 'tag', 'ts', 'version'] as const
export function isCarried(attrName: string): boolean {
  return (carriedNames as readonly string[]).includes(attrName)
}

/** What a form holds while it is edited. */
export type Values = Readonly<Record<string, WireValue>>

export interface Sort {
  readonly column: string
  readonly asc: boolean
}

/** Query parameters of a list (docs/spec/1-entity-console.md §3). A `between` value is `[from, to]`, either end may be null. */
export interface PageQuery {
  readonly pageSize: number
  readonly pageNum: number
  readonly sorts: readonly Sort[]
  readonly queries: Readonly<Record<string, unknown>>
  /** A saved view by id: its filters and sorts, where the query names none of its own (docs/rules/contract.md#entity-data). */
  readonly view?: string | undefined
}

/** A page of rows (docs/spec/1-entity-console.md §3). `totalIsEstimate` marks a total that was not counted exactly (docs/rules/contract.md#entity-data). */
export interface Page<T = Row> {
  readonly records: readonly T[]
  readonly total: number
  readonly size: number
  readonly current: number
  readonly totalIsEstimate?: boolean
  /** Of a view's filters and sorts, how many were left out: no longer there, or not the caller's to see. */
  readonly viewLacks?: number
}
