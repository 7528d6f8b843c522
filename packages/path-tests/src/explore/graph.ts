import type { AnyMachineSnapshot } from 'xstate'
import type { Finding } from './findings.ts'
import type { TransitionId } from './transitions.ts'
import type { ModelState, Move } from '../model/model-state.ts'
import { type Step, stepId } from '../model/step.ts'

export interface Node {
  readonly index: number
  readonly key: string
  /** The state value as text. */ readonly state: string
  readonly at: ModelState
  readonly snapshot: AnyMachineSnapshot
  /** Index of the first edge that reached the node; null for a start. */ readonly by: number | null
  /** Name of the start the node was reached from. */ readonly start: string
  /** False beyond the bounds: its steps are not in the graph. */ readonly explored: boolean
}
/** `at` is the result of this step; the target node keeps the state of the first edge that reached it. */
export interface Edge extends Move {
  readonly index: number
  readonly from: number
  readonly to: number
  readonly step: Step
  /** An event that no transition handles. */ readonly unhandled: boolean
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
  /** Number of states that were reached but, at the limit, not explored; 0 for a complete graph. */
  readonly unexplored: number
  /** Crashes, unhandled errors, what is not deterministic, merged states, the limit. */
  readonly findings: readonly Finding[]
}

/** The steps that first reached a node: a shortest path, because exploration is breadth first. */
export function traceTo(graph: Pick<Graph, 'nodes' | 'edges'>, index: number): Edge[] {
  const trace: Edge[] = []
  for (
    let edge = graph.edges[graph.nodes[index]?.by ?? -1];
    edge !== undefined;
    edge = graph.edges[graph.nodes[edge.from]?.by ?? -1]
  )
    trace.push(edge)
  return trace.reverse()
}

export function traceText(trace: readonly { readonly step: Step }[]): string {
  return trace.length === 0 ? '(at the start)' : trace.map(({ step }) => step.label).join(' · ')
}

/** A trace as a line that `parsePath` reads. */
export function traceLine(start: string | null, trace: readonly { readonly step: Step }[]): string {
  return [
    ...(start === null ? [] : [`start:${start}`]),
    ...trace.map(({ step }) => stepId(step)),
  ].join(' | ')
}
