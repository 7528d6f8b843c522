import type { DictItem, WireValue } from '@jiaowu/api/entity/values'

/**
 * Builds the key that tells a group from others: the id of a choice, the text of another value; ''
 * without one.
 */
export function toGroupKey(value: WireValue | undefined): string {
  const first: unknown = Array.isArray(value) ? (value as readonly unknown[])[0] : value
  return typeof first === 'object' && first !== null && 'id' in first
    ? (first as DictItem).id
    : String(first ?? '')
}
