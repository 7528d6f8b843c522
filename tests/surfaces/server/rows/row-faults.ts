import type { EntityConfig } from '@jiaowu/api/entity/config'
import { holdsValue, findKind } from '@jiaowu/api/fields/kinds'
import type { Row } from '@jiaowu/api/entity/values'
import * as v from 'valibot'

/** Keys that every row may have besides its fields. */
const own = ['id', 'version', '$title']

/**
 * Breaches of an entity's definition in a row: values that do not fit their field kind on the wire
 * (docs/rules/contract.md#entity-data), and keys without a field.
 */
export function rowFaults({ tag, fields, idField }: EntityConfig, row: Row): string[] {
  const known = new Map(
    fields.filter(({ uiType }) => holdsValue(uiType)).map((field) => [field.attrName, field]),
  )
  return Object.entries(row).flatMap(([name, value]) => {
    const field = known.get(name)
    if (field === undefined)
      return own.includes(name) || name === idField
        ? []
        : [`${tag}.${name}: no field of the entity`]
    const parsed = v.safeParse(findKind(field.uiType).value, value)
    return parsed.success && JSON.stringify(parsed.output) === JSON.stringify(value)
      ? []
      : [`${tag}.${name}: ${JSON.stringify(value)} is no ${field.uiType}`]
  })
}
