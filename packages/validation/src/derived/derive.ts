// Values of derived fields, computed from the other values of a row by the same code in clients and
// on the server (docs/rules/contract.md#derived-fields).
import { type Field, isDerived } from '@jiaowu/api/entity/config'
import { isEmpty, findKind } from '@jiaowu/api/fields/kinds'
import type { Values, WireValue } from '@jiaowu/api/entity/values'
import * as v from 'valibot'
import { type Expression, ExpressionError } from '../expression/ast.ts'
import { evaluate } from '../expression/evaluate.ts'
import { type RelationRead, listRelationReads, listRowNames } from '../expression/names.ts'
import { parseFormula } from '../expression/parse.ts'
import { roundTo } from '../expression/round.ts'

export type FormulaField = Pick<Field, 'attrName' | 'uiType' | 'options' | 'derived'>

/** A formula ready for use. */
export interface Formula {
  readonly field: FormulaField
  readonly ast: Expression
  /** attrNames of the values it reads. */
  readonly reads: readonly string[]
  readonly relations: readonly RelationRead[]
}

/** Decimal places of a result whose field names none. */
const mostDecimals = 10
/** Beyond it a double does not hold every integer. */
const mostDigits = 1e15

const known = new WeakMap<readonly FormulaField[], readonly Formula[]>()

/**
 * The formulas of the fields, each after those it reads. One that does not parse, and those of a
 * cycle, are left out: their fields keep what is stored.
 */
export function parseFormulas(fields: readonly FormulaField[]): readonly Formula[] {
  const found = known.get(fields) ?? sortByDependency(fields.flatMap(parseFieldFormula))
  known.set(fields, found)
  return found
}

/**
 * The values of the derived fields of a row. A field is left out where `values` lacks something
 * that its formula reads: a value the reader may not see, or one of another row. An operand that is
 * empty or of another type, and a division by zero, give an empty value. So does one in `refused`,
 * the attrNames of values that break a rule: nothing follows from a mark of 120 out of 100.
 */
export function derivedValues(
  fields: readonly FormulaField[],
  values: Values,
  refused: readonly string[] = [],
): Values {
  const row: Record<string, WireValue> = { ...values }
  for (const { attrName, uiType } of fields)
    if (refused.includes(attrName)) row[attrName] = findKind(uiType).empty
  const derived: Record<string, WireValue> = {}
  for (const formula of parseFormulas(fields)) {
    const { attrName } = formula.field
    if (!isComputable(formula, row)) {
      // Nor is what reads it.
      delete row[attrName]
      continue
    }
    const value = computeFormulaValue(formula, row)
    row[attrName] = value
    derived[attrName] = value
  }
  return derived
}

function parseFieldFormula(field: FormulaField): Formula[] {
  if (!isDerived(field)) return []
  try {
    const ast = parseFormula(field.derived ?? '')
    return [
      { field, ast, reads: [...new Set(listRowNames(ast))], relations: listRelationReads(ast) },
    ]
  } catch (error) {
    if (error instanceof ExpressionError) return []
    throw error
  }
}

function sortByDependency(formulas: readonly Formula[]): Formula[] {
  const ordered: Formula[] = []
  let waiting = formulas
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ field }) => field.attrName))
    const ready = waiting.filter(({ reads }) => !reads.some((name) => names.has(name)))
    if (ready.length === 0) return ordered
    ordered.push(...ready)
    waiting = waiting.filter((each) => !ready.includes(each))
  }
  return ordered
}

function isComputable({ reads, relations }: Formula, row: Values): boolean {
  return (
    reads.every((name) => Object.hasOwn(row, name)) &&
    relations.every(({ attrName, property }) => {
      const chosen = row[attrName]
      return (
        !Array.isArray(chosen) ||
        chosen.every(({ values }) => values !== undefined && Object.hasOwn(values, property))
      )
    })
  )
}

function computeFormulaValue({ field, ast }: Formula, row: Values): WireValue {
  const kind = findKind(field.uiType)
  const raw = evaluateOrNull(ast, row)
  if (isEmpty(raw)) return kind.empty
  const read = v.safeParse(kind.value, toFieldValue(raw, field))
  return read.success ? read.output : kind.empty
}

function evaluateOrNull(ast: Expression, row: Values): unknown {
  try {
    return evaluate(ast, { row, user: {}, mode: '' })
  } catch (error) {
    if (error instanceof ExpressionError) return null
    throw error
  }
}

function toFieldValue(raw: unknown, { uiType, options }: FormulaField): unknown {
  const { family } = findKind(uiType)
  if (typeof raw !== 'number') return family === 'text' ? String(raw) : raw
  if (!(Math.abs(raw) < mostDigits)) return null
  const rounded = roundTo(raw, options.precision ?? mostDecimals)
  return family === 'text' ? rounded.toFixed(mostDecimals).replace(/\.?0+$/, '') : rounded
}
