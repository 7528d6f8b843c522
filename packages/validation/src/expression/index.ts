import type { Expression } from './ast.ts'
import { evaluateTruth } from './conditions.ts'
import type { ExpressionScope } from './evaluate.ts'
import { parseExpression } from './parse.ts'

export {
  type BinaryOperator,
  type Expression,
  ExpressionError,
  expressionLimits,
  type UnaryOperator,
} from './ast.ts'
export { evaluate, type ExpressionScope } from './evaluate.ts'
export {
  findDeepRead,
  findUnknownRoot,
  isPerson,
  listChildNodes,
  namesComparedInParts,
  readsOfPerson,
  type RelationRead,
  listRelationReads,
  listRowNames,
} from './names.ts'
export { parseExpression, parseFormula } from './parse.ts'
export { roundTo } from './round.ts'
export { renameRowProperties, renameRowReads, type RowRead } from './rename.ts'

/** A parsed expression that can be evaluated repeatedly. */
export interface Compiled {
  readonly ast: Expression
  /** @throws ExpressionError */
  readonly test: (scope: ExpressionScope) => boolean
}

const compiled = new Map<string, Compiled>()
/**
 * Parses an expression; results are cached by source text.
 * @throws ExpressionError on a syntax error
 * @example compileExpression("row.status == '1' && mode == 'view'").test({ row, user, mode: 'view'
 * })
 */
export function compileExpression(source: string): Compiled {
  const known = compiled.get(source)
  if (known !== undefined) return known
  const ast = parseExpression(source)
  const made: Compiled = { ast, test: (scope) => evaluateTruth(ast, scope) === true }
  if (compiled.size > 1000) compiled.clear()
  compiled.set(source, made)
  return made
}

/**
 * Whether an element with this `positionExp` is shown; without an expression it is. An expression
 * that throws hides the element and is reported to `onError` (docs/spec/1-entity-console.md §4:
 * logged and treated as hidden).
 */
export function visible(
  positionExp: string | null | undefined,
  scope: ExpressionScope,
  onError: (error: unknown) => void,
): boolean {
  if (positionExp === null || positionExp === undefined || positionExp.trim() === '') return true
  try {
    return compileExpression(positionExp).test(scope)
  } catch (error) {
    onError(error)
    return false
  }
}
