import type { Move, World } from './world.ts'
import type { Step } from './spec.ts'
import type { TransitionId } from './transitions.ts'

export interface Node {
  readonly index: number
  readonly key: string
  /** The state value as text. */ readonly state: string
  readonly world: World
  /** Index of the first edge that reached the node; null for a start. */ readonly by: number | null
  /** Name of the start the node was reached from. */ readonly start: string
}
/** `world` is the result of this step; the target node keeps the world of the first edge that reached it. */
export interface Edge extends Move {
  readonly index: number
  readonly from: number
  readonly to: number
  readonly step: Step
  readonly sneak: boolean
}
export interface DeclaredTransition {
  readonly id: TransitionId
  readonly reached: boolean
  /** Why no step took it; null when reached. */ readonly why: string | null
}
export interface Graph {
  readonly machine: string
  readonly nodes: readonly Node[]
  readonly edges: readonly Edge[]
  readonly starts: readonly { readonly name: string; readonly node: number; readonly move: Move }[]
  readonly transitions: readonly DeclaredTransition[]
  /** Keys that merge states which behave differently; empty when the key is fine enough. */
  readonly coarse: readonly string[]
}

/** The steps that first reached a node: a shortest path, because exploration is breadth first. */
export function traceTo(graph: Pick<Graph, 'nodes' | 'edges'>, index: number): Edge[] {
  const trace: Edge[] = []
  for (
    let edge = graph.edges[graph.nodes[index]?.by ?? -1];
    edge !== undefined;
    edge = graph.edges[graph.nodes[edge.from]?.by ?? -1]
  )
    trace.unshift(edge)
  return trace
}

export function traceText(trace: readonly { readonly step: Step }[]): string {
  return trace.length === 0 ? '(at the start)' : trace.map(({ step }) => step.label).join(' · ')
}
