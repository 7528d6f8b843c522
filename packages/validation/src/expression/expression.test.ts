import { describe, expect, it } from 'vitest'
import {
  compileExpression,
  ExpressionError,
  type ExpressionScope,
  parseExpression,
  visible,
} from './index.ts'

const scope: ExpressionScope = {
  row: {
    status: [{ id: '1', name: '在读' }],
    tags: [
      { id: 'a', name: '' },
      { id: 'b', name: '' },
    ],
    score: 59.5,
    name: '张三',
    none: null,
    empty: [],
  },
  user: { account: 'clerk', roles: ['ROLE_CLERK'] },
  mode: 'view',
}
const test = (source: string) => compileExpression(source).test(scope)

describe('expressions', () => {
  it.each([
    "row.status == '1'",
    'row.status == 1',
    "row.status[0].id == '1'",
    "row['status'][0].name === '在读'",
    'row.score < 60',
    'row.score >= 59.5 && row.score <= 60',
    "not (mode == 'edit')",
    "!(mode == 'edit')",
    "mode in ['view', 'edit']",
    "mode not in ['edit']",
    "'ROLE_CLERK' in user.roles",
    "'a' in row.tags",
    'row.none == null',
    'row.missing == undefined',
    'row.empty == null',
    'row.score > 60 ? false : true',
    '1 + 2 * 3 == 7',
    '(1 + 2) * 3 == 9',
    '-1 < 0',
    "'a' + 1 == 'a1'",
    '10 / 4 == 2.5',
    'row.tags.length == 2',
    'true or row.none.x',
    'false || true and true',
    '2 - 1 - 1 == 0',
  ])('%s holds', (source) => expect(test(source)).toBe(true))
  it.each([
    "row.status != '1'",
    'false',
    'null',
    'row.none',
    'row.empty',
    "''",
    'row.none < 1',
    'row.none >= 0',
    "row.name in ['李四']",
    '!row.name',
    'mode === 1',
  ])('%s does not', (source) => expect(test(source)).toBe(false))

  it.each([
    '',
    'row.',
    'row..a',
    'alert(1)',
    'row.name()',
    'row = 1',
    'row.a = 1',
    '`x`',
    'new Date',
    'a; b',
    'row[',
    "'open",
    '1 2',
    'row ? 1',
    '[1,,2]',
    '{}',
    'x => x',
    'row.a++',
    '1.2.3',
    '@',
    'in',
    '==',
  ])('%j does not parse', (source) =>
    expect(() => parseExpression(source)).toThrow(ExpressionError),
  )

  it('reports the position of an error', () => {
    expect(() => parseExpression('row.a == @')).toThrow(
      expect.objectContaining({ reason: 'character', at: 9, token: '@' }) as Error,
    )
    expect(() => parseExpression('row.a ==')).toThrow(
      expect.objectContaining({ reason: 'unfinished', at: 8 }) as Error,
    )
  })
  it.each([
    'row.constructor',
    'row.__proto__',
    'row.toString',
    "row['constructor']",
    'row.name.constructor',
    'user.hasOwnProperty',
    'mode.__proto__',
  ])('%s reaches nothing', (source) => {
    expect(test(`${source} == null`)).toBe(true)
  })
  it.each([
    'process.exit',
    'globalThis',
    'window.location',
    'this',
    'row.none.x',
    'row.missing.x',
    'row.name * 2',
    '1 in 2',
  ])('%s throws and hides', (source) => {
    const errors: unknown[] = []
    expect(visible(source, scope, (error) => errors.push(error))).toBe(false)
    expect(errors).toHaveLength(1)
    expect(errors[0]).toBeInstanceOf(ExpressionError)
  })
  it('shows elements without an expression', () => {
    const errors: unknown[] = []
    expect(
      [null, undefined, '  '].map((source) =>
        visible(source, scope, (error) => errors.push(error)),
      ),
    ).toEqual([true, true, true])
    expect(errors).toEqual([])
  })
  it('enforces its limits: characters, nodes, depth', () => {
    expect(() => parseExpression(`'${'a'.repeat(2000)}'`)).toThrow(
      expect.objectContaining({ reason: 'tooLong' }) as Error,
    )
    expect(() => parseExpression(Array.from({ length: 150 }, () => '1').join('+'))).toThrow(
      expect.objectContaining({ reason: 'tooComplex' }) as Error,
    )
    expect(() => parseExpression(`${'('.repeat(200)}1${')'.repeat(200)}`)).toThrow(
      expect.objectContaining({ reason: 'tooComplex' }) as Error,
    )
    expect(() => parseExpression(`${'!'.repeat(500)}1`)).toThrow(
      expect.objectContaining({ reason: 'tooComplex' }) as Error,
    )
  })
  it('throws nothing but ExpressionError on any input', () => {
    const parts = [
      'row',
      '.',
      'a',
      '[',
      ']',
      '(',
      ')',
      "'",
      '"',
      '1',
      '.5',
      ' in ',
      'not ',
      '!',
      '==',
      '?',
      ':',
      '&&',
      ',',
      '\\',
      '\u0000',
      '中',
      '+',
      '-',
      '<',
    ]
    let seed = 7
    const next = () => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return seed
    }
    for (let round = 0; round < 20_000; round += 1) {
      const source = Array.from(
        { length: 1 + (next() % 12) },
        () => parts[next() % parts.length] ?? '',
      ).join('')
      try {
        compileExpression(source).test(scope)
      } catch (error) {
        expect(error).toBeInstanceOf(ExpressionError)
      }
    }
  })
})
