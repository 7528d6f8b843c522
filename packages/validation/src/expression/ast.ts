/**
 * Syntax tree of a visibility expression or a formula (docs/rules/contract.md#definitions): plain
 * data. The server also translates the former to SQL.
 */
export type Expression =
  | { readonly type: 'literal'; readonly value: string | number | boolean | null }
  | { readonly type: 'list'; readonly items: readonly Expression[] }
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'member'; readonly object: Expression; readonly property: Expression }
  | { readonly type: 'unary'; readonly operator: UnaryOperator; readonly operand: Expression }
  | {
      readonly type: 'binary'
      readonly operator: BinaryOperator
      readonly left: Expression
      readonly right: Expression
    }
  | {
      readonly type: 'conditional'
      readonly test: Expression
      readonly yes: Expression
      readonly no: Expression
    }
  /** Formulas of derived fields only. */
  | {
      readonly type: 'call'
      readonly name: FunctionName
      readonly arguments: readonly Expression[]
    }

/** Functions of formulas with the least and most number of their arguments. */
export const functions = {
  round: [1, 2],
  min: [1, 20],
  max: [1, 20],
  abs: [1, 1],
  len: [1, 1],
  concat: [1, 20],
  coalesce: [1, 20],
  daysBetween: [2, 2],
} as const
export type FunctionName = keyof typeof functions

export type UnaryOperator = 'not' | '-' | '+'
export type BinaryOperator =
  | 'or'
  | 'and'
  | '=='
  | '!='
  | '==='
  | '!=='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'in'
  | 'not in'
  | '+'
  | '-'
  | '*'
  | '/'

/** Limits of one expression (docs/rules/security.md#i4). */
export const expressionLimits = { characters: 2000, nodes: 200, depth: 32 } as const

/** An error in an expression; `at` is its position in characters, from 0. */
export class ExpressionError extends Error {
  readonly reason:
    | 'character'
    | 'unexpected'
    | 'unfinished'
    | 'arguments'
    | 'tooLong'
    | 'tooComplex'
    | 'unknownName'
    | 'noProperty'
    | 'type'
  readonly at: number
  readonly token: string
  constructor(reason: ExpressionError['reason'], at: number, token = '') {
    super(`${reason} at ${at}${token === '' ? '' : `: ${token}`}`)
    this.name = 'ExpressionError'
    this.reason = reason
    this.at = at
    this.token = token
  }
}
