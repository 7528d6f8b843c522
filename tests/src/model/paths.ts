import { cover, type CoverOptions } from './cover.ts'
import { type Edge, type Graph, traceTo } from './explore.ts'
import { type Path, pathOf } from './run-path.ts'
import { schedule, type Timed } from './schedule.ts'
import { stepId } from './spec.ts'

/** Paths that together cover something, and how good that is. */
export interface PathSet {
  readonly name: string
  readonly paths: readonly Path[]
  readonly steps: number
  /** No smaller number of paths can cover the same. */
  readonly bound: number
  /** Edges that no path can take in time: their timer never comes first. */
  readonly untimely: readonly Edge[]
}

const hash = (text: string): string => {
  let state = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193)
  return (state >>> 0).toString(16).padStart(8, '0')
}
/** A path's name stays when other paths come and go: it is made of its steps. */
const named = (graph: Graph, prefix: string, edges: readonly Edge[]): Path => pathOf(graph, `${prefix}-${hash(edges.map(({ step }) => stepId(step)).join('|')).slice(0, 6)}`, edges)

const timedOf = ({ step, starts, stops }: Edge): Timed => ({ fires: step.kind === 'time' ? step.timer : null, starts, stops })
/** Whether the timers of a walk can run out in its order; null when the graph has no timers, so that nobody need ask. */
const inTime = (graph: Graph): ((edges: readonly Edge[]) => boolean) | null =>
  graph.edges.some(({ step }) => step.kind === 'time') ? (edges) => schedule([{ fires: null, starts: graph.first.starts, stops: [] }, ...edges.map(timedOf)]) !== null : null

const setOf = (graph: Graph, name: string, walks: readonly (readonly Edge[])[], bound: number, untimely: readonly Edge[]): PathSet => {
  const paths = walks.map((edges) => named(graph, name, edges))
  return { name, paths, steps: paths.reduce((sum, { steps }) => sum + steps.length, 0), bound, untimely }
}

const coverEdges = (graph: Graph, name: string, edges: readonly Edge[], options: Pick<CoverOptions, 'longest'> & { classOf?(edge: Edge): string }): PathSet => {
  const possible = inTime(graph), { classOf } = options
  const of = (indexes: readonly number[]) => indexes.flatMap((index) => edges[index] ?? [])
  const { paths, bound, left } = cover(0, edges, {
    ...(options.longest === undefined ? {} : { longest: options.longest }),
    ...(possible === null ? {} : { feasible: (path: readonly number[]) => possible(of(path)) }),
    ...(classOf === undefined ? {} : { classOf: (index: number) => of([index]).map(classOf).join('') }),
  })
  return setOf(graph, name, paths.map(of), bound, of(left))
}

export interface JourneyOptions {
  /** Include the events that nothing handles (default: yes). */
  readonly sneak?: boolean
  /** End a journey that has this many steps; more journeys then, each easier to follow. */
  readonly longest?: number
}

/** The edge cover: every edge of the graph at least once, sneak steps included, in as few paths as there can be (see `cover`). */
export const journeys = (graph: Graph, { sneak = true, longest }: JourneyOptions = {}): PathSet =>
  coverEdges(graph, 'journey', graph.edges.filter((edge) => sneak || !edge.sneak), longest === undefined ? {} : { longest })

/** One edge of each class is enough; for graphs too large to walk whole on a slow surface. */
export const journeysBy = (graph: Graph, classOf: (edge: Edge) => string, { sneak = false, longest }: JourneyOptions = {}): PathSet =>
  coverEdges(graph, 'by', graph.edges.filter((edge) => sneak || !edge.sneak), { classOf, ...(longest === undefined ? {} : { longest }) })

/** Every declared transition at least once: the smallest set worth running. */
export const byTransition = (graph: Graph): PathSet => journeysBy(graph, ({ taken, from, step }) => (taken.length === 0 ? `${from} ${stepId(step)}` : taken.join(' + ')))

/** One short path per edge that is not a sneak step; paths that begin another are left out. Slower than journeys, and easier to read when much is broken. */
export const edgePaths = (graph: Graph): PathSet => {
  const possible = inTime(graph)
  const walks: Edge[][] = []
  const untimely: Edge[] = []
  const real = graph.edges.filter(({ sneak }) => !sneak)
  for (const edge of real) {
    const walk = [...traceTo(graph, edge.from), edge]
    if (possible === null || possible(walk)) { walks.push(walk); continue }
    const found = cover(0, real, { feasible: (path) => possible(path.flatMap((index) => real[index] ?? [])), classOf: (index) => (real[index] === edge ? 'wanted' : 'any') }).paths.map((path) => path.flatMap((index) => real[index] ?? [])).find((path) => path.includes(edge))
    if (found === undefined) untimely.push(edge)
    else walks.push(found.slice(0, found.indexOf(edge) + 1))
  }
  const beginnings = new Set(walks.flatMap((walk) => walk.slice(0, -1).map((_, index) => walk.slice(0, index + 1).map((edge) => edge.index).join(' '))))
  const kept = walks.filter((walk) => !beginnings.has(walk.map((edge) => edge.index).join(' ')))
  return setOf(graph, 'edge', kept, kept.length, untimely)
}

/** One shortest path per state: what textbooks run and `getShortestPaths` gives; here only to be compared with. */
export const statePaths = (graph: Graph): PathSet => {
  const walks = graph.nodes.map(({ index }) => traceTo(graph, index))
  const inner = new Set(graph.edges.filter(({ index, from }) => graph.nodes.some(({ by }) => by === index) && from !== 0).map(({ from }) => from))
  const ends = walks.filter((walk) => walk.length > 0 && !inner.has(walk.at(-1)?.to ?? -1))
  return setOf(graph, 'state', ends, ends.length, [])
}

/** Every two edges that can follow each other (2-switch), without sneak steps: what one edge leaves behind meets every next one. */
export const pairJourneys = (graph: Graph, { longest }: Pick<JourneyOptions, 'longest'> = {}): PathSet => {
  const real = graph.edges.filter(({ sneak }) => !sneak)
  const leaving = Map.groupBy(real.keys(), (index) => real[index]?.from ?? -1)
  const arcs = [
    ...(leaving.get(0) ?? []).map((index) => ({ from: 0, to: index + 1 })),
    ...real.flatMap(({ to }, index) => (leaving.get(to) ?? []).map((next) => ({ from: index + 1, to: next + 1 }))),
  ]
  const possible = inTime(graph)
  const of = (path: readonly number[]) => path.flatMap((arc) => real[(arcs[arc]?.to ?? 0) - 1] ?? [])
  const { paths, bound, left } = cover(0, arcs, { ...(longest === undefined ? {} : { longest }), ...(possible === null ? {} : { feasible: (path: readonly number[]) => possible(of(path)) }) })
  return setOf(graph, 'pair', paths.map(of), bound, of(left))
}

export const describeSet = ({ name, paths, steps, bound, untimely }: PathSet): string =>
  `${name}: ${paths.length} paths (bound ${bound}), ${steps} steps${untimely.length === 0 ? '' : `; never in time: ${untimely.map(({ from, step }) => `${from} ${step.label}`).join(', ')}`}`
