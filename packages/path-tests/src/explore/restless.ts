import type { Finding } from './findings.ts'
import { type Graph, type Node, traceLine, traceTo } from './graph.ts'
import { type ModelState, pendingCalls } from '../model/model-state.ts'
import { stableText } from '../model/text.ts'

type Explored = Pick<Graph, 'nodes' | 'edges'>

/** States from which the machine does not come to rest, and children that nothing stops. */
export function findRestless(graph: Explored): Finding[] {
  return [...findLivelock(graph), ...findPiles(graph)]
}

/** States from which, without the user, one call always follows another. */
function findLivelock(graph: Explored): Finding[] {
  const { nodes, edges } = graph
  const waiting = nodes.map(({ at }) => new Set(pendingCalls(at).map(({ name }) => name)))
  const busy = new Set(
    edges.flatMap(({ from, step }) =>
      step.kind === 'settle' && waiting[from]?.has(step.call) === true ? [from] : [],
    ),
  )
  const into = Map.groupBy(
    edges.filter(({ step }) => step.kind !== 'user'),
    ({ to }) => to,
  )
  const good = new Set(
    nodes.filter(({ index, explored }) => !explored || !busy.has(index)).map(({ index }) => index),
  )
  for (const at of good) for (const { from } of into.get(at) ?? []) good.add(from)
  const restless = nodes.filter(({ index }) => !good.has(index))
  const [first] = restless
  if (first === undefined) return []
  const calls = new Set(restless.flatMap(({ index }) => [...(waiting[index] ?? [])]))
  return [
    {
      code: 'livelock',
      message: `without the user the machine never comes to rest: ${[...calls].join(', ')} is called again and again`,
      state: first.state,
      event: null,
      path: traceLine(null, traceTo(graph, first.index)),
      times: restless.length,
    },
  ]
}

/** Numbers of children in one state that are too many to be chance. */
const numbersOfPile = 3

/** Sources of which one state, apart from its children, has ever more. */
function findPiles({ nodes, edges }: Explored): Finding[] {
  const counts = new Map<string, { source: string; node: Node; seen: Set<number> }>()
  const look = (node: Node, at: ModelState) => {
    const bySource = Map.groupBy(at.children, ({ source }) => source)
    if (bySource.size === 0) return
    const { value, context } = at.snapshot
    const state = stableText([value, context]).replaceAll(/#\d+\)/g, ')')
    for (const [source, children] of bySource) {
      const key = `${source} ${state}`
      const known = counts.get(key) ?? { source, node, seen: new Set() }
      known.seen.add(children.length)
      counts.set(key, known)
    }
  }
  // Most machines have at most one child of each source, and nothing to be looked at.
  const isMany = ({ children }: ModelState) =>
    new Set(children.map(({ source }) => source)).size < children.length
  if (!nodes.some(({ at }) => isMany(at)) && !edges.some(({ at }) => isMany(at))) return []
  for (const node of nodes) look(node, node.at)
  for (const { to, at } of edges) if (nodes[to] !== undefined) look(nodes[to], at)
  const piles = [...counts.values()].filter(({ seen }) => seen.size >= numbersOfPile)
  return [...Map.groupBy(piles, ({ source }) => source)].map(([source, [first]]) => ({
    code: 'children-pile-up',
    message: `children of ${source} pile up: the same state has ${[...(first?.seen ?? [])]
      .sort((a, b) => a - b)
      .slice(0, 5)
      .join(', ')} … of them; stop each before the next is started`,
    state: first?.node.state ?? '',
    event: null,
    path: '',
    times: 1,
  }))
}
