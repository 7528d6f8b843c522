import { expect, test } from 'vitest'
import { byTransition, explore, journeys, runPaths, type Spec } from '../../model/index.ts'
import { type TerminalScreen, terminalDriver } from './screen.tsx'
import { sessionOnTerminal, sessionTerminal, smsOnTerminal, smsTerminal } from './small.tsx'

const everyEdge = process.env.MBT_EDGES === '1'
const walk = async <Seen,>(spec: Spec<Seen>, screen: () => TerminalScreen<Seen>) => {
  const graph = explore(spec, 600)
  const { paths } = everyEdge ? journeys(graph) : byTransition(graph)
  const { failures, steps } = await runPaths(spec, graph, paths, () => terminalDriver(spec, screen()))
  console.log(`${spec.machine.id} on the terminal: ${graph.nodes.length} states, ${graph.edges.length} edges, ${paths.length} paths, ${steps} steps`)
  expect(failures.slice(0, 2).join('\n\n')).toBe('')
}

test('the session, with the sign-in over what is open: every transition of the machine', () => walk(sessionOnTerminal, sessionTerminal), 600_000)
test('the code by SMS and its captcha: every transition of the machine', () => walk(smsOnTerminal, smsTerminal), 600_000)
