import { assign, fromPromise, setup, transition } from 'xstate'
import { getShortestPaths } from '@xstate/graph'
import { describe, expect, test } from 'vitest'
import { traceTo } from './explored-graph.ts'
import { bare, createModel, explore, modelSpec, summary } from '../index.ts'
import { shopSpec } from '../toy.ts'

const counter = setup({
  types: {
    context: {} as { count: number; seen: readonly string[] },
    events: {} as { type: 'count.up' } | { type: 'count.never' },
  },
  guards: { isNegative: ({ context }) => context.count < 0 },
}).createMachine({
  id: 'counter',
  context: { count: 0, seen: [] },
  initial: 'counting',
  states: {
    counting: {
      on: {
        'count.up': { actions: assign({ count: ({ context }) => context.count + 1 }) },
        'count.never': { guard: 'isNegative', target: 'negative' },
      },
    },
    negative: { on: { 'count.up': { target: 'counting' } } },
  },
})
function counterSpec(key: (count: number) => string) {
  return modelSpec({
    machine: counter,
    input: () => undefined,
    events: { 'count.up': bare, 'count.never': bare },
    outcomes: {},
    sneak: 'all',
    key: ({ context }) => key(context.count),
    project: ({ context }) => context.count,
  })
}

describe('explore', () => {
  const graph = explore(shopSpec)

  test('finds every state and takes every declared transition of the shop', () => {
    expect(summary(graph)).toBe('shop: 32 states, 236 edges (104 sneak), transitions 19 of 19')
  })

  test('agrees with xstate on what every step leads to', () => {
    for (const { from, to, step, sneak } of graph.edges) {
      const before = graph.nodes[from]?.world.snapshot
      if (before === undefined) throw new Error('an edge from nowhere')
      const [after] = transition(shopSpec.machine, before, step.event)
      expect(after.value).toEqual(graph.nodes[to]?.world.snapshot.value)
      if (sneak) expect(to).toBe(from)
    }
  })

  test('tells the effects and all transitions of a step, always included', () => {
    const cancel = graph.edges.find(
      ({ step, from }) =>
        step.label === 'order.cancel' && graph.nodes[from]?.state.includes('polling') === true,
    )
    expect(cancel?.taken).toEqual([
      'shop.flow.paying --order.cancel[0]--> shop.flow.checking',
      'shop.flow.checking --always[1]--> shop.flow.choosing',
    ])
    const create = graph.edges.find(({ step }) => step.label === 'order.create(two)')
    expect(create?.effects).toEqual(['call createOrder {"pieces":2}'])
    const paid = graph.edges.find(({ step }) => step.label === 'orderStatus → paid')
    expect(paid?.effects).toEqual(['emit {"type":"paid","order":"o2"}'])
  })

  test('finds the states and shortest paths that @xstate/graph finds, where that can go', () => {
    const simple = setup({
      types: { events: {} as { type: 'a.go' } | { type: 'b.go' } },
    }).createMachine({
      id: 'simple',
      initial: 'one',
      states: {
        one: { on: { 'a.go': 'two' } },
        two: { on: { 'a.go': 'three', 'b.go': 'one' } },
        three: { on: { 'b.go': 'four' } },
        four: { type: 'final' },
      },
    })
    const spec = modelSpec({
      machine: simple,
      input: () => undefined,
      events: { 'a.go': bare, 'b.go': bare },
      outcomes: {},
      sneak: [],
      key: ({ value }) => String(value),
      project: ({ value }) => value,
    })
    const ours = explore(spec)
    const theirs = getShortestPaths(simple, { events: [{ type: 'a.go' }, { type: 'b.go' }] })
    expect(
      Object.fromEntries(
        ours.nodes.map(({ state, index }) => [state, traceTo(ours, index).length]),
      ),
    ).toEqual(Object.fromEntries(theirs.map(({ state, weight }) => [String(state.value), weight])))
  })

  test('is the same every time', () => {
    const plain = ({ nodes, edges }: typeof graph) =>
      JSON.stringify([
        nodes.map(({ key }) => key),
        edges.map(({ from, to, step }) => [from, to, step.label]),
      ])
    expect(plain(explore(shopSpec))).toBe(plain(graph))
  })

  test('names the transitions that nothing reaches, and why', () => {
    const unreached = explore(counterSpec(() => 'same')).transitions.filter(
      ({ reached }) => !reached,
    )
    expect(unreached).toEqual([
      {
        id: 'counter.counting --count.never[0]--> counter.negative',
        reached: false,
        why: 'its state is reached, but its guard never lets a sample through',
      },
      {
        id: 'counter.negative --count.up[0]--> counter.counting',
        reached: false,
        why: 'its state is never reached',
      },
    ])
  })

  test('an outcome nobody lists leaves its branch unreached', () => {
    const { orderStatus: _dropped, ...outcomes } = shopSpec.outcomes
    const graphWithout = explore({
      ...shopSpec,
      outcomes: { ...outcomes, orderStatus: { pending: { ok: true, output: 'pending' } } },
    })
    expect(graphWithout.transitions.filter(({ reached }) => !reached).map(({ id }) => id)).toEqual(
      [
        'shop.flow.paying.polling --done orderStatus[0]--> shop.flow.checking',
        'shop.flow.paying.polling --error orderStatus[0]--> shop.flow.paying.waiting',
        'shop.flow.checking --always[0]--> shop.flow.thanks',
        'shop.flow.thanks --after HINT[0]--> shop.flow.left',
        'shop.flow.thanks --poll.now[0]--> shop.flow.thanks',
      ].sort(
        (a, b) =>
          graph.transitions.findIndex(({ id }) => id === a) -
          graph.transitions.findIndex(({ id }) => id === b),
      ),
    )
  })

  test('stops at the limit and names the state and the data that leak', () => {
    expect(() => explore(counterSpec(String), 50)).toThrow(
      /counter: more than 50 model states; data leaks[\s\S]*counting: 51 model states; context that varies: count \(51 values\)/,
    )
  })

  test('says when the key merges states that do not offer the same', () => {
    const { coarse } = explore({
      ...shopSpec,
      key: ({ value }) => String((value as { panel: string }).panel),
    })
    expect(coarse[0]).toBe(
      'shut merges "(at the start)" with "shop.leave": only the first offers user:order.create(two)',
    )
    expect(graph.coarse).toEqual([])
    expect(explore(counterSpec((count) => (count < 2 ? 'few' : 'many'))).coarse).toEqual([
      'few merges "(at the start)" with "count.up": user:count.up leads the first to few, the second to many',
    ])
  })

  test('refuses a child it knows nothing about', () => {
    expect(() => explore({ ...shopSpec, timers: {} })).toThrow(
      'shop starts the child payTime (countdown), which is in none of outcomes, timers and quiet',
    )
  })

  test('names the path to an unhandled error', () => {
    const hasty = setup({
      types: { events: {} as { type: 'go.now' } },
      actors: { createOrder: fromPromise<string>(() => Promise.reject(new Error('not provided'))) },
    }).createMachine({
      id: 'hasty',
      initial: 'idle',
      states: {
        idle: { on: { 'go.now': 'asking' } },
        asking: { invoke: { id: 'createOrder', src: 'createOrder', onDone: 'idle' } },
      },
    })
    const spec = modelSpec({
      machine: hasty,
      input: () => undefined,
      events: { 'go.now': bare },
      outcomes: { createOrder: { refused: { ok: false, error: 'sold out' } } },
      sneak: [],
      key: ({ value }) => String(value),
      project: ({ value }) => value,
    })
    expect(() => explore(spec)).toThrow(
      'hasty after user:go.now | settle:createOrder → refused: the machine ends in an unhandled error: sold out',
    )
  })

  test('tells how much of a countdown is left while time passes', () => {
    const model = createModel(shopSpec)
    const create = model
      .steps(model.start('start').world)
      .find(({ label }) => label === 'order.create(two)')
    if (create === undefined) throw new Error('no order.create')
    const creating = model.step({ ...model.start('start').world, now: 5000 }, create)
    const made = model.steps(creating.world).find(({ label }) => label === 'createOrder → made')
    if (made === undefined) throw new Error('no createOrder')
    const paying = model.step({ ...creating.world, now: 6000 }, made)
    expect(model.seen(paying.world).secondsLeft).toBe(30)
    expect(model.seen({ ...paying.world, now: 9500 }).secondsLeft).toBe(27)
  })
})
