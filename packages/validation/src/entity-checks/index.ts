// What is wrong with an entity definition: the same answer in the designer, on the server and in the terminal (docs/spec/2-student-service-and-designer.md §5, docs/rules/contract.md#definitions).
import { type EntityDefinition, entityDefinitionSchema } from '@jiaowu/api'
import * as v from 'valibot'
import { behaviourChecks } from './behaviour.ts'
import { type Check, type CheckId, type Finding, findingOf, subjectOf } from './finding.ts'
import { fittingChecks } from './fitting.ts'
import { sourceChecks } from './sources.ts'
import { structureChecks } from './structure.ts'
import { type DesignWorld, unknownWorld } from './world.ts'

export type { CheckId, Finding, Severity } from './finding.ts'
export { type DesignWorld, type KnownColumn, type KnownEntity, unknownWorld } from './world.ts'

/** A shape that is no definition at all: told per issue, before anything else can be asked. */
const shapeId = 'entity.E000' satisfies CheckId

/** Every check, in the order of its id. A new one is a row here and a sentence in the texts. */
export const entityChecks: readonly Check[] = [
  ...structureChecks,
  ...fittingChecks,
  ...sourceChecks,
  ...behaviourChecks,
].toSorted((a, b) => a.id.localeCompare(b.id))
/** Ids are stable: they are written into ignore lists and corpora. */
export const checkIds: readonly CheckId[] = [shapeId, ...entityChecks.map(({ id }) => id)]

/** Everything that is wrong with a definition, errors first. Knows as much as `world` does, and never guesses the rest. */
export function checkEntity(
  definition: EntityDefinition,
  world: DesignWorld = unknownWorld,
): readonly Finding[] {
  const subject = subjectOf(definition, world)
  const found = entityChecks.flatMap((check) =>
    [...check.find(subject)].map((fault) => findingOf(check, fault)),
  )
  return [
    ...found.filter(({ severity }) => severity === 'error'),
    ...found.filter(({ severity }) => severity === 'warning'),
  ]
}

export type ParsedEntity =
  | { readonly definition: EntityDefinition; readonly findings: readonly Finding[] }
  | { readonly definition: null; readonly findings: readonly Finding[] }
/** The same for something that came from outside: a file, a JSON editor, a request. */
export function parseEntity(input: unknown, world: DesignWorld = unknownWorld): ParsedEntity {
  const parsed = v.safeParse(entityDefinitionSchema, input)
  if (parsed.success)
    return { definition: parsed.output, findings: checkEntity(parsed.output, world) }
  const findings = parsed.issues.map((issue): Finding => {
    const path = v.getDotPath(issue) ?? ''
    return {
      id: shapeId,
      severity: 'error',
      path,
      attrName: null,
      message: { key: shapeId, params: { path, value: String(issue.received).slice(0, 80) } },
    }
  })
  return { definition: null, findings }
}
export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error')
}
