import type { Arc } from './cover.ts'

/** The strongly connected component of each node (Kosaraju, without recursion: the graphs of pairs are deep). */
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

/**
 * The smallest flow from the start that puts at least one unit on every arc between components and may end anywhere.
 * It begins with one walk per arc and then cancels: each way back from the sink to the start through the residual graph
 * (forwards always, backwards where an arc carries more than its one unit) saves a walk.
 */
export function minimalFlow(
  start: number,
  arcs: readonly Arc[],
  component: readonly number[],
): { flow: number[]; total: number } {
  const of = (node: number) => component[node] ?? -1
  const source = of(start)
  const between = arcs
    .map((_, index) => index)
    .filter((index) => {
      const arc = arcs[index]
      return arc !== undefined && of(arc.from) !== of(arc.to)
    })
  const flow = arcs.map(() => 0)
  const ends = new Map<number, number>()
  const parent = new Map<number, number>()
  const queue = [source]
  for (const at of queue)
    for (const index of between) {
      const arc = arcs[index]
      if (
        arc === undefined ||
        of(arc.from) !== at ||
        parent.has(of(arc.to)) ||
        of(arc.to) === source
      )
        continue
      parent.set(of(arc.to), index)
      queue.push(of(arc.to))
    }
  for (const index of between) {
    ends.set(of(arcs[index]?.to ?? -1), (ends.get(of(arcs[index]?.to ?? -1)) ?? 0) + 1)
    flow[index] = (flow[index] ?? 0) + 1
    for (
      let up = parent.get(of(arcs[index]?.from ?? -1));
      up !== undefined;
      up = parent.get(of(arcs[up]?.from ?? -1))
    )
      flow[up] = (flow[up] ?? 0) + 1
  }
  let total = between.length
  // A residual way starts at a component where a walk ends: that end is given up, and the walk goes on or is taken over by another.
  const save = (): boolean => {
    const came = new Map<number, { index: number; forward: boolean } | { end: number }>()
    const todo: number[] = []
    for (const [at, count] of ends)
      if (count > 0) {
        came.set(at, { end: at })
        todo.push(at)
      }
    for (const at of todo) {
      if (at === source) break
      for (const index of between) {
        const arc = arcs[index]
        if (arc === undefined) continue
        const forward = of(arc.from) === at
        const to = forward
          ? of(arc.to)
          : of(arc.to) === at && (flow[index] ?? 0) > 1
            ? of(arc.from)
            : null
        if (to !== null && !came.has(to)) {
          came.set(to, { index, forward })
          todo.push(to)
        }
      }
    }
    let at = source
    if (!came.has(at)) return false
    for (let step = came.get(at); step !== undefined; step = came.get(at)) {
      if ('end' in step) {
        ends.set(at, (ends.get(at) ?? 0) - 1)
        break
      }
      flow[step.index] = (flow[step.index] ?? 0) + (step.forward ? 1 : -1)
      at = of(arcs[step.index]?.[step.forward ? 'from' : 'to'] ?? -1)
    }
    total -= 1
    return true
  }
  while (total > 1 && save()) {
    /* one walk fewer each time */
  }
  return { flow, total: between.length === 0 && arcs.length > 0 ? 1 : total }
}
