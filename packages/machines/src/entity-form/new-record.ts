// Values that a new record begins with: those of a record it copies, and those that the user pinned.
import { type EntityConfig, type Field, isDerived, resolveEditing } from '@jiaowu/api/entity/config'
import { findKind, holdsValue } from '@jiaowu/api/fields/kinds'
import type { Row, Values } from '@jiaowu/api/entity/values'

/**
 * The values of a record that its copy takes over: all that the form of a new record asks for, except
 * unique, derived and secret ones, personal data, and files, which belong to the one record.
 */
export function copiedValues({ fields }: EntityConfig, copied: Row | null): Values {
  return copied === null
    ? {}
    : Object.fromEntries(
        fields
          .filter(isShared)
          .map(({ attrName }) => [attrName, copied[attrName] ?? null] as const),
      )
}

/** Whether the value of a field can be kept for further new records. */
export function isPinnable({ fields }: EntityConfig, attrName: string): boolean {
  const field = fields.find((each) => each.attrName === attrName)
  return field !== undefined && isShared(field)
}

export function pickPinned(
  names: readonly string[],
  { values }: { readonly values: Values },
): Values {
  return Object.fromEntries(names.map((name) => [name, values[name] ?? null]))
}

/** Two records can have the same value of the field. */
function isShared(field: Field): boolean {
  const { uiType, unique, pii = null, numbered } = field
  const { secret, family } = findKind(uiType)
  return (
    holdsValue(uiType) &&
    resolveEditing(field, 'add') === 'editable' &&
    unique !== true &&
    numbered !== true &&
    pii === null &&
    !isDerived(field) &&
    !secret &&
    family !== 'media'
  )
}
