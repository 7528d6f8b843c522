import { type Graph, traceText, traceTo } from './explore.ts'
import { type Model, whenDue, type World } from './model.ts'
import { isSneak, stepId } from './spec.ts'

/** How many worlds that differ are looked at under one key: most keys that merge too much show it at the first. */
const worldsPerKey = 3

/**
 * Where the key merges states that do not behave the same: they offer different steps, or the same step leads to different keys.
 * Such a graph would promise paths the machine cannot take; told here by two short traces rather than by a long path that fails.
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

/** Where each step leads, by its name; steps that nothing handles are left out. */
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
