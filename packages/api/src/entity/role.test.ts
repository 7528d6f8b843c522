import { describe, expect, it } from 'vitest'
import { allPermission } from '../limits.ts'
import { isSameRule, mayGrant, permissionChange, type RoleEntityRule, withCode } from './role.ts'

function rule(tag: string, more: Partial<RoleEntityRule> = {}): RoleEntityRule {
  return {
    tag,
    scope: 'all',
    expression: null,
    overrides: {},
    ...more,
  }
}

describe('withCode', () => {
  it('gives view with the first action', () =>
    expect(withCode([], 'entity:A:update', true).toSorted()).toEqual([
      'entity:A:update',
      'entity:A:view',
    ]))
  it('takes every action with view, of this entity alone', () =>
    expect(
      withCode(
        ['entity:A:view', 'entity:A:add', 'entity:AB:add', 'entity:AB:view', 'pay:refund'],
        'entity:A:view',
        false,
      ),
    ).toEqual(['entity:AB:add', 'entity:AB:view', 'pay:refund']))
  it('takes one function alone', () =>
    expect(withCode(['entity:design', 'entity:sql'], 'entity:design', false)).toEqual([
      'entity:sql',
    ]))
  it('answers the same list when nothing changes', () => {
    const codes = ['entity:A:view', 'entity:A:add']
    expect(withCode(codes, 'entity:A:add', true)).toBe(codes)
  })
})

describe('permissionChange', () => {
  it('names what comes, what goes and whose rule is another', () => {
    const before = {
      codes: ['b', 'a'],
      rules: [
        rule('S', { scope: 'org' }),
        rule('T', { overrides: { x: { isList: 0, isAdd: 2 } } }),
      ],
    }
    const after = {
      codes: ['c', 'a'],
      rules: [rule('T', { overrides: { x: { isAdd: 2, isList: 0 } } })],
    }
    expect(permissionChange(before, after)).toEqual({ added: ['c'], removed: ['b'], rules: ['S'] })
  })
  it('takes a rule that narrows nothing for no rule', () =>
    expect(permissionChange({ codes: [], rules: [rule('S')] }, { codes: [], rules: [] })).toEqual({
      added: [],
      removed: [],
      rules: [],
    }))
})

it('compares expressions only where they count', () => {
  expect(
    isSameRule(rule('S', { scope: 'own', expression: 'x' }), rule('S', { scope: 'own' })),
  ).toBe(true)
  expect(
    isSameRule(
      rule('S', { scope: 'expression', expression: 'a' }),
      rule('S', { scope: 'expression', expression: 'b' }),
    ),
  ).toBe(false)
})
it('lets nobody grant what they do not hold', () =>
  expect([mayGrant(['a'], 'a'), mayGrant(['a'], 'b'), mayGrant([allPermission], 'b')]).toEqual([
    true,
    false,
    true,
  ]))
