import type { Field } from '@jiaowu/api/entity/config'
import { expect, it } from 'vitest'
import { isClosed, isEditable } from './places.ts'

const field = (attrName: string) =>
  ({ attrName, uiType: 'input', isAdd: 1, isEdit: 1, disabled: false }) as Field
const grid = { mayEdit: true, mayAdd: true, open: { '1': ['name'], '2': [] } }

it('closes cells of rows in a flow but those that the state names', () => {
  expect(isEditable(grid, field('name'), false, '1')).toBe(true)
  expect(isEditable(grid, field('score'), false, '1')).toBe(false)
  expect(isEditable(grid, field('name'), false, '2')).toBe(false)
  expect(isClosed(grid, field('score'), '1')).toBe(true)
})

it('leaves open the cells of rows that no flow has, of new rows, and columns as such', () => {
  expect(isEditable(grid, field('score'), false, '3')).toBe(true)
  expect(isEditable(grid, field('score'), true)).toBe(true)
  expect(isEditable(grid, field('score'), false)).toBe(true)
})
