import { test } from 'vitest'
import { type MachineName, models } from '../machines/registry.ts'
import { partsOn } from '../surfaces/registry.ts'
import { type SurfaceName, type Walk, type WalkOptions, walkPart } from './walk-part.ts'

declare module 'vitest' {
  interface TaskMeta {
    walk?: Walk
  }
}

export function wantedMachines(): readonly MachineName[] {
  const names = readWantedNames('PATHS_MACHINES')
  return (Object.keys(models) as MachineName[]).filter(
    (name) => names === null || names.includes(name),
  )
}

function readWantedNames(name: string): readonly string[] | null {
  const value = process.env[name]
  return value === undefined || value === '' ? null : value.split(',')
}

/**
 * Which paths of a surface are walked: every edge, but each transition once where a step takes
 * long, unless every edge is requested; plus random walks on the bare machine.
 */
export function chooseWalkOptions(
  machine: MachineName,
  surface: SurfaceName,
  part: string,
): WalkOptions {
  return {
    machine,
    surface,
    part,
    limit: models[machine].limit ?? 600,
    every:
      surface === 'server'
        ? 'ending'
        : surface === 'terminal' && process.env.PATHS_EDGES !== '1'
          ? 'transition'
          : 'edge',
    only: process.env.MBT_PATH ?? null,
    random:
      surface === 'bare'
        ? { seed: Number(process.env.PATHS_SEED ?? '1'), walks: models[machine].walks ?? 40 }
        : null,
  }
}

/** A test for one concern; its metadata carries the result. */
export function walkTest(options: WalkOptions, walk: () => Promise<Walk>): void {
  test(
    `${options.machine} · ${options.surface} · ${options.part}`,
    async ({ task }) => {
      task.meta.walk = await walk()
      if (task.meta.walk.failures.length > 0) throw new Error(task.meta.walk.failures.join('\n\n'))
    },
    chooseTimeLimit(options),
  )
}

/** In milliseconds. Every edge on the terminal took up to an hour on a shared machine. */
const chooseTimeLimit = ({ surface, every }: WalkOptions): number =>
  surface === 'terminal' && every === 'edge' ? 14_400_000 : 1_200_000

/** One test per concern of every machine on this surface. */
export async function walkSurface(
  surface: Exclude<SurfaceName, 'chromium' | 'server'>,
): Promise<void> {
  for (const machine of wantedMachines())
    for (const [part, found] of Object.entries((await partsOn(machine, surface)) ?? {})) {
      const options = chooseWalkOptions(machine, surface, part)
      walkTest(options, () => walkPart(found, options))
    }
}
