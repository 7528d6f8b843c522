import { test } from 'vitest'
import { byTransition, explore, journeys, runPaths, runWalks } from '../model/index.ts'
import { type MachineName, models } from '../models/registry.ts'
import { partsOn, type SurfaceName } from '../surfaces/registry.ts'

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
declare module 'vitest' { interface TaskMeta { walk?: Walk } }

const wanted = (name: string): readonly string[] | null => { const value = process.env[name]; return value === undefined || value === '' ? null : value.split(',') }

/** Walks one concern and says what came of it; on the bare machine random walks from the seed besides. */
export const walkPart = async (machine: MachineName, surface: SurfaceName, part: string): Promise<Walk> => {
  const found = (await partsOn(machine, surface))?.[part]
  if (found === undefined) throw new Error(`${machine} has no part ${part} on ${surface}`)
  const started = performance.now()
  const graph = explore(found.spec, models[machine].limit ?? 600)
  // A frame of a terminal takes longer than a page: there each transition once is enough, unless every edge is asked for.
  const { paths } = surface === 'terminal' && process.env.PATHS_EDGES !== '1' ? byTransition(graph) : journeys(graph)
  const report = await runPaths(found.spec, graph, paths, () => found.drive())
  const random = surface === 'bare' ? await runWalks(found.spec, () => found.drive(), { seed: Number(process.env.PATHS_SEED ?? '1'), walks: models[machine].walks ?? 40 }) : null
  const ends = new Set([...graph.starts.map(({ node }) => node), ...[...report.walked].flatMap((edge) => graph.edges[edge]?.to ?? [])])
  return {
    machine, surface, part, states: graph.nodes.length, edges: graph.edges.length, walked: report.walked.size, visited: ends.size, paths: paths.length + (random?.walks ?? 0), steps: report.steps + (random?.steps ?? 0), ms: Math.round(performance.now() - started),
    taken: [...new Set(report.results.flatMap(({ taken }) => taken))], failures: [...report.failures, ...(random === null || random.failure === null ? [] : [random.failure])],
  }
}

/** One test per concern of every machine drawn on this surface; the result travels with the test. */
export const walkSurface = async (surface: SurfaceName): Promise<void> => {
  const machines = wanted('PATHS_MACHINES')
  for (const machine of Object.keys(models) as MachineName[]) {
    if (machines !== null && !machines.includes(machine)) continue
    for (const part of Object.keys((await partsOn(machine, surface)) ?? {})) {
      test(`${machine} · ${surface} · ${part}`, async ({ task }) => {
        const walk = await walkPart(machine, surface, part)
        task.meta.walk = walk
        if (walk.failures.length > 0) throw new Error(walk.failures.join('\n\n'))
      }, 1_200_000)
    }
  }
}
