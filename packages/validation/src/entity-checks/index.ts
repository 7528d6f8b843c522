// Checks of entity definitions, the same in the designer, on the server and in the terminal
// (docs/spec/2-student-service-and-designer.md §5, docs/rules/contract.md#definitions).
import { compareCodes } from '@jiaowu/api/compare-names'
import { cutText } from '@jiaowu/api/cut-text'
import {
  type EntityDefinition,
  entityDefinitionSchema,
} from '@jiaowu/api/entity/definition/definition'
import * as v from 'valibot'
import { behaviourChecks } from './behaviour.ts'
import { boundChecks } from './bounds.ts'
import { type Check, type CheckId, type Finding, buildFinding, buildSubject } from './finding.ts'
import { derivedChecks } from './derived.ts'
import { entryChecks } from './entry.ts'
import { flowChecks } from './flow.ts'
import { fittingChecks } from './fitting.ts'
import { rightChecks } from './rights.ts'
import { secretChecks } from './secrets.ts'
import { sourceChecks } from './sources.ts'
import { structureChecks } from './structure.ts'
import { type DesignContext, unknownContext } from './context.ts'

export { formulaByColumns } from './derived.ts'
export type { CheckId, Finding, Severity } from './finding.ts'
export {
  type DesignContext,
  type FlowFinding,
  type KnownColumn,
  type KnownEntity,
  type NamedPart,
  unknownContext,
} from './context.ts'

/**
 * The input does not have the shape of a definition; reported per issue, and no other check runs.
 */
const shapeId = 'entity.E000' satisfies CheckId

/** All checks in the order of their ids. A new check needs a row here and a text. */
export const entityChecks: readonly Check[] = [
  ...structureChecks,
  ...fittingChecks,
  ...sourceChecks,
  ...behaviourChecks,
  ...derivedChecks,
  ...boundChecks,
  ...entryChecks,
  ...flowChecks,
  ...secretChecks,
  ...rightChecks,
].toSorted((a, b) => compareCodes(a.id, b.id))
/** Ids are stable, because ignore lists and test data refer to them. */
export const checkIds: readonly CheckId[] = [shapeId, ...entityChecks.map(({ id }) => id)]

/**
 * All findings about a definition, errors first. Checks that need more context than given are
 * skipped.
 */
export function checkEntity(
  definition: EntityDefinition,
  context: DesignContext = unknownContext,
): readonly Finding[] {
  const subject = buildSubject(definition, context)
  const found = entityChecks.flatMap((check) =>
    [...check.find(subject)].map((fault) => buildFinding(check, fault)),
  )
  return [
    ...found.filter(({ severity }) => severity === 'error'),
    ...found.filter(({ severity }) => severity === 'warning'),
  ]
}

export type ParsedEntity =
  | { readonly definition: EntityDefinition; readonly findings: readonly Finding[] }
  | { readonly definition: null; readonly findings: readonly Finding[] }
/** Checks a definition from outside: a file, a JSON editor, a request. */
export function parseEntity(input: unknown, context: DesignContext = unknownContext): ParsedEntity {
  const parsed = v.safeParse(entityDefinitionSchema, input)
  if (parsed.success)
    return { definition: parsed.output, findings: checkEntity(parsed.output, context) }
  const findings = parsed.issues.map((issue): Finding => {
    const path = v.getDotPath(issue) ?? ''
    return {
      id: shapeId,
      severity: 'error',
      path,
      attrName: null,
      message: { key: shapeId, params: { path, value: cutText(String(issue.received), 80) } },
    }
  })
  return { definition: null, findings }
}
export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error')
}
