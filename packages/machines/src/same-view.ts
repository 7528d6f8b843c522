/**
 * Whether two readings of a view show the same: each property is identical, or an object or array
 * whose own entries are identical. Machines keep what did not change by reference, so deeper
 * comparison is not needed; a part that a view derives anew counts as changed.
 */
export function sameView(a: object, b: object): boolean {
  return sameEntries(a, b, (x, y) => isIdentical(x, y) || sameParts(x, y))
}

function sameParts(a: unknown, b: unknown): boolean {
  return (
    typeof a === 'object' &&
    typeof b === 'object' &&
    a !== null &&
    b !== null &&
    Array.isArray(a) === Array.isArray(b) &&
    sameEntries(a, b, isIdentical)
  )
}

function sameEntries(a: object, b: object, same: (x: unknown, y: unknown) => boolean): boolean {
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))]
  return (
    left.length === right.size &&
    left.every(([key, value]) => right.has(key) && same(value, right.get(key)))
  )
}

function isIdentical(a: unknown, b: unknown): boolean {
  return Object.is(a, b)
}
