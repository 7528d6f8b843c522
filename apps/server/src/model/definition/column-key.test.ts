import { expect, it } from 'vitest'
import { columnKey, fieldKey, tableKey } from './column-key.ts'

const entity = {
  table: {
    schema: 'biz',
    name: 'student',
    columns: new Map(),
    uniques: new Map(),
    keys: new Set<string>(),
  },
}
const field = (attrName: string, column: string | null) =>
  ({ definition: { attrName }, column: column === null ? null : { name: column } }) as Parameters<
    typeof fieldKey
  >[0]

it('names a field by its column, whatever its attrName', () => {
  expect(tableKey(entity)).toBe('biz.student')
  expect(columnKey(entity, field('idCard', 'id_card'))).toBe('biz.student.id_card')
  expect(columnKey(entity, field('harmless', 'id_card'))).toBe('biz.student.id_card')
})

it('names a custom field by its attrName', () => {
  expect(fieldKey(field('hobby', null))).toBe('custom:hobby')
  expect(columnKey(entity, field('hobby', null))).toBe('biz.student.custom:hobby')
})
