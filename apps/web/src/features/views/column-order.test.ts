import { fieldDefinitionSchema } from '@jiaowu/api/entity/definition/definition'
import type { Field } from '@jiaowu/api/entity/config'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import {
  chosenColumns,
  moveField,
  orderedColumns,
  shownColumns,
} from '../../ui/table/column-order.ts'

function buildOrderField(attrName: string, fixed?: 'left' | 'right', isList: 0 | 1 = 1): Field {
  return {
    ...v.parse(fieldDefinitionSchema, {
      id: attrName,
      attrName,
      uiLabel: attrName,
      columnName: null,
      isList,
      options: fixed === undefined ? {} : { column: { fixed } },
    }),
    sortable: false,
  }
}
const config = {
  fields: [
    buildOrderField('a'),
    buildOrderField('l', 'left'),
    buildOrderField('b'),
    buildOrderField('hidden', undefined, 0),
    buildOrderField('r', 'right'),
    buildOrderField('c'),
  ],
}
const joinAttrNames = (fields: readonly Field[]) => fields.map(({ attrName }) => attrName).join('')

it('shows the chosen columns in their order, pinned ones at their side, and ignores unknown names', () => {
  expect(joinAttrNames(shownColumns(config, null))).toBe('labcr')
  expect(joinAttrNames(shownColumns(config, ['r', 'c', 'a', 'l', 'gone', 'hidden']))).toBe('lcar')
  expect(joinAttrNames(orderedColumns(config, ['c', 'a']))).toBe('lcabr')
})
it('moves a column within its side', () => {
  const order = orderedColumns(config, null)
  expect(joinAttrNames(moveField(order, 1, 3))).toBe('lbcar')
  expect(joinAttrNames(moveField(order, 3, 0))).toBe('lcabr')
})
it('stores no choice that equals the definition', () => {
  const all = new Set(['a', 'b', 'c', 'l', 'r'])
  expect(chosenColumns(config, orderedColumns(config, null), all)).toBeNull()
  expect(chosenColumns(config, moveField(orderedColumns(config, null), 1, 2), all)).toEqual([
    'l',
    'b',
    'a',
    'c',
    'r',
  ])
  expect(chosenColumns(config, orderedColumns(config, null), new Set(['c']))).toEqual(['c'])
})
