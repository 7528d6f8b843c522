import type { Where } from '@jiaowu/api/entity/list/list-query'
import { expect, it } from 'vitest'
import { draftOfWhere, leafCount, whereOfDraft, withGroup, withTerm } from './where-draft.ts'

const a = { column: 'a', op: 'equal', value: '1' } as const
const b = { column: 'b', op: 'isEmpty' } as const
const c = { column: 'c', op: 'during', value: 'term' } as const

it.each<[string, Where | null]>([
  ['nothing', null],
  ['one condition', { and: [a] }],
  ['any of two', { or: [a, b] }],
  ['a group among conditions', { and: [a, { or: [b, c] }] }],
  ['groups', { or: [{ and: [a, b] }, { and: [c] }] }],
  ['a third level', { and: [a, { or: [b, { and: [c, a] }, { and: [b, a] }] }] }],
  ['groups of groups', { or: [{ and: [{ or: [a, b] }, { or: [b, c] }] }, { and: [c] }] }],
])('edits %s and gives the same back', (_what, where) => {
  const twice = whereOfDraft(draftOfWhere(whereOfDraft(draftOfWhere(where))))
  expect(twice).toEqual(whereOfDraft(draftOfWhere(where)))
  expect(whereOfDraft(draftOfWhere(where))).toEqual(where)
})

it('leaves out what is not complete, and empty groups', () => {
  const range = (value: unknown) => ({ column: 'a', op: 'between', value }) as const
  const draft = {
    joint: 'and',
    groups: [
      {
        joint: 'or',
        leaves: [{ ...a, value: '' }, range([null, '']), range([null, '5'])],
        groups: [],
      },
      {
        joint: 'and',
        leaves: [{ ...a, value: undefined }],
        groups: [{ joint: 'or', leaves: [{ ...a, value: '' }], groups: [] }],
      },
    ],
  } as const
  expect(whereOfDraft(draft)).toEqual({ or: [range([null, '5'])] })
  expect(leafCount(draft.groups)).toBe(5)
  const none = withGroup(draft, [1, 0], (group) => ({ ...group, leaves: [] }))
  expect(none.groups[1]?.groups).toEqual([])
  expect(withGroup(none, [1], (group) => ({ ...group, leaves: [] })).groups).toHaveLength(1)
  const deep = withGroup(draft, [1, 0], (group) => ({ ...group, leaves: [b] }))
  expect(whereOfDraft(deep)).toEqual({ and: [{ or: [range([null, '5'])] }, { or: [b] }] })
})

it('puts the chosen term in the place of the current one', () => {
  const where: Where = { or: [a, { and: [c] }] }
  expect(withTerm(where, '2024-2025-1')).toEqual({
    or: [a, { and: [{ ...c, value: 'term:2024-2025-1' }] }],
  })
  expect(withTerm(where, null)).toBe(where)
})
