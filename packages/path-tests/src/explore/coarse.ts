import { type Graph, traceText, traceTo } from './explored-graph.ts'
import { isSneak, stepId } from './spec.ts'
import { type Model, whenDue, type World } from './world.ts'

/** Different worlds compared per key. Most keys that merge too much differ at the first one. */
const worldsPerKey = 3

/**
 * Keys that merge states which behave differently: they offer different steps, or the same step
 * leads to different keys. Paths through such a graph may be impossible on the machine. Each
 * finding names two short traces to the key and the first difference.
 */
export function coarseKeys<Seen>(
  model: Model<Seen>,
  graph: Pick<Graph, 'nodes' | 'edges'>,
): string[] {
  const arrivals = Map.groupBy(
    graph.edges.filter(({ sneak }) => !sneak),
    ({ to }) => to,
  )
  return graph.nodes.flatMap((node) => {
    const textOf = ({ snapshot, waiting }: World) =>
      JSON.stringify([snapshot.value, snapshot.context, waiting])
    const seen = new Set([textOf(node.world)])
    const others = (arrivals.get(node.index) ?? []).filter(({ world }) => {
      const text = textOf(world)
      const fresh = !seen.has(text) && seen.size <= worldsPerKey
      seen.add(text)
      return fresh
    })
    if (others.length === 0) return []
    const known = leads(model, node.world)
    return others
      .flatMap((edge) => {
        const differs = difference(known, leads(model, edge.world))
        return differs === null
          ? []
          : [
              `${node.key} merges "${traceText(traceTo(graph, node.index))}" with "${traceText([...traceTo(graph, edge.from), edge])}": ${differs}`,
            ]
      })
      .slice(0, 1)
  })
}

/** The key that each step leads to, by step id; steps without a handler are left out. */
function leads<Seen>(model: Model<Seen>, world: World): Map<string, string> {
  return new Map(
    model
      .steps(world)
      .filter((step) => !isSneak(step))
      .map((step) => [stepId(step), model.key(model.step(whenDue(world, step), step).world)]),
  )
}

function difference(
  known: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, string>,
): string | null {
  for (const name of new Set([...known.keys(), ...found.keys()])) {
    const one = known.get(name),
      other = found.get(name)
    if (one === undefined || other === undefined)
      return `only the ${one === undefined ? 'second' : 'first'} offers ${name}`
    if (one !== other) return `${name} leads the first to ${one}, the second to ${other}`
  }
  return null
}
