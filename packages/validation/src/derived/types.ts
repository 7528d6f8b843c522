// Types of formulas, so that a definition whose formula can never give a value is not saved.
import type { FieldKind } from '@jiaowu/api/fields/families'
import type { BinaryOperator, Expression, FunctionName } from '../expression/ast.ts'

/** `unknown` fits everywhere; `empty` is null. Choices are compared by their id, a text. */
export type FormulaType = 'number' | 'text' | 'boolean' | 'list' | 'empty' | 'unknown'

/** The types of what a formula reads. */
export interface FormulaTypes {
  readonly ofField: (attrName: string) => FormulaType
  readonly ofRelation: (attrName: string, property: string) => FormulaType
}

/** An operand that does not fit: the operator or function, and the type found. */
export interface TypeFault {
  readonly name: string
  readonly type: FormulaType
}

/** The type of a formula and its first fault. */
export function typeOfFormula(
  node: Expression,
  types: FormulaTypes,
): { readonly type: FormulaType; readonly fault: TypeFault | null } {
  const faults: TypeFault[] = []
  const type = new Checker(types, faults).of(node)
  return { type, fault: faults[0] ?? null }
}

/** The type of the values of a field of this kind. */
export function typeOfKind({ family, multiple }: FieldKind): FormulaType {
  if (multiple || family === 'media') return 'list'
  return family === 'number' ? 'number' : 'text'
}

/** Whether a formula of this type can fill a field of this kind. */
export function isFitting(type: FormulaType, { family }: FieldKind): boolean {
  if (type === 'unknown' || type === 'empty') return true
  if (family === 'number') return type === 'number'
  // A switch takes '1' and '0' as well.
  return family === 'flag'
    ? type === 'boolean' || type === 'text'
    : type !== 'list' && type !== 'boolean'
}

function typeOfLiteral(value: string | number | boolean | null): FormulaType {
  if (value === null) return 'empty'
  return typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'boolean'
}

class Checker {
  private readonly types: FormulaTypes
  private readonly faults: TypeFault[]
  constructor(types: FormulaTypes, faults: TypeFault[]) {
    this.types = types
    this.faults = faults
  }

  of(node: Expression): FormulaType {
    switch (node.type) {
      case 'literal':
        return typeOfLiteral(node.value)
      case 'list':
        for (const item of node.items) this.of(item)
        return 'list'
      case 'name':
        return 'unknown'
      case 'member':
        return this.member(node)
      case 'unary':
        if (node.operator !== 'not') return this.needs('number', node.operator, node.operand)
        return this.needs('boolean', 'not', node.operand)
      case 'binary':
        return this.binary(node.operator, node.left, node.right)
      case 'conditional':
        return this.chosen(node.test, node.yes, node.no)
      case 'call':
        return this.call(node.name, node.arguments)
    }
  }

  private call(name: FunctionName, given: readonly Expression[]): FormulaType {
    switch (name) {
      case 'round':
      case 'min':
      case 'max':
      case 'abs':
        for (const each of given) this.needs('number', name, each)
        return 'number'
      case 'daysBetween':
        for (const each of given) this.needs('text', name, each)
        return 'number'
      case 'len':
      case 'concat':
        for (const each of given) this.printed(name, each)
        return name === 'len' ? 'number' : 'text'
      case 'coalesce':
        return this.either(
          name,
          given.map((each) => this.of(each)),
        )
    }
  }

  /** Texts and numbers. */
  private printed(name: string, node: Expression): void {
    const type = this.of(node)
    if (type === 'list' || type === 'boolean') this.faults.push({ name, type })
  }

  private needs(type: 'number' | 'boolean' | 'text', name: string, node: Expression): FormulaType {
    const found = this.of(node)
    if (found !== type && found !== 'unknown' && found !== 'empty')
      this.faults.push({ name, type: found })
    return type
  }

  private member({ object, property }: Extract<Expression, { type: 'member' }>): FormulaType {
    const name = property.type === 'literal' ? String(property.value) : null
    if (object.type === 'name') return name === null ? 'unknown' : this.types.ofField(name)
    if (name === 'length') return 'number'
    return object.type === 'member' &&
      object.object.type === 'name' &&
      object.property.type === 'literal' &&
      name !== null
      ? this.types.ofRelation(String(object.property.value), name)
      : 'unknown'
  }

  private binary(operator: BinaryOperator, left: Expression, right: Expression): FormulaType {
    if (operator === 'and' || operator === 'or') {
      this.needs('boolean', operator, left)
      return this.needs('boolean', operator, right)
    }
    if (operator === '-' || operator === '*' || operator === '/') {
      this.needs('number', operator, left)
      return this.needs('number', operator, right)
    }
    const [a, b] = [this.of(left), this.of(right)]
    if (operator === '+') return this.sum(a, b)
    if (operator.startsWith('<') || operator.startsWith('>')) this.comparable(operator, a, b)
    return 'boolean'
  }

  private sum(a: FormulaType, b: FormulaType): FormulaType {
    for (const type of [a, b])
      if (type === 'list' || type === 'boolean') this.faults.push({ name: '+', type })
    return a === 'text' || b === 'text'
      ? 'text'
      : a === 'unknown' || b === 'unknown'
        ? 'unknown'
        : 'number'
  }

  private comparable(name: string, a: FormulaType, b: FormulaType): void {
    for (const type of [a, b])
      if (type === 'list' || type === 'boolean') this.faults.push({ name, type })
    const plain = [a, b].filter((type) => type === 'number' || type === 'text')
    if (plain.length === 2 && a !== b) this.faults.push({ name, type: 'text' })
  }

  private chosen(test: Expression, yes: Expression, no: Expression): FormulaType {
    this.needs('boolean', '? :', test)
    return this.either('? :', [this.of(yes), this.of(no)])
  }

  /** The type that these have in common; empty ones fit everywhere. */
  private either(name: string, types: readonly FormulaType[]): FormulaType {
    const filled = types.filter((type) => type !== 'empty')
    if (filled.includes('unknown')) return 'unknown'
    const [first = 'empty'] = filled
    const other = filled.find((type) => type !== first)
    if (other !== undefined) this.faults.push({ name, type: other })
    return first
  }
}
