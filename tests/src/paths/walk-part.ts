import { byTransition, explore, journeys, runPaths, runWalks } from '../model/index.ts'
import type { MachineName } from '../models/registry.ts'
import type { SurfacePart } from '../surfaces/parts.ts'

export const surfaceNames = ['bare', 'web', 'chromium', 'terminal'] as const
export type SurfaceName = (typeof surfaceNames)[number]

/** What a run says of one concern of a machine on one surface. */
export interface Walk {
  readonly machine: MachineName
  readonly surface: SurfaceName
  readonly part: string
  readonly states: number
  readonly edges: number
  /** Edges walked without a failure. */
  readonly walked: number
  /** States that were come by. */
  readonly visited: number
  readonly paths: number
  readonly steps: number
  readonly ms: number
  /** Declared transitions that were taken. */
  readonly taken: readonly string[]
  /** Recipes. */
  readonly failures: readonly string[]
}
export interface WalkOptions {
  readonly machine: MachineName
  readonly surface: SurfaceName
  readonly part: string
  readonly limit: number
  /** Every edge, or each transition once. */
  readonly every: 'edge' | 'transition'
  /** Random walks besides. */
  readonly random: { readonly seed: number; readonly walks: number } | null
}

/** Walks one concern and says what came of it. */
export const walkPart = async ({ spec, drive }: SurfacePart, { machine, surface, part, limit, every, random }: WalkOptions): Promise<Walk> => {
  const started = performance.now()
  const graph = explore(spec, limit)
  const { paths } = every === 'edge' ? journeys(graph) : byTransition(graph)
  const report = await runPaths(spec, graph, paths, () => drive())
  const wandered = random === null ? null : await runWalks(spec, () => drive(), random)
  const ends = new Set([...graph.starts.map(({ node }) => node), ...[...report.walked].flatMap((edge) => graph.edges[edge]?.to ?? [])])
  return {
    machine, surface, part, states: graph.nodes.length, edges: graph.edges.length, walked: report.walked.size, visited: ends.size, paths: paths.length + (wandered?.walks ?? 0), steps: report.steps + (wandered?.steps ?? 0), ms: Math.round(performance.now() - started),
    taken: [...new Set(report.results.flatMap(({ taken }) => taken))], failures: [...report.failures, ...(wandered === null || wandered.failure === null ? [] : [wandered.failure])],
  }
}
