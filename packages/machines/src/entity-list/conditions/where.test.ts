import { describe, expect, test } from 'vitest'
import { listLeaves, withLeaf, withoutLeaf } from './where.ts'

const a = { column: 'a', op: 'equal', value: '1' } as const
const b = { column: 'b', op: 'isEmpty' } as const
const c = { column: 'c', op: 'gt', value: 2 } as const

describe('conditions in groups', () => {
  test('are listed with their places', () => {
    expect(
      listLeaves({ and: [a, { or: [b, c] }] }).map(({ column, path }) => [column, path]),
    ).toEqual([
      ['a', [0]],
      ['b', [1, 0]],
      ['c', [1, 1]],
    ])
  })
  test('lose one, and the group that was only it', () => {
    expect(withoutLeaf({ and: [a, { or: [b] }] }, [1, 0])).toEqual({ and: [a] })
    expect(withoutLeaf({ or: [a, b] }, [0])).toEqual({ or: [b] })
    expect(withoutLeaf({ and: [a] }, [0])).toBeNull()
  })
  test('take one more that must hold', () => {
    expect(withLeaf(null, a)).toEqual({ and: [a] })
    expect(withLeaf({ and: [a] }, b)).toEqual({ and: [a, b] })
    expect(withLeaf({ or: [a, b] }, c)).toEqual({ and: [{ or: [a, b] }, c] })
  })
})
