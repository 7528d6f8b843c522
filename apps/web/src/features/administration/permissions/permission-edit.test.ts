import { allPermission } from '@jiaowu/api/limits'
import type { GrantableField, RoleEntityRule } from '@jiaowu/api/entity/role'
import { expect, it } from 'vitest'
import { flagAt, rebaseEdits, ruleFor, withCodes, withFlag } from './permission-edit.ts'

const everything = [allPermission]
function rule(tag: string, more: Partial<RoleEntityRule> = {}): RoleEntityRule {
  return {
    tag,
    scope: 'all',
    expression: null,
    overrides: {},
    ...more,
  }
}

it('grants whole rows except codes that the user may not grant', () => {
  const row = ['entity:A:view', 'entity:A:add', 'entity:A:delete']
  expect(withCodes({ codes: [], rules: [] }, row, true, everything).codes.toSorted()).toEqual(
    row.toSorted(),
  )
  expect(
    withCodes({ codes: [], rules: [] }, row, true, [
      'entity:A:view',
      'entity:A:add',
    ]).codes.toSorted(),
  ).toEqual(['entity:A:add', 'entity:A:view'])
  expect(
    withCodes({ codes: [], rules: [] }, ['entity:A:add'], true, ['entity:A:add']).codes,
  ).toEqual([])
  expect(
    withCodes({ codes: row, rules: [] }, ['entity:A:view'], false, ['entity:A:view']).codes,
  ).toEqual(row)
})
it('narrows a field, and drops the override when it is widened again', () => {
  const field: GrantableField = {
    attrName: 'x',
    label: 'X',
    flags: { isList: 1, isQuery: 0, isDetail: 1, isExport: 1, isAdd: 1, isEdit: 2 },
  }
  const narrow = withFlag(withFlag(rule('A'), field, 'isList', 0), field, 'isAdd', 2)
  expect(narrow.overrides).toEqual({ x: { isList: 0, isAdd: 2 } })
  expect([
    flagAt(narrow, field, 'isList'),
    flagAt(narrow, field, 'isAdd'),
    flagAt(narrow, field, 'isEdit'),
  ]).toEqual([0, 2, 2])
  expect(withFlag(withFlag(narrow, field, 'isList', 1), field, 'isAdd', 1).overrides).toEqual({})
})
it('rebases changes on what another user saved', () => {
  const base = { codes: ['a', 'b'], rules: [rule('S', { scope: 'own' as const })] }
  const mine = { codes: ['a', 'c'], rules: [rule('S', { scope: 'org' as const })] }
  const theirs = { codes: ['a', 'b', 'd'], rules: [rule('T', { scope: 'own' as const })] }
  const both = rebaseEdits(base, mine, theirs)
  expect([both.codes.toSorted(), ruleFor(both, 'S').scope, ruleFor(both, 'T').scope]).toEqual([
    ['a', 'c', 'd'],
    'org',
    'own',
  ])
})
