import { describe, expect, test } from 'vitest'
import { sameView } from './same-view.ts'

const rows = [{ id: '1' }]
const view = { step: 'shown', rows, can: { search: true }, total: 1, config: null }

describe('sameView', () => {
  test('takes parts derived anew with the same entries for the same', () => {
    expect(sameView(view, { ...view, can: { search: true }, rows: [...rows] })).toBe(true)
  })
  test.each([
    ['a property', { ...view, total: 2 }],
    ['an entry of a part', { ...view, can: { search: false } }],
    ['a row that was read again', { ...view, rows: [{ id: '1' }] }],
    ['a part that is there now', { ...view, config: {} }],
    ['a property more', { ...view, extra: 1 }],
  ])('notices %s', (_name, other) => {
    expect(sameView(view, other)).toBe(false)
  })
})
