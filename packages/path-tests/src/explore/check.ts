import { type Edge, type Graph, type Node, traceTo, traceText } from './graph.ts'

export type Rule =
  /** Must hold in every reachable state. */
  | { readonly name: string; readonly kind: 'state'; holds(node: Node, graph: Graph): boolean }
  /** Must hold for every step. */
  | {
      readonly name: string
      readonly kind: 'edge'
      holds(edge: Edge, from: Node, to: Node): boolean
    }
  /**
   * From every state with `from` (default all) a state with `to` is reachable (AG EF), by steps
   * that `by` allows (default all).
   */
  | {
      readonly name: string
      readonly kind: 'reach'
      from?(node: Node): boolean
      to(node: Node): boolean
      by?(edge: Edge): boolean
    }

export interface Violation {
  readonly rule: string
  /** Number of violations: steps, or states for reachability rules. */ readonly times: number
  /** Labels of the shortest path to it. */ readonly trace: string
  readonly state: string
}

/** Checks every rule on the whole graph; each violation comes with the shortest path to it. */
export function check(graph: Graph, rules: readonly Rule[]): Violation[] {
  return rules.flatMap((rule) => {
    const found = breaches(graph, rule).sort((a, b) => a.trace.length - b.trace.length)
    const [shortest] = found
    return shortest === undefined
      ? []
      : [
          {
            rule: rule.name,
            times: found.length,
            trace: traceText(shortest.trace),
            state: shortest.state,
          },
        ]
  })
}

/** The paths to edges or nodes that break a rule. */
function breaches(graph: Graph, rule: Rule): { trace: Edge[]; state: string }[] {
  const nodeAt = (index: number) => graph.nodes[index] as Node
  const arrival = ({ to, at }: Edge): Node => ({ ...nodeAt(to), at, snapshot: at.snapshot })
  const atNode = (node: Node) => ({ trace: traceTo(graph, node.index), state: node.state })
  // Checks every arrival, not only the first under a key: data outside the key may break a rule.
  if (rule.kind === 'state')
    return [
      ...graph.nodes.filter((node) => node.by === null && !rule.holds(node, graph)).map(atNode),
      ...graph.edges
        .filter((edge) => !rule.holds(arrival(edge), graph))
        .map((edge) => ({
          trace: [...traceTo(graph, edge.from), edge],
          state: nodeAt(edge.to).state,
        })),
    ]
  if (rule.kind === 'edge')
    return graph.edges
      .filter((edge) => !rule.holds(edge, nodeAt(edge.from), arrival(edge)))
      .map((edge) => ({
        trace: [...traceTo(graph, edge.from), edge],
        state: nodeAt(edge.to).state,
      }))
  const good = reaching(graph, rule)
  return graph.nodes
    .filter((node) => (rule.from?.(node) ?? true) && !good.has(node.index))
    .map(atNode)
}

function reaching(
  graph: Graph,
  { to, by = () => true }: Extract<Rule, { kind: 'reach' }>,
): Set<number> {
  const into = Map.groupBy(graph.edges.filter(by), (edge) => edge.to)
  const good = new Set(
    graph.nodes.filter((node) => !node.explored || to(node)).map(({ index }) => index),
  )
  for (const at of good) for (const edge of into.get(at) ?? []) good.add(edge.from)
  return good
}

const leavableIn = new WeakMap<Graph, ReadonlySet<number>>()

/** The states from which some step leads elsewhere. */
function leavable(graph: Graph): ReadonlySet<number> {
  const known =
    leavableIn.get(graph) ??
    new Set(graph.edges.filter(({ from, to }) => from !== to).map(({ from }) => from))
  leavableIn.set(graph, known)
  return known
}

/** Rules for every machine. `isBusy` names states that end without the user. */
export function commonRules(
  isBusy: (node: Node) => boolean = ({ snapshot }) => snapshot.hasTag('busy'),
): Rule[] {
  return [
    {
      name: 'no state without a way on until it is over',
      kind: 'state',
      holds: ({ snapshot, index, explored }, graph) =>
        !explored || snapshot.status === 'done' || leavable(graph).has(index),
    },
    {
      name: 'what is busy ends without the person',
      kind: 'reach',
      from: isBusy,
      to: (node) => !isBusy(node),
      by: ({ step }) => step.kind !== 'user',
    },
  ]
}
