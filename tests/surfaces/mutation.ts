import { type Driver, type Path, type Reasons, listUnexplained } from '@jiaowu/path-tests'
import { coverEachClass } from './classes.ts'
import { explore, runPath, type Spec } from '../machines/spec.ts'

/** Receives what a walk comes by: the next step begins; something that could be broken. */
export interface Notes<Fault> {
  step(): void
  note(kind: string, id: string, make: () => Fault): void
}
/** A surface that can be surveyed during a walk, and be broken. */
export interface Breakable<Fault, Seen> {
  watched(spec: Spec<Seen>, notes: Notes<Fault>): Driver<Seen>
  broken(spec: Spec<Seen>, fault: Fault): Driver<Seen>
  /** The paths on which broken screens are tried. */ paths?(spec: Spec<Seen>): readonly Path[]
  /** More of them, for survivors without a reason. */ more?(spec: Spec<Seen>): readonly Path[]
}

/** The result for the mutants of one machine's screens. */
export interface Mutation {
  readonly machine: string
  readonly surface: string
  readonly all: number
  readonly tried: number
  readonly caught: number
  /** Each with the argument for it, null when there is none. */ readonly survivors: readonly {
    readonly id: string
    readonly why: string | null
  }[]
  readonly ms: number
}
/** Names of the tests that try mutants; `npm run paths -- --mutants` runs the tests of these names. */
export const mutantTests = {
  machine: 'has no surviving mutant',
  screen: 'is noticed when it is broken',
} as const
declare module 'vitest' {
  interface TaskMeta {
    mutation?: Mutation
  }
}

/** Mutants of each machine and of its screens in CI; all of them with `MBT_MUTANTS=all`. */
export const sampleSize = { machine: 40, screen: 6 } as const
export const everyMutant = (): boolean => process.env.MBT_MUTANTS === 'all'
/** `npm test` tries none: they test the tests. */
export const noMutant = (): boolean => process.env.MBT_MUTANTS === 'none'
/**
 * Milliseconds that the mutants of one machine's screens may take. All of them took up to an hour
 * on a shared machine.
 */
export const mutantLimit = (): number => (everyMutant() ? 14_400_000 : 1_200_000)
/** An excused mutant is tried on this many paths only. */
const mostPaths = 2

/** Survivors without an excuse, and excuses without a survivor. */
export function listUnarguedSurvivors(survivors: readonly string[], argued: Reasons): string[] {
  return listUnexplained(
    [...new Set(survivors.map((each) => findExcuse(each, argued) ?? each))],
    argued,
  )
}

/** An excuse applies to mutants whose names begin with its key. */
function findExcuse(key: string, argued: Reasons): string | undefined {
  return Object.keys(argued).find((head) => key.replace(/^[^:]*: /, '').startsWith(head))
}

interface Sighting<Seen> {
  readonly spec: Spec<Seen>
  readonly path: Path
  readonly at: number
}
interface Sighted<Fault, Seen> {
  readonly make: () => Fault
  readonly seen: Sighting<Seen>[]
}
/** Mutants by name, and the paths on which each can be noticed. */
export type Sightings<Fault, Seen> = Map<string, Sighted<Fault, Seen>>

/** Records the mutants that a walk along this path comes by. */
export function notesOn<Fault, Seen>(
  sightings: Sightings<Fault, Seen>,
  spec: Spec<Seen>,
  path: Path,
  places = /./,
): Notes<Fault> {
  let at = 0
  const noticed = new Set<string>()
  return {
    step: () => {
      at += 1
    },
    note: (kind, id, make) => {
      const key = `${kind}: ${id}`
      if (noticed.has(key) || !places.test(id)) return
      noticed.add(key)
      const known = sightings.get(key) ?? { make, seen: [] }
      known.seen.push({ spec, path, at })
      sightings.set(key, known)
    },
  }
}

export interface MutationOptions<Fault = unknown, Seen = unknown> {
  readonly places?: RegExp
  readonly survivors?: Reasons
  /** Only so many, of those without an excuse. */
  readonly sample?: number | undefined
  /** Sightings that an earlier walk recorded. */
  readonly sightings?: Sightings<Fault, Seen>
}
export interface SurfaceMutation {
  readonly all: number
  readonly tried: number
  readonly survivors: readonly string[]
  readonly why: (survivor: string) => string | null
}

/**
 * Breaks the screen in every way that is possible at one place and returns the mutants that no path
 * notices. Mutants are found during the walks and lie within `places`.
 */
export async function surfaceMutants<Fault, Seen>(
  specs: readonly Spec<Seen>[],
  {
    watched,
    broken,
    paths = (spec) => coverEachClass(explore(spec, 600)).paths,
    more = () => [],
  }: Breakable<Fault, Seen>,
  {
    places,
    survivors: argued = {},
    sample,
    sightings = new Map(),
  }: MutationOptions<Fault, Seen> = {},
): Promise<SurfaceMutation> {
  if (sightings.size === 0)
    for (const spec of specs)
      for (const path of paths(spec))
        await runPath(spec, path, watched(spec, notesOn(sightings, spec, path, places)))
  const isNoticed = async (make: () => Fault, { spec, path }: Omit<Sighting<Seen>, 'at'>) =>
    (await runPath(spec, path, broken(spec, make()))).failure !== null
  const chosen =
    sample === undefined
      ? [...sightings]
      : sampleMutants(
          [...sightings].filter(([key]) => findExcuse(key, argued) === undefined),
          ([key]) => key,
          sample,
        )
  const further = () => specs.flatMap((spec) => more(spec).map((path) => ({ spec, path })))
  const survivors: string[] = []
  for (const [key, { make, seen }] of chosen) {
    let found = false
    // The path that shows it first notices it first.
    for (const sighting of [...seen]
      .sort((a, b) => a.at - b.at)
      .slice(0, findExcuse(key, argued) === undefined ? undefined : mostPaths)) {
      found = await isNoticed(make, sighting)
      if (found) break
    }
    if (!found && findExcuse(key, argued) === undefined)
      for (const sighting of further()) {
        found = await isNoticed(make, sighting)
        if (found) break
      }
    if (!found) survivors.push(key)
  }
  return {
    all: sightings.size,
    tried: chosen.length,
    survivors,
    why: (survivor) => argued[findExcuse(survivor, argued) ?? ''] ?? null,
  }
}

/**
 * The same sample for the same mutants; one that is added or removed does not change the choice of
 * the others.
 */
export function sampleMutants<T>(
  found: readonly T[],
  nameOf: (mutant: T) => string,
  size: number,
): readonly T[] {
  return [...found].sort((a, b) => hash(nameOf(a)) - hash(nameOf(b))).slice(0, size)
}

function hash(text: string): number {
  let state = 0x811c9dc5
  for (const letter of text) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return state >>> 0
}
