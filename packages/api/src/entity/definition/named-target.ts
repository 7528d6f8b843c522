import { dictTypes } from '../enums.ts'
import type { FieldDefinition } from './definition.ts'

const pattern = /^\{([A-Za-z][A-Za-z0-9_]{0,62})\}$/

/**
 * The attribute whose value in a row is the tag of the entity that a relation points to: dictType 1,
 * dictValue `{attrName}` (docs/rules/contract.md#relations-to-several-entities). Null for other fields.
 */
export function namingAttribute({
  dictType,
  dictValue,
}: Pick<FieldDefinition, 'dictType' | 'dictValue'>): string | null {
  return dictType === dictTypes.entity ? (pattern.exec(dictValue ?? '')?.[1] ?? null) : null
}
