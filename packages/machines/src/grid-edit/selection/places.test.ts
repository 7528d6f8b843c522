import type { Field } from '@jiaowu/api/entity/config'
import { fieldDefinitionSchema } from '@jiaowu/api/entity/definition/definition'
import { limits } from '@jiaowu/api/limits'
import type { Row } from '@jiaowu/api/entity/values'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { edgeOfData } from './places.ts'

const columns = ['a', 'b', 'c'].map((attrName): Field => ({
  ...v.parse(fieldDefinitionSchema, {
    id: attrName,
    attrName,
    uiLabel: attrName,
    uiType: 'inputNumber',
    isList: 1,
  }),
  sortable: true,
}))
const empty = null
/** Values of the column `a`; `b` is empty everywhere, `c` is filled in the first row. */
const values = [1, 2, 3, empty, empty, 6, 7]
const block = values.map((a, at): Row => ({
  id: String(at),
  version: 1,
  a,
  b: null,
  c: at === 0 ? 9 : null,
}))
const context = {
  config: null,
  columns,
  total: values.length,
  added: [],
  blocks: { 0: block },
  edits: {},
}
const down = { rows: 1, cols: 0 }
const up = { rows: -1, cols: 0 }

test.each([
  ['along filled cells to the last one', 0, down, 2],
  ['from the last one over empty cells to the next filled one', 2, down, 5],
  ['from there to the edge', 5, down, 6],
  ['at the edge it stays', 6, down, 6],
  ['from an empty cell to the next filled one', 3, down, 5],
  ['and back', 5, up, 2],
  ['up along filled cells', 2, up, 0],
])('%s', (_what, row, by, to) =>
  expect(edgeOfData(context, { row, col: 0 }, by)).toEqual({ row: to, col: 0 }),
)

test('goes over empty columns, and to the edge where nothing is filled', () => {
  const right = { rows: 0, cols: 1 }
  expect(edgeOfData(context, { row: 0, col: 0 }, right)).toEqual({ row: 0, col: 2 })
  expect(edgeOfData(context, { row: 1, col: 0 }, right)).toEqual({ row: 1, col: 2 })
  expect(edgeOfData(context, { row: 1, col: 1 }, down)).toEqual({ row: 6, col: 1 })
})

test('rows that are not loaded count as filled', () => {
  const many = { ...context, total: 100_000, blocks: { 0: fullBlock() } }
  expect(edgeOfData(many, { row: 0, col: 0 }, down)).toEqual({ row: 99_999, col: 0 })
})

function fullBlock(): Row[] {
  return Array.from({ length: limits.gridBlock }, (_, at) => ({
    id: String(at),
    version: 1,
    a: at,
  }))
}
