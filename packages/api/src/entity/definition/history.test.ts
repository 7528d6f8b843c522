import { expect, it } from 'vitest'
import { differencesBetween, type HistoryEntry, stateAt } from './history.ts'

function entry(id: string, changes: HistoryEntry['changes']): HistoryEntry {
  return {
    id,
    action: 'update',
    at: '',
    user: null,
    changes,
  }
}
const entries = [
  entry('3', [
    { attrName: 'name', from: 'b', to: 'c' },
    { attrName: 'gone', from: '1', to: '2' },
  ]),
  entry('2', [
    { attrName: 'name', from: 'a', to: 'b' },
    { attrName: 'kind', from: [{ id: '1', name: 'one' }], to: [{ id: '2', name: 'two' }] },
  ]),
  entry('1', [{ attrName: 'name', from: null, to: 'a' }]),
]
const history = { row: { id: '9', name: 'c', kind: [{ id: '2', name: 'two' }] }, entries }

it('undoes later changes, and ignores fields the row does not have', () => {
  expect(stateAt(history, '3')).toEqual(history.row)
  expect(stateAt(history, '2')).toEqual({ ...history.row, name: 'b' })
  expect(stateAt(history, '1')).toEqual({ id: '9', name: 'a', kind: [{ id: '1', name: 'one' }] })
})
it('compares choices by id, and equates empty values', () => {
  expect(
    differencesBetween(stateAt(history, '1'), stateAt(history, '3'), ['kind', 'name', 'other']),
  ).toEqual([
    { attrName: 'kind', from: [{ id: '1', name: 'one' }], to: [{ id: '2', name: 'two' }] },
    { attrName: 'name', from: 'a', to: 'c' },
  ])
  expect(
    differencesBetween(
      { a: null, k: [{ id: '1', name: 'x' }] },
      { a: undefined, k: [{ id: '1', name: 'y' }] },
      ['a', 'k'],
    ),
  ).toEqual([])
})
