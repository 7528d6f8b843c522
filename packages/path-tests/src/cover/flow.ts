import type { Arc } from './cover.ts'

/**
 * The strongly connected component of each node (Kosaraju's algorithm, without recursion because
 * graphs of pairs are deep).
 */
export function components(size: number, arcs: readonly Arc[]): number[] {
  const out = lists(size, arcs, 'from'),
    into = lists(size, arcs, 'to')
  const order: number[] = []
  const seen = new Set<number>()
  for (let root = 0; root < size; root += 1) {
    if (seen.has(root)) continue
    seen.add(root)
    const stack = [{ node: root, next: 0 }]
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const index = out[top.node]?.[top.next]
      top.next += 1
      if (index === undefined) {
        order.push(top.node)
        stack.pop()
        continue
      }
      const to = arcs[index]?.to ?? -1
      if (!seen.has(to)) {
        seen.add(to)
        stack.push({ node: to, next: 0 })
      }
    }
  }
  const component: number[] = Array.from({ length: size }, () => -1)
  let count = 0
  for (const root of order.reverse()) {
    if (component[root] !== -1) continue
    const stack = [root]
    component[root] = count
    for (let node = stack.pop(); node !== undefined; node = stack.pop())
      for (const index of into[node] ?? []) {
        const from = arcs[index]?.from ?? -1
        if (component[from] === -1) {
          component[from] = count
          stack.push(from)
        }
      }
    count += 1
  }
  return component
}

function lists(size: number, arcs: readonly Arc[], end: 'from' | 'to'): number[][] {
  const made: number[][] = Array.from({ length: size }, () => [])
  arcs.forEach((arc, index) => made[arc[end]]?.push(index))
  return made
}

/** A flow on the arcs between components, and where its walks end (walks per component). */
interface Flow {
  readonly perArc: number[]
  readonly ends: Map<number, number>
}

/** The arcs between components, with the component of each end. */
interface Bridge {
  readonly index: number
  readonly from: number
  readonly to: number
}

/**
 * The smallest flow from the start that puts at least one unit on every arc between components and
 * may end anywhere. It begins with one walk per arc and then cancels: each way from an end back to
 * the start through the residual graph (forwards always, backwards where an arc carries more than
 * one unit) saves a walk.
 */
export function minimalFlow(
  start: number,
  arcs: readonly Arc[],
  component: readonly number[],
): { flow: number[]; total: number } {
  const of = (node: number) => component[node] ?? -1
  const bridges = arcs
    .map((arc, index): Bridge => ({ index, from: of(arc.from), to: of(arc.to) }))
    .filter(({ from, to }) => from !== to)
  const flow = oneWalkPerBridge(of(start), bridges, arcs.length)
  let total = bridges.length
  while (total > 1 && saveWalk(of(start), bridges, flow)) total -= 1
  return { flow: flow.perArc, total: bridges.length === 0 && arcs.length > 0 ? 1 : total }
}

/** For each bridge a walk from the source to its end, along the tree of shortest ways. */
function oneWalkPerBridge(source: number, bridges: readonly Bridge[], size: number): Flow {
  const parent = shortestWays(source, bridges)
  const flow: Flow = { perArc: Array.from({ length: size }, () => 0), ends: new Map() }
  for (const bridge of bridges) {
    flow.ends.set(bridge.to, (flow.ends.get(bridge.to) ?? 0) + 1)
    for (let up: Bridge | undefined = bridge; up !== undefined; up = parent.get(up.from))
      flow.perArc[up.index] = (flow.perArc[up.index] ?? 0) + 1
  }
  return flow
}

/** The last bridge of a shortest way from the source to each component. */
function shortestWays(source: number, bridges: readonly Bridge[]): Map<number, Bridge> {
  const parent = new Map<number, Bridge>()
  const queue = [source]
  for (const at of queue)
    for (const bridge of bridges) {
      if (bridge.from !== at || parent.has(bridge.to) || bridge.to === source) continue
      parent.set(bridge.to, bridge)
      queue.push(bridge.to)
    }
  return parent
}

type Residual = { readonly bridge: Bridge; readonly forward: boolean } | 'end'

/** Saves one walk if a residual way leads from an end to the source. Changes `flow`. */
function saveWalk(source: number, bridges: readonly Bridge[], flow: Flow): boolean {
  const cameBy = residualWays(source, bridges, flow)
  let at = source
  for (let step = cameBy.get(at); step !== undefined; step = cameBy.get(at)) {
    if (step === 'end') {
      flow.ends.set(at, (flow.ends.get(at) ?? 0) - 1)
      return true
    }
    const { bridge, forward } = step
    flow.perArc[bridge.index] = (flow.perArc[bridge.index] ?? 0) + (forward ? 1 : -1)
    at = forward ? bridge.from : bridge.to
  }
  return false
}

/** Breadth first from every component where a walk ends: how each component was reached. Stops at the source. */
function residualWays(
  source: number,
  bridges: readonly Bridge[],
  { perArc, ends }: Flow,
): Map<number, Residual> {
  const queue = [...ends].filter(([, count]) => count > 0).map(([at]) => at)
  const cameBy = new Map<number, Residual>(queue.map((at) => [at, 'end']))
  for (const at of queue) {
    if (at === source) break
    for (const bridge of bridges) {
      const forward = bridge.from === at
      const backward = bridge.to === at && (perArc[bridge.index] ?? 0) > 1
      const to = forward ? bridge.to : bridge.from
      if ((!forward && !backward) || cameBy.has(to)) continue
      cameBy.set(to, { bridge, forward })
      queue.push(to)
    }
  }
  return cameBy
}
