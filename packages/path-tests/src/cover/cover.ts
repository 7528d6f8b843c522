import { type Arc, Distances } from './distances.ts'

/** Reads a walk arc by arc and tells whether it is possible; for timers. */
export interface Tracker<T> {
  readonly begin: T
  /** Null when the arc cannot follow. */
  next(state: T, arc: number): T | null
}
export interface Cover {
  /** Each a walk from the start, as indexes of arcs. */
  readonly walks: readonly (readonly number[])[]
  /** Arcs that no possible walk was found for. */
  readonly left: readonly number[]
}
export interface CoverOptions<T> {
  /** Possible walks; every walk when left out. */
  readonly tracker?: Tracker<T>
  /** A walk ends before it gets longer, unless its first new arc is that far away. */
  readonly maxSteps?: number
  /** Classes of arcs of which one each is enough; every arc by itself when left out. */
  classOf?(arc: number): string
  /** Arcs that are taken already; those of the walks are added. */
  readonly taken?: Set<number>
}

/** Ways to one node that are tried in the search for an arc that needs a certain timing. */
const waysPerNode = [4, 40]

/**
 * Walks from the start that together take every reachable arc; deterministic. Greedy: each walk
 * takes what is new where it stands, loops first, and otherwise goes to the nearest arc that is
 * still to be taken, along distances that are kept up to date (see `Distances`). So the time is
 * nearly proportional to the steps, and no walk is longer than `maxSteps`. The number of walks is
 * not the least possible.
 *
 * With a tracker an arc that cannot follow is put off; one search over possible walks finds a way
 * to all of those at the end.
 */
export function cover<T>(
  start: number,
  arcs: readonly Arc[],
  { tracker, maxSteps = Infinity, classOf = String, taken = new Set() }: CoverOptions<T> = {},
): Cover {
  const graph = new OpenArcs(arcs, classOf, taken)
  const distances = new Distances(graph.out, arcs, (node) => graph.hasOpen(node))
  const close = (arc: number) => {
    taken.add(arc)
    for (const node of graph.close(arc)) distances.close(node)
  }
  const walks: number[][] = []
  /** Continues a walk as far as it finds something new. */
  const extend = (path: number[], from: number, begin: T | null): boolean => {
    let node = from
    let state = begin
    let fresh = false
    const idle = new Set<number>()
    const go = (arc: number, next: T | null) => {
      path.push(arc)
      state = next
      node = arcs[arc]?.to ?? node
    }
    for (;;) {
      if (fresh && path.length + 1 > maxSteps) break
      const chosen = firstPossible(graph.outOf(node), (arc) => graph.isOpen(arc), state, tracker)
      if (chosen !== null) {
        go(...chosen)
        close(chosen[0])
        idle.clear()
        fresh = true
        continue
      }
      const nearest = distances.at(node)
      if (nearest === 0) {
        // Targets that are left here are impossible after this walk.
        graph.putOff(node)
        distances.close(node)
        continue
      }
      if (nearest === Infinity || (fresh && path.length + nearest + 1 > maxSteps)) break
      if (idle.has(node)) break
      idle.add(node)
      const isOnward = (arc: number) => distances.isAt(arcs[arc]?.to ?? -1, nearest - 1)
      const step = firstPossible(graph.outOf(node), isOnward, state, tracker)
      if (step === null) break
      go(...step)
    }
    return fresh
  }
  for (;;) {
    const path: number[] = []
    if (distances.at(start) === Infinity) break
    if (extend(path, start, tracker?.begin ?? null)) walks.push(path)
    else if (distances.at(start) < Infinity) {
      const node = distances.nearestFrom(start)
      graph.putOff(node)
      distances.close(node)
    }
  }
  if (tracker !== undefined)
    for (const ways of waysPerNode)
      for (const { path, end } of searchFor(start, arcs, graph, tracker, ways)) {
        if (path.every((arc) => !graph.isOpen(arc))) continue
        for (const arc of path) close(arc)
        extend(path, arcs[path.at(-1) ?? -1]?.to ?? start, end)
        walks.push(path)
      }
  return { walks, left: graph.leftOver() }
}

function firstPossible<T>(
  arcs: readonly number[],
  isWanted: (arc: number) => boolean,
  state: T | null,
  tracker: Tracker<T> | undefined,
): [number, T | null] | null {
  for (const arc of arcs) {
    if (!isWanted(arc)) continue
    if (tracker === undefined) return [arc, null]
    const next = tracker.next(state as T, arc)
    if (next !== null) return [arc, next]
  }
  return null
}

/** The arcs that are still to be taken, by node. */
class OpenArcs {
  readonly out: readonly (readonly number[])[]
  readonly #arcs: readonly Arc[]
  /** The number of each arc's class. */
  readonly #classes: Int32Array
  readonly #members: number[][] = []
  /** 1 for classes that are still open. */
  readonly #open: Uint8Array
  readonly #count: number[]
  readonly #off = new Set<number>()

  constructor(arcs: readonly Arc[], classOf: (arc: number) => string, taken: ReadonlySet<number>) {
    this.#arcs = arcs
    const size = arcs.reduce((most, { from, to }) => Math.max(most, from, to), -1) + 1
    const out: number[][] = Array.from({ length: size }, () => [])
    arcs.forEach(({ from }, index) => out[from]?.push(index))
    // Loops first, so that no walk has to return for them.
    this.out = out.map((list) => [
      ...list.filter((arc) => arcs[arc]?.from === arcs[arc]?.to),
      ...list.filter((arc) => arcs[arc]?.from !== arcs[arc]?.to),
    ])
    const numbers = new Map<string, number>()
    this.#classes = Int32Array.from(arcs, (_, arc) => {
      const name = classOf(arc)
      const number = numbers.get(name) ?? numbers.size
      numbers.set(name, number)
      ;(this.#members[number] ??= []).push(arc)
      return number
    })
    this.#open = new Uint8Array(numbers.size).fill(1)
    for (const arc of taken) this.#open[this.#classes[arc] ?? 0] = 0
    this.#count = this.out.map((list) => list.filter((arc) => this.isOpen(arc)).length)
  }

  outOf(node: number): readonly number[] {
    return this.out[node] ?? []
  }

  isOpen(arc: number): boolean {
    return this.#open[this.#classes[arc] ?? 0] === 1
  }

  /** Whether a walk should go to the node for its open arcs. */
  hasOpen(node: number): boolean {
    return (this.#count[node] ?? 0) > 0
  }

  /** Closes the arc's class; returns the nodes that have nothing open now. */
  close(arc: number): readonly number[] {
    const number = this.#classes[arc] ?? 0
    if (this.#open[number] === 0) return []
    const emptied: number[] = []
    for (const member of this.#members[number] ?? [])
      if (!this.#off.delete(member)) {
        const { from } = this.#arcs[member] as Arc
        this.#count[from] = (this.#count[from] ?? 0) - 1
        if (this.#count[from] === 0) emptied.push(from)
      }
    this.#open[number] = 0
    return emptied
  }

  /** Open arcs of the node no longer attract walks. */
  putOff(node: number): void {
    for (const arc of this.outOf(node)) if (this.isOpen(arc)) this.#off.add(arc)
    this.#count[node] = 0
  }

  /** One arc of each class that is still open. */
  leftOver(): number[] {
    return this.#members.flatMap(([first = 0], number) => (this.#open[number] === 1 ? [first] : []))
  }
}

/**
 * One search over possible walks, breadth first, that passes each node a few times: the walks to
 * all open arcs it comes by. Ways of different timing may lead on differently.
 */
function searchFor<T>(
  start: number,
  arcs: readonly Arc[],
  graph: OpenArcs,
  tracker: Tracker<T>,
  ways: number,
): { readonly path: number[]; readonly end: T }[] {
  interface Way {
    readonly node: number
    readonly state: T
    readonly arc: number
    readonly before: Way | null
  }
  const wanted = new Set([...arcs.keys()].filter((arc) => graph.isOpen(arc)))
  const found: { path: number[]; end: T }[] = []
  const visits = new Map<number, number>()
  const queue: Way[] =
    wanted.size === 0 ? [] : [{ node: start, state: tracker.begin, arc: -1, before: null }]
  for (const way of queue) {
    if (wanted.size === 0) break
    for (const arc of graph.outOf(way.node)) {
      const to = arcs[arc]?.to ?? -1
      const isWanted = wanted.has(arc)
      if (!isWanted && (to === way.node || (visits.get(to) ?? 0) >= ways)) continue
      const state = tracker.next(way.state, arc)
      if (state === null) continue
      const next: Way = { node: to, state, arc, before: way }
      if (isWanted) {
        wanted.delete(arc)
        const path: number[] = []
        for (let each: Way | null = next; each !== null && each.arc >= 0; each = each.before)
          path.push(each.arc)
        found.push({ path: path.reverse(), end: state })
      }
      if ((visits.get(to) ?? 0) >= ways) continue
      visits.set(to, (visits.get(to) ?? 0) + 1)
      queue.push(next)
    }
  }
  return found
}
