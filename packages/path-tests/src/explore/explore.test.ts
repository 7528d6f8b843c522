import { assign, fromPromise, raise, setup, transition } from 'xstate'
import { getShortestPaths } from '@xstate/graph'
import { describe, expect, test } from 'vitest'
import { traceTo } from './graph.ts'
import { call, createStepper, defineModel, explore, fails, ok, summary } from '../index.ts'
import { shopModel } from '../toy.ts'

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
  return defineModel(counter, {
    key: ({ context }) => key(context.count),
    project: ({ context }) => context.count,
  })
}

describe('explore', () => {
  const graph = explore(shopModel)

  test('finds every state and takes every declared transition of the shop', () => {
    expect(summary(graph)).toBe('shop: 32 states, 236 edges (104 unhandled), transitions 19 of 19')
  })

  test('agrees with xstate on what every step leads to', () => {
    for (const { from, to, step, unhandled } of graph.edges) {
      const before = graph.nodes[from]?.snapshot
      if (before === undefined) throw new Error('an edge from nowhere')
      const [after] = transition(shopModel.machine, before, step.event)
      expect(after.value).toEqual(graph.nodes[to]?.snapshot.value)
      if (unhandled) expect(to).toBe(from)
    }
  })

  test('gives the effects and all transitions of a step, always included', () => {
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
    expect(paid?.effects).toEqual(['stop payTime', 'emit {"type":"paid","order":"o2"}'])
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
    const ours = explore(defineModel(simple, { unhandled: 'none' }))
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
    expect(plain(explore(shopModel))).toBe(plain(graph))
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

  test('an outcome that is not listed leaves its branch unreached', () => {
    const graphWithout = explore({
      ...shopModel,
      children: { ...shopModel.children, orderStatus: call({ pending: ok('pending') }) },
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

  test('a graph at the limit says so, and names the state and the data that grow', () => {
    const { nodes, unexplored, findings } = explore(counterSpec(String), { maxStates: 50 })
    expect([nodes.length, unexplored]).toEqual([51, 1])
    expect(findings.map(({ code }) => code)).toEqual(['state-limit'])
    expect(findings[0]?.message).toMatch(
      /more than 50 model states: 1 are not explored[\s\S]*counting: 51 model states; context that varies: count \(51 values\)[\s\S]*ignore: \['count'\]/,
    )
  })

  test('says when the key merges states that do not offer the same', () => {
    const merged = (one: typeof graph) =>
      one.findings.filter(({ code }) => code === 'merged-states').map(({ message }) => message)
    expect(
      merged(
        explore({ ...shopModel, key: ({ value }) => String((value as { panel: string }).panel) }),
      )[0],
    ).toBe(
      'the key shut merges "(at the start)" with "shop.leave": only the first offers user:order.create(two)',
    )
    expect(graph.findings).toEqual([])
    expect(merged(explore(counterSpec((count) => (count < 2 ? 'few' : 'many'))))).toEqual([
      'the key few merges "(at the start)" with "count.up": user:count.up leads the first to few, the second to many',
    ])
  })

  test('an unhandled error is a finding with its path, and exploration goes on', () => {
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
    const found = explore(
      defineModel(hasty, {
        children: { createOrder: call({ refused: fails('sold out'), made: ok('o1') }) },
      }),
    )
    expect(found.findings).toEqual([
      {
        code: 'unhandled-error',
        message:
          'no transition handles the error of createOrder (onError is missing): the machine ends in "sold out"',
        state: 'asking',
        event: 'createOrder → refused',
        path: 'user:go.now | settle:createOrder → refused',
        times: 1,
      },
    ])
    expect(found.edges.map(({ step }) => step.label)).toContain('createOrder → made')
  })

  test('says how much of a countdown is left while time passes', () => {
    const model = createStepper(shopModel)
    const create = model
      .steps(model.start('start').at)
      .find(({ label }) => label === 'order.create(two)')
    if (create === undefined) throw new Error('no order.create')
    const creating = model.step({ ...model.start('start').at, now: 5000 }, create)
    const made = model.steps(creating.at).find(({ label }) => label === 'createOrder → made')
    if (made === undefined) throw new Error('no createOrder')
    const paying = model.step({ ...creating.at, now: 6000 }, made)
    expect(model.seen(paying.at).secondsLeft).toBe(30)
    expect(model.seen({ ...paying.at, now: 9500 }).secondsLeft).toBe(27)
  })
})

describe('a machine of any names', () => {
  test('has events, guards and children called like properties of every object', () => {
    const machine = setup({
      types: {
        events: {} as { type: 'constructor' | 'toString' | 'valueOf' | 'hasOwnProperty' },
      },
      actors: { toString: fromPromise(async () => 1) },
      guards: { valueOf: () => true },
      actions: { constructor: () => {} },
    }).createMachine({
      id: 'odd',
      initial: 'begun',
      states: {
        begun: {
          on: {
            constructor: { target: 'one', guard: 'valueOf', actions: 'constructor' },
            toString: 'two',
            valueOf: 'three',
            hasOwnProperty: 'four',
          },
        },
        one: {},
        two: { invoke: { src: 'toString', id: 'valueOf', onDone: 'five' } },
        three: {},
        four: {},
        five: {},
      },
    })
    const { nodes, findings } = explore(defineModel(machine))
    expect(nodes.map(({ snapshot }) => String(snapshot.value)).toSorted()).toEqual([
      'begun',
      'five',
      'four',
      'one',
      'three',
      'two',
    ])
    expect(findings.filter(({ code }) => code === 'crash')).toEqual([])
  })

  test('whose transitions without an event never end, crashes in the state that led there', () => {
    const machine = setup({ types: { events: {} as { type: 'go' } } }).createMachine({
      id: 'endless',
      initial: 'a',
      states: { a: { on: { go: 'b' } }, b: { always: 'c' }, c: { always: 'b' } },
    })
    const { findings } = explore(defineModel(machine))
    expect(findings.filter(({ code }) => code === 'crash')).toMatchObject([
      { state: 'a', message: expect.stringContaining('microsteps') },
    ])
  })

  test('that raises its own event for ever crashes too', () => {
    const machine = setup({ types: { events: {} as { type: 'go' } } }).createMachine({
      id: 'raising',
      initial: 'a',
      states: { a: { on: { go: { actions: raise({ type: 'go' }) } } } },
    })
    expect(explore(defineModel(machine)).findings.map(({ code }) => code)).toContain('crash')
  })
})
