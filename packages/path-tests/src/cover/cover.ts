import { components, minimalFlow } from './flow.ts'

export interface Arc {
  readonly from: number
  readonly to: number
}
export interface Cover {
  /** Each a walk from the start, as indexes of arcs. */
  readonly paths: readonly (readonly number[])[]
  /** No set of walks from the start can be smaller than this. */
  readonly bound: number
  /** Arcs that no feasible walk takes (only with `feasible`). */
  readonly left: readonly number[]
}
export interface CoverOptions {
  /** Whether a walk is possible, given its timers' order; every walk when left out. */
  feasible?(path: readonly number[]): boolean
  /** Maximum length of a walk; smaller values give more walks. */
  readonly longest?: number
  /** Classes of arcs of which one each is enough; every arc by itself when left out. */
  classOf?(arc: number): string
}

interface Route {
  readonly arcs: readonly number[]
  readonly target: number
}

/**
 * The fewest walks from the start that together take every reachable arc; deterministic.
 *
 * Lower bound: inside a strongly connected component one walk can take every arc, however many
 * there are. Between components there is no way back, so a walk takes at most one of two arcs that
 * cannot follow each other. The fewest walks are therefore a minimum flow over the graph of
 * components in which every arc between components carries at least one unit; by duality it equals
 * the largest set of such arcs of which no two can follow each other, which is the lower bound
 * returned. The flow also gives the walks: a walk first takes everything new inside its component
 * (nearest first; breadth-first routes), then leaves by an arc that still has flow. So without
 * timers and `longest` the number of walks equals the bound. The number of steps is only near the
 * least: the route inside a component is greedy, where the directed Chinese postman would save a
 * few steps and cost a matching.
 *
 * With `feasible`, a step that would make a walk impossible is skipped; the remaining arcs get
 * walks of their own by search.
 */
export function cover(
  start: number,
  arcs: readonly Arc[],
  { feasible = () => true, longest = Infinity, classOf = String }: CoverOptions = {},
): Cover {
  const size = Math.max(start, ...arcs.flatMap(({ from, to }) => [from, to])) + 1
  const out: number[][] = Array.from({ length: size }, () => [])
  arcs.forEach(({ from }, index) => out[from]?.push(index))
  const component = components(size, arcs)
  const { flow, total } = minimalFlow(start, arcs, component)
  const inside = (index: number) =>
    component[arcs[index]?.from ?? -1] === component[arcs[index]?.to ?? -1]
  const open = new Set(arcs.map((_, index) => classOf(index)))
  const isOpen = (index: number) => open.has(classOf(index))
  const guided = arcs.length === open.size
  const paths: number[][] = []
  const first = (path: number[], options: Iterable<Route>): Route | undefined => {
    for (const route of options) if (feasible([...path, ...route.arcs])) return route
    return undefined
  }
  const walk = (follow: boolean): boolean => {
    const path: number[] = []
    let node = start,
      fresh = 0
    while (path.length < longest) {
      const nearest = follow
        ? routes(out, arcs, node, inside, (index) => inside(index) && isOpen(index))
        : routes(out, arcs, node, () => true, isOpen)
      const route =
        first(path, nearest) ??
        (follow
          ? first(
              path,
              routes(out, arcs, node, inside, (index) => (flow[index] ?? 0) > 0),
            )
          : undefined)
      if (route === undefined) break
      for (const index of route.arcs) {
        path.push(index)
        if (open.delete(classOf(index))) fresh += 1
        if (!inside(index)) flow[index] = (flow[index] ?? 0) - 1
        node = arcs[index]?.to ?? node
      }
    }
    if (fresh > 0) paths.push(path)
    return fresh > 0
  }
  for (const follow of guided ? [true, false] : [false])
    while (open.size > 0 && walk(follow)) {
      /* each walk takes something new */
    }
  const left: number[] = []
  for (const index of arcs.keys()) {
    if (!isOpen(index)) continue
    const path = feasibleWalk(out, arcs, start, index, feasible)
    if (path === null) {
      if (guided) left.push(index)
    } else {
      paths.push(path)
      for (const arc of path) open.delete(classOf(arc))
    }
  }
  if (!guided)
    left.push(...[...open].map((name) => arcs.findIndex((_, index) => classOf(index) === name)))
  return { paths, bound: guided ? total : paths.length === 0 ? 0 : 1, left }
}

/**
 * Routes from `node` to wanted arcs, nearest first; loops first among the nearest, so that no walk
 * has to return for them.
 */
function* routes(
  out: readonly (readonly number[])[],
  arcs: readonly Arc[],
  node: number,
  passable: (arc: number) => boolean,
  wanted: (arc: number) => boolean,
): Generator<Route> {
  const seen = new Set([node])
  let level: { node: number; arcs: readonly number[] }[] = [{ node, arcs: [] }]
  while (level.length > 0) {
    const found = level.flatMap((at) =>
      (out[at.node] ?? [])
        .filter(wanted)
        .map((target): Route => ({ arcs: [...at.arcs, target], target })),
    )
    const isLoop = ({ target }: Route) => arcs[target]?.from === arcs[target]?.to
    yield* found.filter(isLoop)
    yield* found.filter((route) => !isLoop(route))
    const next: typeof level = []
    for (const at of level)
      for (const index of (out[at.node] ?? []).filter(passable)) {
        const to = arcs[index]?.to ?? -1
        if (!seen.has(to)) {
          seen.add(to)
          next.push({ node: to, arcs: [...at.arcs, index] })
        }
      }
    level = next
  }
}

/**
 * A feasible walk from the start that ends with `goal`, the shortest found; each node may be passed
 * a few times on the way.
 */
function feasibleWalk(
  out: readonly (readonly number[])[],
  arcs: readonly Arc[],
  start: number,
  goal: number,
  feasible: (path: readonly number[]) => boolean,
): number[] | null {
  const visits = new Map<number, number>()
  let level: { node: number; path: number[] }[] = [{ node: start, path: [] }]
  while (level.length > 0) {
    const next: typeof level = []
    for (const { node, path } of level)
      for (const index of out[node] ?? []) {
        const longer = [...path, index],
          to = arcs[index]?.to ?? -1
        if (to === node && index !== goal) continue
        if ((index !== goal && (visits.get(to) ?? 0) >= 4) || !feasible(longer)) continue
        if (index === goal) return longer
        visits.set(to, (visits.get(to) ?? 0) + 1)
        next.push({ node: to, path: longer })
      }
    level = next
  }
  return null
}
