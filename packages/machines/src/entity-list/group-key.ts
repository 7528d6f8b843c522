import type { DictItem, WireValue } from '@jiaowu/api/entity/values'

/** What tells a group from others: the id of a choice, the text of another value; '' without one. */
export function keyOf(value: WireValue | undefined): string {
  const first: unknown = Array.isArray(value) ? (value as readonly unknown[])[0] : value
  return typeof first === 'object' && first !== null && 'id' in first
    ? (first as DictItem).id
    : String(first ?? '')
}
