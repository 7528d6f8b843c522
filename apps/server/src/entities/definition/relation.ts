// Fields whose choices are rows of another entity: dictType 1, dictValue `TAG.attrName`. The field
// stores the row's id and shows its `attrName`.
import { dictTypes, maskPii, type PiiKind } from '@jiaowu/api'
import type { Context } from '../../context.ts'
import type { Sealer } from '../../pii/sealed-columns.ts'
import type { LoadedEntity, LoadedField } from './loaded.ts'
import type { Keyed } from './row-key.ts'

export interface Relation {
  readonly target: LoadedEntity
  /** The key that the field stores: that of the target's rows, or a unique column of them. */
  readonly keyed: Keyed
  /** The fields that may name a row, in order: the first that the caller may read does. */
  readonly labels: readonly LoadedField[]
  /** Personal data in the first of them is masked for everyone (docs/rules/security.md#d4). */
  readonly pii: PiiKind | null
  readonly sealer: Sealer | null
}

/** The name of a row as users see it. */
export function shownName({ pii, sealer }: Pick<Relation, 'pii' | 'sealer'>, name: string): string {
  const opened = sealer === null ? name : sealer.open(name)
  return pii === null ? opened : maskPii(pii, opened)
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
  return { target, keyed, labels, pii: first?.pii ?? null, sealer: first?.sealer ?? null }
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
