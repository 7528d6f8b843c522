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
  it('adds view with the first action', () =>
    expect(withCode([], 'entity:A:update', true).toSorted()).toEqual([
      'entity:A:update',
      'entity:A:view',
    ]))
  it('removes every action of the entity with view', () =>
    expect(
      withCode(
        ['entity:A:view', 'entity:A:add', 'entity:AB:add', 'entity:AB:view', 'pay:refund'],
        'entity:A:view',
        false,
      ),
    ).toEqual(['entity:AB:add', 'entity:AB:view', 'pay:refund']))
  it('removes a function permission alone', () =>
    expect(withCode(['entity:design', 'entity:sql'], 'entity:design', false)).toEqual([
      'entity:sql',
    ]))
  it('returns the same list when nothing changes', () => {
    const codes = ['entity:A:view', 'entity:A:add']
    expect(withCode(codes, 'entity:A:add', true)).toBe(codes)
  })
})

describe('permissionChange', () => {
  it('names codes added and removed, and tags whose rule differs', () => {
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
  it('equates a rule that restricts nothing with no rule', () =>
    expect(permissionChange({ codes: [], rules: [rule('S')] }, { codes: [], rules: [] })).toEqual({
      added: [],
      removed: [],
      rules: [],
    }))
})

it('compares expressions only for the scope expression', () => {
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
it('refuses to grant what the caller does not hold', () =>
  expect([mayGrant(['a'], 'a'), mayGrant(['a'], 'b'), mayGrant([allPermission], 'b')]).toEqual([
    true,
    false,
    true,
  ]))
