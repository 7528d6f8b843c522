import { fromCallback, fromPromise, setup } from 'xstate'
import { describe, expect, test } from 'vitest'
import {
  bare,
  bareDriver,
  byTransition,
  explore,
  journeys,
  type ModelSpec,
  modelSpec,
  runPaths,
} from '../index.ts'
import { shopMachine, type ShopSeen, shopSpec } from '../toy.ts'

const form = setup({
  types: {
    context: {} as { id: string | null },
    input: {} as { id: string | null },
    events: {} as
      | { type: 'form.submit' }
      | { type: 'row.open'; row: string }
      | { type: 'tab.told' },
  },
  actors: {
    loadRow: fromPromise<string, { id: string | null }>(() =>
      Promise.reject(new Error('not provided')),
    ),
    listen: fromCallback<{ type: 'x.y' }, { name: string }>(() => {}),
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
    failed: { on: { 'row.open': 'loading', 'tab.told': 'done' } },
    done: { type: 'final' },
  },
})
const formSpec = modelSpec({
  machine: form,
  input: { add: () => ({ id: null }), edit: () => ({ id: '7' }) },
  events: { 'form.submit': bare, 'row.open': {}, 'tab.told': bare },
  outcomes: {
    loadRow: { row: { ok: true, output: 'row' }, gone: { ok: false, error: new Error('gone') } },
  },
  quiet: ['listen'],
  // Only a row that is on the page can be opened.
  pick: ({ value }) => (value === 'editing' ? { 'row.open': { first: { row: '1' } } } : {}),
  sneak: 'all',
  key: ({ value, context }) => JSON.stringify([value, context.id]),
  project: ({ value }) => value,
})

describe('a spec', () => {
  test('may start a machine in several ways, each path saying which', async () => {
    const graph = explore(formSpec)
    expect(graph.starts.map(({ name, node }) => `${name}: ${graph.nodes[node]?.state}`)).toEqual([
      'add: editing',
      'edit: loading',
    ])
    const set = journeys(graph)
    expect(set.paths.length).toBe(set.bound)
    expect(new Set(set.paths.map(({ start }) => start))).toEqual(new Set(['add', 'edit']))
    const report = await runPaths(formSpec, graph, set.paths, () => bareDriver(formSpec))
    expect(report.failures).toEqual([])
    expect(report.walked.size).toBe(graph.edges.length)
    expect(new Set(byTransition(graph).paths.map(({ start }) => start)).size).toBe(2)
  })

  test('may pick samples that depend on the state', () => {
    const opened = explore(formSpec).edges.filter(({ step }) => step.label.startsWith('row.open'))
    expect(opened.map(({ step }) => step.label)).toEqual(opened.map(() => 'row.open(first)'))
    expect(
      explore(formSpec)
        .transitions.filter(({ reached }) => !reached)
        .map(({ id }) => id),
    ).toEqual([
      'form --error listen[0]--> form.failed',
      'form.failed --row.open[0]--> form.loading',
    ])
  })

  test('says which way it starts in the recipe of a failing path', async () => {
    const graph = explore(formSpec)
    const wrong = form.provide({ guards: { isNew: () => true } })
    const [recipe] = (
      await runPaths(formSpec, graph, journeys(graph).paths, () => bareDriver(formSpec, wrong))
    ).failures
    expect(recipe).toContain('  0. starts with edit')
    expect(recipe).toContain("MBT_PATH='start:edit | ")
  })

  test('an event with no sample at all is refused by name', () => {
    expect(() =>
      modelSpec({ ...shopTyped, events: { ...shopTyped.events, 'text.set': {} } }),
    ).toThrow('shop: event text.set has no sample')
  })
})

type Shop = ModelSpec<typeof shopMachine, ShopSeen>
const shopTyped = shopSpec as unknown as Shop

describe('the types of a spec', () => {
  test('do not compile without a sample for every event and an outcome for every port', () => {
    const { 'order.cancel': _cancel, ...events } = shopTyped.events
    // @ts-expect-error order.cancel has no sample
    const noEvent: Shop = { ...shopTyped, events }
    const wrongPayload: Shop['events'] = {
      ...shopTyped.events,
      // @ts-expect-error the payload of order.create is a number of pieces
      'order.create': { two: { pieces: 'two' } },
    }
    // @ts-expect-error order.create carries something
    const bareEvent: Shop['events'] = { ...shopTyped.events, 'order.create': bare }
    // @ts-expect-error there is no such event
    const unknownEvent: Shop['events'] = { ...shopTyped.events, 'order.crate': bare }
    const { orderStatus: _status, ...outcomes } = shopTyped.outcomes
    // @ts-expect-error orderStatus has no outcomes
    const noPort: Shop = { ...shopTyped, outcomes }
    const wrongOutcome: Shop['outcomes'] = {
      ...shopTyped.outcomes,
      // @ts-expect-error an order's status is paid or pending
      orderStatus: { lost: { ok: true, output: 'lost' } },
    }
    // @ts-expect-error a countdown is no port
    const noSuchPort: Shop['outcomes'] = { ...shopTyped.outcomes, countdown: {} }
    for (const each of [
      noEvent,
      wrongPayload,
      bareEvent,
      unknownEvent,
      noPort,
      wrongOutcome,
      noSuchPort,
    ])
      expect(each).toBeTypeOf('object')
  })
})
