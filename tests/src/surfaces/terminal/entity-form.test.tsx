import { describe, expect, test } from 'vitest'
import { byTransition, explore, journeys, runPaths } from '../../model/index.ts'
import { formModel } from '../../models/entity-form.model.ts'
import { formOnTerminal, formTerminal } from './entity-form.tsx'
import { terminalDriver } from './screen.tsx'

const everyEdge = process.env.MBT_EDGES === '1'
const concerns = {
  add: formModel(['add'], ['name', 'empty'], { saves: ['saved', 'invalid', 'ended'] }),
  edit: formModel(['edit'], ['name', 'empty'], { saves: ['saved', 'invalid', 'ended'] }),
  stale: formModel(['edit'], ['name'], { saves: ['saved', 'stale', 'staleEmpty'] }),
} as const

describe('a form on a terminal', () => {
  test.each(Object.entries(concerns))('%s: every transition of the machine', async (name, model) => {
    const spec = formOnTerminal({ ...model, sneak: [] })
    const graph = explore(spec, 600)
    const { paths } = everyEdge ? journeys(graph) : byTransition(graph)
    const { failures, steps } = await runPaths(spec, graph, paths, () => terminalDriver(spec, formTerminal()))
    console.log(`entityForm on the terminal, ${name}: ${graph.nodes.length} states, ${graph.edges.length} edges, ${paths.length} paths, ${steps} steps`)
    expect(failures.slice(0, 2).join('\n\n')).toBe('')
  }, 600_000)
})
