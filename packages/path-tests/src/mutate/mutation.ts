import type { AnyStateMachine } from 'xstate'
import { type Mutant, mutants, nearestFirst, unbroken } from './mutants.ts'
import { coverEdges } from '../cover/paths.ts'
import { check, type Rule } from '../explore/check.ts'
import { explore } from '../explore/explore.ts'
import type { Finding } from '../explore/findings.ts'
import type { Graph } from '../explore/graph.ts'
import type { Model } from '../model/define-model.ts'
import { actorDriver } from '../run/actor-driver.ts'
import type { Driver } from '../run/driver.ts'
import { Rehearsals, runPath } from '../run/run-path.ts'
import type { Path } from '../run/path.ts'

export interface Fate {
  readonly mutant: string
  readonly kind: string
  /** The path or rule that noticed it; null when it survived. */ readonly killedBy: string | null
}
export interface MutationReport {
  /** Why the machine without a fault fails: then no mutant is tried, all survive, and there is no score. */
  readonly unbroken: readonly string[]
  readonly fates: readonly Fate[]
  readonly killed: number
  readonly survivors: readonly string[]
  /**
   * Share of noticed mutants, 0 to 1; null when the machine without a fault fails, and when the graph
   * was cut at `maxStates`: of what was not explored nothing is known.
   */
  readonly score: number | null
}

export interface MutationOptions<Seen> {
  /** Runs a mutant on a surface; the model stays that of the machine. Default: the actor driver. */
  makeDriver?(machine: AnyStateMachine): Driver<Seen> | Promise<Driver<Seen>>
  /** A mutant whose own graph breaks a rule, or has a new finding, is noticed too. */
  readonly rules?: readonly Rule[]
}

/**
 * Which small faults of the machine a set of paths (by default one that takes every edge) notices.
 * A survivor is equivalent to the machine, or a gap of the tests.
 */
export async function mutate<Seen>(
  model: Model<Seen>,
  {
    graph = explore(model),
    paths = coverEdges(graph).paths,
    ...options
  }: MutationOptions<Seen> & { readonly graph?: Graph; readonly paths?: readonly Path[] } = {},
): Promise<MutationReport> {
  const report = await runMutants(model, mutants(model.machine), paths, options)
  return graph.unexplored === 0 ? report : { ...report, score: null }
}

/** Runs each mutant until something notices it, if the machine without a fault passes. */
export async function runMutants<Seen>(
  model: Model<Seen>,
  list: readonly Mutant[],
  paths: readonly Path[],
  options: MutationOptions<Seen> = {},
): Promise<MutationReport> {
  const trial = await startTrial(model, paths, options)
  const fates: Fate[] = []
  if (trial.unbroken.length === 0) for (const mutant of list) fates.push(await trial.fateOf(mutant))
  return buildMutationReport(
    trial.unbroken,
    list.map(({ id }) => id),
    fates,
  )
}

/** Runs mutants under the limits that the machine without a fault was run under. */
export interface Trial {
  /** Why the machine without a fault fails; empty when it passes. */
  readonly unbroken: readonly string[]
  /**
   * Runs the paths, then the rules, until one notices the mutant. A path that soon takes what the
   * mutant changes comes before the others.
   */
  readonly fateOf: (mutant: Mutant) => Promise<Fate>
}

/**
 * Runs the machine without a fault: a path that it fails too would prove nothing about a mutant.
 * Without `runsUnbroken` the caller runs it, and no fault is reported.
 */
export async function startTrial<Seen>(
  model: Model<Seen>,
  paths: readonly Path[],
  {
    makeDriver = (machine) => actorDriver(model, { machine }),
    rules = [],
    runsUnbroken = true,
  }: MutationOptions<Seen> & { readonly runsUnbroken?: boolean } = {},
): Promise<Trial> {
  const sound = unbroken(model.machine)
  const faults: string[] = []
  const rehearsals = new Rehearsals()
  const run = async (path: Path, machine: AnyStateMachine) =>
    runPath(model, path, await makeDriver(machine), undefined, rehearsals)
  for (const path of runsUnbroken ? paths : []) {
    const { failure } = await run(path, sound)
    if (failure !== null) faults.push(failure.text)
  }
  const taken = new Map(paths.map((path) => [path, rehearsals.takenAlong(model, path)]))
  const known = new Set<string>()
  if (rules.length > 0) {
    const graph = explore({ ...model, machine: sound })
    for (const finding of graph.findings) known.add(formatFinding(finding))
    if (runsUnbroken)
      faults.push(...check(graph, rules).map(({ rule, trace }) => `rule ${rule}: ${trace}`))
  }
  return {
    unbroken: faults,
    fateOf: async ({ id, kind, machine, place }) => {
      for (const path of nearestFirst(paths, place, (each) => taken.get(each) ?? [])) {
        const { failure } = await run(path, machine)
        if (failure === null) continue
        const killedBy = `${path.id} step ${failure.at + 1}: ${failure.reasons[0] ?? ''}`
        return { mutant: id, kind, killedBy }
      }
      const killedBy = rules.length === 0 ? null : brokenRule(model, machine, rules, known)
      return { mutant: id, kind, killedBy }
    },
  }
}

/** The report on mutants `ids`, whose fates may come in any order; none where `faults` has some. */
export function buildMutationReport(
  faults: readonly string[],
  ids: readonly string[],
  fates: readonly Fate[],
): MutationReport {
  if (faults.length > 0)
    return { unbroken: faults, fates: [], killed: 0, survivors: ids, score: null }
  const survivors = fates.filter(({ killedBy }) => killedBy === null).map(({ mutant }) => mutant)
  const killed = fates.length - survivors.length
  return {
    unbroken: [],
    fates,
    killed,
    survivors,
    score: fates.length === 0 ? 1 : killed / fates.length,
  }
}

/** Findings that tell of the model, or of more than one step: they notice no mutant. */
const ofTheModel: ReadonlySet<Finding['code']> = new Set([
  'merged-states',
  'unused-child',
  'hidden-data',
  'livelock',
  'children-pile-up',
])

function brokenRule<Seen>(
  model: Model<Seen>,
  machine: AnyStateMachine,
  rules: readonly Rule[],
  known: ReadonlySet<string>,
): string | null {
  const graph = explore({ ...model, machine })
  const [found] = graph.findings.filter(
    (finding) => !ofTheModel.has(finding.code) && !known.has(formatFinding(finding)),
  )
  if (found !== undefined)
    return `exploration: ${found.code}: ${found.message.split('\n')[0] ?? ''}`
  const [broken] = check(graph, rules)
  return broken === undefined ? null : `rule ${broken.rule}`
}

const formatFinding = ({ code, message }: Finding): string =>
  code === 'state-limit' ? code : `${code} ${message}`
