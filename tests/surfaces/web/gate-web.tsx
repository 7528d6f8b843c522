import { describe, expect, test } from 'vitest'
import { coverEdges } from '@jiaowu/path-tests'
import { coverScreen } from '../classes.ts'
import { explore, runPaths } from '../../machines/spec.ts'
import {
  everyMutant,
  mutantLimit,
  mutantTests,
  noMutant,
  type MutationOptions,
  notesOn,
  sampleSize,
  type Sightings,
  surfaceMutants,
  listUnarguedSurvivors,
} from '../mutation.ts'
import { webDriver } from './screen.tsx'
import { type Fault, survey } from './surface-mutants.ts'
import type { TableSeen } from '../shown.ts'
import type { WebDriver } from './table.ts'

/**
 * Walks a machine on its page (see `coverScreen`) and compares what it shows, offers and calls with
 * the machine after each step. With `survivors` it also breaks the page in ways that are possible at
 * one place (within `places`): a sample of them, all with `MBT_MUTANTS=all`. The keys of
 * `survivors` are beginnings of mutant names, the values say why nothing notices them.
 */
export function gateWeb(
  { model: { parts, limit }, onScreen, makeScreen }: WebDriver,
  broken: Pick<MutationOptions, 'survivors' | 'places'> = {},
): void {
  const [first] = Object.values(parts)
  const id = first?.machine.id ?? ''
  // Events that nothing handles are tried on the bare machine; here `offers` shows that no page
  // offers them.
  const seen = Object.entries(parts).map(([name, part]) => ({
    name,
    spec: { ...onScreen(part), unhandled: [] },
  }))
  // These walks find what can be broken, unless every mutant is tried.
  const sightings: Sightings<Fault, TableSeen> = new Map()
  const isTried = broken.survivors !== undefined && !noMutant()
  const isSampled = isTried && !everyMutant()
  describe(`${id} on the web`, () => {
    test.each(seen)(
      'shows, offers and does what its machine says: $name',
      async ({ name, spec }) => {
        const graph = explore(spec, limit)
        const { paths, steps } = coverScreen(graph)
        const { failures } = await runPaths(spec, graph, paths, (path) =>
          webDriver(
            makeScreen(),
            isSampled ? survey(notesOn(sightings, spec, path, broken.places)) : undefined,
          ),
        )
        console.log(
          `${id} on the web, ${name}: ${graph.nodes.length} states, ${graph.edges.length} edges, ${paths.length} paths, ${steps} steps`,
        )
        expect(failures.slice(0, 3).join('\n\n')).toBe('')
      },
      300_000,
    )
    test.runIf(isTried)(
      mutantTests.screen,
      async ({ task }) => {
        const started = performance.now()
        const {
          all,
          tried,
          survivors: left,
          why,
        } = await surfaceMutants(
          seen.map(({ spec }) => spec),
          {
            watched: (_spec, notes) => webDriver(makeScreen(), survey(notes)),
            broken: (_spec, fault) => webDriver(makeScreen(), fault),
            more: (spec) => (everyMutant() ? coverEdges(explore(spec, limit)).paths : []),
          },
          { ...broken, sightings, sample: everyMutant() ? undefined : sampleSize.screen },
        )
        task.meta.mutation = {
          machine: id,
          surface: 'web',
          all,
          tried,
          caught: tried - left.length,
          survivors: left.map((each) => ({ id: each, why: why(each) })),
          ms: Math.round(performance.now() - started),
        }
        console.log(
          `${id} on the web: ${tried - left.length} of ${tried} broken screens noticed; ${all} there are`,
        )
        expect(everyMutant() ? listUnarguedSurvivors(left, broken.survivors ?? {}) : left).toEqual(
          [],
        )
      },
      mutantLimit(),
    )
  })
}
