import type { HistoryEntry, RowHistory } from '@jiaowu/api/entity/definition/history'

/**
 * Stands for the time before the earliest known change. No change has this id, so `stateAt` takes
 * all of them back.
 */
export const earliest: HistoryEntry = {
  id: 'earliest',
  action: 'add',
  at: '',
  user: null,
  changes: [],
}

/** Newest first; ends with `earliest` unless the record's creation is known. */
export function listHistoryEntries({ entries }: RowHistory): readonly HistoryEntry[] {
  const oldest = entries.at(-1)
  return oldest === undefined || oldest.action === 'add' ? entries : [...entries, earliest]
}
