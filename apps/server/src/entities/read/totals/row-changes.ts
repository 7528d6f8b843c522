// Changes of the last writes to listed tables by this server, so that a total is carried over them instead of being
// counted again (docs/rules/database.md#counting).
import type { VersionListener } from '../../../platform/database/finish-write.ts'
import type { Memory, MemoryKind } from '../../../platform/memory.ts'

/** The rows of one write by their ids, and the columns it set in rows that were there before. */
export interface RowChanges {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
}

/** Writes of the last half minute at most: totals are not carried any longer. */
const maxWrites = 300
const listedMs = 30_000

/** The largest remembered total of each table, by `tenant table`. */
const listed: MemoryKind<number> = { name: 'tables with totals', limit: 2_000, age: listedMs }
/** The last writes to each by the version that they gave to the table. */
const writes: MemoryKind<Map<string, RowChanges>> = {
  name: 'row changes',
  limit: 2_000,
  idle: 2 * listedMs,
}

const keyOfTable = (tenant: string, table: string): string => `${tenant} ${table}`

/** Says that a total of the table is remembered: from now on its writes are noted. */
export function noteListed(memory: Memory, tenant: string, table: string, total: number): void {
  const store = memory.of(listed)
  const key = keyOfTable(tenant, table)
  store.set(key, Math.max(store.get(key) ?? 0, total))
}

/**
 * A listener for the version that a write gives to a table (`biz.student`); null where no remembered total of the
 * table is so large, or the changes are not known.
 * @param least total for which the version is worth a statement that holds the locks of the commit
 */
export function listenForChanges(
  memory: Memory,
  tenant: string,
  table: string,
  least: number,
  describe: () => RowChanges | null,
): VersionListener | null {
  const key = keyOfTable(tenant, table)
  const total = memory.of(listed).get(key)
  if (total === undefined || total < least) return null
  const changes = describe()
  if (changes === null) return null
  return (version) => {
    const store = memory.of(writes)
    const noted = store.peek(key) ?? new Map<string, RowChanges>()
    const known = noted.get(version)
    noted.set(version, known === undefined ? changes : joinChanges([known, changes]))
    for (const oldest of noted.keys()) {
      if (noted.size <= maxWrites) break
      noted.delete(oldest)
    }
    store.set(key, noted)
  }
}

/** All changes after one version up to another; null where one of the writes is not known. */
export function findChanges(
  memory: Memory,
  tenant: string,
  table: string,
  { from, to }: { readonly from: string; readonly to: string },
): RowChanges | null {
  const noted = memory.of(writes).peek(keyOfTable(tenant, table))
  const [first, last] = [Number(from), Number(to)]
  if (noted === undefined || !(last > first) || last - first > maxWrites) return null
  const found = Array.from({ length: last - first }, (_none, at) =>
    noted.get(String(first + 1 + at)),
  )
  return found.every((each) => each !== undefined) ? joinChanges(found) : null
}

/** Changes after one another: a row that came and went is in neither list. */
function joinChanges(all: readonly RowChanges[]): RowChanges {
  const added = new Set<string>()
  const removed = new Set<string>()
  for (const change of all) {
    for (const id of change.added) added.add(id)
    for (const id of change.removed) if (!added.delete(id)) removed.add(id)
  }
  return {
    added: [...added],
    removed: [...removed],
    changed: [...new Set(all.flatMap(({ changed }) => changed))],
  }
}
