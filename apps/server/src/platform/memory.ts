// The one place where the server remembers things between calls. Every kind has a name, a limit and, where it may
// become stale, an age; /metrics shows how many entries each has and how often they were of use.

/** A kind of things remembered under text keys. Made once per kind, at the top of the file that owns it. */
export interface MemoryKind<Value> {
  /** Label in /metrics. */
  readonly name: string
  /** Entries at most; the least recently used one is forgotten first. */
  readonly limit: number
  /** Milliseconds after which `get` no longer finds an entry; absent: only the limit counts. */
  readonly age?: number
  /** Milliseconds without use after which an entry is forgotten. */
  readonly idle?: number
  /** Never set: ties the kind to the type of its values. */
  readonly holds?: Value
}

interface MemoryStore<Value> {
  /** Counts as a use, and as a hit or a miss. */
  readonly get: (key: string) => Value | undefined
  /** An entry whatever its age, without counting. */
  readonly peek: (key: string) => Value | undefined
  /** @param since milliseconds of the clock from which the age counts; absent: now */
  readonly set: (key: string, value: Value, since?: number) => void
  readonly delete: (key: string) => void
  readonly has: (key: string) => boolean
}

interface MemoryFigures {
  readonly name: string
  readonly entries: number
  readonly limit: number
  readonly hits: number
  readonly misses: number
}

/** The memory of one server. */
export interface Memory {
  /** The store of a kind, made at its first use. */
  readonly of: <Value>(kind: MemoryKind<Value>) => MemoryStore<Value>
  /** The result of the call that runs or ran for the key; failures are not remembered. */
  readonly share: <Value>(
    kind: MemoryKind<Promise<Value>>,
    key: string,
    make: () => Promise<Value>,
  ) => Promise<Value>
  readonly figures: () => readonly MemoryFigures[]
}

export function createMemory(now: () => Date): Memory {
  const stores = new Map<string, Store<unknown>>()
  const find = <Value>(kind: MemoryKind<Value>): MemoryStore<Value> => {
    const known = stores.get(kind.name)
    if (known !== undefined && known.kind !== kind)
      throw new Error(`Two kinds of memory are called ${kind.name}.`)
    const store = known ?? new Store<unknown>(kind, now)
    stores.set(kind.name, store)
    return store as Store<Value>
  }
  return {
    of: find,
    share: (kind, key, make) => {
      const store = find(kind)
      const known = store.get(key)
      if (known !== undefined) return known
      const made = make()
      store.set(key, made)
      made.catch(() => {
        if (store.peek(key) === made) store.delete(key)
      })
      return made
    },
    figures: () => [...stores.values()].map((store) => store.figures()),
  }
}

interface Entry<Value> {
  readonly value: Value
  readonly storedAt: number
  usedAt: number
}

class Store<Value> implements MemoryStore<Value> {
  readonly kind: MemoryKind<Value>
  readonly #now: () => Date
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry<Value>>()
  #hits = 0
  #misses = 0

  constructor(kind: MemoryKind<Value>, now: () => Date) {
    this.kind = kind
    this.#now = now
  }

  get(key: string): Value | undefined {
    const found = this.#entries.get(key)
    const at = this.#now().getTime()
    const { age = Number.POSITIVE_INFINITY } = this.kind
    // A clock that was set back makes an entry as doubtful as a late one.
    if (found === undefined || Math.abs(at - found.storedAt) >= age) {
      this.#misses += 1
      return undefined
    }
    this.#hits += 1
    found.usedAt = at
    this.#entries.delete(key)
    this.#entries.set(key, found)
    return found.value
  }

  peek(key: string): Value | undefined {
    return this.#entries.get(key)?.value
  }

  has(key: string): boolean {
    return this.#entries.has(key)
  }

  set(key: string, value: Value, since?: number): void {
    const at = this.#now().getTime()
    this.#entries.delete(key)
    this.#entries.set(key, { value, storedAt: since ?? at, usedAt: at })
    const { limit, idle = Number.POSITIVE_INFINITY } = this.kind
    for (const [oldest, { usedAt }] of this.#entries) {
      if (this.#entries.size <= limit && at - usedAt < idle) break
      this.#entries.delete(oldest)
    }
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  figures(): MemoryFigures {
    const { name, limit } = this.kind
    return { name, limit, entries: this.#entries.size, hits: this.#hits, misses: this.#misses }
  }
}
