import type { Finding } from './findings.ts'
import { type Graph, traceLine, traceText, traceTo } from './graph.ts'
import { type ModelState, whenDue } from '../model/model-state.ts'
import { isUnhandled, stepId } from '../model/step.ts'
import type { Stepper } from '../model/stepper.ts'
import { stableText } from '../model/text.ts'

/** Different states compared per key. Most keys that merge too much differ at the first one. */
const statesPerKey = 3

/**
 * Keys that merge states which behave differently: they offer different steps, or the same step
 * leads to different keys. Paths through such a graph may be impossible on the machine. Each
 * finding names two short traces to the key and the first difference.
 */
export function mergedStates<Seen>(
  stepper: Stepper<Seen>,
  graph: Pick<Graph, 'nodes' | 'edges'>,
): Finding[] {
  const arrivals = Map.groupBy(
    graph.edges.filter(({ unhandled }) => !unhandled),
    ({ to }) => to,
  )
  return graph.nodes.flatMap((node) => {
    if (!node.explored) return []
    const textOf = ({ snapshot, children }: ModelState) =>
      stableText([
        snapshot.value,
        snapshot.context,
        children.map(({ name, input }) => [name, input]),
      ])
    const others = arrivals.get(node.index) ?? []
    if (others.length === 0) return []
    const seen = new Set([textOf(node.at)])
    const different = others.filter(({ at }) => {
      if (seen.size > statesPerKey) return false
      const text = textOf(at)
      const fresh = !seen.has(text)
      seen.add(text)
      return fresh
    })
    if (different.length === 0) return []
    const known = leads(stepper, node.at)
    return different
      .flatMap((edge): Finding[] => {
        const differs = difference(known, leads(stepper, edge.at))
        const trace = [...traceTo(graph, edge.from), edge]
        return differs === null
          ? []
          : [
              {
                code: 'merged-states',
                message: `the key ${node.key} merges "${traceText(traceTo(graph, node.index))}" with "${traceText(trace)}": ${differs}`,
                state: node.state,
                event: null,
                path: traceLine(null, trace),
                times: 1,
              },
            ]
      })
      .slice(0, 1)
  })
}

/** The key that each step leads to, by step id; steps without a handler are left out. */
function leads<Seen>(stepper: Stepper<Seen>, state: ModelState): Map<string, string> {
  return new Map(
    stepper
      .steps(state)
      .filter((step) => !isUnhandled(step))
      .map((step) => {
        const { at, crash } = stepper.step(whenDue(state, step), step)
        return [stepId(step), crash === null ? stepper.key(at) : 'a crash']
      }),
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
