import { type Arc, cover, type CoverOptions } from './cover.ts'
import { type Edge, type Graph, traceTo } from '../explore/explored-graph.ts'
import { hash } from '../explore/hash.ts'
import { type Path, pathOf } from '../run/run-path.ts'
import { fits, type Timed } from '../explore/schedule.ts'
import { stepId } from '../explore/spec.ts'

/** Paths that cover a set of edges, with the lower bound of their number. */
export interface PathSet {
  readonly name: string
  readonly paths: readonly Path[]
  readonly steps: number
  /** Lower bound of the number of paths. */
  readonly bound: number
  /** Edges that no path can take, because their timer never ends first. */
  readonly untimely: readonly Edge[]
}

/** A walk through the graph: its start and its edges. */
interface Walk {
  readonly start: string
  readonly edges: readonly Edge[]
}

/** The covered arcs (edges or pairs of edges) behind a root that leads to the machine's starts. */
interface Plan {
  readonly arcs: readonly Arc[]
  walkOf(path: readonly number[]): Walk
  edgeOf(arc: number): Edge | undefined
}

export interface JourneyOptions {
  /** Include events without a handler (default: yes). */
  readonly sneak?: boolean
  /** Maximum number of steps of a journey; smaller values give more, shorter journeys. */
  readonly longest?: number
}

const wanted = (graph: Graph, sneak: boolean) => graph.edges.filter((edge) => sneak || !edge.sneak)
const upTo = (longest: number | undefined) => (longest === undefined ? {} : { longest })

/**
 * The edge cover: every edge of the graph at least once, unhandled events included, in the fewest
 * paths (see `cover`).
 */
export function journeys(graph: Graph, { sneak = true, longest }: JourneyOptions = {}): PathSet {
  return coverPlan(graph, 'journey', planOfEdges(graph, wanted(graph, sneak)), upTo(longest))
}

function coverPlan(
  graph: Graph,
  name: string,
  { arcs, walkOf, edgeOf }: Plan,
  { longest, classOf }: Pick<CoverOptions, 'longest'> & { classOf?(edge: Edge): string },
): PathSet {
  const possible = inTime(graph)
  const { paths, bound, left } = cover(arcs[0]?.from ?? 0, arcs, {
    // The arc from the root is no step.
    ...(longest === undefined ? {} : { longest: longest + 1 }),
    ...(possible === null ? {} : { feasible: (path: readonly number[]) => possible(walkOf(path)) }),
    ...(classOf === undefined
      ? {}
      : {
          classOf: (arc: number) => {
            const edge = edgeOf(arc)
            return edge === undefined ? `start ${arc}` : classOf(edge)
          },
        }),
  })
  return setOf(
    graph,
    name,
    paths.map(walkOf),
    bound,
    left.flatMap((arc) => edgeOf(arc) ?? []),
  )
}

/** Whether the timers of a walk can end in its order; null when the graph has no timers. */
function inTime(graph: Graph): ((walk: Walk) => boolean) | null {
  return graph.edges.some(({ step }) => step.kind === 'time')
    ? ({ start, edges }) =>
        fits([
          {
            fires: null,
            starts: graph.starts.find(({ name }) => name === start)?.move.starts ?? [],
            stops: [],
          },
          ...edges.map(timedOf),
        ])
    : null
}

function timedOf({ step, starts, stops }: Edge): Timed {
  return {
    fires: step.kind === 'time' ? step.timer : null,
    starts,
    stops,
  }
}

function setOf(
  graph: Graph,
  name: string,
  walks: readonly Walk[],
  bound: number,
  untimely: readonly Edge[],
): PathSet {
  const paths = walks.map((walk) => named(graph, name, walk))
  return {
    name,
    paths,
    steps: paths.reduce((sum, { steps }) => sum + steps.length, 0),
    bound,
    untimely,
  }
}

/** The name of a path depends on its steps only, so that it is stable when other paths change. */
function named(graph: Graph, prefix: string, { start, edges }: Walk): Path {
  return pathOf(
    graph,
    `${prefix}-${hash([start, ...edges.map(({ step }) => stepId(step))].join('|')).slice(0, 6)}`,
    start,
    edges,
  )
}

function planOfEdges(graph: Graph, edges: readonly Edge[]): Plan {
  const root = graph.nodes.length,
    { starts } = graph
  const edgeOf = (arc: number) => edges[arc - starts.length]
  return {
    arcs: [...starts.map(({ node }) => ({ from: root, to: node })), ...edges],
    edgeOf,
    walkOf: ([first = 0, ...rest]) => ({
      start: starts[first]?.name ?? '',
      edges: rest.flatMap((arc) => edgeOf(arc) ?? []),
    }),
  }
}

/** One edge of each class; for graphs too large to walk completely on a slow surface. */
export function journeysBy(
  graph: Graph,
  classOf: (edge: Edge) => string,
  { sneak = false, longest }: JourneyOptions = {},
): PathSet {
  return coverPlan(graph, 'by', planOfEdges(graph, wanted(graph, sneak)), {
    classOf,
    ...upTo(longest),
  })
}

/** Every declared transition at least once: the smallest useful set. */
export function byTransition(graph: Graph): PathSet {
  return journeysBy(graph, ({ taken, from, step }) =>
    taken.length === 0 ? `${from} ${stepId(step)}` : taken.join(' + '),
  )
}

/**
 * Every two edges that can follow each other (2-switch), without unhandled events: finds faults
 * that only show in the next step.
 */
export function pairJourneys(
  graph: Graph,
  { longest }: Pick<JourneyOptions, 'longest'> = {},
): PathSet {
  return coverPlan(graph, 'pair', planOfPairs(graph, wanted(graph, false)), upTo(longest))
}

function planOfPairs(graph: Graph, edges: readonly Edge[]): Plan {
  const { starts } = graph
  const leaving = Map.groupBy(edges.keys(), (index) => edges[index]?.from ?? -1)
  // Node 0 is the root, then one node per start, then one per edge.
  const nodeOf = (index: number) => 1 + starts.length + index
  const follow = (from: number, node: number) =>
    (leaving.get(node) ?? []).map((index) => ({ from, to: nodeOf(index) }))
  const arcs = [
    ...starts.map((_, index) => ({ from: 0, to: 1 + index })),
    ...starts.flatMap(({ node }, index) => follow(1 + index, node)),
    ...edges.flatMap(({ to }, index) => follow(nodeOf(index), to)),
  ]
  const edgeOf = (arc: number) => edges[(arcs[arc]?.to ?? 0) - 1 - starts.length]
  return {
    arcs,
    edgeOf,
    walkOf: ([first = 0, ...rest]) => ({
      start: starts[first]?.name ?? '',
      edges: rest.flatMap((arc) => edgeOf(arc) ?? []),
    }),
  }
}

/**
 * One short path per handled edge; prefixes of other paths are left out. Slower than journeys,
 * easier to read when many fail.
 */
export function edgePaths(graph: Graph): PathSet {
  const possible = inTime(graph)
  const whole = possible === null ? [] : journeys(graph, { sneak: false }).paths
  const untimely: Edge[] = []
  const walks = wanted(graph, false).flatMap((edge): Walk[] => {
    const walk = walkTo(graph, edge.from, edge)
    if (possible === null || possible(walk)) return [walk]
    // The shortest path is impossible in time: use the part of a journey that ends with the edge.
    const journey = whole.find(({ edges }) => edges.includes(edge.index))
    if (journey === undefined) {
      untimely.push(edge)
      return []
    }
    return [
      {
        start: journey.start,
        edges: journey.edges
          .slice(0, journey.edges.indexOf(edge.index) + 1)
          .flatMap((index) => graph.edges[index] ?? []),
      },
    ]
  })
  const idOf = ({ start, edges }: Walk, length: number) =>
    [start, ...edges.slice(0, length).map(({ index }) => index)].join(' ')
  const beginnings = new Set(
    walks.flatMap((walk) => walk.edges.slice(0, -1).map((_, index) => idOf(walk, index + 1))),
  )
  const kept = walks.filter((walk) => !beginnings.has(idOf(walk, walk.edges.length)))
  return setOf(graph, 'edge', kept, kept.length, untimely)
}

function walkTo(graph: Graph, node: number, ...more: readonly Edge[]): Walk {
  return {
    start: graph.nodes[node]?.start ?? '',
    edges: [...traceTo(graph, node), ...more],
  }
}

/** One shortest path per state: like `getShortestPaths`; for comparison. */
export function statePaths(graph: Graph): PathSet {
  const inner = new Set(graph.nodes.flatMap(({ by }) => graph.edges[by ?? -1]?.from ?? []))
  const ends = graph.nodes.filter(({ index }) => !inner.has(index))
  return setOf(
    graph,
    'state',
    ends.map(({ index }) => walkTo(graph, index)),
    ends.length,
    [],
  )
}

export function describeSet({ name, paths, steps, bound, untimely }: PathSet): string {
  return `${name}: ${paths.length} paths (bound ${bound}), ${steps} steps${untimely.length === 0 ? '' : `; never in time: ${untimely.map(({ from, step }) => `${from} ${step.label}`).join(', ')}`}`
}
