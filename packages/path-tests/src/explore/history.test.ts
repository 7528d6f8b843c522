import { setup } from 'xstate'
import { expect, test } from 'vitest'
import { actorDriver, coverEdges, defineModel, explore, runPaths } from '../index.ts'

test('deep history of a parallel state is one state whichever region moved last', async () => {
  const region = (next: 'nextX' | 'nextY') => ({
    initial: 'one' as const,
    states: { one: { on: { [next]: 'two' } }, two: { on: { [next]: 'one' } } },
  })
  const machine = setup({}).createMachine({
    id: 'deep',
    initial: 'both',
    states: {
      both: {
        type: 'parallel',
        on: { leave: 'away' },
        states: {
          x: region('nextX'),
          y: region('nextY'),
          last: { type: 'history', history: 'deep' },
        },
      },
      away: { on: { back: 'both.last' } },
    },
  })
  const model = defineModel(machine, {})
  const graph = explore(model)
  const histories = graph.nodes
    .filter(({ state }) => state === 'away')
    .map(({ key }) => key.slice(key.indexOf('↶')))
  expect(new Set(histories).size).toBe(4)
  const { failures } = await runPaths(model, graph, coverEdges(graph).paths, () =>
    actorDriver(model),
  )
  expect(failures.join('\n')).toBe('')
})
