import type { Row, WireValue } from './values.ts'

export const historyActions = ['add', 'update', 'delete', 'restore'] as const
export type HistoryAction = (typeof historyActions)[number]

/** One field's part in a change; only fields the reader may see. */
export interface FieldChange {
  readonly attrName: string
  readonly from: WireValue
  readonly to: WireValue
}

/** Who changed a record, when, and what. */
export interface HistoryEntry {
  readonly id: string
  readonly action: HistoryAction
  /** `YYYY-MM-DD HH:mm:ss` */
  readonly at: string
  readonly user: { readonly id: string; readonly name: string } | null
  readonly changes: readonly FieldChange[]
}
/** Newest first. `complete`: nothing older is kept back. */
export interface RowHistory {
  readonly row: Row
  readonly entries: readonly HistoryEntry[]
  readonly complete: boolean
}

export type Moment = Readonly<Record<string, WireValue | undefined>>

/** The record as it stood right after `entryId`: what came later is taken back, newest first. */
export function stateAt(
  { row, entries }: Pick<RowHistory, 'row' | 'entries'>,
  entryId: string,
): Moment {
  const state: Record<string, WireValue | undefined> = { ...row }
  for (const { id, changes } of entries) {
    if (id === entryId) break
    for (const { attrName, from } of changes) if (attrName in state) state[attrName] = from
  }
  return state
}

/** What is another at `b`, in the order of `attrNames`. */
export function differencesBetween(
  a: Moment,
  b: Moment,
  attrNames: readonly string[],
): readonly FieldChange[] {
  return attrNames
    .filter((attrName) => !same(a[attrName], b[attrName]))
    .map((attrName) => ({ attrName, from: a[attrName] ?? null, to: b[attrName] ?? null }))
}

function same(a: WireValue | undefined, b: WireValue | undefined): boolean {
  const plain = (value: WireValue | undefined) =>
    Array.isArray(value)
      ? value.map(({ id }: { readonly id: string }) => id).join('\u0000')
      : value === undefined || value === null
        ? ''
        : String(value)
  return plain(a) === plain(b)
}
