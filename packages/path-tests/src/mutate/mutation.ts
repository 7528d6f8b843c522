import type { AnyStateMachine } from 'xstate'
import { check, type Rule } from '../explore/check.ts'
import type { Driver } from '../run/driver.ts'
import { explore } from '../explore/explore.ts'
import type { Mutant } from './mutants.ts'
import { type Path, runPath } from '../run/run-path.ts'
import type { Spec } from '../explore/spec.ts'

export interface Fate {
  readonly mutant: string
  readonly kind: string
  /** The path or rule that noticed it; null when it survived. */ readonly killedBy: string | null
}
export interface MutationReport {
  readonly fates: readonly Fate[]
  readonly killed: number
  readonly survivors: readonly string[]
  /** Share of noticed mutants, 0 to 1. */ readonly score: number
}

export interface MutationOptions<Seen> {
  /** Runs a mutant on a surface; the model stays the machine of the spec. */
  makeDriver(machine: AnyStateMachine): Driver<Seen> | Promise<Driver<Seen>>
  /** A mutant whose own graph breaks a rule is killed too. */
  readonly rules?: readonly Rule[]
}

/**
 * Which mutants a set of paths (and rules) notices. A survivor is equivalent, and then listed with
 * a reason, or a gap of the tests.
 */
export async function runMutants<Seen>(
  spec: Spec<Seen>,
  list: readonly Mutant[],
  paths: readonly Path[],
  options: MutationOptions<Seen>,
): Promise<MutationReport> {
  const fates: Fate[] = []
  for (const mutant of list)
    fates.push({
      mutant: mutant.id,
      kind: mutant.kind,
      killedBy: await killerOf(spec, mutant, paths, options),
    })
  return report(fates)
}

async function killerOf<Seen>(
  spec: Spec<Seen>,
  { machine }: Mutant,
  paths: readonly Path[],
  { makeDriver, rules = [] }: MutationOptions<Seen>,
): Promise<string | null> {
  for (const path of paths) {
    const { failure } = await runPath(spec, path, await makeDriver(machine))
    if (failure !== null) return `${path.id} step ${failure.at + 1}: ${failure.reasons[0] ?? ''}`
  }
  if (rules.length > 0) {
    try {
      const [broken] = check(explore({ ...spec, machine }), rules)
      if (broken !== undefined) return `rule ${broken.rule}`
    } catch (error) {
      return `exploration: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`
    }
  }
  return null
}

function report(fates: readonly Fate[]): MutationReport {
  const survivors = fates.filter(({ killedBy }) => killedBy === null).map(({ mutant }) => mutant)
  const killed = fates.length - survivors.length
  return { fates, killed, survivors, score: fates.length === 0 ? 1 : killed / fates.length }
}
