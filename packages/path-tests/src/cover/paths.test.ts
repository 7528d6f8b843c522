import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assign, setup } from 'xstate'
import { cover } from './cover.ts'
import {
  actorDriver,
  coverClasses,
  coverEdges,
  coverPairs,
  coverTransitions,
  defineModel,
  describeSet,
  explore,
  mutate,
  type PathSet,
  runPaths,
  statePaths,
} from '../index.ts'
import { schedule } from '../explore/schedule.ts'
import { afterStep, noTimers, type Zone } from '../explore/zone.ts'
import { shopModel } from '../toy.ts'

const graph = explore(shopModel)
const listWalkedEdges = ({ paths }: PathSet) => new Set(paths.flatMap(({ edges }) => edges))

describe('path sets', () => {
  test('take every edge, in walks from a start', () => {
    const set = coverEdges(graph)
    expect(listWalkedEdges(set).size).toBe(graph.edges.length)
    expect(set.impossible).toEqual([])
    for (const { edges, start } of set.paths) {
      let at = graph.starts.find(({ name }) => name === start)?.node
      for (const index of edges) {
        expect(graph.edges[index]?.from).toBe(at)
        at = graph.edges[index]?.to
      }
    }
  })

  test('are the same every time, ids included', () => {
    expect(coverEdges(explore(shopModel)).paths.map(({ id }) => id)).toEqual(
      coverEdges(graph).paths.map(({ id }) => id),
    )
  })

  test('leave out events without a handler when the option says so', () => {
    const set = coverEdges(graph, { unhandled: false })
    expect(
      [...listWalkedEdges(set)].every((index) => graph.edges[index]?.unhandled === false),
    ).toBe(true)
    expect(listWalkedEdges(set).size).toBe(graph.edges.filter(({ unhandled }) => !unhandled).length)
  })

  test('are no longer than asked for', () => {
    const set = coverEdges(graph, { maxSteps: 12 })
    expect(listWalkedEdges(set).size).toBe(graph.edges.length)
    expect(Math.max(...set.paths.map(({ steps }) => steps.length))).toBeLessThanOrEqual(12)
  })

  test('of transitions take every declared transition in far fewer steps', () => {
    const set = coverTransitions(graph)
    const taken = new Set(
      [...listWalkedEdges(set)].flatMap((index) => graph.edges[index]?.taken ?? []),
    )
    expect(
      graph.transitions.filter(
        ({ id }) => !taken.has(id) && !graph.starts.some(({ move }) => move.taken.includes(id)),
      ),
    ).toEqual([])
    expect(set.steps).toBeLessThan(coverEdges(graph).steps / 5)
  })

  test('of classes take one edge of each class', () => {
    const set = coverClasses(graph, ({ step }) => step.label)
    expect(
      new Set([...listWalkedEdges(set)].map((index) => graph.edges[index]?.step.label)),
    ).toEqual(
      new Set(graph.edges.filter(({ unhandled }) => !unhandled).map(({ step }) => step.label)),
    )
  })

  test('of pairs take every two handled edges in a row that time allows', () => {
    const real = graph.edges.filter(({ unhandled }) => !unhandled)
    const set = coverPairs(graph)
    const pairs = new Set(
      set.paths.flatMap(({ edges }) =>
        edges.slice(1).map((edge, index) => `${edges[index]} ${edge}`),
      ),
    )
    expect(pairs.size + set.impossible.length).toBe(
      real.reduce((sum, { to }) => sum + real.filter(({ from }) => from === to).length, 0),
    )
  })

  test('one shortest path per state reaches every state and misses most edges', () => {
    const set = statePaths(graph)
    const reached = new Set([...listWalkedEdges(set)].map((index) => graph.edges[index]?.to))
    expect(graph.nodes.every(({ index, by }) => by === null || reached.has(index))).toBe(true)
    expect(listWalkedEdges(set).size).toBeLessThan(graph.edges.length / 4)
    expect(describeSet(set)).toMatch(/^state: \d+ paths, \d+ steps$/)
  })
})

describe('cover', () => {
  const graphs = fc
    .array(fc.record({ from: fc.nat({ max: 6 }), to: fc.nat({ max: 6 }) }), { maxLength: 14 })
    .map((arcs) => {
      const reached = new Set([0])
      for (const at of reached) for (const { from, to } of arcs) if (from === at) reached.add(to)
      return arcs.filter(({ from }) => reached.has(from))
    })

  test.each([undefined, 4])('takes every arc of any graph, in walks of at most %s', (maxSteps) => {
    fc.assert(
      fc.property(graphs, (arcs) => {
        const { walks, left } = cover(0, arcs, maxSteps === undefined ? {} : { maxSteps })
        expect(left).toEqual([])
        expect(new Set(walks.flat()).size).toBe(arcs.length)
        for (const walk of walks) {
          // The way to the farthest arc of such a graph has seven arcs.
          expect(walk.length).toBeLessThanOrEqual(Math.max(maxSteps ?? Infinity, 7))
          walk.reduce((at, index) => {
            expect(arcs[index]?.from).toBe(at)
            return arcs[index]?.to ?? -1
          }, 0)
        }
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
    const tracker = { begin: true, next: (_: boolean, arc: number) => (arc === 1 ? null : true) }
    const { walks, left } = cover(0, arcs, { tracker })
    expect(left).toEqual([1])
    expect(walks).toEqual([[0, 2, 0]])
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
  test('two timers that run out together do so in the order in which they were started', () => {
    const both = {
      fires: null,
      starts: [
        { id: 'a', ms: 100 },
        { id: 'b', ms: 100 },
      ],
      stops: [],
    }
    const ends = (fires: string) => ({ fires, starts: [], stops: [] })
    expect(schedule([both, ends('a'), ends('b')])).toEqual([0, 100, 100])
    expect(schedule([both, ends('b'), ends('a')])).toBeNull()
    expect(schedule([both, ends('a')])).toBeNull()
    expect(schedule([both, ends('a'), ends('b')], false)).toBeNull()
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

test('reading a path step by step tells what finding its times tells', () => {
  const ids = fc.constantFrom('a', 'b', 'c')
  const step = fc.record({
    fires: fc.option(ids, { freq: 2 }),
    starts: fc.uniqueArray(fc.record({ id: ids, ms: fc.constantFrom(1, 50, 100, 200) }), {
      maxLength: 2,
      selector: ({ id }) => id,
    }),
    stops: fc.array(ids, { maxLength: 1 }),
  })
  const answers = new Set<boolean>()
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 9 }), (steps) => {
      let zone: Zone | null = noTimers
      const running = new Set<string>()
      const possible = steps.map(({ fires, starts, stops }) => {
        // Only a running timer fires, and one that is started again was stopped.
        const fired = fires !== null && running.has(fires) ? fires : null
        if (fired !== null) running.delete(fired)
        const stopped = [...stops, ...starts.map(({ id }) => id)].filter((id) => running.has(id))
        for (const id of stopped) running.delete(id)
        for (const { id } of starts) running.add(id)
        return { fires: fired, starts, stops: stopped }
      })
      for (const each of possible) zone = zone === null ? null : afterStep(zone, each)
      answers.add(zone !== null)
      expect(zone !== null).toBe(schedule(possible, false) !== null)
      let meeting: Zone | null = noTimers
      for (const each of [...possible, { fires: null, starts: [], stops: [] }])
        meeting = meeting === null ? null : afterStep(meeting, each, true)
      expect(meeting !== null).toBe(schedule(possible) !== null)
    }),
    { seed: 3, numRuns: 2000 },
  )
  expect(answers.size).toBe(2)
})

test('a timer that ends at once leaves no time for other steps, and covering ends', () => {
  const machine = setup({}).createMachine({
    id: 'at-once',
    initial: 'b',
    states: { b: { on: { x: 'c', y: 'c' }, after: { 0: 'c' } }, c: { on: { x: 'b' } } },
  })
  const graph = explore(defineModel(machine, {}))
  const { paths, impossible } = coverEdges(graph)
  expect(impossible.map(({ step }) => step.label).sort()).toEqual(['x', 'y'])
  expect(paths.flatMap(({ steps }) => steps.map(({ step }) => step.kind))).toContain('time')
})

test('a chain of many states is covered in a time that grows with its length', () => {
  const length = 40_000
  const arcs = Array.from({ length }, (_, index) => [
    { from: index, to: index + 1 },
    { from: index + 1, to: index },
  ]).flat()
  const begun = performance.now()
  const one = cover(0, arcs)
  const ofTwoClasses = cover(0, arcs, { classOf: (arc) => String(arc % 2) })
  // With all distances brought up to date at every step this took minutes.
  expect(performance.now() - begun).toBeLessThan(10_000)
  expect(one.walks.map((walk) => walk.length)).toEqual([3 * length - 1])
  expect(ofTwoClasses.walks.flat()).toEqual([0, 1])
})

describe('timers that end at one instant', () => {
  const wait = (ms: number) => ({
    initial: 'on' as const,
    states: { on: { after: { [ms]: 'off' } }, off: {} },
  })

  test('all end, in the order in which they were started', async () => {
    const machine = setup({}).createMachine({
      id: 'together',
      type: 'parallel',
      states: { x: wait(1000), y: wait(1000) },
    })
    const model = defineModel(machine, {})
    const made = explore(model)
    const { paths, impossible } = coverEdges(made)
    // Only the order that xstate does not have is left.
    const orders = paths.map(({ steps }) =>
      steps.flatMap(({ step }) => (step.kind === 'time' ? [step.label] : [])).join(', '),
    )
    expect(orders.filter((order) => order !== '')).toEqual([
      'after 1000 (xstate.after.1000.together.x.on), after 1000',
    ])
    expect(impossible.length).toBe(2)
    const { failures, walked } = await runPaths(model, made, paths, () => actorDriver(model))
    expect(failures.join('\n')).toBe('')
    expect(walked.size).toBe(made.edges.length - impossible.length)
    const { unbroken, score } = await mutate(model, { graph: made, paths })
    expect([unbroken, score]).toEqual([[], 1])
  })

  test('also where one is started anew while the other runs', async () => {
    const machine = setup({
      types: { context: {} as { ticks: number } },
    }).createMachine({
      id: 'ticks',
      context: { ticks: 0 },
      type: 'parallel',
      states: {
        clock: {
          initial: 'tick',
          states: {
            tick: {
              after: {
                100: {
                  target: 'tick',
                  reenter: true,
                  guard: ({ context }) => context.ticks < 3,
                  actions: assign({ ticks: ({ context }) => context.ticks + 1 }),
                },
              },
            },
          },
        },
        countdown: wait(300),
      },
    })
    const model = defineModel(machine, {})
    const made = explore(model)
    const { paths } = coverEdges(made)
    const { failures } = await runPaths(model, made, paths, () => actorDriver(model))
    expect(failures.join('\n')).toBe('')
    const ends = paths.flatMap(({ steps }) => steps.map(({ step }) => step.label))
    expect(ends).toContain('after 300')
  })
})
