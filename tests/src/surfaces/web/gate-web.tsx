import { describe, expect, test } from 'vitest'
import { explore, journeys, runPaths, type Spec } from '../../model/index.ts'
import type { MachineModel } from '../../models/machine-model.ts'
import { type Screen, webDriver } from './screen.tsx'

/** Walks every path of a machine on its screen: what it shows, what it offers and what it calls must be what the machine says, after each step. */
export const gateWeb = <Bare, Seen>({ parts, limit }: MachineModel<Bare>, onScreen: (spec: Spec<Bare>) => Spec<Seen>, makeScreen: () => Screen<Seen>): void => {
  const [first] = Object.values(parts)
  describe(`${first?.machine.id ?? ''} on the web`, () => {
    // Events that nothing handles are tried on the bare machine; here no screen may offer them (`offers` of each reading).
    test.each(Object.entries(parts))('shows, offers and does what its machine says: %s', async (name, part) => {
      const spec = { ...onScreen(part), sneak: [] }
      const graph = explore(spec, limit)
      const { paths, steps } = journeys(graph)
      const { failures } = await runPaths(spec, graph, paths, () => webDriver(makeScreen()))
      console.log(`${graph.machine} on the web, ${name}: ${graph.nodes.length} states, ${graph.edges.length} edges, ${paths.length} paths, ${steps} steps`)
      expect(failures.slice(0, 3).join('\n\n')).toBe('')
    }, 120_000)
  })
}
