import type { Expression } from './ast.ts'
import { roots } from './evaluate.ts'

/**
 * The attrNames that an expression reads from `row`, where they are literal (`row.status`,
 * `row['status']`).
 */
export function rowNamesOf(node: Expression): readonly string[] {
  return [...ownNameOf(node), ...childrenOf(node).flatMap(rowNamesOf)]
}

function ownNameOf(node: Expression): readonly string[] {
  return node.type === 'member' &&
    node.object.type === 'name' &&
    node.object.name === 'row' &&
    node.property.type === 'literal'
    ? [String(node.property.value)]
    : []
}

/** What a formula reads of the rows that a row refers to: `row.course.credit`. */
export interface RelationRead {
  readonly attrName: string
  readonly property: string
}

export function relationReadsOf(node: Expression): readonly RelationRead[] {
  const [attrName] = node.type === 'member' ? ownNameOf(node.object) : []
  const own =
    node.type === 'member' &&
    attrName !== undefined &&
    node.property.type === 'literal' &&
    typeof node.property.value === 'string' &&
    node.property.value !== 'length'
      ? [{ attrName, property: node.property.value }]
      : []
  return [...own, ...childrenOf(node).flatMap(relationReadsOf)]
}

/** The first name of an expression that is no root, such as `process` in `process.env`. */
export function unknownRootOf(
  node: Expression,
  known: ReadonlySet<string> = roots,
): string | undefined {
  if (node.type === 'name') return known.has(node.name) ? undefined : node.name
  return childrenOf(node)
    .map((child) => unknownRootOf(child, known))
    .find((name) => name !== undefined)
}

function childrenOf(node: Expression): readonly Expression[] {
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
