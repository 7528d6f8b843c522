import { entityDefinitionSchema } from '@jiaowu/api/entity/definition/definition'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { compareDefinitions } from './describe.ts'

it('lists the differences of two definitions, key by key', () => {
  const left = loanDefinition('借阅', [
    { id: '1', attrName: 'no', uiLabel: '号', uiSort: 1 },
    { id: '2', attrName: 'title', uiLabel: '书名', uiSort: 2, options: { column: { width: 90 } } },
    { id: '3', attrName: 'old', uiLabel: '旧', uiSort: 3 },
  ])
  const right = loanDefinition('借书', [
    { id: '9', attrName: 'title', uiLabel: '书名', uiSort: 1, options: { column: { width: 120 } } },
    { id: '1', attrName: 'no', uiLabel: '号', uiSort: 2 },
    { id: '-1', attrName: 'memo', uiLabel: '备注', uiSort: 3 },
  ])
  const { own, fields, order } = compareDefinitions(left, right)
  expect(own).toEqual([{ part: 'name', left: '借阅', right: '借书' }])
  expect(fields).toEqual([
    {
      attrName: 'title',
      label: '书名',
      is: 'changed',
      changes: [{ part: 'options.column.width', left: '90', right: '120' }],
    },
    { attrName: 'old', label: '旧', is: 'removed', changes: [] },
    { attrName: 'memo', label: '备注', is: 'added', changes: [] },
  ])
  expect(order).toEqual({ part: 'order', left: '号、书名', right: '书名、号' })
  expect(compareDefinitions(left, left)).toEqual({ own: [], fields: [], order: null })
})

function loanDefinition(name: string, fields: readonly object[]) {
  return v.parse(entityDefinitionSchema, { tag: 'LOAN', name, tableName: 'loan', fields })
}
