import { assign, setup } from 'xstate'
import { expect, test } from 'vitest'
import { actorDriver, coverEdges, defineModel, explore, mutate, runPaths } from '../index.ts'

test('what the key ignores is compared all the same', async () => {
  const machine = setup({
    types: { context: {} as { asked: number }, events: {} as { type: 'next' } },
  }).createMachine({
    id: 'asked',
    context: { asked: 0 },
    on: { next: { actions: assign({ asked: ({ context }) => context.asked + 1 }) } },
  })
  const wrong = setup({
    types: { context: {} as { asked: number }, events: {} as { type: 'next' } },
  }).createMachine({
    id: 'asked',
    context: { asked: 0 },
    on: { next: { actions: assign({ asked: ({ context }) => context.asked - 1 }) } },
  })
  const model = defineModel(machine, { ignore: ['asked'] })
  const graph = explore(model)
  expect(graph.nodes.length).toBe(1)
  const { paths } = coverEdges(graph)
  const run = (broken: typeof machine) =>
    runPaths(model, graph, paths, () => actorDriver(model, { machine: broken }))
  expect((await run(machine)).failures).toEqual([])
  expect((await run(wrong)).failures.join('')).toContain('asked')
  expect((await mutate(model, { graph, paths })).survivors).toEqual([])
})
