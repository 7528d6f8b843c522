// Relations to several entities: the value of another field of the row is the tag of the entity that the id
// belongs to (docs/rules/contract.md#relations-to-several-entities). What reads such a field asks here for the
// plain relation that it is in a row.
import { dictTypes } from '@jiaowu/api/entity/enums'
import { entityPermission, may } from '@jiaowu/api/entity/permission'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import { namingAttribute } from '@jiaowu/api/entity/definition/named-target'
import type { WireValue } from '@jiaowu/api/entity/values'
import type { Context } from '../context.ts'
import type { Fault } from '../../platform/refusal.ts'
import { dictionaryItems } from './dictionary.ts'
import type { LoadedField } from './loaded.ts'

/**
 * The field with the one that names its entity, which is a parent of it like in a cascade: forms send its
 * choice with each lookup, and clear the field when it changes.
 */
export function withNamedTarget(field: LoadedField, all: readonly LoadedField[]): LoadedField {
  const attrName = namingAttribute(field.definition)
  const naming = all.find(({ definition }) => definition.attrName === attrName)
  if (attrName === null || naming === undefined || naming.kind.multiple) return field
  const { dictType, dictValue } = naming.definition
  if (dictType !== dictTypes.dictionary || dictValue === null) return field
  const { definition } = field
  return {
    ...field,
    namedBy: { attrName, dictionary: dictValue },
    definition: {
      ...definition,
      options: {
        ...definition.options,
        cascades: [...otherCascades(field, attrName), { attrName, filterAttr: attrName }],
      },
    },
  }
}

function otherCascades({ definition }: LoadedField, attrName: string) {
  return (definition.options.cascades ?? []).filter((cascade) => cascade.attrName !== attrName)
}

/** The field as it is in a row that names the entity `tag`. Other fields stay as they are. */
export function aimedAt(field: LoadedField, tag: string): LoadedField {
  const { namedBy, ...plain } = field
  if (namedBy === undefined) return field
  const { definition } = field
  const cascades = otherCascades(field, namedBy.attrName)
  return {
    ...plain,
    definition: { ...definition, dictValue: tag, options: { ...definition.options, cascades } },
  }
}

/** The field for each entity whose rows the caller may choose: one of the dictionary, that they may view. */
export async function namedTargets(
  context: Pick<Context, 'database' | 'subject' | 'locale'>,
  field: LoadedField,
): Promise<ReadonlyMap<string, LoadedField>> {
  if (field.namedBy === undefined) return new Map()
  const { permissions } = context.subject
  const items = await dictionaryItems(context, field.namedBy.dictionary)
  return new Map(
    items
      .filter(({ id }) => may(permissions, entityPermission(id, 'view')))
      .map(({ id }) => [id, aimedAt(field, id)]),
  )
}

/** The tag in the value of a naming field; null where it is empty. */
export function tagIn(value: unknown): string | null {
  const [first] = Array.isArray(value) ? (value as readonly unknown[]) : [value]
  if (typeof first === 'string' && first !== '') return first
  return typeof first === 'object' && first !== null && 'id' in first ? String(first.id) : null
}

/** An id without the name of its entity, or the name without an id, points nowhere. */
export function unpairedFault(
  { namedBy, definition: { attrName } }: LoadedField,
  valueOf: (attrName: string) => WireValue | readonly string[] | null | undefined,
): Fault | null {
  if (namedBy === undefined) return null
  const [hasId, hasTag] = [attrName, namedBy.attrName].map((name) => !isEmpty(valueOf(name)))
  if (hasId === hasTag) return null
  const path = hasId === true ? namedBy.attrName : attrName
  return { path, rule: 'paired', message: { key: 'entity.paired' } }
}
