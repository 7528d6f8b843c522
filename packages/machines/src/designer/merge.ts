// Merges concurrent saves of a definition: the differing parts, and a choice for each
// (docs/spec/2-student-service-and-designer.md §2; docs/rules/contract.md#sessions).
import type { EntityDefinition, FieldDefinition } from '@jiaowu/api/entity/definition/definition'

export type Side = 'mine' | 'theirs'
/** A part that can be taken from either side: `field:studentNo`, `name`, `options`, `buttons`. */
export type Part = string

const own = ['name', 'nameEn', 'idField', 'tagField', 'parentField', 'options', 'buttons'] as const
const isSamePart = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The parts that differ between two definitions. */
export function differingParts(a: EntityDefinition, b: EntityDefinition): Part[] {
  const [left, right] = [byName(a), byName(b)]
  const names = [...new Set([...left.keys(), ...right.keys()])]
  const both = new Set(names.filter((name) => left.has(name) && right.has(name)))
  return [
    ...own.filter((key) => !isSamePart(a[key], b[key])),
    ...(isSamePart(listSharedOrder(a, both), listSharedOrder(b, both)) ? [] : ['order']),
    ...names
      .filter((name) => !isSamePart(content(left.get(name)), content(right.get(name))))
      .map((name) => `field:${name}`),
  ]
}

function byName({ fields }: EntityDefinition) {
  return new Map(fields.map((field) => [field.attrName, field]))
}

function listSharedOrder({ fields }: EntityDefinition, among: ReadonlySet<string>) {
  return fields
    .toSorted((a, b) => a.uiSort - b.uiSort)
    .map(({ attrName }) => attrName)
    .filter((name) => among.has(name))
}

/** Without ids, which the server assigns, and positions, which are a part of their own. */
function content(field: FieldDefinition | undefined) {
  return field === undefined ? null : { ...field, id: '', uiSort: 0 }
}

/**
 * The default choices: parts changed here are kept, parts changed only by the other user are taken
 * from them.
 */
export function initialChoices(
  base: EntityDefinition,
  mine: EntityDefinition,
  theirs: EntityDefinition,
): Readonly<Record<Part, Side>> {
  const touched = new Set(differingParts(base, mine))
  return Object.fromEntries(
    differingParts(mine, theirs).map((part) => [
      part,
      touched.has(part) ? ('mine' as const) : ('theirs' as const),
    ]),
  )
}

/** The other user's definition with the chosen parts of ours. */
export function mergeDefinitions(
  mine: EntityDefinition,
  theirs: EntityDefinition,
  choices: Readonly<Record<Part, Side>>,
): EntityDefinition {
  const [left, right] = [byName(mine), byName(theirs)]
  const winner = (name: string): FieldDefinition | undefined => {
    const [from, other] =
      choices[`field:${name}`] === 'mine'
        ? [left.get(name), right.get(name)]
        : [right.get(name), left.get(name)]
    // A field known to both sides keeps the id and position of the stored definition.
    return from === undefined
      ? undefined
      : { ...from, id: right.get(name)?.id ?? other?.id ?? from.id }
  }
  const ordered = choices['order'] === 'mine' ? [mine, theirs] : [theirs, mine]
  const names = [
    ...new Set(
      ordered.flatMap(({ fields }) =>
        fields.toSorted((a, b) => a.uiSort - b.uiSort).map(({ attrName }) => attrName),
      ),
    ),
  ]
  const fields = names
    .flatMap((name) => winner(name) ?? [])
    .map((field, index) => ({ ...field, uiSort: index + 1 }))
  const parts = Object.fromEntries(
    own.filter((key) => choices[key] === 'mine').map((key) => [key, mine[key]]),
  )
  return { ...theirs, ...parts, fields }
}
