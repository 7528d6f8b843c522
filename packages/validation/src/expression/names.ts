import type { Expression } from './ast.ts'
import type { RowRead } from './rename.ts'

export const roots: ReadonlySet<string> = new Set(['row', 'user', 'mode'])

/**
 * The attrNames that an expression reads from `row`, where they are literal (`row.status`,
 * `row['status']`).
 */
export function listRowNames(node: Expression): readonly string[] {
  return [...readRowName(node), ...listChildNodes(node).flatMap(listRowNames)]
}

function readRowName(node: Expression): readonly string[] {
  return node.type === 'member' &&
    node.object.type === 'name' &&
    node.object.name === 'row' &&
    node.property.type === 'literal'
    ? [String(node.property.value)]
    : []
}

const wholeValueOperators: ReadonlySet<string> = new Set(['==', '!=', 'in', 'not in'])

/** The attrNames that an expression reads other than as a side of a comparison of whole values. */
export function namesComparedInParts(node: Expression, isWhole = false): readonly string[] {
  const own = readRowName(node)
  if (own.length > 0) return isWhole ? [] : own
  const isComparing = node.type === 'binary' && wholeValueOperators.has(node.operator)
  return listChildNodes(node).flatMap((child) => namesComparedInParts(child, isComparing))
}

/** A read of a formula in the rows that a row refers to: `row.course.credit`. */
export interface RelationRead {
  readonly attrName: string
  readonly property: string
}

export function listRelationReads(node: Expression): readonly RelationRead[] {
  const [attrName] = node.type === 'member' ? readRowName(node.object) : []
  const own =
    node.type === 'member' &&
    attrName !== undefined &&
    node.property.type === 'literal' &&
    typeof node.property.value === 'string' &&
    node.property.value !== 'length'
      ? [{ attrName, property: node.property.value }]
      : []
  return [...own, ...listChildNodes(node).flatMap(listRelationReads)]
}

/**
 * The first read that goes two steps into relations, as written with points: `row.course.teacher.org`.
 * A rule of rows takes one step.
 */
export function findDeepRead(node: Expression): string | undefined {
  const path = toPropertyPath(node)
  if (path !== null && path.length > 3 && path[0] === 'row') return path.join('.')
  return listChildNodes(node)
    .map(findDeepRead)
    .find((read) => read !== undefined)
}

/** A chain of literal properties from its root: `row`, `course`, `teacher`. */
function toPropertyPath(node: Expression): readonly string[] | null {
  if (node.type === 'name') return [node.name]
  if (node.type !== 'member' || node.property.type !== 'literal') return null
  const path = toPropertyPath(node.object)
  return path === null ? null : [...path, String(node.property.value)]
}

/** Whether the node is `user.person`, the person that the account of the caller belongs to. */
export function isPerson(node: Expression): boolean {
  const path = toPropertyPath(node)
  return path?.length === 2 && path[0] === 'user' && path[1] === 'person'
}

/** The reads of `row` that the expression compares with `user.person`. */
export function readsOfPerson(node: Expression): readonly RowRead[] {
  const sides = node.type === 'binary' ? [node.left, node.right] : []
  const own = sides.some(isPerson) ? sides.flatMap(listRowReads) : []
  return [...own, ...listChildNodes(node).flatMap(readsOfPerson)]
}

function listRowReads(node: Expression): readonly RowRead[] {
  const [root, name, property, ...more] = toPropertyPath(node) ?? []
  return root !== 'row' || name === undefined || more.length > 0
    ? []
    : [[name, property ?? null] as const]
}

/** The first name of an expression that is no root, such as `process` in `process.env`. */
export function findUnknownRoot(
  node: Expression,
  known: ReadonlySet<string> = roots,
): string | undefined {
  if (node.type === 'name') return known.has(node.name) ? undefined : node.name
  return listChildNodes(node)
    .map((child) => findUnknownRoot(child, known))
    .find((name) => name !== undefined)
}

/** The nodes directly within one. */
export function listChildNodes(node: Expression): readonly Expression[] {
  switch (node.type) {
    case 'literal':
    case 'name':
      return []
    case 'list':
      return node.items
    case 'member':
      return [node.object, node.property]
    case 'unary':
      return [node.operand]
    case 'binary':
      return [node.left, node.right]
    case 'conditional':
      return [node.test, node.yes, node.no]
    case 'call':
      return node.arguments
  }
}
