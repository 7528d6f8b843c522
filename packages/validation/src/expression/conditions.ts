// Conditions in three-valued logic, as row rules are in SQL (docs/rules/security.md#rules-across-relations):
// what is read across a relation that points to no row is unknown, and so is `user.person` of an account
// without one. The negation of an unknown comparison is unknown too, so that it opens no row.
import type { Expression } from './ast.ts'
import { evaluate, type ExpressionScope, truthy } from './evaluate.ts'
import { isPerson } from './names.ts'
import { isObjectValue, toPlainOperand } from './operands.ts'

/**
 * Null where it is unknown.
 * @throws ExpressionError for an unknown name, a property of nothing, or operands of wrong types
 */
export function evaluateTruth(node: Expression, scope: ExpressionScope): boolean | null {
  if (node.type === 'unary' && node.operator === 'not') {
    const operand = evaluateTruth(node.operand, scope)
    return operand === null ? null : !operand
  }
  if (node.type === 'binary' && (node.operator === 'and' || node.operator === 'or')) {
    const decisive = node.operator === 'or'
    const left = evaluateTruth(node.left, scope)
    if (left === decisive) return decisive
    const right = evaluateTruth(node.right, scope)
    if (right === decisive) return decisive
    return left === null || right === null ? null : !decisive
  }
  if (node.type === 'conditional') {
    const test = evaluateTruth(node.test, scope)
    return test === null ? null : evaluateTruth(test ? node.yes : node.no, scope)
  }
  if (node.type === 'binary' && isUnknown(node, scope)) return null
  // Outside of comparisons a property of an empty value is an error, which clients log.
  const value = truthy(evaluate(node, scope))
  return isUnknown(node, scope) ? null : value
}

function isUnknown(node: Expression, scope: ExpressionScope): boolean {
  switch (node.type) {
    case 'binary':
      return isUnknown(node.left, scope) || isUnknown(node.right, scope)
    case 'unary':
      return isUnknown(node.operand, scope)
    case 'list':
      return node.items.some((item) => isUnknown(item, scope))
    case 'member':
      return isPerson(node)
        ? toPlainOperand(evaluate(node, scope)) === null
        : isReadOfNothing(node, scope)
    default:
      return false
  }
}

/** `row.course.teacher` where the course is empty, or its teacher is not told to this reader. */
function isReadOfNothing(
  { object, property }: Extract<Expression, { readonly type: 'member' }>,
  { row }: ExpressionScope,
): boolean {
  if (object.type !== 'member' || object.object.type !== 'name' || object.object.name !== 'row')
    return false
  if (object.property.type !== 'literal' || property.type !== 'literal') return false
  const [name, read] = [object.property.value, property.value]
  if (typeof name !== 'string' || typeof read !== 'string' || read === 'length') return false
  if (!Object.hasOwn(row, name)) return false
  const chosen = row[name]
  if (chosen === null) return true
  if (!Array.isArray(chosen)) return false
  const [only] = chosen as readonly unknown[]
  const values = chosen.length === 1 && isObjectValue(only) ? only['values'] : undefined
  return !isObjectValue(values) || !Object.hasOwn(values, read)
}
