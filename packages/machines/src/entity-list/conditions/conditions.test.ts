import { describe, expect, test } from 'vitest'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import { fieldDefinitionSchema } from '@jiaowu/api/entity/definition/definition'
import * as v from 'valibot'
import {
  knownPart,
  queryOfAddress,
  queryValue,
  readCondition,
  readSorts,
  splitCondition,
  withView,
} from './conditions.ts'

const parseConditionField = (queryType: string, uiType = 'input') =>
  v.parse(fieldDefinitionSchema, { id: 'f', attrName: 'f', uiLabel: 'f', queryType, uiType })
const readQueryValue = (text: string, of: ReturnType<typeof parseConditionField> | null) =>
  queryValue(readCondition(text, of))

describe('conditions as users type them', () => {
  test('splits a condition at its first equals sign', () => {
    expect(splitCondition('name=a=b')).toEqual({ name: 'name', text: 'a=b' })
    expect(splitCondition('name=')).toEqual({ name: 'name', text: '' })
    expect([splitCondition('=x'), splitCondition('name')]).toEqual([null, null])
  })
  test('reads a text by the operator of its field', () => {
    const between = parseConditionField('between')
    expect(readQueryValue('1..2', between)).toEqual(['1', '2'])
    expect(readQueryValue('..2', between)).toEqual([null, '2'])
    expect(readQueryValue('2', between)).toEqual(['2', '2'])
    expect(readQueryValue('a,b', parseConditionField('in'))).toEqual(['a', 'b'])
    expect(readQueryValue('a,b', parseConditionField('like'))).toBe('a,b')
    expect(readQueryValue('1..2', parseConditionField('like'))).toBe('1..2')
    expect(readQueryValue('1,2', parseConditionField('equal', 'select'))).toEqual(['1', '2'])
  })
  test('reads a range without a field, while the definition is unknown', () => {
    expect(readQueryValue('1..', null)).toEqual(['1', null])
    expect(readQueryValue('1,2', null)).toBe('1,2')
  })
  test('replaces the names of choices by their ids', () => {
    const reading = readCondition('甲,乙', parseConditionField('in', 'select'))
    expect(queryValue(reading, (word) => (word === '甲' ? '1' : '2'))).toEqual(['1', '2'])
  })
  test('reads sorts; an unknown direction is left to the caller', () => {
    expect(readSorts('a:desc,b,c:false,d:up,,')).toMatchObject([
      { column: 'a', asc: false },
      { column: 'b', asc: true },
      { column: 'c', asc: false },
      { column: 'd', asc: null, typed: 'd:up' },
    ])
  })
  test('reads an address', () => {
    expect(queryOfAddress('?name=x&_title=t&birth=1..2&sorts=no:false,name,:true')).toEqual({
      queries: { name: 'x', birth: ['1', '2'] },
      sorts: [
        { column: 'no', asc: false },
        { column: 'name', asc: true },
      ],
    })
  })
  test('puts typed conditions over a saved view', () => {
    const view = { queries: { a: '1', b: '2' }, sorts: [{ column: 'a', asc: true }] }
    expect(withView(view, { queries: { b: '3' }, sorts: [] })).toEqual({
      queries: { a: '1', b: '3' },
      sorts: view.sorts,
    })
    const sorts = [{ column: 'b', asc: false }]
    expect(withView(view, { queries: {}, sorts }).sorts).toEqual(sorts)
    expect(withView(null, { queries: {}, sorts: [] })).toEqual({ queries: {}, sorts: [] })
  })
  test('drops what the entity no longer has', () => {
    const config = { fields: [parseConditionField('like')] } as unknown as EntityConfig
    const sorts = ['f', 'gone'].map((column) => ({ column, asc: true }))
    expect(knownPart(config, { queries: { f: '1', gone: '2' }, sorts })).toEqual({
      queries: { f: '1' },
      sorts: sorts.slice(0, 1),
    })
  })
})
