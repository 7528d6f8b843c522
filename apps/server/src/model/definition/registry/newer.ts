// Definitions that a newer program has written, which runs beside this one during an update: what this program does not
// know is left out, so that it serves on as it did a minute ago (docs/decisions/0024-old-beside-new.md).
import {
  type EntityDefinition,
  entityDefinitionSchema,
} from '@jiaowu/api/entity/definition/definition'
import * as v from 'valibot'

export interface ReadDefinition {
  readonly definition: EntityDefinition
  /** Paths of what was left out, as `fields.3.options.derived`. */
  readonly unknown: readonly string[]
}

/** With more unknown parts a definition is called unreadable. */
const mostUnknown = 500

/** The definition, or why it cannot be read. */
export function readDefinition(stored: unknown): ReadDefinition | { readonly reasons: string[] } {
  const strict = v.safeParse(entityDefinitionSchema, stored)
  if (strict.success) return { definition: strict.output, unknown: [] }
  const copy: unknown = structuredClone(stored)
  const unknown: string[] = []
  let { issues } = strict
  while (unknown.length <= mostUnknown) {
    const removed = removeUnknown(copy, issues)
    if (removed.length === 0) break
    unknown.push(...removed)
    const again = v.safeParse(entityDefinitionSchema, copy)
    if (again.success) return { definition: again.output, unknown: unknown.toSorted() }
    issues = again.issues
  }
  return { reasons: issues.map(({ message }) => message).slice(0, 3) }
}

type Issue = v.InferIssue<typeof entityDefinitionSchema>

/**
 * Removes keys that objects do not have, all at once; without any, the fields that cannot be read. A flow that cannot
 * be read keeps its entity out: without it, anybody could write its state.
 */
function removeUnknown(copy: unknown, issues: readonly Issue[]): string[] {
  const paths = issues.map((issue) => (issue.path ?? []).map(({ key }) => key as string | number))
  const keys = paths.filter((_, at) => isUnknownKey(issues[at]))
  const fields = new Set(
    paths.filter(([part, at]) => part === 'fields' && typeof at === 'number').map(([, at]) => at),
  )
  const gone = keys.length > 0 ? keys : [...fields].map((at) => ['fields', at as number])
  // From the last, because those after a removed item of a list move.
  for (const path of gone.toSorted((a, b) => Number(b[1]) - Number(a[1]))) remove(copy, path)
  return gone.map((path) => path.join('.'))
}

function isUnknownKey(issue: Issue | undefined): boolean {
  return issue?.type === 'strict_object' && issue.expected === 'never'
}

function remove(from: unknown, path: readonly (string | number)[]): void {
  const [last] = path.slice(-1)
  let at = from as Record<string | number, unknown>
  for (const key of path.slice(0, -1)) at = at[key] as Record<string | number, unknown>
  if (Array.isArray(at)) at.splice(Number(last), 1)
  else if (last !== undefined) delete at[last]
}
