export interface Arc {
  readonly from: number
  readonly to: number
}

/**
 * For each node the number of arcs to the nearest node with something open, kept up to date while
 * nodes close. Distances only grow, so each update goes to the nodes that it changes and no others
 * (Even and Shiloach 1981).
 */
export class Distances {
  readonly #out: readonly (readonly number[])[]
  readonly #into: readonly (readonly number[])[]
  readonly #arcs: readonly Arc[]
  readonly #isOpen: (node: number) => boolean
  readonly #distance: number[]

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
          this.#distance[before] = this.at(node) + 1
          queue.push(before)
        }
  }

  at(node: number): number {
    return this.#distance[node] ?? Infinity
  }

  /** A nearest node with something open. */
  nearestFrom(start: number): number {
    let node = start
    while (this.at(node) > 0 && this.at(node) < Infinity) {
      const [arc] = (this.#out[node] ?? []).filter(
        (each) => this.at(this.#arcs[each]?.to ?? -1) === this.at(node) - 1,
      )
      if (arc === undefined) break
      node = this.#arcs[arc]?.to ?? node
    }
    return node
  }

  /** The node has nothing open any more. */
  update(changed: number): void {
    const queue = [changed]
    const queued = new Set(queue)
    // Nodes from which nothing open is left count up together without end: then all are measured anew.
    const most = 2 * this.#distance.length + 100
    for (const node of queue) {
      if (queue.length > most) {
        this.#measure()
        return
      }
      queued.delete(node)
      const old = this.at(node)
      const now = this.#isOpen(node) ? 0 : this.#best(node)
      if (now <= old) continue
      this.#distance[node] = now
      for (const before of this.#into[node] ?? [])
        if (this.at(before) === old + 1 && !queued.has(before)) {
          queued.add(before)
          queue.push(before)
        }
    }
  }

  #best(node: number): number {
    let least = Infinity
    for (const arc of this.#out[node] ?? []) {
      const { to } = this.#arcs[arc] as Arc
      if (to !== node) least = Math.min(least, this.at(to) + 1)
    }
    return least
  }
}
