import { bareDriver, type Spec } from '@jiaowu/path-tests'
import { type MachineName, models } from '../machines/registry.ts'
import { type Loads, partsFrom, type SurfaceParts } from './parts.ts'

const bare = Object.fromEntries(
  Object.entries(models).map(([name, { parts }]) => [
    name,
    () =>
      Promise.resolve(
        partsFrom(parts, (spec) => ({
          spec,
          drive: () => bareDriver(spec as unknown as Spec<unknown>),
        })),
      ),
  ]),
) as unknown as Loads<MachineName>
/** Surfaces in this process. */
type Here = 'bare' | 'web' | 'terminal'
/** The screens of a surface are loaded when they are walked: each needs its own surroundings (a document, a terminal). */
const screensOn: Readonly<Record<Here, () => Promise<Loads<MachineName>>>> = {
  bare: () => Promise.resolve(bare),
  web: async () => (await import('./web/screens.ts')).webScreens,
  terminal: async () => (await import('./terminal/screens.ts')).terminalScreens,
}

/** The concerns in which a machine is walked on a surface; null when it is not drawn there. */
export async function partsOn(machine: MachineName, surface: Here): Promise<SurfaceParts | null> {
  return (await (await screensOn[surface]())[machine]?.()) ?? null
}
