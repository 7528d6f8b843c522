import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Arc, cover } from './cover.ts'
import {
  byTransition,
  describeSet,
  edgePaths,
  explore,
  journeys,
  journeysBy,
  pairJourneys,
  type PathSet,
  statePaths,
} from '../index.ts'
import { fits, schedule } from '../explore/schedule.ts'
import { shopSpec } from '../toy.ts'

const graph = explore(shopSpec)
const walked = ({ paths }: PathSet) => new Set(paths.flatMap(({ edges }) => edges))

describe('path sets', () => {
  test('journeys take every edge in as few paths as there can be', () => {
    const set = journeys(graph)
    expect(walked(set).size).toBe(graph.edges.length)
    expect(set.paths.length).toBe(set.bound)
    expect(describeSet(set)).toBe('journey: 24 paths (bound 24), 342 steps')
    for (const { edges, start } of set.paths) {
      let at = graph.starts.find(({ name }) => name === start)?.node
      for (const index of edges) {
        expect(graph.edges[index]?.from).toBe(at)
        at = graph.edges[index]?.to
      }
    }
  })

  test('are the same every time, ids included', () => {
    expect(journeys(explore(shopSpec))).toEqual(journeys(graph))
  })

  test('without sneak steps they take the others', () => {
    expect(
      [...walked(journeys(graph, { sneak: false }))].every(
        (index) => graph.edges[index]?.sneak === false,
      ),
    ).toBe(true)
    expect(walked(journeys(graph, { sneak: false })).size).toBe(
      graph.edges.filter(({ sneak }) => !sneak).length,
    )
  })

  test('can be kept short', () => {
    const set = journeys(graph, { longest: 12 })
    expect(walked(set).size).toBe(graph.edges.length)
    // A route to the last edge may still go on a little beyond.
    expect(Math.max(...set.paths.map(({ steps }) => steps.length))).toBeLessThan(24)
  })

  test('byTransition takes every declared transition in far fewer steps', () => {
    const set = byTransition(graph)
    const taken = new Set([...walked(set)].flatMap((index) => graph.edges[index]?.taken ?? []))
    expect(
      graph.transitions.filter(
        ({ id }) => !taken.has(id) && !graph.starts.some(({ move }) => move.taken.includes(id)),
      ),
    ).toEqual([])
    expect(set.steps).toBeLessThan(journeys(graph).steps / 5)
  })

  test('journeysBy takes one edge of each class', () => {
    const set = journeysBy(graph, ({ step }) => step.label)
    expect(new Set([...walked(set)].map((index) => graph.edges[index]?.step.label))).toEqual(
      new Set(graph.edges.filter(({ sneak }) => !sneak).map(({ step }) => step.label)),
    )
  })

  test('edgePaths end each edge that is no sneak step; pairs take every two in a row', () => {
    const real = graph.edges.filter(({ sneak }) => !sneak)
    expect(walked(edgePaths(graph)).size).toBe(real.length)
    const pairs = new Set(
      pairJourneys(graph).paths.flatMap(({ edges }) =>
        edges.slice(1).map((edge, index) => `${edges[index]} ${edge}`),
      ),
    )
    expect(pairs.size).toBe(
      real.reduce((sum, { to }) => sum + real.filter(({ from }) => from === to).length, 0),
    )
  })

  test('the textbook set reaches every state and misses most edges', () => {
    const set = statePaths(graph)
    const reached = new Set([...walked(set)].map((index) => graph.edges[index]?.to))
    expect(graph.nodes.every(({ index, by }) => by === null || reached.has(index))).toBe(true)
    expect(walked(set).size).toBeLessThan(graph.edges.length / 4)
  })
})

/** The most arcs between components of which no two can follow each other, by trying all sets. */
function largestAntichain(arcs: readonly Arc[], size: number): number {
  const reach = Array.from({ length: size }, (_, from) => {
    const seen = new Set([from])
    for (const at of seen) for (const arc of arcs) if (arc.from === at) seen.add(arc.to)
    return seen
  })
  const can = (from: number, to: number) => reach[from]?.has(to) === true
  const between = arcs.filter(({ from, to }) => !can(to, from))
  let most = between.length === 0 && arcs.length > 0 ? 1 : 0
  for (let mask = 1; mask < 2 ** between.length; mask += 1) {
    const chosen = between.filter((_, index) => (mask & (1 << index)) !== 0)
    if (
      chosen.length > most &&
      chosen.every((a, i) => chosen.every((b, j) => i === j || !can(a.to, b.from)))
    )
      most = chosen.length
  }
  return most
}

describe('cover', () => {
  const graphs = fc
    .array(fc.record({ from: fc.nat({ max: 6 }), to: fc.nat({ max: 6 }) }), { maxLength: 11 })
    .map((arcs) => {
      const reached = new Set([0])
      for (const at of reached) for (const { from, to } of arcs) if (from === at) reached.add(to)
      return arcs.filter(({ from }) => reached.has(from))
    })

  test('takes every arc of any graph, in walks, and in the fewest possible', () => {
    fc.assert(
      fc.property(graphs, (arcs) => {
        const { paths, bound, left } = cover(0, arcs)
        expect(left).toEqual([])
        expect(new Set(paths.flat()).size).toBe(arcs.length)
        for (const path of paths)
          path.reduce((at, index) => {
            expect(arcs[index]?.from).toBe(at)
            return arcs[index]?.to ?? -1
          }, 0)
        expect(bound).toBe(largestAntichain(arcs, 7))
        expect(paths.length).toBe(bound)
      }),
      { seed: 5, numRuns: 400 },
    )
  })

  test('passes over what is not possible and says what is left', () => {
    const arcs = [
      { from: 0, to: 1 },
      { from: 1, to: 2 },
      { from: 1, to: 0 },
    ]
    const { paths, left } = cover(0, arcs, { feasible: (path) => !path.includes(1) })
    expect(left).toEqual([1])
    expect(paths).toEqual([[0, 2]])
  })
})

describe('schedule', () => {
  const start = { fires: null, starts: [{ id: 'pay', ms: 180_000 }], stops: [] }
  test('the shorter of two timers runs out first', () => {
    const both = {
      fires: null,
      starts: [
        { id: 'short', ms: 100 },
        { id: 'long', ms: 200 },
      ],
      stops: [],
    }
    expect(
      schedule([
        both,
        { fires: 'short', starts: [], stops: [] },
        { fires: 'long', starts: [], stops: [] },
      ]),
    ).toEqual([0, 100, 200])
    expect(schedule([both, { fires: 'long', starts: [], stops: [] }])).toBeNull()
  })
  test('a long timer can run out before a short one that is started late', () => {
    expect(
      schedule([
        start,
        { fires: null, starts: [{ id: 'poll', ms: 2000 }], stops: [] },
        { fires: 'pay', starts: [], stops: ['poll'] },
      ]),
    ).toEqual([0, 178_001, 180_000])
  })
  test('two timers that would run out together have no order', () => {
    const both = {
      fires: null,
      starts: [
        { id: 'a', ms: 100 },
        { id: 'b', ms: 100 },
      ],
      stops: [],
    }
    expect(schedule([both, { fires: 'a', starts: [], stops: [] }])).toBeNull()
  })
  test('a timer that is started again has run for a while', () => {
    expect(
      schedule([
        start,
        { fires: null, starts: [{ id: 'pay', ms: 180_000 }], stops: ['pay'] },
        { fires: 'pay', starts: [], stops: [] },
      ]),
    ).toEqual([0, 90_000, 270_000])
  })
})

test('asking piece by piece whether times fit gives the same answer as finding them', () => {
  const ids = fc.constantFrom('a', 'b', 'c')
  const step = fc.record({
    fires: fc.option(ids, { freq: 2 }),
    starts: fc.array(fc.record({ id: ids, ms: fc.constantFrom(1, 50, 100, 200) }), {
      maxLength: 2,
    }),
    stops: fc.array(ids, { maxLength: 1 }),
  })
  const answers = new Set<boolean>()
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 9 }), (steps) => {
      const possible = schedule(steps) !== null
      answers.add(possible)
      expect(fits(steps)).toBe(possible)
    }),
    { seed: 3, numRuns: 2000 },
  )
  expect(answers.size).toBe(2)
})
