import type { Field } from '@jiaowu/api/entity/config'
import { expect, it } from 'vitest'
import { cellLeaf } from './cell-leaf.ts'

function buildLeafField(uiType: string, more: Partial<Field> = {}): Field {
  return { attrName: 'a', uiType, isQuery: 1, ...more } as Field
}

it('keeps or leaves out the value of a cell', () => {
  expect(cellLeaf(buildLeafField('input'), 'x', 'only')).toEqual({
    column: 'a',
    op: 'equal',
    value: 'x',
  })
  expect(cellLeaf(buildLeafField('inputNumber'), 5, 'except')).toEqual({
    column: 'a',
    op: 'notEqual',
    value: 5,
  })
  const item = [{ id: '7', name: 'n' }]
  expect(cellLeaf(buildLeafField('select'), item, 'only')).toEqual({
    column: 'a',
    op: 'in',
    value: item,
  })
  expect(cellLeaf(buildLeafField('select'), item, 'except')?.op).toBe('notEqual')
  expect(cellLeaf(buildLeafField('select'), [], 'only')).toEqual({ column: 'a', op: 'isEmpty' })
  expect(cellLeaf(buildLeafField('input'), '', 'except')).toEqual({ column: 'a', op: 'notEmpty' })
})
it('does neither for what lists cannot filter, nor for personal data', () => {
  expect(cellLeaf(buildLeafField('input', { isQuery: 0 }), 'x', 'only')).toBeNull()
  expect(cellLeaf(buildLeafField('input', { pii: 'idCard' }), 'x***', 'only')).toBeNull()
})
