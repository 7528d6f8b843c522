import type { MakeDriver } from './driver.ts'
import { type Graph, traceTo } from '../explore/graph.ts'
import { parsePath, buildPath, runPath, type RunResult } from './run-path.ts'
import type { Path, Picture } from './path.ts'
import type { Model } from '../model/define-model.ts'

export interface RunReport {
  readonly results: readonly RunResult[]
  readonly steps: number
  /** Edges walked without a failure. */
  readonly walked: ReadonlySet<number>
  /** Recipes of the failing paths, each reduced to the shortest path that still fails. */
  readonly failures: readonly string[]
  /** Pictures of the surface at the failures, where available. */
  readonly pictures: readonly (Picture | null)[]
}

/** The paths to run: all of them, or the one in `MBT_PATH` when it is set. */
export function chosenPaths<Seen>(
  model: Model<Seen>,
  paths: readonly Path[],
  wanted = process.env.MBT_PATH,
): readonly Path[] {
  return wanted === undefined || wanted === '' ? paths : [parsePath(model, wanted)]
}

interface Looked {
  readonly result: RunResult
  readonly picture: Picture | null
}

/** Runs paths one after the other, each on a fresh driver. */
export async function runPaths<Seen>(
  model: Model<Seen>,
  graph: Graph,
  paths: readonly Path[],
  makeDriver: MakeDriver<Seen>,
  report: (result: RunResult, index: number) => void = () => {},
): Promise<RunReport> {
  const results: RunResult[] = []
  const failures: string[] = []
  const pictures: (Picture | null)[] = []
  const walked = new Set<number>()
  for (const [index, path] of paths.entries()) {
    const looked = await look(model, path, makeDriver)
    const { result } = looked
    results.push(result)
    for (const edge of path.edges.slice(0, result.steps)) walked.add(edge)
    if (result.failure !== null) {
      const short = await shortenFailure(model, graph, looked, makeDriver)
      failures.push(short.result.failure?.text ?? result.failure.text)
      pictures.push(short.picture)
    }
    report(result, index)
  }
  return {
    results,
    steps: results.reduce((sum, { steps }) => sum + steps, 0),
    walked,
    failures,
    pictures,
  }
}

/** Runs a path and takes a picture of a failure. */
async function look<Seen>(
  model: Model<Seen>,
  path: Path,
  makeDriver: MakeDriver<Seen>,
): Promise<Looked> {
  let picture: Picture | null = null
  const driver = await makeDriver(path)
  const result = await runPath(model, path, driver, async () => {
    picture = (await driver.picture?.().catch(() => null)) ?? null
  }) // a surface that cannot even be looked at has a recipe still
  return { result, picture }
}

/**
 * A journey may fail at its 200th step; the shortest path to the same edge usually fails too and is
 * easier to repeat.
 */
async function shortenFailure<Seen>(
  model: Model<Seen>,
  graph: Graph,
  { result, picture }: Looked,
  makeDriver: MakeDriver<Seen>,
): Promise<Looked> {
  const looked = { result, picture }
  const edge = graph.edges[result.path.edges[result.failure?.at ?? -1] ?? -1]
  if (edge === undefined) return looked
  const short = buildPath(
    graph,
    `${result.path.id} (shortened)`,
    graph.nodes[edge.from]?.start ?? result.path.start,
    [...traceTo(graph, edge.from), edge],
  )
  if (short.steps.length >= (result.failure?.at ?? 0) + 1) return looked
  const again = await look(model, short, makeDriver)
  return again.result.failure === null ? looked : again
}
