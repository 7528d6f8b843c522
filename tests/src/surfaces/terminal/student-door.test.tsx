import { describe, expect, test } from 'vitest'
import { type Edge, explore, type Graph, journeys, journeysBy, runPaths, stepId, type Spec } from '../../model/index.ts'
import { registerModels } from '../../models/register.model.ts'
import { signInModels } from '../../models/sign-in.model.ts'
import { cursorOf } from './cursor.ts'
import { type TerminalScreen, terminalDriver } from './screen.tsx'
import { registerOnTerminal, registerTerminal, signInOnTerminal, signInTerminal, type TerminalDoorSeen } from './student-door.tsx'

const everyEdge = process.env.MBT_EDGES === '1'
/** Each transition once with every gesture, from every field where the cursor is and to every one where it goes: both ways out of a field, each field a fault calls to. */
const gestureAt = ({ nodes }: Graph) => ({ taken, step, from, to }: Edge): string =>
  [...taken, stepId(step), ...[from, to].map((at) => { const node = nodes[at]; return node === undefined ? '' : cursorOf(node.world.snapshot) })].join(' ')
/** @returns the transitions of the machine that no path took */
const walk = async (name: string, spec: Spec<TerminalDoorSeen>, screen: () => TerminalScreen<TerminalDoorSeen>): Promise<string[]> => {
  const graph = explore(spec, 600)
  expect(graph.coarse).toEqual([])
  const { paths } = everyEdge ? journeys(graph) : journeysBy(graph, gestureAt(graph))
  const { failures, steps } = await runPaths(spec, graph, paths, () => terminalDriver(spec, screen()))
  console.log(`${spec.machine.id} on the terminal, ${name}: ${graph.nodes.length} states, ${graph.edges.length} edges, ${paths.length} paths, ${steps} steps`)
  expect(failures.slice(0, 2).join('\n\n')).toBe('')
  return graph.transitions.filter(({ reached }) => !reached).map(({ id }) => id)
}

describe('the students\' door on a terminal: every transition of its machines', () => {
  test('sign-in', async () => {
    const [part] = Object.values(signInModels.parts)
    expect(part === undefined ? ['no model'] : await walk('signIn', signInOnTerminal({ ...part, sneak: [] }), signInTerminal)).toEqual([])
  }, 600_000)
  test('registration', async () => {
    const missed: Set<string>[] = []
    for (const [name, part] of Object.entries(registerModels.parts)) missed.push(new Set(await walk(name, registerOnTerminal({ ...part, sneak: [] }), registerTerminal)))
    const [first = new Set<string>(), ...others] = missed
    expect([...first].filter((id) => others.every((other) => other.has(id)))).toEqual([])
  }, 600_000)
})
