import { describe, expect, test } from 'vitest'
import {
  coverEdges,
  coverTransitions,
  type Graph,
  type Path,
  type PathSet,
} from '@jiaowu/path-tests'
import { explore, runPaths, type Spec, mergedKeys } from '../../machines/spec.ts'
import {
  everyMutant,
  mutantLimit,
  mutantTests,
  type MutationOptions,
  notesOn,
  sampleSize,
  type Sightings,
  surfaceMutants,
  unargued,
} from '../mutation.ts'
import { terminalDriver } from './screen.tsx'
import type { TableSeen, TerminalDriver } from './table.ts'
import { survey, type TerminalFault } from './terminal-mutants.ts'

// Each transition once takes seconds, each edge minutes: `npm run paths -- --surface terminal
// --edges`.
const everyEdge = (): boolean => process.env.MBT_EDGES === '1'

export interface TerminalGate extends Pick<MutationOptions, 'survivors' | 'places'> {
  /** Left out: each transition once. */
  readonly few?: (graph: Graph) => PathSet
  /** Checks that the paths take every transition of the machine. */
  readonly reaches?: 'all'
}

/**
 * Walks paths of a machine on its Ink screen by keys and frames: every transition, each edge with
 * `MBT_EDGES=1`. With `survivors` the screen is broken too: a sample of its mutants, all with
 * `MBT_MUTANTS=all`; the keys of `survivors` are beginnings of mutant names.
 */
export function gateTerminal(
  { parts, makeScreen }: TerminalDriver,
  { few = coverTransitions, reaches, ...broken }: TerminalGate = {},
): void {
  const seen = Object.entries(parts).map(([name, part]) => ({ name, spec: handledOnly(part) }))
  const id = seen[0]?.spec.machine.id ?? ''
  const sightings: Sightings<TerminalFault, TableSeen> = new Map()
  const graphs: Graph[] = []
  const driven = (spec: Spec<TableSeen>, fault?: TerminalFault) =>
    terminalDriver(spec, makeScreen(), fault)
  describe(`${id} on the terminal`, () => {
    test.each(seen)(
      'shows, offers and does what its machine says: $name',
      async ({ name, spec }) => {
        const graph = explore(spec, 600)
        graphs.push(graph)
        expect(mergedKeys(graph)).toEqual([])
        const { paths, steps } = (everyEdge() ? coverEdges : few)(graph)
        const { failures } = await runPaths(spec, graph, paths, (path) =>
          driven(
            spec,
            everyMutant() || broken.survivors === undefined
              ? undefined
              : survey(notesOn(sightings, spec, path, broken.places)),
          ),
        )
        console.log(
          `${id} on the terminal, ${name}: ${graph.nodes.length} states, ${graph.edges.length} edges, ${paths.length} paths, ${steps} steps`,
        )
        expect(failures.slice(0, 2).join('\n\n')).toBe('')
      },
      600_000,
    )
    test.skipIf(reaches === undefined)('takes every transition of the machine', () => {
      const reached = new Set(
        (graphs.length > 0 ? graphs : seen.map(({ spec }) => explore(spec, 600))).flatMap(
          ({ transitions }) => transitions.filter((each) => each.reached).map((each) => each.id),
        ),
      )
      expect(
        graphs[0]?.transitions.map((each) => each.id).filter((each) => !reached.has(each)) ?? [],
      ).toEqual([])
    })
    test.skipIf(broken.survivors === undefined)(
      mutantTests.screen,
      async ({ task }) => {
        const started = performance.now()
        const found = await surfaceMutants(
          seen.map(({ spec }) => spec),
          {
            watched: (spec, notes) => driven(spec, survey(notes)),
            broken: driven,
            paths: (spec) => few(explore(spec, 600)).paths,
            more: everyPath,
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
        expect(everyMutant() ? unargued(left, broken.survivors ?? {}) : left).toEqual([])
      },
      mutantLimit(),
    )
  })
}

/** For survivors without a reason, where every mutant is tried. */
function everyPath<Seen>(spec: Spec<Seen>): readonly Path[] {
  return everyMutant() ? coverEdges(explore(spec, 600)).paths : []
}

/** Events that no transition handles are tried on the machine alone. */
function handledOnly<Seen>(spec: Spec<Seen>): Spec<Seen> {
  return { ...spec, unhandled: [] }
}
