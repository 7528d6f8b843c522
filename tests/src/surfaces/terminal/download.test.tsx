import { describe, expect, test } from 'vitest'
import { byTransition, explore, journeys, runPaths } from '../../model/index.ts'
import { downloadModels } from '../../models/download.model.ts'
import { downloadOnTerminal, downloadTerminal } from './download.tsx'
import { terminalDriver } from './screen.tsx'

const everyEdge = process.env.MBT_EDGES === '1'

describe('the download on a terminal', () => {
  test.each(Object.entries(downloadModels.parts))('%s: every transition of the machine', async (name, model) => {
    const spec = downloadOnTerminal({ ...(model as unknown as Parameters<typeof downloadOnTerminal>[0]), sneak: [] })
    const graph = explore(spec, 600)
    const { paths } = everyEdge ? journeys(graph) : byTransition(graph)
    const { failures, steps } = await runPaths(spec, graph, paths, () => terminalDriver(spec, downloadTerminal()))
    console.log(`download on the terminal, ${name}: ${graph.nodes.length} states, ${graph.edges.length} edges, ${paths.length} paths, ${steps} steps`)
    expect(failures.slice(0, 2).join('\n\n')).toBe('')
  }, 600_000)
})
