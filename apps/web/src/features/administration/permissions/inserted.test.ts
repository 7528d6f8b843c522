import { expect, it } from 'vitest'
import { withInserted } from './inserted.ts'

const insertAtMark = (marked: string, piece: string) => {
  const [before = '', chosen = '', after = ''] = marked.split('|')
  const [from, to] = [before.length, before.length + chosen.length]
  const { text, caret } = withInserted(before + chosen + after, { from, to }, piece)
  return `${text.slice(0, caret)}|${text.slice(caret)}`
}

it('puts a name in place of the selection, apart from its neighbours', () => {
  expect(insertAtMark('||', 'user.person')).toBe('user.person|')
  expect(insertAtMark('row.course.teacher ==||', 'user.person')).toBe(
    'row.course.teacher == user.person|',
  )
  expect(insertAtMark('row.x == |user.id| and row.y == 1', 'user.person')).toBe(
    'row.x == user.person| and row.y == 1',
  )
  expect(insertAtMark('not (||)', 'row.passed')).toBe('not (row.passed|)')
  expect(insertAtMark('||== 1', 'row.x')).toBe('row.x| == 1')
})
