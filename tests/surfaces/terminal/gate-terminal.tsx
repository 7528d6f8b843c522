import { describe, expect, test } from 'vitest'
import { coverEdges, coverTransitions, type Graph, type PathSet } from '@jiaowu/path-tests'
import { exploreChecked, runPaths, type Spec, mergedKeys } from '../../machines/spec.ts'
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
import { terminalDriver } from './screen.tsx'
import type { TableSeen } from '../shown.ts'
import type { TerminalDriver } from './table.ts'
import { survey, type TerminalFault } from './terminal-mutants.ts'

interface TerminalGate extends Pick<MutationOptions, 'survivors' | 'places'> {
  /** Left out: each transition once. */
  readonly few?: (graph: Graph) => PathSet
  /** Checks that the paths take every transition of the machine. */
  readonly reaches?: 'all'
}

/**
 * Walks paths of a machine on its Ink screen by keys and frames: every transition, which takes
 * seconds; each edge, which takes minutes, with `MBT_EDGES=1`. With `survivors` the screen is broken
 * too: a sample of its mutants, all with `MBT_MUTANTS=all`; the keys of `survivors` are beginnings of
 * mutant names.
 */
export function gateTerminal(
  { parts, screen }: TerminalDriver,
  { few = coverTransitions, reaches, ...broken }: TerminalGate = {},
): void {
  const { survivors, places } = broken
  const specs = Object.values(parts)
  const id = specs[0]?.machine.id ?? ''
  const graphOf = (spec: Spec<TableSeen>) => exploreChecked(spec, 600)
  const sightings: Sightings<TerminalFault, TableSeen> = new Map()
  const isTried = survivors !== undefined && !noMutant()
  const isSampled = isTried && !everyMutant()
  const driven = (spec: Spec<TableSeen>, fault?: TerminalFault) =>
    terminalDriver(spec, screen, fault)
  describe(`${id} on the terminal`, () => {
    test.each(Object.entries(parts))(
      'shows, offers and does what its machine says: %s',
      async (name, spec) => {
        const graph = graphOf(spec)
        expect(mergedKeys(graph)).toEqual([])
        const { paths, steps } = (process.env.MBT_EDGES === '1' ? coverEdges : few)(graph)
        const { failures } = await runPaths(spec, graph, paths, (path) =>
          driven(spec, isSampled ? survey(notesOn(sightings, spec, path, places)) : undefined),
        )
        console.log(
          `${id} on the terminal, ${name}: ${graph.nodes.length} states, ${graph.edges.length} edges, ${paths.length} paths, ${steps} steps`,
        )
        expect(failures.slice(0, 2).join('\n\n')).toBe('')
      },
      600_000,
    )
    test.skipIf(reaches === undefined)('takes every transition of the machine', () => {
      const all = specs.flatMap((spec) => graphOf(spec).transitions)
      const reached = new Set(all.filter((each) => each.reached).map((each) => each.id))
      expect(all.map((each) => each.id).filter((each) => !reached.has(each))).toEqual([])
    })
    test.runIf(isTried)(
      mutantTests.screen,
      async ({ task }) => {
        const started = performance.now()
        const found = await surfaceMutants(
          specs,
          {
            watched: (spec, notes) => driven(spec, survey(notes)),
            broken: driven,
            paths: (spec) => few(graphOf(spec)).paths,
            // For survivors without a reason, where every mutant is tried.
            more: (spec) => (everyMutant() ? coverEdges(graphOf(spec)).paths : []),
          },
          { ...broken, sightings, sample: everyMutant() ? undefined : sampleSize.screen },
        )
        const { all, tried, survivors: left, why } = found
        task.meta.mutation = {
          machine: id,
          surface: 'terminal',
          all,
          tried,
          caught: tried - left.length,
          survivors: left.map((each) => ({ id: each, why: why(each) })),
          ms: Math.round(performance.now() - started),
        }
        console.log(
          `${id} on the terminal: ${tried - left.length} of ${tried} broken screens noticed; ${all} there are`,
        )
        expect(everyMutant() ? listUnarguedSurvivors(left, survivors ?? {}) : left).toEqual([])
      },
      mutantLimit(),
    )
  })
}
