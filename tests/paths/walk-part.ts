import {
  coverClasses,
  coverEdges,
  coverTransitions,
  type Graph,
  type Path,
  type Picture,
  stepId,
} from '@jiaowu/path-tests'
import { explore, parsePath, runPaths, runWalks, type Spec } from '../machines/spec.ts'
import type { MachineName } from '../machines/registry.ts'
import type { SurfacePart } from '../surfaces/parts.ts'

export const surfaceNames = ['bare', 'web', 'chromium', 'terminal', 'server'] as const
export type SurfaceName = (typeof surfaceNames)[number]

/** The result of one concern of a machine on one surface. */
export interface Walk {
  readonly machine: MachineName
  readonly surface: SurfaceName
  readonly part: string
  readonly states: number
  readonly edges: number
  /** Edges walked without a failure. */
  readonly walked: number
  /** States that were reached. */
  readonly visited: number
  readonly paths: number
  readonly steps: number
  readonly ms: number
  /** Declared transitions that were taken. */
  readonly taken: readonly string[]
  /** Recipes. */
  readonly failures: readonly string[]
  /** The picture of the surface at each failure, where it has one. */
  readonly pictures: readonly (Picture | null)[]
}
export interface WalkOptions {
  readonly machine: MachineName
  readonly surface: SurfaceName
  readonly part: string
  readonly limit: number
  /** Every edge, each transition once, or each transition with every outcome of a call once. */
  readonly every: 'edge' | 'transition' | 'ending'
  /** Only this path, as a recipe gives it; nothing where it is not possible. */
  readonly only: string | null
  /** Number of additional random walks. */
  readonly random: { readonly seed: number; readonly walks: number } | null
}

const sets = {
  edge: (graph: Graph) => coverEdges(graph),
  transition: coverTransitions,
  ending: (graph: Graph) =>
    coverClasses(graph, ({ step, taken }) => `${stepId(step)} ${taken.join(' + ')}`),
} as const

/** Walks one concern and returns the result. */
export async function walkPart(
  { spec, drive }: SurfacePart,
  { machine, surface, part, limit, every, only, random }: WalkOptions,
): Promise<Walk> {
  const started = performance.now()
  const graph = explore(spec, limit)
  const paths = only !== null ? pathNamed(spec, only) : sets[every](graph).paths
  const report = await runPaths(spec, graph, paths, () => drive())
  const wandered =
    random === null || only !== null ? null : await runWalks(spec, () => drive(), random)
  const ends = new Set([
    ...graph.starts.map(({ node }) => node),
    ...[...report.walked].flatMap((edge) => graph.edges[edge]?.to ?? []),
  ])
  return {
    machine,
    surface,
    part,
    states: graph.nodes.length,
    edges: graph.edges.length,
    walked: report.walked.size,
    visited: ends.size,
    paths: paths.length + (wandered?.walks ?? 0),
    steps: report.steps + (wandered?.steps ?? 0),
    ms: Math.round(performance.now() - started),
    taken: [...new Set(report.results.flatMap(({ taken }) => taken))],
    pictures: report.pictures,
    failures: [
      ...report.failures,
      ...(wandered === null || wandered.failure === null ? [] : [wandered.failure]),
    ],
  }
}

function pathNamed(spec: Spec<unknown>, text: string): readonly Path[] {
  try {
    return [parsePath(spec, text)]
  } catch {
    return []
  } // an outcome of another concern
}
