import { describe, expect, test } from 'vitest'
import { actorDriver } from './actor-driver.ts'
import type { MakeDriver } from './driver.ts'
import { lint } from './lint.ts'
import { chosenPaths, runPaths } from './run-paths.ts'
import { coverEdges, type PathSet } from '../cover/paths.ts'
import { check, type Rule } from '../explore/check.ts'
import { explore } from '../explore/explore.ts'
import { describeFinding } from '../explore/findings.ts'
import type { Graph } from '../explore/graph.ts'
import type { Model } from '../model/define-model.ts'
import { mutate } from '../mutate/mutation.ts'
import { type Reasons, listUnexplained } from '../mutate/reasons.ts'

export interface TestOptions {
  /**
   * Rules that must hold in every state, for every step, or be reachable; see also `commonRules`.
   */
  readonly rules?: readonly Rule[]
  /**
   * Findings that are as they should be, each with the reason. A reason without its finding fails
   * too.
   */
  readonly accepted?: {
    /** Mutants that behave as the machine does, by id. */ readonly mutants?: Reasons
    /** Declared transitions that cannot be reached, by id. */ readonly transitions?: Reasons
    /** Findings of the exploration, by code and message. */ readonly findings?: Reasons
    /** Findings of `lint`. */ readonly lint?: Reasons
  }
  /** Whether to run the mutants (default: yes). */
  readonly mutants?: boolean
}

/** Findings of a graph as text: crashes and the like, unreached transitions, edges impossible in time. */
export function graphFindings(
  graph: Graph,
  { findings = {}, transitions = {} }: TestOptions['accepted'] = {},
): string[] {
  const unreached = graph.transitions.filter(({ reached }) => !reached)
  return [
    ...graph.findings
      .filter(({ code, message }) => !Object.hasOwn(findings, `${code}: ${message}`))
      .map(describeFinding),
    ...listUnexplained(
      unreached.map(({ id }) => id),
      transitions,
    ).map((id) => {
      const why = unreached.find((each) => each.id === id)?.why
      return why === null || why === undefined ? id : `unreached-transition: ${id}: ${why}`
    }),
    ...coverEdges(graph).impossible.map(
      ({ from, step }) => `impossible-timing: ${graph.nodes[from]?.state} ${step.label}`,
    ),
  ]
}

/**
 * The tests every machine has, from its model alone: the exploration has no finding, all
 * transitions are reached, no name matches nothing, every rule holds, the running machine agrees
 * with the model on every path, and no mutant survives without a reason. With `MBT_PATH` only that
 * path is run.
 */
export function testMachine<Seen>(
  model: Model<Seen>,
  { rules = [], accepted = {}, mutants = true }: TestOptions = {},
): void {
  describe(`machine ${model.machine.id}`, () => {
    const graph = explore(model)
    const { paths } = coverEdges(graph)
    test('is explored without a finding and takes every declared transition', () => {
      expect(graphFindings(graph, accepted)).toEqual([])
    })
    test('has no name that matches nothing and no branch that cannot be reached', () => {
      expect(listUnexplained(lint(model.machine, typesSent(model)), accepted.lint)).toEqual([])
    })
    test('keeps its rules in every state', () => {
      expect(check(graph, rules)).toEqual([])
    })
    test('agrees with its model on every path', async () => {
      const chosen = chosenPaths(model, paths)
      const { failures } = await runPaths(model, graph, chosen, () => actorDriver(model))
      expect(failures.join('\n\n')).toBe('')
    })
    test.runIf(mutants)(
      'has no mutant that the paths do not notice',
      async () => {
        const report = await mutate(model, { graph, paths, rules })
        expect(report.unbroken.join('\n\n')).toBe('')
        expect(listUnexplained(report.survivors, accepted.mutants)).toEqual([])
      },
      600_000,
    )
  })
}

/** The events that reach the machine: samples, what children send, and what it raises itself. */
function typesSent<Seen>({ events, children, internal = [] }: Model<Seen>): string[] {
  return [
    ...Object.keys(events),
    ...internal,
    ...Object.values(children).flatMap((child) =>
      child?.kind === 'events' ? Object.values(child.events).map(({ type }) => type) : [],
    ),
  ]
}

/**
 * Runs a machine's paths on a surface, one test per path, so that a report names each. With
 * `MBT_PATH` only that path.
 */
export function testSurface<Seen>(
  surface: string,
  model: Model<Seen>,
  makeDriver: MakeDriver<Seen>,
  setOf: (graph: Graph) => PathSet = coverEdges,
): void {
  describe(`${model.machine.id} on ${surface}`, () => {
    const graph = explore(model)
    test.each(chosenPaths(model, setOf(graph).paths).map((path) => ({ id: path.id, path })))(
      '$id',
      async ({ path }) => {
        expect((await runPaths(model, graph, [path], makeDriver)).failures.join('\n')).toBe('')
      },
    )
  })
}
