import type { Expression } from './ast.ts'
import { roots } from './evaluate.ts'

/**
 * The attrNames that an expression reads from `row`, where they are literal (`row.status`,
 * `row['status']`).
 */
export function rowNamesOf(node: Expression): readonly string[] {
  const own =
    node.type === 'member' &&
    node.object.type === 'name' &&
    node.object.name === 'row' &&
    node.property.type === 'literal'
      ? [String(node.property.value)]
      : []
  return [...own, ...childrenOf(node).flatMap(rowNamesOf)]
}

/** The first name of an expression that is no root, such as `process` in `process.env`. */
export function unknownRootOf(node: Expression): string | undefined {
  if (node.type === 'name') return roots.has(node.name) ? undefined : node.name
  return childrenOf(node)
    .map(unknownRootOf)
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
  }
}
