import { expect, it } from 'vitest'
import { compareCodes, compareNames } from './compare-names.ts'

it.each([
  [
    ['第10章', '第2章', '第1章'],
    ['第1章', '第2章', '第10章'],
  ],
  [
    ['王芳', '阿明', '张伟', '李娜', '陈静'],
    ['阿明', '陈静', '李娜', '王芳', '张伟'],
  ],
  [
    ['Zoo', 'apple', 'Amref', 'AMREF'],
    ['AMREF', 'Amref', 'apple', 'Zoo'],
  ],
  [
    ['ｂ', 'c', 'A'],
    ['A', 'ｂ', 'c'],
  ],
])('orders %j as people do', (names, expected) => {
  expect(names.toSorted(compareNames)).toEqual(expected)
})

it('orders ids and paths by their code units', () => {
  expect(['b10', 'b9', 'B1', 'a', '院'].toSorted(compareCodes)).toEqual([
    'B1',
    'a',
    'b10',
    'b9',
    '院',
  ])
  expect(compareCodes('a', 'a')).toBe(0)
})
