import type { FieldDraft } from '@jiaowu/api/entity/definition/definition'
import type { Values } from '@jiaowu/api/entity/values'
import { describe, expect, it } from 'vitest'
import { ExpressionError } from '../expression/ast.ts'
import { parseExpression, parseFormula } from '../expression/parse.ts'
import { roundTo } from '../expression/round.ts'
import { derivedValues, type FormulaField } from './derive.ts'
import { type FormulaType, typeOfFormula } from './types.ts'

function buildFormulaField(
  attrName: string,
  formula?: string,
  uiType: FieldDraft['uiType'] = 'inputNumber',
  precision?: number,
): FormulaField {
  return {
    attrName,
    uiType: uiType ?? 'input',
    derived: formula ?? null,
    options: precision === undefined ? {} : { precision },
  }
}
const course = (credit: number | null) => [{ id: '1', name: '数学', values: { credit } }]
function computeFormula(
  formula: string,
  values: Values,
  uiType: FieldDraft['uiType'] = 'inputNumber',
) {
  return derivedValues([buildFormulaField('x', formula, uiType)], values)['x']
}

describe('formulas', () => {
  it.each<[string, Values, unknown]>([
    ['row.a + row.b * 2', { a: 1, b: 2 }, 5],
    ['row.a + row.b', { a: 0.1, b: 0.2 }, 0.3],
    ['round(row.a * 3, 1)', { a: 1.15 }, 3.5],
    ['round(row.a)', { a: -2.5 }, -3],
    ['round(-row.a, 1)', { a: 0.04 }, 0],
    ['len(row.a) + len(row.b)', { a: '张三𠮷', b: null }, 3],
    ["len(concat(row.a, '-', row.b))", { a: 12, b: '' }, 3],
    ['coalesce(row.a, row.b, 7)', { a: null, b: '' }, 7],
    ['coalesce(row.a, row.b)', { a: 0, b: 5 }, 0],
    ['daysBetween(row.a, row.b)', { a: '2024-02-28', b: '2024-03-01 08:00:00' }, 2],
    ['daysBetween(row.a, row.b)', { a: '2024-02-28', b: null }, null],
    ['max(row.a, 3) - min(row.a, 3)', { a: 5 }, 2],
    ['abs(row.a)', { a: '-7' }, 7],
    ['row.a >= 60 ? 1 : 0', { a: 60 }, 1],
    ['row.a >= 60 ? 1 : 0', { a: null }, 0],
    ['row.a == null ? null : row.a * 2', { a: null }, null],
    ['row.a * 2', { a: null }, null],
    ['row.a / row.b', { a: 1, b: 0 }, null],
    ['row.a * 1000000000000000', { a: 5 }, null],
    ['row.a * row.course.credit', { a: 2, course: course(1.5) }, 3],
    ['row.a * row.course.credit', { a: 2, course: course(null) }, null],
    ['row.a * row.course.credit', { a: 2, course: [] }, null],
    ['row.a * row.course.credit', { a: 2, course: [{ id: '1', name: '' }] }, undefined],
    ['row.a * row.b', { a: 2 }, undefined],
  ])('%s of %j gives %j', (formula, values, expected) =>
    expect(computeFormula(formula, values)).toBe(expected),
  )
  it.each<[string, FieldDraft['uiType'], Values, unknown]>([
    ['row.a >= 60', 'switch', { a: 59 }, '0'],
    ["row.a >= 60 ? '1' : '0'", 'switch', { a: 60 }, '1'],
    ["row.name + ' ' + row.a", 'input', { name: '张三', a: 7 }, '张三 7'],
    ['row.a / 3', 'input', { a: 1 }, '0.3333333333'],
    ['row.a * 100', 'input', { a: 1 }, '100'],
    ["row.state == '1'", 'switch', { state: [{ id: '1', name: '在读' }] }, '1'],
  ])('%s fills a %s from %j with %j', (formula, uiType, values, expected) =>
    expect(computeFormula(formula, values, uiType)).toBe(expected),
  )
  it('follow each other in any order, and stop at what cannot be computed', () => {
    const fields = [
      buildFormulaField('c', 'row.b + 1'),
      buildFormulaField('b', 'row.a * 2', 'inputNumber', 0),
      buildFormulaField('a'),
    ]
    expect(derivedValues(fields, { a: 1.3, b: 9, c: 9 })).toEqual({ b: 3, c: 4 })
    expect(derivedValues(fields, { b: 9, c: 9 })).toEqual({})
  })
  it('take a refused operand for an empty one', () => {
    const sum = [buildFormulaField('a'), buildFormulaField('b', 'row.a * 2')]
    expect(derivedValues(sum, { a: 3 })).toEqual({ b: 6 })
    expect(derivedValues(sum, { a: 3 }, ['c'])).toEqual({ b: 6 })
    expect(derivedValues(sum, { a: 3 }, ['a'])).toEqual({ b: null })
  })
  it('leave fields of a cycle, and formulas that do not parse, as they are', () => {
    const fields = [
      buildFormulaField('a', 'row.b'),
      buildFormulaField('b', 'row.a'),
      buildFormulaField('c', 'row.a +'),
      buildFormulaField('d', '2'),
    ]
    expect(derivedValues(fields, { a: 1, b: 2, c: 3, d: 4 })).toEqual({ d: 2 })
  })
  it.each([
    ['fetch(1)', 'unknownName', 0],
    ['round()', 'arguments', 0],
    ['if(row.a, 1, 2)', 'unknownName', 0],
    ['floor(1.5)', 'unknownName', 0],
    ['daysBetween(row.a)', 'arguments', 0],
    ['row.a(1)', 'unexpected', 5],
    ['round(1', 'unfinished', 7],
  ])('%s is refused: %s at %i', (formula, reason, at) =>
    expect(() => parseFormula(formula)).toThrow(
      expect.objectContaining({ reason, at }) as ExpressionError,
    ),
  )
  it('take functions that conditions do not', () => {
    expect(parseFormula('round(1.5)')).toMatchObject({ type: 'call', name: 'round' })
    expect(() => parseExpression('round(1.5)')).toThrow(ExpressionError)
  })
})

it('rounds half away from zero, as numeric columns do', () => {
  const samples: readonly (readonly [number, number, number])[] = [
    [2.675, 2, 2.68],
    [1.005, 2, 1.01],
    [-0.05, 1, -0.1],
    [1e-7, 2, 0],
    [1.5e-7, 7, 2e-7],
    [123_456_789.125, 2, 123_456_789.13],
    [5, 20, 5],
  ]
  expect(samples.map(([value, digits]) => roundTo(value, digits))).toEqual(
    samples.map(([, , rounded]) => rounded),
  )
})

describe('types of formulas', () => {
  const types: Readonly<Record<string, FormulaType>> = { n: 'number', t: 'text', l: 'list' }
  const typed = (formula: string) =>
    typeOfFormula(parseFormula(formula), {
      ofField: (name) => types[name] ?? 'unknown',
      ofRelation: (_name, property) => types[property] ?? 'unknown',
    })
  it.each<[string, FormulaType]>([
    ['row.n * 2 + 1', 'number'],
    ['row.t + row.n', 'text'],
    ['row.n >= 60 and not (row.t == null)', 'boolean'],
    ['row.n > 1 ? row.n : null', 'number'],
    ["row.n > 1 ? null : 'a'", 'text'],
    ['concat(row.t, row.n)', 'text'],
    ['len(row.t)', 'number'],
    ['coalesce(null, row.n)', 'number'],
    ["daysBetween(row.t, '2024-01-01')", 'number'],
    ['row.course.n - row.t.length', 'number'],
    ['row.course', 'unknown'],
    ['row.n in [1, 2] ? row.course.x : 1', 'unknown'],
    ['null', 'empty'],
  ])('%s is of type %s', (formula, type) => expect(typed(formula)).toEqual({ type, fault: null }))
  it.each<[string, string, FormulaType]>([
    ['row.t * 2', '*', 'text'],
    ['-row.t', '-', 'text'],
    ['row.n and true', 'and', 'number'],
    ['not row.n', 'not', 'number'],
    ['row.n ? 1 : 2', '? :', 'number'],
    ['coalesce(row.n, row.t)', 'coalesce', 'text'],
    ['concat(row.l)', 'concat', 'list'],
    ['daysBetween(row.n, row.t)', 'daysBetween', 'number'],
    ["row.n > 1 ? 1 : 'a'", '? :', 'text'],
    ['row.n < row.t', '<', 'text'],
    ['row.l > 1', '>', 'list'],
    ['row.l + 1', '+', 'list'],
    ['max(row.n, row.t)', 'max', 'text'],
  ])('%s fails at %s: %s', (formula, name, type) =>
    expect(typed(formula).fault).toEqual({ name, type }),
  )
})
