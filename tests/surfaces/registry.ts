import { actorDriver, type Spec } from '../machines/spec.ts'
import { type MachineName, models } from '../machines/registry.ts'
import { type Loads, partsFrom, type SurfaceParts } from './parts.ts'

const bare = Object.fromEntries(
  Object.entries(models).map(([name, { parts }]) => [
    name,
    () =>
      Promise.resolve(
        partsFrom(parts, (spec) => ({
          spec,
          drive: () => actorDriver(spec as unknown as Spec<unknown>),
        })),
      ),
  ]),
) as unknown as Loads<MachineName>
/** Surfaces that run in this process. */
type Here = 'bare' | 'web' | 'terminal'
/**
 * Screens are loaded when they are walked: each surface needs its own environment (a document, a
 * terminal).
 */
const screensOn: Readonly<Record<Here, () => Promise<Loads<MachineName>>>> = {
  bare: () => Promise.resolve(bare),
  web: async () => (await import('./web/screens.ts')).webScreens,
  terminal: async () => (await import('./terminal/screens.ts')).terminalScreens,
}

/** The concerns of a machine on a surface; null when it has no screen there. */
export async function partsOn(machine: MachineName, surface: Here): Promise<SurfaceParts | null> {
  return (await (await screensOn[surface]())[machine]?.()) ?? null
}
