// Fields whose choices are rows of another entity: dictType 1, dictValue `TAG.attrName`. The field
// stores the row's id and shows its `attrName`.
import { dictTypes, maskPii, type PiiKind } from '@jiaowu/api'
import type { Context } from '../../context.ts'
import type { Sealer } from '../../pii/sealed-columns.ts'
import type { LoadedEntity, LoadedField } from './loaded.ts'
import type { Keyed } from './row-key.ts'
import { isPatternParts, patternOf, shownPattern, type TitlePattern } from './title-pattern.ts'

export interface Relation {
  readonly target: LoadedEntity
  /** The key that the field stores: that of the target's rows, or a unique column of them. */
  readonly keyed: Keyed
  /** The fields that may name a row, in order: the first that the caller may read does. */
  readonly labels: readonly LoadedField[]
  /** Names a row before them, for who may read all of its fields. */
  readonly pattern: TitlePattern | null
  /** Personal data in the name is masked for everyone (docs/rules/security.md#d4). */
  readonly pii: PiiKind | null
  readonly sealer: Sealer | null
}

/** The name of a row as users see it. */
export function shownName({ labels: [first], pattern }: NamedRows, name: string): string {
  if (pattern !== null && isPatternParts(name)) return shownPattern(pattern, name)
  const opened = first?.sealer?.open(name) ?? name
  const pii = first?.pii ?? null
  return pii === null ? opened : maskPii(pii, opened)
}
type NamedRows = Pick<Relation, 'labels' | 'pattern'>

/** The name of a row in full, to compare it with what users typed. */
export function plainName(relation: NamedRows & Pick<Relation, 'sealer'>, name: string): string {
  const { pattern, sealer } = relation
  if (pattern !== null && isPatternParts(name)) return shownPattern(pattern, name, true)
  return sealer === null ? name : shownName(relation, name)
}

export function relationTag({
  dictType,
  dictValue,
}: Pick<LoadedField['definition'], 'dictType' | 'dictValue'>): string | null {
  return dictType === dictTypes.entity && dictValue !== null
    ? (dictValue.split('.')[0] ?? null)
    : null
}

/** Null when the entity does not exist; the field then has no choices. */
export async function relationOf(
  { registry, subject }: Pick<Context, 'registry' | 'subject'>,
  field: LoadedField,
): Promise<Relation | null> {
  const tag = relationTag(field.definition)
  const target = tag === null ? undefined : await registry.find(subject.tenant, tag)
  if (target === undefined) return null
  const labels = labelsOf(target, field.definition.dictValue?.split('.')[1])
  const [first] = labels
  const { valueAttr } = field.definition.options
  const value = valueAttr === undefined ? null : target.column(valueAttr)
  // Without its column nothing can be chosen, and no row is mistaken for another.
  if (value === undefined) return null
  const keyed = value === null ? target : { key: [value], digest: null }
  const own = field.definition.dictValue?.split('.')[1]
  const { idField, tagField } = target.definition
  const isTitle = own === undefined || own === idField || own === tagField
  const pattern = isTitle ? patternOf(target) : null
  const named = [...(pattern?.fields ?? []), ...(first === undefined ? [] : [first])]
  return {
    target,
    keyed,
    labels,
    pattern,
    pii: named.find(({ pii }) => pii !== null)?.pii ?? null,
    sealer: named.find(({ sealer }) => sealer !== null)?.sealer ?? null,
  }
}

/**
 * The named attribute, then the title. `TAG.idField` and a bare `TAG` show the title. Never a
 * password.
 */
function labelsOf(target: LoadedEntity, attrName: string | undefined): LoadedField[] {
  const { idField, tagField } = target.definition
  const names = [attrName === idField ? undefined : attrName, tagField ?? undefined]
  return [...new Set(names)].flatMap((name) => {
    const field = name === undefined ? undefined : target.field(name)
    if (field === undefined || field.column === null || field.kind.secret) return []
    // A title with personal data replaces no other label: only the first one is masked.
    return field.pii !== null && name !== names.find((each) => each !== undefined) ? [] : [field]
  })
}
