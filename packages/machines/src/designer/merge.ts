// Two people saved the same definition: what differs, and who wins, field by field
// (docs/spec/2-student-service-and-designer.md §2; docs/rules/contract.md#sessions).
import type { EntityDefinition, FieldDefinition } from '@jiaowu/api'

export type Side = 'mine' | 'theirs'
/**
 * A part of a definition that can be taken from one side or the other: `field:studentNo`, `name`,
 * `options`, `buttons`.
 */
export type Part = string

const own = ['name', 'nameEn', 'idField', 'tagField', 'parentField', 'options', 'buttons'] as const
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The parts in which two definitions differ. */
export function differingParts(a: EntityDefinition, b: EntityDefinition): Part[] {
  const [left, right] = [byName(a), byName(b)]
  const names = [...new Set([...left.keys(), ...right.keys()])]
  const both = new Set(names.filter((name) => left.has(name) && right.has(name)))
  return [
    ...own.filter((key) => !same(a[key], b[key])),
    ...(same(order(a, both), order(b, both)) ? [] : ['order']),
    ...names
      .filter((name) => !same(content(left.get(name)), content(right.get(name))))
      .map((name) => `field:${name}`),
  ]
}

function byName({ fields }: EntityDefinition) {
  return new Map(fields.map((field) => [field.attrName, field]))
}

function order({ fields }: EntityDefinition, among: ReadonlySet<string>) {
  return fields
    .toSorted((a, b) => a.uiSort - b.uiSort)
    .map(({ attrName }) => attrName)
    .filter((name) => among.has(name))
}

/** Ids and places aside: those are the server's, and the order is a part of its own. */
function content(field: FieldDefinition | undefined) {
  return field === undefined ? null : { ...field, id: '', uiSort: 0 }
}

/**
 * Who wins unless the person says otherwise: what I touched is mine, what only the other changed is
 * theirs.
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

/** Their definition, with what I keep of mine. */
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
    // The place and the id of a field that both know are theirs: the server has them.
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
