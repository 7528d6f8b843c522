import { describe, expect, it } from 'vitest'
import { rules, findRules } from './index.ts'
import { weightedLength } from './length.ts'

const good = {
  Email: ['a@b.cn', 'zhang.san+1@mail.edu.cn'],
  Number: ['0', '-1.5', '+3', '.5', '007'],
  PositiveNumber: ['1', '0.01', '+3.20'],
  Http: ['http://a.cn', 'https://jw.edu.cn:8080/a?b=1#c'],
  mobile: ['13800000001', '8613800000001', '008613800000001', '10000000000'],
  Idcard: ['11010519491231002X', '440308200012315678', '11010519491231002x'],
  Digits: ['1', '90', '12345678901234567890'],
} as const satisfies Record<keyof typeof rules, readonly string[]>
const bad = {
  Email: ['a', 'a@b', '@b.cn', 'a b@c.cn', 'a@b..cn', `${'a'.repeat(250)}@b.cn`],
  Number: ['', 'a', '1e5', '--1', '1.2.3', '.', '１'],
  PositiveNumber: ['0', '0.00', '-1', 'x'],
  Http: ['ftp://a.cn', 'javascript:alert(1)', 'a.cn', 'http://', 'http:a', 'http://a b.cn'],
  mobile: ['1380000000', '23800000001', '+8613800000001', '138000000011', '1380000000a'],
  Idcard: [
    '110105184912310021',
    '11010519491331002X',
    '1101051949123100',
    '01010519491231002X',
    '11010519491231002Y',
  ],
  Digits: ['0', '01', '-1', '1.0', ' 1'],
} as const satisfies Record<keyof typeof rules, readonly string[]>

describe.each(Object.keys(rules) as (keyof typeof rules)[])('%s', (name) => {
  it.each(good[name])('accepts %s', (text) => expect(rules[name].passes(text)).toBe(true))
  it.each(bad[name])('refuses %s', (text) => expect(rules[name].passes(text)).toBe(false))
  it.each(['1', 'a', 'a@', '0', 'http://a.', '-', 'a.'])(
    'answers a long hostile run of "%s" within a blink',
    (part) => {
      const started = performance.now()
      rules[name].passes(`${part.repeat(50_000)}!`)
      // A pattern with catastrophic backtracking would not finish.
      expect(performance.now() - started).toBeLessThan(1000)
    },
  )
})

it('reads a comma-separated list of types and skips unknown words', () => {
  expect(findRules('Email, mobile,nonsense,toString').map((rule) => rule.name)).toEqual([
    'Email',
    'mobile',
  ])
  expect(findRules(undefined)).toEqual([])
})

it('counts characters above code 128 as two', () => {
  expect(weightedLength('ab')).toBe(2)
  expect(weightedLength('教务a')).toBe(5)
  expect(weightedLength('\u0080')).toBe(1)
  expect(weightedLength('\u0081')).toBe(2)
})
