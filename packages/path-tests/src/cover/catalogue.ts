import type { Graph } from '../explore/graph.ts'
import type { PathSet } from './paths.ts'
import { stepId } from '../model/step.ts'

/** The committed part of a machine's paths: ids and labels; the rest is derived from the machine. */
export interface Catalogue {
  readonly machine: string
  readonly states: number
  readonly edges: number
  readonly unhandled: number
  readonly transitions: {
    readonly declared: number
    readonly reached: number
    readonly unreached: readonly string[]
  }
  readonly sets: readonly {
    readonly name: string
    readonly steps: number
    readonly paths: readonly {
      readonly id: string
      readonly start: string
      readonly steps: readonly string[]
    }[]
  }[]
}

export function catalogue(graph: Graph, sets: readonly PathSet[]): Catalogue {
  const unreached = graph.transitions.filter(({ reached }) => !reached)
  return {
    machine: graph.machine,
    states: graph.nodes.length,
    edges: graph.edges.length,
    unhandled: graph.edges.filter(({ unhandled }) => unhandled).length,
    transitions: {
      declared: graph.transitions.length,
      reached: graph.transitions.length - unreached.length,
      unreached: unreached.map(({ id }) => id),
    },
    sets: sets.map(({ name, steps, paths }) => ({
      name,
      steps,
      paths: paths.map((path) => ({
        id: path.id,
        start: path.start,
        steps: path.steps.map(({ step }) => stepId(step)),
      })),
    })),
  }
}

/** As deterministic text that ends with a newline. */
export function catalogueText(graph: Graph, sets: readonly PathSet[]): string {
  return `${JSON.stringify(catalogue(graph, sets), null, 2)}\n`
}
