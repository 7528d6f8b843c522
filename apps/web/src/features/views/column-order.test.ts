import { fieldDefinitionSchema } from '@jiaowu/api/entity/definition/definition'
import type { Field } from '@jiaowu/api/entity/config'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { chosenColumns, moved, orderedColumns, shownColumns } from '../../ui/table/column-order.ts'

function field(attrName: string, fixed?: 'left' | 'right', isList: 0 | 1 = 1): Field {
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
    field('a'),
    field('l', 'left'),
    field('b'),
    field('hidden', undefined, 0),
    field('r', 'right'),
    field('c'),
  ],
}
const names = (fields: readonly Field[]) => fields.map(({ attrName }) => attrName).join('')

it('shows the chosen columns in their order, pinned ones at their side, and ignores unknown names', () => {
  expect(names(shownColumns(config, null))).toBe('labcr')
  expect(names(shownColumns(config, ['r', 'c', 'a', 'l', 'gone', 'hidden']))).toBe('lcar')
  expect(names(orderedColumns(config, ['c', 'a']))).toBe('lcabr')
})
it('moves a column within its side', () => {
  const order = orderedColumns(config, null)
  expect(names(moved(order, 1, 3))).toBe('lbcar')
  expect(names(moved(order, 3, 0))).toBe('lcabr')
})
it('stores no choice that equals the definition', () => {
  const all = new Set(['a', 'b', 'c', 'l', 'r'])
  expect(chosenColumns(config, orderedColumns(config, null), all)).toBeNull()
  expect(chosenColumns(config, moved(orderedColumns(config, null), 1, 2), all)).toEqual([
    'l',
    'b',
    'a',
    'c',
    'r',
  ])
  expect(chosenColumns(config, orderedColumns(config, null), new Set(['c']))).toEqual(['c'])
})
