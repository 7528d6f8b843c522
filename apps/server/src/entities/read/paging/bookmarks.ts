// Sort keys of rows at known offsets, by list. Writes before a bookmark move it: a list that is written to keeps
// its bookmarks for a while, so that its deep pages may be a few rows off until then.
import type { MemoryKind } from '../../../platform/memory.ts'
import type { Context } from '../../../model/context.ts'
import type { Key } from './keyset.ts'
import type { OrderTerm } from '../query.ts'
import { databaseOf } from '../../../platform/database/any-database.ts'

/** Rows between two bookmarks. */
export const sampleStep = 5_000
const lifetimeMs = 30_000
const maxMarks = 2_000

/** `keys` are those of the last row before `offset`. */
export interface Bookmark {
  readonly offset: number
  readonly keys: readonly Key[]
}
export interface Bookmarks {
  /** The last bookmark at or before an offset. */
  readonly before: (offset: number) => Bookmark | undefined
  readonly add: (mark: Bookmark) => void
  /** Runs work that makes bookmarks, or waits for that of another request and returns false. */
  readonly make: (work: () => Promise<void>) => Promise<boolean>
  /** Compares the version of a page that was read; whether the bookmarks are exact. */
  readonly seen: (version: string | null) => boolean
}

interface Kept {
  marks: Bookmark[]
  version: string | null
  at: number
  making?: Promise<void> | undefined
}
const lists: MemoryKind<Kept> = { name: 'bookmarks', limit: 200 }

export function findBookmarks(
  context: Context,
  list: string,
  order: readonly OrderTerm[],
): Bookmarks {
  const key = `${list} ${buildMark(context, order)}`
  const all = context.memory.of(lists)
  const now = context.now().getTime()
  const old = all.get(key)
  const kept: Kept =
    old !== undefined && Math.abs(now - old.at) < lifetimeMs
      ? old
      : { marks: [], version: null, at: now }
  if (kept !== old) all.set(key, kept)
  return {
    before: (offset) => kept.marks.findLast((mark) => mark.offset <= offset),
    add: (mark) => add(kept, mark),
    make: async (work) => {
      const others = kept.making
      kept.making ??= work().finally(() => {
        kept.making = undefined
      })
      await kept.making
      return others === undefined
    },
    seen: (version) => {
      kept.version ??= version
      if (version !== null && version === kept.version) kept.at = now
      return version === kept.version
    },
  }
}

/** Tells orders apart: their expressions with their values. */
export function buildMark(context: Context, order: readonly OrderTerm[]): string {
  const db = databaseOf(context)
  return JSON.stringify(
    order.map(({ ref, join, asc }) => {
      const joined = join?.compile(db)
      return [ref.compile(db).sql, asc, joined?.sql, joined?.parameters]
    }),
  )
}

function add(kept: Kept, mark: Bookmark): void {
  // Nothing is found from a row without a value in the first column of the order.
  if (mark.keys[0] === null || mark.keys[0] === undefined) return
  const after = kept.marks.findIndex(({ offset }) => offset >= mark.offset)
  if (after < 0) kept.marks.push(mark)
  else if (kept.marks[after]?.offset === mark.offset) kept.marks[after] = mark
  else kept.marks.splice(after, 0, mark)
  if (kept.marks.length > maxMarks)
    kept.marks = kept.marks.filter((_mark, index) => index % 2 === 0)
}
