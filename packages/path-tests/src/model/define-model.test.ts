import { assign, fromCallback, fromPromise, raise, setup } from 'xstate'
import { describe, expect, test } from 'vitest'
import {
  actorDriver,
  call,
  coverEdges,
  coverTransitions,
  defineModel,
  explore,
  fails,
  type ModelOptions,
  ok,
  runPaths,
  silent,
} from '../index.ts'
import { shopMachine, type ShopSeen, shopModel } from '../toy.ts'

const form = setup({
  types: {
    context: {} as { id: string | null },
    input: {} as { id: string | null },
    events: {} as
      | { type: 'form.submit' }
      | { type: 'row.open'; row: string }
      | { type: 'tab.sent' },
  },
  actors: {
    loadRow: fromPromise<string, { id: string | null }>(() =>
      Promise.reject(new Error('not provided')),
    ),
    listen: fromCallback<{ type: 'x.y' }, { name: string }>(() => {
      throw new Error('a child of a machine under test must not run')
    }),
  },
  guards: { isNew: ({ context }) => context.id === null },
}).createMachine({
  id: 'form',
  context: ({ input }) => ({ id: input.id }),
  initial: 'starting',
  invoke: { id: 'listen', src: 'listen', input: { name: 'tab' }, onError: '.failed' },
  states: {
    starting: { always: [{ guard: 'isNew', target: 'editing' }, { target: 'loading' }] },
    loading: {
      invoke: {
        id: 'loadRow',
        src: 'loadRow',
        input: ({ context }) => ({ id: context.id }),
        onDone: 'editing',
        onError: 'failed',
      },
    },
    editing: { on: { 'form.submit': 'done', 'row.open': 'loading' } },
    failed: { on: { 'row.open': 'loading', 'tab.sent': 'done' } },
    done: { type: 'final' },
  },
})
const formModel = defineModel(form, {
  input: { add: () => ({ id: null }), edit: () => ({ id: '7' }) },
  events: { 'row.open': {} },
  children: {
    loadRow: call({ row: ok('row'), gone: fails(new Error('gone')) }),
    listen: silent(),
  },
  // Only a row that is on the page can be opened.
  eventsIn: ({ value }) => (value === 'editing' ? { 'row.open': { first: { row: '1' } } } : {}),
})

describe('a model', () => {
  test('may start a machine in several ways, each path saying which', async () => {
    const graph = explore(formModel)
    expect(graph.starts.map(({ name, node }) => `${name}: ${graph.nodes[node]?.state}`)).toEqual([
      'add: editing',
      'edit: loading',
    ])
    const set = coverEdges(graph)
    expect(new Set(set.paths.map(({ start }) => start))).toEqual(new Set(['add', 'edit']))
    const report = await runPaths(formModel, graph, set.paths, () => actorDriver(formModel))
    expect(report.failures).toEqual([])
    expect(report.walked.size).toBe(graph.edges.length)
    expect(new Set(coverTransitions(graph).paths.map(({ start }) => start)).size).toBe(2)
  })

  test('may have samples that depend on the state', () => {
    const opened = explore(formModel).edges.filter(({ step }) => step.label.startsWith('row.open'))
    expect(opened.length).toBeGreaterThan(0)
    expect(opened.map(({ step }) => step.label)).toEqual(opened.map(() => 'row.open(first)'))
  })

  test('needs no more than the samples that carry data: the rest has defaults', () => {
    const switcher = setup({
      types: {
        context: {} as { count: number },
        events: {} as { type: 'flip' } | { type: 'set'; count: number },
      },
    }).createMachine({
      id: 'switch',
      context: { count: 0 },
      initial: 'off',
      on: { set: { actions: assign({ count: ({ event }) => event.count }) } },
      states: { off: { on: { flip: 'on' } }, on: { on: { flip: 'off' } } },
    })
    const graph = explore(defineModel(switcher, { events: { set: [{ count: 0 }, { count: 1 }] } }))
    expect(graph.nodes.map(({ state, key }) => `${state} ${key}`)).toEqual([
      'off ["off",{"count":0}]',
      'off ["off",{"count":1}]',
      'on ["on",{"count":0}]',
      'on ["on",{"count":1}]',
    ])
    expect(graph.edges.length).toBe(12)
  })

  test('says which way it starts in the recipe of a failing path', async () => {
    const graph = explore(formModel)
    const machine = form.provide({ guards: { isNew: () => true } })
    const [recipe] = (
      await runPaths(formModel, graph, coverEdges(graph).paths, () =>
        actorDriver(formModel, { machine }),
      )
    ).failures
    expect(recipe).toContain('  0. starts with edit')
    expect(recipe).toContain("MBT_PATH='start:edit | ")
  })

  test('refuses an empty list of samples and a wildcard, with a code', () => {
    const wild = setup({}).createMachine({ id: 'wild', on: { 'a.*': {} } })
    expect(() => defineModel(wild, { events: { 'a.*': [{}] } as never })).toThrow('[wildcard]')
    expect(() => defineModel(wild, { events: { 'a.b': [] } as never })).toThrow('[no-sample]')
  })
})

type Shop = ModelOptions<typeof shopMachine, ShopSeen>

describe('the types of a model', () => {
  test('do not compile without samples of events that carry data, or with wrong ones', () => {
    // @ts-expect-error order.create and text.set have no samples
    const noSamples: Shop['events'] = {}
    const wrongPayload: Shop['events'] = {
      'text.set': [{ text: 'a' }],
      // @ts-expect-error the payload of order.create is a number of pieces
      'order.create': { two: { pieces: 'two' } },
    }
    const unknownEvent: Shop['events'] = {
      'text.set': [{ text: 'a' }],
      'order.create': [{ pieces: 1 }],
      // @ts-expect-error there is no such event
      'order.crate': [{}],
    }
    const wrongOutcome: Shop['children'] = {
      // @ts-expect-error an order's status is paid or pending
      orderStatus: call({ lost: ok('lost') }),
    }
    // @ts-expect-error the machine needs input
    const noInput: Shop = { events: { 'text.set': [], 'order.create': [] } }
    for (const each of [noSamples, wrongPayload, unknownEvent, wrongOutcome, noInput])
      expect(each).toBeTypeOf('object')
    const plain = setup({}).createMachine({ id: 'plain', on: { go: { actions: () => {} } } })
    expect(defineModel(plain).events).toEqual({ go: { default: {} } })
    // @ts-expect-error the machine needs input, and samples of its events
    expect(defineModel(shopMachine).machine).toBe(shopMachine)
    expect(shopModel.machine).toBe(shopMachine)
  })
})

test('an event that only the machine raises is not sent by the user', () => {
  const machine = setup({ types: { events: {} as { type: 'go' | 'tick' } } }).createMachine({
    id: 'raiser',
    initial: 'a',
    states: {
      a: { on: { go: { target: 'b', actions: raise({ type: 'tick' }) } } },
      b: { on: { tick: 'c' } },
      c: {},
    },
  })
  const sent = (internal: readonly string[]) =>
    explore(defineModel(machine, { internal })).edges.map(({ step }) => step.label)
  expect(sent([])).toContain('tick')
  expect(sent(['tick'])).not.toContain('tick')
})
