import { describe, expect, test } from 'vitest'
import { bareDriver } from './bare-driver.ts'
import { check, commonRules, type Rule } from '../explore/check.ts'
import type { MakeDriver } from './driver.ts'
import { type Excuses, unexcused } from '../mutate/excuses.ts'
import { explore } from '../explore/explore.ts'
import { type Graph } from '../explore/explored-graph.ts'
import { lint } from './lint.ts'
import { mutants } from '../mutate/mutants.ts'
import { runMutants } from '../mutate/mutation.ts'
import { journeys, type PathSet } from '../cover/paths.ts'
import { chosenPaths, runPaths } from './run-paths.ts'
import type { Spec } from '../explore/spec.ts'
import { runWalks } from '../cover/walks.ts'

export interface Gate {
  /** The machine's own rules; `commonRules` are always checked. */
  readonly rules?: readonly Rule[]
  /** Mutants that survive because they are equivalent. */
  readonly survivors?: Excuses
  /** Declared transitions that cannot be reached. */
  readonly unreached?: Excuses
  readonly limit?: number
  readonly walks?: number
  readonly seed?: number
  /** More path sets for the mutants besides journeys, such as pairs. */
  moreSets?(graph: Graph): readonly PathSet[]
}

/** Faults of a graph: unreached transitions, keys that merge too much, edges impossible in time. */
export function graphFindings(graph: Graph, unreached: Excuses = {}): string[] {
  return [
    ...unexcused(
      graph.transitions.filter(({ reached }) => !reached).map(({ id }) => id),
      unreached,
    ).map((id) => {
      const why = graph.transitions.find((each) => each.id === id)?.why
      return why === null || why === undefined ? id : `${id}: ${why}`
    }),
    ...graph.coarse,
    ...journeys(graph).untimely.map(
      ({ from, step }) => `never in time: ${graph.nodes[from]?.state} ${step.label}`,
    ),
  ]
}

/**
 * The tests every machine has, from its spec alone: all transitions reached, no lint findings,
 * every rule holds, the live machine agrees with the model on every journey and on random walks,
 * and no mutant survives without a reason. With `MBT_PATH` only that path is run.
 */
export function gateMachine<Seen>(
  spec: Spec<Seen>,
  {
    rules = [],
    survivors,
    unreached,
    limit,
    walks = 100,
    seed = 1,
    moreSets = () => [],
  }: Gate = {},
): void {
  describe(`machine ${spec.machine.id}`, () => {
    const graph = explore(spec, limit)
    const sets = [journeys(graph), ...moreSets(graph)]
    const paths = sets.flatMap((set) => set.paths)
    test('takes every declared transition', () => {
      expect(graphFindings(graph, unreached)).toEqual([])
    })
    test('has no names that match nothing and no branches nobody reaches', () => {
      expect(lint(spec.machine, Object.keys(spec.events))).toEqual([])
    })
    test('keeps its rules in every state', () => {
      expect(check(graph, [...commonRules(), ...rules])).toEqual([])
    })
    test('agrees with its model on every journey', async () => {
      expect(
        (
          await runPaths(spec, graph, chosenPaths(spec, paths), () => bareDriver(spec))
        ).failures.join('\n\n'),
      ).toBe('')
    })
    test('agrees with its model on random walks', async () => {
      expect((await runWalks(spec, () => bareDriver(spec), { seed, walks })).failure).toBeNull()
    })
    test('has no mutant that nobody notices', async () => {
      const report = await runMutants(spec, mutants(spec.machine), paths, {
        makeDriver: (machine) => bareDriver(spec, machine),
        rules: [...commonRules(), ...rules],
      })
      expect(unexcused(report.survivors, survivors)).toEqual([])
    }, 120_000)
  })
}

/**
 * Runs a machine's journeys on a surface, one test per path, so that a report names each. With
 * `MBT_PATH` only that path.
 */
export function gateSurface<Seen>(
  surface: string,
  spec: Spec<Seen>,
  makeDriver: MakeDriver<Seen>,
  setOf: (graph: Graph) => PathSet = journeys,
): void {
  describe(`${spec.machine.id} on ${surface}`, () => {
    const graph = explore(spec)
    test.each(chosenPaths(spec, setOf(graph).paths).map((path) => ({ id: path.id, path })))(
      '$id',
      async ({ path }) => {
        expect((await runPaths(spec, graph, [path], makeDriver)).failures.join('\n')).toBe('')
      },
    )
  })
}
