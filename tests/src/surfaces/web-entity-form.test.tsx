// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest'
import { explore, journeys, runPaths } from '../model/index.ts'
import { webFormDriver, webFormModel } from './web-entity-form.tsx'

const concerns = {
  add: webFormModel(['add'], ['name', 'empty'], { saves: ['saved', 'invalid', 'ended'] }),
  edit: webFormModel(['edit'], ['name', 'empty'], { saves: ['saved', 'invalid', 'ended'] }),
  stale: webFormModel(['edit'], ['name'], { saves: ['saved', 'stale', 'staleEmpty'] }),
} as const

describe('entityForm on the web', () => {
  test.each(Object.entries(concerns))('%s: every path from the machine', async (name, model) => {
    const spec = { ...model, sneak: [] }
    const graph = explore(spec, 600)
    const { paths } = journeys(graph)
    const { failures } = await runPaths(spec, graph, paths, webFormDriver)
    console.log(`entityForm on web, ${name}: ${graph.nodes.length} states, ${graph.edges.length} edges, ${paths.length} paths, ${paths.reduce((sum, path) => sum + path.steps.length, 0)} steps`)
    expect(failures.slice(0, 3).join('\n\n')).toBe('')
  }, 60_000)
})
