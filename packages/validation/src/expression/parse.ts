import {
  type BinaryOperator,
  type Expression,
  ExpressionError,
  expressionLimits,
  type FunctionName,
  functions,
} from './ast.ts'
import { type Token, tokenize } from './tokens.ts'

const binary: Readonly<Record<string, readonly [power: number, operator: BinaryOperator]>> = {
  '||': [1, 'or'],
  or: [1, 'or'],
  '&&': [2, 'and'],
  and: [2, 'and'],
  '==': [3, '=='],
  '!=': [3, '!='],
  '===': [3, '==='],
  '!==': [3, '!=='],
  '<': [4, '<'],
  '<=': [4, '<='],
  '>': [4, '>'],
  '>=': [4, '>='],
  in: [4, 'in'],
  '+': [5, '+'],
  '-': [5, '-'],
  '*': [6, '*'],
  '/': [6, '/'],
}
const constants: Readonly<Record<string, boolean | null>> = {
  true: true,
  false: false,
  null: null,
  undefined: null,
}

class Parser {
  private readonly tokens: readonly Token[]
  private position = 0
  private nodes = 0
  private readonly hasCalls: boolean
  constructor(tokens: readonly Token[], hasCalls: boolean) {
    this.tokens = tokens
    this.hasCalls = hasCalls
  }

  private get token(): Token {
    return this.tokens[this.position] ?? { kind: 'end', text: '', at: 0 }
  }
  private is(text: string): boolean {
    return (this.token.kind === 'mark' || this.token.kind === 'name') && this.token.text === text
  }
  private next(): Token {
    const { token } = this
    this.position += 1
    return token
  }
  private fail(): never {
    const { token } = this
    throw new ExpressionError(
      token.kind === 'end' ? 'unfinished' : 'unexpected',
      token.at,
      token.text,
    )
  }
  private expect(text: string): void {
    if (!this.is(text)) this.fail()
    this.next()
  }
  private made(node: Expression, depth: number): Expression {
    this.nodes += 1
    if (this.nodes > expressionLimits.nodes || depth > expressionLimits.depth)
      throw new ExpressionError('tooComplex', this.token.at)
    return node
  }

  whole(): Expression {
    const tree = this.conditional(0)
    if (this.token.kind !== 'end') this.fail()
    return tree
  }
  private conditional(depth: number): Expression {
    const test = this.operation(0, depth + 1)
    if (!this.is('?')) return test
    this.next()
    const yes = this.conditional(depth + 1)
    this.expect(':')
    return this.made({ type: 'conditional', test, yes, no: this.conditional(depth + 1) }, depth)
  }
  private operator(): readonly [number, BinaryOperator, number] | null {
    const { token } = this
    if (token.kind !== 'mark' && token.kind !== 'name') return null
    if (token.text === 'not' && this.tokens[this.position + 1]?.text === 'in')
      return [4, 'not in', 2]
    const found = Object.hasOwn(binary, token.text) ? binary[token.text] : undefined
    return found === undefined ? null : [found[0], found[1], 1]
  }
  private operation(least: number, depth: number): Expression {
    let left = this.unary(depth + 1)
    for (let found = this.operator(); found !== null && found[0] > least; found = this.operator()) {
      const [power, operator, width] = found
      this.position += width
      left = this.made(
        { type: 'binary', operator, left, right: this.operation(power, depth + 1) },
        depth,
      )
    }
    return left
  }
  private unary(depth: number): Expression {
    if (depth > expressionLimits.depth) throw new ExpressionError('tooComplex', this.token.at)
    if (this.is('!') || this.is('not')) {
      this.next()
      return this.made({ type: 'unary', operator: 'not', operand: this.unary(depth + 1) }, depth)
    }
    if (this.is('-') || this.is('+')) {
      const operator = this.next().text === '-' ? '-' : '+'
      return this.made({ type: 'unary', operator, operand: this.unary(depth + 1) }, depth)
    }
    return this.members(depth)
  }
  private members(depth: number): Expression {
    let object = this.primary(depth)
    for (;;) {
      if (this.is('.')) {
        this.next()
        if (this.token.kind !== 'name') this.fail()
        object = this.made(
          { type: 'member', object, property: { type: 'literal', value: this.next().text } },
          depth,
        )
      } else if (this.is('[')) {
        this.next()
        const property = this.conditional(depth + 1)
        this.expect(']')
        object = this.made({ type: 'member', object, property }, depth)
      } else return object
    }
  }
  private primary(depth: number): Expression {
    const { token } = this
    if (token.kind === 'number') {
      this.next()
      return this.made({ type: 'literal', value: Number(token.text) }, depth)
    }
    if (token.kind === 'string') {
      this.next()
      return this.made({ type: 'literal', value: token.text }, depth)
    }
    if (this.is('(')) {
      this.next()
      const inner = this.conditional(depth + 1)
      this.expect(')')
      return inner
    }
    if (this.is('[')) return this.made({ type: 'list', items: this.items(depth, ']') }, depth)
    if (token.kind !== 'name' || Object.hasOwn(binary, token.text)) this.fail()
    if (this.hasCalls && this.tokens[this.position + 1]?.text === '(') return this.call(depth)
    this.next()
    const constant = Object.hasOwn(constants, token.text) ? constants[token.text] : undefined
    return this.made(
      constant === undefined
        ? { type: 'name', name: token.text }
        : { type: 'literal', value: constant },
      depth,
    )
  }
  private call(depth: number): Expression {
    const { token } = this
    if (!isFunction(token.text)) throw new ExpressionError('unknownName', token.at, token.text)
    this.next()
    const given = this.items(depth, ')')
    const [least, most] = functions[token.text]
    if (given.length < least || given.length > most)
      throw new ExpressionError('arguments', token.at, token.text)
    return this.made({ type: 'call', name: token.text, arguments: given }, depth)
  }
  /** Parses the items between the next bracket and `end`, separated by commas. */
  private items(depth: number, end: ')' | ']'): Expression[] {
    this.next()
    const items: Expression[] = []
    while (!this.is(end)) {
      items.push(this.conditional(depth + 1))
      if (!this.is(end)) this.expect(',')
    }
    this.next()
    return items
  }
}

function isFunction(name: string): name is FunctionName {
  return Object.hasOwn(functions, name)
}

/** @throws ExpressionError with the position of the error */
export function parseExpression(source: string): Expression {
  return new Parser(tokenize(source), false).whole()
}

/**
 * Parses the formula of a derived field: an expression with calls of `functions`.
 * @throws ExpressionError with the position of the error
 */
export function parseFormula(source: string): Expression {
  return new Parser(tokenize(source), true).whole()
}
