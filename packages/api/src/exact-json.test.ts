import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { isSameNumber, jsonText, parseJson } from './exact-json.ts'

describe('parseJson', () => {
  it.each<[string, unknown]>([
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992],
    ['0.1234567890123456789', '0.1234567890123456789'],
    ['123456789012345.67', 123456789012345.67],
    ['1234567890123456.78', '1234567890123456.78'],
    ['0.30000000000000004', 0.1 + 0.2],
    ['1e400', '1e400'],
    ['-1E+400', '-1E+400'],
    ['1e-400', '1e-400'],
    ['5e-324', 5e-324],
    ['4e-324', '4e-324'],
    ['1e23', 1e23],
    ['100000000000000000000001', '100000000000000000000001'],
    ['1.50e3', 1500],
    ['0e999999999999', 0],
    ['-0', 0],
    ['-0.0', 0],
    ['0.1', 0.1],
    [`1.${'0'.repeat(500)}`, `1.${'0'.repeat(500)}`],
    ['"9007199254740993"', '9007199254740993'],
    ['true', true],
    ['null', null],
  ])('reads %s exactly', (source, expected) => {
    expect(parseJson(source)).toBe(expected)
    expect(parseJson(`{"a":[{"b":${source}}]}`)).toEqual({ a: [{ b: expected }] })
  })

  it('leaves every number that JavaScript writes a number', () => {
    for (let i = 0, n = 0.1; i < 2_000; i += 1, n = (n * 1103515245 + 12345) % 1e17)
      for (const value of [n, -n, n / 1e9, n * 1e200, Math.round(n)])
        expect(parseJson(JSON.stringify({ value }))).toEqual({ value: value + 0 })
  })

  it('gives the digits of any longer number back', () => {
    for (let n = 9007199254740993n; n < 10n ** 40n; n = n * 3n + 2n)
      expect(String(parseJson(String(n)))).toBe(
        Number.isSafeInteger(Number(n)) || isSameNumber(String(n), String(Number(n)))
          ? String(Number(n))
          : String(n),
      )
  })

  it('refuses what JSON.parse refuses', () => {
    for (const text of ['', '{', '01', '1e', 'NaN', '{9007199254740993:1}', '[1,]'])
      expect(() => parseJson(text)).toThrow(SyntaxError)
  })

  it('keeps keys with the names of built-in properties', () => {
    const read = parseJson('{"__proto__":1e400,"constructor":-0}')
    expect(Object.entries(read as object)).toEqual([
      ['__proto__', '1e400'],
      ['constructor', 0],
    ])
  })
})

describe('jsonText', () => {
  it('parses a text within a value, or refuses it', () => {
    expect(v.parse(v.pipe(v.string(), jsonText), '[9007199254740993]')).toEqual([
      '9007199254740993',
    ])
    expect(v.safeParse(v.pipe(v.string(), jsonText), '[').success).toBe(false)
  })
})
