import type { Row, WireValue } from '../values.ts'

export const historyActions = ['add', 'update', 'delete', 'restore'] as const
export type HistoryAction = (typeof historyActions)[number]

/** The change of one field; only fields that the caller may see are included. */
export interface FieldChange {
  readonly attrName: string
  readonly from: WireValue
  readonly to: WireValue
}

/** One change of a record: user, time and fields. */
export interface HistoryEntry {
  readonly id: string
  readonly action: HistoryAction
  /** `YYYY-MM-DD HH:mm:ss` */
  readonly at: string
  readonly user: { readonly id: string; readonly name: string } | null
  /** The agent that proposed the change, which the user confirmed (docs/agents.md). */
  readonly agent?: string
  readonly changes: readonly FieldChange[]
}
/** Newest first. `complete` is true when no older entries were left out. */
export interface RowHistory {
  readonly row: Row
  readonly entries: readonly HistoryEntry[]
  readonly complete: boolean
}

export type Moment = Readonly<Record<string, WireValue | undefined>>

/** The record right after `entryId`, computed by undoing the later changes, newest first. */
export function stateAt(
  { row, entries }: Pick<RowHistory, 'row' | 'entries'>,
  entryId: string,
): Moment {
  const state: Record<string, WireValue | undefined> = { ...row }
  for (const { id, changes } of entries) {
    if (id === entryId) break
    for (const { attrName, from } of changes)
      if (Object.hasOwn(state, attrName)) state[attrName] = from
  }
  return state
}

/** The fields that differ between `a` and `b`, in the order of `attrNames`. */
export function differencesBetween(
  a: Moment,
  b: Moment,
  attrNames: readonly string[],
): readonly FieldChange[] {
  return attrNames
    .filter((attrName) => !isSameValue(a[attrName], b[attrName]))
    .map((attrName) => ({ attrName, from: a[attrName] ?? null, to: b[attrName] ?? null }))
}

function isSameValue(a: WireValue | undefined, b: WireValue | undefined): boolean {
  const plain = (value: WireValue | undefined) =>
    Array.isArray(value)
      ? value.map(({ id }: { readonly id: string }) => id).join('\u0000')
      : value === undefined || value === null
        ? ''
        : String(value)
  return plain(a) === plain(b)
}
