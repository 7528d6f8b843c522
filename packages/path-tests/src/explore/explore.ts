import { type AnyTransitionDefinition, getNextTransitions } from 'xstate'
import { coarseKeys } from './coarse.ts'
import { type Edge, type Graph, type Node, traceTo } from './explored-graph.ts'
import { createModel } from './model.ts'
import { isSneak, type Spec, startsOf, stepId } from './spec.ts'
import { declaredTransitions, type TransitionId } from './transitions.ts'
import { type Move, stateOf, whenDue } from './world.ts'

/**
 * Every model state and every step between them, breadth first from the start.
 * @throws when more than `limit` states are found (names the states that grow), or when the machine
 * throws (names the path).
 */
export function explore<Seen>(spec: Spec<Seen>, limit = 300): Graph {
  const model = createModel(spec)
  const ids = declaredTransitions(spec.machine)
  const nodes: Node[] = []
  const edges: Edge[] = []
  const byKey = new Map<string, number>()
  const taken = new Set<TransitionId>()
  const considered = new Set<AnyTransitionDefinition>()
  const arrive = ({ world, taken: took }: Move, by: number | null, start: string): number => {
    for (const id of took) taken.add(id)
    const key = model.key(world)
    const known = byKey.get(key)
    if (known !== undefined) return known
    const index =
      nodes.push({ index: nodes.length, key, state: stateOf(world), world, by, start }) - 1
    byKey.set(key, index)
    if (nodes.length > limit)
      throw new Error(
        `${spec.machine.id}: more than ${limit} model states; data leaks into the machine or into key(). Most states come from:\n${leaking(nodes)}`,
      )
    for (const transition of getNextTransitions(world.snapshot)) considered.add(transition)
    return index
  }
  const starts = startsOf(spec).map((name) => {
    const move = model.start(name)
    return { name, node: arrive(move, null, name), move }
  })
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at] as Node
    for (const step of model.steps(node.world)) {
      const where = () =>
        `${spec.machine.id} after ${[...traceTo({ nodes, edges }, at).map((edge) => edge.step), step].map(stepId).join(' | ')}`
      let move: Move
      try {
        move = model.step(whenDue(node.world, step), step)
      } catch (error) {
        throw new Error(`${where()}: ${String(error)}`, { cause: error })
      }
      if (move.world.snapshot.status === 'error')
        throw new Error(
          `${where()}: the machine ends in an unhandled error: ${String(move.world.snapshot.error)}`,
        )
      const index = edges.length
      // Pushed before the target is known: the trace of a new node passes through this edge.
      edges.push({ ...move, index, from: at, to: at, step, sneak: isSneak(step) })
      const to = arrive(move, index, node.start)
      edges[index] = { ...(edges[index] as Edge), to }
    }
  }
  const transitions = [...ids].map(([transition, id]) => ({
    id,
    reached: taken.has(id),
    why: taken.has(id) ? null : whyUnreached(transition, considered),
  }))
  return {
    machine: spec.machine.id,
    nodes,
    edges,
    starts,
    transitions,
    coarse: coarseKeys(model, { nodes, edges }),
  }
}

function leaking(nodes: readonly Node[]): string {
  const groups = Map.groupBy(nodes, ({ state }) => state)
  const worst = [...groups].sort(([, a], [, b]) => b.length - a.length).slice(0, 3)
  const lines = worst.map(([state, group]) => {
    const varying = Object.entries(
      Object.groupBy(
        group.flatMap(({ world }) =>
          Object.entries(world.snapshot.context as Record<string, unknown>),
        ),
        ([name]) => name,
      ),
    )
      .map(([name, values]) => ({
        name,
        count: new Set(values?.map(([, value]) => JSON.stringify(value))).size,
      }))
      .filter(({ count }) => count > 1)
      .sort((a, b) => b.count - a.count)
    const fields = varying
      .slice(0, 4)
      .map(({ name, count }) => `${name} (${count} values)`)
      .join(', ')
    return `  ${state}: ${group.length} model states${fields === '' ? '' : `; context that varies: ${fields}`}; keys like ${group
      .slice(-2)
      .map(({ key }) => JSON.stringify(key))
      .join(', ')}`
  })
  return lines.join('\n')
}

function whyUnreached(
  transition: AnyTransitionDefinition,
  considered: ReadonlySet<AnyTransitionDefinition>,
): string {
  if (considered.has(transition))
    return transition.guard === undefined
      ? 'its state is reached, but no sample, outcome or timer brings the event'
      : 'its state is reached, but its guard never lets a sample through'
  return 'its state is never reached'
}

/** The lines of a report about a graph, its unreached transitions and its coarse keys. */
export function summary({ machine, nodes, edges, transitions, coarse }: Graph): string {
  const missing = transitions.filter(({ reached }) => !reached)
  const head = `${machine}: ${nodes.length} states, ${edges.length} edges (${edges.filter(({ sneak }) => sneak).length} sneak), transitions ${transitions.length - missing.length} of ${transitions.length}`
  return [
    head,
    ...missing.map(({ id, why }) => `  unreached: ${id}: ${why}`),
    ...coarse.map((line) => `  key too coarse: ${line}`),
  ].join('\n')
}
