export interface Arc {
  readonly from: number
  readonly to: number
}

/**
 * For each node the number of arcs to the nearest node with something open, while nodes close.
 * Distances only grow (Even and Shiloach 1981), so an old one is a lower bound. It is corrected when
 * it is read, and only along the way that it promises: what a walk has left behind costs nothing.
 */
export class Distances {
  readonly #out: readonly (readonly number[])[]
  readonly #into: readonly (readonly number[])[]
  readonly #arcs: readonly Arc[]
  readonly #isOpen: (node: number) => boolean
  /** Lower bounds. */
  readonly #distance: number[]
  /** The number of closures after which each node's distance was known to be right. */
  readonly #rightAt: number[] = []
  #closures = 0

  constructor(
    out: readonly (readonly number[])[],
    arcs: readonly Arc[],
    isOpen: (node: number) => boolean,
  ) {
    this.#out = out
    this.#arcs = arcs
    this.#isOpen = isOpen
    const into: number[][] = out.map(() => [])
    for (const { from, to } of arcs) if (from !== to) into[to]?.push(from)
    this.#into = into
    this.#distance = []
    this.#measure()
  }

  /** All distances anew, backwards from the open nodes. */
  #measure(): void {
    for (const node of this.#out.keys()) this.#distance[node] = this.#isOpen(node) ? 0 : Infinity
    const queue = [...this.#out.keys()].filter((node) => this.#isOpen(node))
    for (const node of queue)
      for (const before of this.#into[node] ?? [])
        if (this.#distance[before] === Infinity) {
          this.#distance[before] = (this.#distance[node] ?? 0) + 1
          queue.push(before)
        }
    for (const node of this.#out.keys()) this.#rightAt[node] = this.#closures
  }

  at(node: number): number {
    if (this.#rightAt[node] !== this.#closures) this.#correct(node)
    return this.#distance[node] ?? Infinity
  }

  /** Whether the distance is `wanted`, where it is known not to be less. */
  isAt(node: number, wanted: number): boolean {
    return (this.#distance[node] ?? Infinity) <= wanted && this.at(node) === wanted
  }

  /** A nearest node with something open. */
  nearestFrom(start: number): number {
    let node = start
    while (this.at(node) > 0 && this.at(node) < Infinity) {
      const [arc] = (this.#out[node] ?? []).filter((each) =>
        this.isAt(this.#arcs[each]?.to ?? -1, this.at(node) - 1),
      )
      if (arc === undefined) break
      node = this.#arcs[arc]?.to ?? node
    }
    return node
  }

  /** The node has nothing open any more. */
  close(node: number): void {
    if (!this.#isOpen(node)) this.#closures += 1
  }

  /** Follows the way that a distance promises; where it leads nowhere, distances grow. */
  #correct(start: number): void {
    const way = [start]
    // Nodes from which nothing open is left count up together without end: then all are measured anew.
    let left = 2 * this.#distance.length + 100
    for (let node = way.at(-1); node !== undefined; node = way.at(-1)) {
      const bound = this.#distance[node] ?? Infinity
      if (bound === Infinity || this.#rightAt[node] === this.#closures) {
        if (way.length === 1) return
        if (bound !== Infinity) break
        way.pop()
        continue
      }
      if (bound === 0 && this.#isOpen(node)) break
      const next = bound === 0 ? undefined : this.#onward(node, bound - 1)
      if (next !== undefined) {
        way.push(next)
        continue
      }
      this.#distance[node] = this.#best(node)
      if (way.length > 1) way.pop()
      left -= 1
      if (left === 0) {
        this.#measure()
        return
      }
    }
    for (const node of way) this.#rightAt[node] = this.#closures
  }

  #onward(node: number, bound: number): number | undefined {
    for (const arc of this.#out[node] ?? []) {
      const { to } = this.#arcs[arc] as Arc
      if (to !== node && this.#distance[to] === bound) return to
    }
    return undefined
  }

  #best(node: number): number {
    let least = Infinity
    for (const arc of this.#out[node] ?? []) {
      const { to } = this.#arcs[arc] as Arc
      if (to !== node) least = Math.min(least, (this.#distance[to] ?? Infinity) + 1)
    }
    return least
  }
}
