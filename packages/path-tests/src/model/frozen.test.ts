import { assign, setup } from 'xstate'
import { expect, test } from 'vitest'
import { actorDriver, coverEdges, defineModel, explore, mutate, runPaths } from '../index.ts'

/** A guard and a timer tell the same time: after the minute the user may send again. */
const makeLock = (locked: number) =>
  setup({
    types: {
      context: {} as { until: number; sent: boolean },
      events: {} as { type: 'send' },
    },
    guards: { isFree: ({ context }) => Date.now() >= context.until },
  }).createMachine({
    id: 'lock',
    context: { until: 0, sent: false },
    initial: 'open',
    states: {
      open: {
        on: {
          send: {
            guard: 'isFree',
            target: 'shut',
            actions: assign({ until: () => Date.now() + locked, sent: true }),
          },
        },
      },
      shut: { after: { 60_000: 'open' } },
    },
  })

test('the clock moves with the timers of the machine', async () => {
  const model = defineModel(makeLock(60_000), {})
  const graph = explore(model)
  expect(graph.findings).toEqual([])
  // In the state after the lock the event is accepted again.
  const after = graph.nodes.find(
    ({ snapshot }) => snapshot.value === 'open' && snapshot.context.sent,
  )
  const again = graph.edges.filter(
    ({ from, step }) => from === after?.index && !step.label.includes('→'),
  )
  expect(again.map(({ unhandled }) => unhandled)).toEqual([false])
  expect(graph.nodes.length).toBe(3)
  const { failures } = await runPaths(model, graph, coverEdges(graph).paths, () =>
    actorDriver(model),
  )
  expect(failures.join('\n')).toBe('')
  const { unbroken, survivors } = await mutate(model, { graph })
  expect(unbroken).toEqual([])
  // The timer is as long as the lock, so that the guard refuses nothing.
  expect(survivors).toEqual(['lock.open send[0] guard isFree always true'])
})

test('a lock longer than its timer refuses the event, and the time since the start is seen', async () => {
  const { nodes, edges } = explore(defineModel(makeLock(600_000), {}))
  const after = nodes.find(({ snapshot }) => snapshot.value === 'open' && snapshot.context.sent)
  expect(
    edges.filter(({ from }) => from === after?.index).map(({ unhandled }) => unhandled),
  ).toEqual([true])
  const elapsed = setup({
    types: { context: {} as { begun: number; took: number | null } },
  }).createMachine({
    id: 'elapsed',
    context: () => ({ begun: Date.now(), took: null }),
    initial: 'on',
    states: {
      on: {
        after: {
          5000: {
            target: 'off',
            actions: assign({ took: ({ context }) => Date.now() - context.begun }),
          },
        },
      },
      off: { type: 'final' },
    },
  })
  const model = defineModel(elapsed, {})
  const graph = explore(model)
  expect(graph.nodes.map(({ snapshot }) => (snapshot.context as { took: unknown }).took)).toEqual([
    null,
    5000,
  ])
  const { failures } = await runPaths(model, graph, coverEdges(graph).paths, () =>
    actorDriver(model),
  )
  expect(failures).toEqual([])
})
