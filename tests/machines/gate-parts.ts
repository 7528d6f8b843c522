import { describe, expect, test } from 'vitest'
import type { AnyStateMachine } from 'xstate'
import {
  check,
  commonRules,
  coverEdges,
  coverPairs,
  coverTransitions,
  lint,
  type Mutant,
  mutants,
  nearestFirst,
  type Reasons,
  type Rule,
  type Trial,
  listUnexplained,
} from '@jiaowu/path-tests'
import {
  actorDriver,
  exploreChecked,
  runPaths,
  runWalks,
  startTrial,
  type Spec,
  mergedKeys,
} from './spec.ts'
import type { MachineModel } from './machine-model.ts'
import {
  everyMutant,
  mutantTests,
  noMutant,
  sampleMutants,
  sampleSize,
} from '../surfaces/mutation.ts'

/** A concern of a machine with its graph. */
interface Part {
  readonly spec: Spec<unknown>
  readonly graph: ReturnType<typeof exploreChecked>
}

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
    return { name, spec, graph: exploreChecked(spec, limit) }
  })
  const [first] = parts
  const id = first?.spec.machine.id ?? ''
  const rules = [...commonRules(), ...own]
  describe(`machine ${id}`, () => {
    test('takes every declared transition, with keys fine enough', () => {
      const reached = new Set(
        parts.flatMap(({ graph }) =>
          graph.transitions.filter((each) => each.reached).map((each) => each.id),
        ),
      )
      const missing = first?.graph.transitions.filter((each) => !reached.has(each.id)) ?? []
      expect(missing.map((each) => `${each.id}: ${each.why ?? ''}`)).toEqual([])
      expect(parts.flatMap(({ graph }) => mergedKeys(graph))).toEqual([])
    })
    test('has no misspelt name, no invoke without onError and no unreachable branch', () => {
      for (const { spec } of parts)
        expect(lint(spec.machine, Object.keys(spec.events), { namedInvokes: true })).toEqual([])
    })
    test('keeps its rules in every reachable state', () => {
      for (const { graph } of parts) expect(check(graph, rules)).toEqual([])
    })
    test.each(parts)(
      'behaves as its model on every journey and on random walks, on the bare machine: $name',
      async ({ name, spec, graph }) => {
        const { paths, steps } = coverEdges(graph)
        const { failures } = await runPaths(spec, graph, paths, () => actorDriver(spec))
        expect(failures.slice(0, 3).join('\n\n')).toBe('')
        expect(
          (await runWalks(spec, () => actorDriver(spec), { seed: 7, walks })).failure,
        ).toBeNull()
        console.log(
          `${id} ${name}: ${graph.nodes.length} states, ${graph.edges.length} edges, ${graph.transitions.length} transitions, ${paths.length} paths, ${steps} steps`,
        )
      },
    )
    test.skipIf(noMutant())(
      mutantTests.machine,
      async ({ task }) => {
        const started = performance.now()
        const all = first === undefined ? [] : mutants(first.spec.machine)
        const tried = everyMutant()
          ? all
          : sampleMutants(
              all.filter((each) => survivors?.[each.id] === undefined),
              (each) => each.id,
              sampleSize.machine,
            )
        const left = await listSurvivors(tried, parts, rules, survivors)
        console.log(
          `${id}: ${tried.length - left.length} of ${tried.length} mutants noticed; ${all.length} there are`,
        )
        task.meta.mutation = {
          machine: id,
          surface: 'bare',
          all: all.length,
          tried: tried.length,
          caught: tried.length - left.length,
          survivors: left.map((each) => ({ id: each, why: survivors?.[each] ?? null })),
          ms: Math.round(performance.now() - started),
        }
        expect(everyMutant() ? listUnexplained(left, survivors) : left).toEqual([])
      },
      600_000,
    )
  })
}

/**
 * Mutants that none of the concerns' paths or rules tells from the machine. Few paths first: most
 * mutants fall at once. What is left without a reason is tried on every two steps in a row: data
 * outside the key may show only after a certain way to a state.
 */
async function listSurvivors(
  tried: readonly Mutant[],
  parts: readonly Part[],
  rules: readonly Rule[],
  reasons: Reasons = {},
): Promise<readonly string[]> {
  let left = tried
  for (const set of [coverTransitions, coverEdges, coverPairs]) {
    const trialOf = createTrials(set, set === coverEdges ? rules : [])
    const open = set === coverPairs ? left.filter(({ id }) => !(id in reasons)) : left
    const noticed = new Set<Mutant>()
    for (const mutant of open)
      for (const part of nearestFirst(parts, mutant.place, takenIn)) {
        const trial = await trialOf(part)
        expect(trial.unbroken).toEqual([])
        if ((await trial.fateOf(mutant)).killedBy === null) continue
        noticed.add(mutant)
        break
      }
    left = left.filter((mutant) => !noticed.has(mutant))
  }
  return left.map(({ id }) => id)
}

/** A trial for a concern when a mutant first needs one. */
function createTrials(
  set: typeof coverEdges,
  rules: readonly Rule[],
): (part: Part) => Promise<Trial> {
  const trials = new Map<Part, Promise<Trial>>()
  return (part) => {
    const { spec, graph } = part
    const trial =
      trials.get(part) ??
      startTrial(spec, set(graph).paths, {
        makeDriver: (machine: AnyStateMachine) => actorDriver(spec, { machine }),
        rules,
      })
    trials.set(part, trial)
    return trial
  }
}

/** The transitions that the walks of a concern can take, as one step. */
function takenIn({ graph }: Part) {
  return [graph.transitions.filter(({ reached }) => reached).map(({ id }) => id)]
}
