import { describe, expect, test } from 'vitest'
import type { AnyStateMachine } from 'xstate'
import { unexcused } from '@jiaowu/path-tests/mutate/excuses'
import {
  bareDriver,
  byTransition,
  check,
  commonRules,
  explore,
  journeys,
  lint,
  mutants,
  type Rule,
  runMutants,
  runPaths,
  runWalks,
  type Spec,
} from '@jiaowu/path-tests'
import type { MachineModel } from './machine-model.ts'

/** The tests every machine has, made of its model alone: `gateParts(sessionModels)`. */
export function gateParts<Seen>({
  parts: specs,
  rules: own,
  survivors,
  walks = 40,
  limit = 300,
}: MachineModel<Seen>): void {
  const parts = Object.entries(specs).map(([name, typed]) => {
    const spec = typed as Spec<unknown>
    return { name, spec, graph: explore(spec, limit) }
  })
  const id = parts[0]?.spec.machine.id ?? ''
  const rules = [...commonRules(), ...own]
  describe(`machine ${id}`, () => {
    test('takes every declared transition, with keys fine enough', () => {
      const reached = new Set(
        parts.flatMap(({ graph }) =>
          graph.transitions.filter((each) => each.reached).map((each) => each.id),
        ),
      )
      const missing = parts[0]?.graph.transitions.filter((each) => !reached.has(each.id)) ?? []
      expect(missing.map((each) => `${each.id}: ${each.why ?? ''}`)).toEqual([])
      expect(parts.flatMap(({ graph }) => graph.coarse)).toEqual([])
    })
    test('has no misspelt name, no invoke without onError, no branch nobody reaches', () => {
      for (const { spec } of parts) expect(lint(spec.machine, Object.keys(spec.events))).toEqual([])
    })
    test('keeps its rules in every reachable state', () => {
      for (const { graph } of parts) expect(check(graph, rules)).toEqual([])
    })
    test.each(parts)(
      'behaves as its model on every journey and on random walks, on the bare machine: $name',
      async ({ name, spec, graph }) => {
        const { paths, steps } = journeys(graph)
        const { failures } = await runPaths(spec, graph, paths, () => bareDriver(spec))
        expect(failures.slice(0, 3).join('\n\n')).toBe('')
        expect(
          (await runWalks(spec, () => bareDriver(spec), { seed: 7, walks })).failure,
        ).toBeNull()
        console.log(
          `${id} ${name}: ${graph.nodes.length} states, ${graph.edges.length} edges, ${graph.transitions.length} transitions, ${paths.length} paths, ${steps} steps`,
        )
      },
    )
    test('has no mutant that nobody notices', async ({ task }) => {
      const started = performance.now()
      const { all, left } = await survivorsOf(parts, rules)
      console.log(`${id}: ${all - left.length} of ${all} mutants noticed`)
      task.meta.mutation = {
        machine: id,
        surface: 'bare',
        all,
        tried: all,
        caught: all - left.length,
        survivors: left.map((each) => ({ id: each, why: survivors?.[each] ?? null })),
        ms: Math.round(performance.now() - started),
      }
      expect(unexcused(left, survivors)).toEqual([])
    }, 180_000)
  })
}

/**
 * Mutants that none of the concerns' paths or rules tells from the machine. Few paths first: most
 * mutants fall at once.
 */
async function survivorsOf(
  parts: readonly { readonly spec: Spec<unknown>; readonly graph: ReturnType<typeof explore> }[],
  rules: readonly Rule[],
): Promise<{ readonly all: number; readonly left: readonly string[] }> {
  const [first] = parts
  const all = first === undefined ? [] : mutants(first.spec.machine)
  let left = all
  for (const set of [byTransition, journeys])
    for (const { spec, graph } of parts) {
      const { survivors } = await runMutants(spec, left, set(graph).paths, {
        makeDriver: (machine: AnyStateMachine) => bareDriver(spec, machine),
        rules: set === journeys ? rules : [],
      })
      left = left.filter(({ id }) => survivors.includes(id))
    }
  return { all: all.length, left: left.map(({ id }) => id) }
}
