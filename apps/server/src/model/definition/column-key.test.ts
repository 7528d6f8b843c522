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
const buildKeyedField = (attrName: string, column: string | null) =>
  ({ definition: { attrName }, column: column === null ? null : { name: column } }) as Parameters<
    typeof fieldKey
  >[0]

it('names a field by its column, whatever its attrName', () => {
  expect(tableKey(entity)).toBe('biz.student')
  expect(columnKey(entity, buildKeyedField('idCard', 'id_card'))).toBe('biz.student.id_card')
  expect(columnKey(entity, buildKeyedField('harmless', 'id_card'))).toBe('biz.student.id_card')
})

it('names a custom field by its attrName', () => {
  expect(fieldKey(buildKeyedField('hobby', null))).toBe('custom:hobby')
  expect(columnKey(entity, buildKeyedField('hobby', null))).toBe('biz.student.custom:hobby')
})
