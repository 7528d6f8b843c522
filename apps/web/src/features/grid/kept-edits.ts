import { parseJson } from '@jiaowu/api/exact-json'
import type { KeptEdits } from '@jiaowu/machines/grid-edit/context'
import type { NewIds } from '@jiaowu/machines/grid-edit/save-rows'

const prefix = 'JIAOWU_UNSAVED_'
/** Keys of grids that are open on this page. */
const open = new Set<string>()

export interface Keeper {
  /** Reads the edits that grids of this place left unsaved. */
  readonly read: () => KeptEdits | null
  /** From now on nobody else on this page takes it. @returns ends that */
  readonly hold: () => () => void
  /** Null: nothing is unsaved. */
  readonly write: (kept: KeptEdits | null) => void
  /** Ids of new rows, kept with them: a create without an answer is repeated with its id. */
  readonly newIds: NewIds
}
/** Stored edits: the rows, and the ids that were made for new ones. */
interface Stored extends KeptEdits {
  readonly ids?: Readonly<Record<string, string>>
}

/**
 * Keeps what a grid has not stored for a reload. It is personal data: it stays in this tab of the browser and
 * goes with the session. Two grids of one place that are open side by side keep theirs apart; the next
 * that is opened takes up what is left of those that are not open any more.
 */
export function createKeeper(place: string): Keeper {
  let number = 0
  while (open.has(buildKeptKey(place, number))) number += 1
  const own = buildKeptKey(place, number)
  const ids = new Map<string, string>()
  let last: KeptEdits | null = null
  const left = () =>
    Object.keys(sessionStorage)
      .filter((key) => key.startsWith(buildKeptKey(place, '')) && !open.has(key))
      .toSorted()
  const write = (kept: KeptEdits | null) => {
    last = kept
    for (const key of left()) if (key !== own) sessionStorage.removeItem(key)
    try {
      if (kept === null) sessionStorage.removeItem(own)
      else sessionStorage.setItem(own, JSON.stringify({ ...kept, ids: Object.fromEntries(ids) }))
    } catch {
      // Too large for the storage: it lasts as long as the page.
      sessionStorage.removeItem(own)
    }
  }
  return {
    read: () => {
      const rows = joinRows(left().map(storedIn), ids)
      return rows.length === 0 ? null : { version: 1, rows }
    },
    hold: () => {
      open.add(own)
      return () => open.delete(own)
    },
    write,
    newIds: {
      get: (key) => ids.get(key),
      set: (key, id) => {
        if (ids.get(key) === id) return
        ids.set(key, id)
        if (last !== null) write(last)
      },
    },
  }
}

/** Whether a grid, open or not, has left something unsaved in this tab of the browser. */
export function hasKeptEdits(): boolean {
  return Object.keys(sessionStorage).some((key) => key.startsWith(prefix))
}

/** Removes what other people left in this tab of the browser. */
export function dropKeptEditsExcept(user: { readonly tenant: string; readonly id: string }): void {
  const own = `${prefix}${personPart(user)}`
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(prefix) && !key.startsWith(own)) sessionStorage.removeItem(key)
}

/** The first part of a place: whose edits they are. */
export function personPart(user: { readonly tenant: string; readonly id: string } | null): string {
  return `${user?.tenant ?? ''}_${user?.id ?? ''}_`
}

function buildKeptKey(place: string, number: number | ''): string {
  return `${prefix}${place} ${number}`
}

function storedIn(key: string): Stored {
  try {
    const read = parseJson(sessionStorage.getItem(key) ?? 'null') as Stored | null
    if (read?.version === 1 && Array.isArray(read.rows)) return read
  } catch {
    // Not JSON: damaged.
  }
  return { version: 1, rows: [] }
}

/** New rows of several grids can have the same key: they get others, with their ids. */
function joinRows(all: readonly Stored[], ids: Map<string, string>): KeptEdits['rows'] {
  const seen = new Set<string>()
  return all.flatMap(({ rows, ids: made = {} }) =>
    rows.flatMap((row) => {
      const isNew = row.edit.id === null
      if (!isNew && seen.has(row.key)) return []
      let { key } = row
      for (let n = 1; seen.has(key); n += 1) key = `\n${n}`
      seen.add(key)
      const id = made[row.key]
      if (isNew && id !== undefined) ids.set(key, id)
      return [{ ...row, key }]
    }),
  )
}
