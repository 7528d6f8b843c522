import { describe, expect, test } from 'vitest'
import { byTransition, explore, journeys, runPaths } from '../../model/index.ts'
import { transferParts } from '../../models/transfer.model.ts'
import { terminalDriver } from './screen.tsx'
import { transferOnTerminal, transferTerminal } from './transfer.tsx'

// On a terminal an export is a command with a line of progress, not a screen.
const { exporting: _exporting, ...parts } = transferParts

// Each transition once takes seconds, each edge of the graph minutes: `MBT_EDGES=1 vitest run tests/src/surfaces/terminal`.
const everyEdge = process.env.MBT_EDGES === '1'

describe('an import on a terminal', () => {
  test.each(Object.entries(parts))('%s: every transition of the machine', async (name, model) => {
    const spec = transferOnTerminal(model)
    const graph = explore(spec, 600)
    const { paths } = everyEdge ? journeys(graph) : byTransition(graph)
    const { failures, steps } = await runPaths(spec, graph, paths, () => terminalDriver(spec, transferTerminal()))
    console.log(`transfer on the terminal, ${name}: ${graph.nodes.length} states, ${graph.edges.length} edges, ${paths.length} paths, ${steps} steps`)
    expect(failures.slice(0, 2).join('\n\n')).toBe('')
  }, 600_000)
})
