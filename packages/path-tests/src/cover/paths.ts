import { cover, type Tracker } from './cover.ts'
import type { Arc } from './distances.ts'
import { type Edge, type Graph, traceTo } from '../explore/graph.ts'
import type { Timed } from '../explore/schedule.ts'
import { afterStep, noTimers, type Zone } from '../explore/zone.ts'
import { hash } from '../model/hash.ts'
import { stepId } from '../model/step.ts'
import { buildPath } from '../run/run-path.ts'
import type { Path } from '../run/path.ts'

/** Paths that cover a set of edges. */
export interface PathSet {
  readonly name: string
  readonly paths: readonly Path[]
  readonly steps: number
  /** Edges that no path was found for, because their timer never ends first. */
  readonly impossible: readonly Edge[]
}

export interface CoverPathOptions {
  /** Include events without a handler. */
  readonly unhandled?: boolean
  /**
   * Maximum number of steps of a path, unless a shortest path is longer. Default: 100, or three
   * times the way to the farthest state.
   */
  readonly maxSteps?: number
}

/** A walk through the graph: its start and its edges. */
interface Walk {
  readonly start: string
  readonly edges: readonly Edge[]
}
type ClassOf = (edge: Edge) => string

const listWantedEdges = (graph: Graph, unhandled: boolean) =>
  graph.edges.filter((edge) => unhandled || !edge.unhandled)

/** Every edge of the graph at least once, unhandled events included. The first paths take every transition. */
export function coverEdges(
  graph: Graph,
  { unhandled = true, maxSteps }: CoverPathOptions = {},
): PathSet {
  return coverWith(
    graph,
    'edges',
    listWantedEdges(graph, unhandled),
    [transitionClass, null],
    maxSteps,
  )
}

/** Every declared transition at least once: the smallest useful set. */
export function coverTransitions(
  graph: Graph,
  { unhandled = false, maxSteps }: CoverPathOptions = {},
): PathSet {
  return coverWith(
    graph,
    'transitions',
    listWantedEdges(graph, unhandled),
    [transitionClass],
    maxSteps,
  )
}

/** One edge of each class; for graphs too large to walk completely on a slow surface. */
export function coverClasses(
  graph: Graph,
  classOf: ClassOf,
  { unhandled = false, maxSteps }: CoverPathOptions = {},
): PathSet {
  return coverWith(graph, 'classes', listWantedEdges(graph, unhandled), [classOf], maxSteps)
}

function transitionClass({ taken, from, step }: Edge): string {
  return taken.length === 0 ? `${from} ${stepId(step)}` : taken.join(' + ')
}

/** Covers one class after the other; what one pass takes, the next need not. Null: every edge by itself. */
function coverWith(
  graph: Graph,
  name: string,
  edges: readonly Edge[],
  passes: readonly (ClassOf | null)[],
  maxSteps = usualLength(graph),
): PathSet {
  const { starts } = graph
  const root = graph.nodes.length
  const edgeOf = (arc: number) => edges[arc - starts.length]
  const arcs: Arc[] = [...starts.map(({ node }) => ({ from: root, to: node })), ...edges]
  const taken = new Set<number>()
  const walks: Walk[] = []
  let impossible: readonly Edge[] = []
  // Two timers at one instant are tried last, so that no other path has such steps.
  const together = createTimerTracker(graph, edgeOf, true)
  const rounds = [
    ...passes.map((classOf) => ({ classOf, tracker: createTimerTracker(graph, edgeOf) })),
    ...(together === null ? [] : [{ classOf: passes.at(-1) ?? null, tracker: together }]),
  ]
  for (const [round, { classOf, tracker }] of rounds.entries()) {
    if (round >= passes.length && impossible.length === 0) break
    const found = cover(root, arcs, {
      ...(tracker === null ? {} : { tracker }),
      // The arc from the root is no step.
      maxSteps: maxSteps + 1,
      taken,
      classOf: (arc) => {
        const edge = edgeOf(arc)
        return edge === undefined
          ? `start ${arc}`
          : classOf === null
            ? String(arc)
            : `of ${classOf(edge)}`
      },
    })
    walks.push(
      ...found.walks
        .map(([first = 0, ...rest]) => ({
          start: starts[first]?.name ?? '',
          edges: rest.flatMap((arc) => edgeOf(arc) ?? []),
        }))
        .map((walk) => (round < passes.length ? walk : finishWalk(graph, walk))),
    )
    impossible = found.left.flatMap((arc) => edgeOf(arc) ?? [])
  }
  return buildPathSet(graph, name, walks, impossible)
}

/** A walk with the ends of the timers that are due at its last instant. */
function finishWalk(graph: Graph, walk: Walk): Walk {
  const edges = [...walk.edges]
  const start = graph.starts.find(({ name }) => name === walk.start)
  const begun = { fires: null, starts: start?.move.starts ?? [], stops: [] }
  let zone = afterStep(noTimers, begun, true)
  for (const edge of edges) zone = zone === null ? null : afterStep(zone, toTimedStep(edge), true)
  while (zone !== null && afterStep(zone, nothing, true) === null) {
    const state: Zone = zone
    const from = edges.at(-1)?.to ?? start?.node
    const due = graph.edges.find(
      (edge) =>
        edge.from === from &&
        edge.step.kind === 'time' &&
        afterStep(state, toTimedStep(edge), true) !== null,
    )
    if (due === undefined || edges.length > graph.edges.length + walk.edges.length) break
    edges.push(due)
    zone = afterStep(state, toTimedStep(due), true)
  }
  return { ...walk, edges }
}

/** A step that starts and ends no timer: possible where none is due. */
const nothing: Timed = { fires: null, starts: [], stops: [] }

/** Paths much shorter than the way to the farthest state would spend their steps on that way. */
function usualLength({ nodes, edges }: Graph): number {
  const depth: number[] = []
  for (const { index, by } of nodes)
    depth[index] = by === null ? 0 : (depth[edges[by]?.from ?? 0] ?? 0) + 1
  return Math.max(100, 3 * depth.reduce((most, each) => Math.max(most, each), 0))
}

/** Whether timers can end in the order of a walk; null when the graph has no timers. */
function createTimerTracker(
  { edges, starts }: Graph,
  edgeOf: (arc: number) => Edge | undefined,
  together = false,
): Tracker<Zone> | null {
  if (edges.every(({ step }) => step.kind !== 'time')) return null
  return {
    begin: noTimers,
    next: (zone, arc) => {
      const edge = edgeOf(arc)
      return afterStep(
        zone,
        edge === undefined
          ? { fires: null, starts: starts[arc]?.move.starts ?? [], stops: [] }
          : toTimedStep(edge),
        together,
      )
    },
  }
}

function toTimedStep({ step, starts, stops }: Edge): Timed {
  return { fires: step.kind === 'time' ? step.timer : null, starts, stops }
}

function buildPathSet(
  graph: Graph,
  name: string,
  walks: readonly Walk[],
  impossible: readonly Edge[],
): PathSet {
  const paths = walks
    .filter(({ edges }, index) => edges.length > 0 || index === 0)
    .map((walk) => buildNamedPath(graph, name, walk))
  return {
    name,
    paths,
    steps: paths.reduce((sum, { steps }) => sum + steps.length, 0),
    impossible,
  }
}

/** The name of a path depends on its steps only, so that it is stable when other paths change. */
function buildNamedPath(graph: Graph, prefix: string, { start, edges }: Walk): Path {
  return buildPath(
    graph,
    `${prefix}-${hash([start, ...edges.map(({ step }) => stepId(step))].join('|')).slice(0, 6)}`,
    start,
    edges,
  )
}

/**
 * Every two edges that can follow each other (2-switch), without unhandled events: finds faults
 * that only show in the next step.
 */
export function coverPairs(
  graph: Graph,
  { maxSteps = usualLength(graph) }: CoverPathOptions = {},
): PathSet {
  const { starts } = graph
  const edges = listWantedEdges(graph, false)
  const leaving = Map.groupBy(edges.keys(), (index) => edges[index]?.from ?? -1)
  // Node 0 is the root, then one node per start, then one per edge.
  const nodeOf = (index: number) => 1 + starts.length + index
  const follow = (from: number, node: number) =>
    (leaving.get(node) ?? []).map((index) => ({ from, to: nodeOf(index) }))
  const arcs: Arc[] = [
    ...starts.map((_, index) => ({ from: 0, to: 1 + index })),
    ...starts.flatMap(({ node }, index) => follow(1 + index, node)),
    ...edges.flatMap(({ to }, index) => follow(nodeOf(index), to)),
  ]
  const edgeOf = (arc: number) => edges[(arcs[arc]?.to ?? 0) - 1 - starts.length]
  const tracker = createTimerTracker(graph, edgeOf)
  const { walks, left } = cover(0, arcs, {
    ...(tracker === null ? {} : { tracker }),
    maxSteps: maxSteps + 1,
  })
  return buildPathSet(
    graph,
    'pairs',
    walks.map(([first = 0, ...rest]) => ({
      start: starts[first]?.name ?? '',
      edges: rest.flatMap((arc) => edgeOf(arc) ?? []),
    })),
    left.flatMap((arc) => edgeOf(arc) ?? []),
  )
}

/** One shortest path per state: like `getShortestPaths`; for comparison. */
export function statePaths(graph: Graph): PathSet {
  const inner = new Set(graph.nodes.flatMap(({ by }) => graph.edges[by ?? -1]?.from ?? []))
  const ends = graph.nodes.filter(({ index }) => !inner.has(index))
  return buildPathSet(
    graph,
    'state',
    ends.map(({ index }) => ({
      start: graph.nodes[index]?.start ?? '',
      edges: traceTo(graph, index),
    })),
    [],
  )
}

export function describeSet({ name, paths, steps, impossible }: PathSet): string {
  return `${name}: ${paths.length} paths, ${steps} steps${impossible.length === 0 ? '' : `; never in time: ${impossible.map(({ from, step }) => `${from} ${step.label}`).join(', ')}`}`
}
