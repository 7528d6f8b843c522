/** Colours of dictionary items. */
export const itemTones = ['green', 'blue', 'orange', 'red', 'grey'] as const
export type ItemTone = (typeof itemTones)[number]

/**
 * An item of a dictionary, a lookup of another entity, or a list of attachments
 * (docs/spec/1-entity-console.md §3).
 */
export interface DictItem {
  readonly id: string
  readonly name: string
  /** Tree kinds only: the parent's id, `'0'` at the root. */
  readonly pid?: string
  /** Colour of a dictionary's item, where it has one. */
  readonly tone?: ItemTone
  /** The second line of a choice, such as the number and class of a student. */
  readonly note?: string
  /** The values of a chosen row that formulas read, where the reader may see them. */
  readonly values?: Readonly<Record<string, WireValue>>
}

/**
 * Value of a field on the wire (docs/rules/contract.md#entity-data). Empty is null, or `[]` for
 * lists.
 */
export type WireValue = string | number | readonly DictItem[] | null

/**
 * A row, keyed by attrName. `version` is sent back with updates, which fail when the stored version
 * differs.
 */
export interface Row {
  readonly id: string
  readonly version?: number | string
  readonly [attrName: string]: WireValue | undefined
}

/**
 * Keys of a row's metadata: values sent under them belong to no field
 * (docs/rules/contract.md#entity-data).
 */
const carriedNames = ['id', 'tag', 'ts', 'version', '$title'] as const
export function isCarried(attrName: string): boolean {
  return (carriedNames as readonly string[]).includes(attrName)
}

/** Values of a form. */
export type Values = Readonly<Record<string, WireValue>>

export interface Sort {
  readonly column: string
  readonly asc: boolean
}

/** An estimated total as it is shown: its first three digits, so that it does not look counted. */
export function shownEstimate(total: number): number {
  return Number(total.toPrecision(3))
}
