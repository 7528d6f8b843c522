import { describe, expect, test } from 'vitest'
import type { Excuses } from '../../model/excuses.ts'
import { explore, journeys, runPaths, type Spec } from '../../model/index.ts'
import type { MachineModel } from '../../models/machine-model.ts'
import { type Screen, webDriver } from './screen.tsx'
import { surfaceMutants, unargued } from './surface-mutants.ts'

/**
 * Walks every path of a machine on its screen: what it shows, what it offers and what it calls must be what the machine says, after each
 * step. With `survivors` the screen is broken too, in every way it can be at one place (within `places`); survivors are argued by the beginning
 * of their names.
 */
export const gateWeb = <Bare, Seen>({ parts, limit }: MachineModel<Bare>, onScreen: (spec: Spec<Bare>) => Spec<Seen>, makeScreen: () => Screen<Seen>, broken: { readonly survivors?: Excuses; readonly places?: RegExp } = {}): void => {
  const [first] = Object.values(parts)
  const id = first?.machine.id ?? ''
  // Events that nothing handles are tried on the bare machine; here no screen may offer them (`offers` of each reading).
  const seen = Object.entries(parts).map(([name, part]) => ({ name, spec: { ...onScreen(part), sneak: [] } }))
  describe(`${id} on the web`, () => {
    test.each(seen)('shows, offers and does what its machine says: $name', async ({ name, spec }) => {
      const graph = explore(spec, limit)
      const { paths, steps } = journeys(graph)
      const { failures } = await runPaths(spec, graph, paths, () => webDriver(makeScreen()))
      console.log(`${id} on the web, ${name}: ${graph.nodes.length} states, ${graph.edges.length} edges, ${paths.length} paths, ${steps} steps`)
      expect(failures.slice(0, 3).join('\n\n')).toBe('')
    }, 300_000)
    test.skipIf(broken.survivors === undefined)('is noticed when it is broken', async () => {
      const { all, survivors: left } = await surfaceMutants(seen.map(({ spec }) => spec), (fault) => webDriver(makeScreen(), fault), broken)
      console.log(`${id} on the web: ${all - left.length} of ${all} broken screens noticed`)
      expect(unargued(left, broken.survivors ?? {})).toEqual([])
    }, 300_000)
  })
}
