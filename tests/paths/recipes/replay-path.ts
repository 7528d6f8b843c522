import type { Driver } from '@jiaowu/path-tests'
import type { MachineName } from '../../machines/registry.ts'
import { parsePath, runPath } from '../../machines/spec.ts'
import type { SurfacePart } from '../../surfaces/parts.ts'

/** A path of the report, and where it is repeated. */
export interface Replay {
  readonly machine: MachineName
  readonly part: string
  readonly surface: 'bare' | 'web' | 'chromium' | 'terminal'
  /** The path as a line that `parsePath` reads. */
  readonly again: string
}
/** The course of a replay. `failure` is a recipe; null when the surface did all as the model. */
export type Told =
  | { readonly type: 'step'; readonly index: number }
  | { readonly type: 'seen'; readonly says: readonly string[] }
  | { readonly type: 'end'; readonly failure: string | null }
  /** The surface has no such part, or no such step. */
  | { readonly type: 'impossible'; readonly why: string }

/** Repeats a path on a surface, and tells each step and each look at it. */
export async function replayPath(
  part: SurfacePart | undefined,
  { again, machine, surface }: Replay,
  tell: (told: Told) => Promise<void>,
): Promise<Told> {
  if (part === undefined) return { type: 'impossible', why: `${machine} is not on ${surface}` }
  const { spec } = part
  const parsed = (() => {
    try {
      return parsePath(spec, again)
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  })()
  if (typeof parsed === 'string') return { type: 'impossible', why: parsed }
  const { failure } = await runPath(spec, parsed, watchDriver(await part.drive(), tell))
  return { type: 'end', failure: failure?.text ?? null }
}

function watchDriver(
  driver: Driver<unknown>,
  tell: (told: Told) => Promise<void>,
): Driver<unknown> {
  return {
    ...driver,
    before: (_step, index) => tell({ type: 'step', index }),
    observe: async () => {
      const seen = await driver.observe()
      await tell({ type: 'seen', says: readSays(seen) })
      return seen
    },
  }
}

/** The sentences that a page or a terminal shows; the bare machine shows none. */
function readSays(seen: unknown): readonly string[] {
  const says = (seen as { readonly says?: unknown } | null)?.says
  return typeof says === 'string' && says !== '' ? says.split('|') : []
}
