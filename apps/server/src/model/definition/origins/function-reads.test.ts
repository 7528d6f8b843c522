import { describe, expect, it } from 'vitest'
import { type FunctionText, readingOfFunctions } from './function-reads.ts'

const relations = new Map(
  [
    [1, 'biz.student', true],
    [2, 'shop.item', false],
    [3, 'shop.Order Details', false],
    [4, 'pg_catalog.pg_class', false],
  ].map(([id, table, isOwn]) => [
    id as number,
    { table: table as string, isOwn: isOwn as boolean, columns: new Map() },
  ]),
)
const plain = { isImmutable: false, calls: null }
const functions: readonly FunctionText[] = [
  { ...plain, id: 10, name: 'item_name', text: 'select name from shop.item where id = $1' },
  { ...plain, id: 11, name: 'order_name', text: 'select name from shop."Order Details"' },
  { ...plain, id: 12, name: 'student_name', text: 'select name from student' },
  { ...plain, id: 13, name: 'runs', text: 'begin EXECUTE q; end' },
  { ...plain, id: 14, name: 'calls', text: 'select item_name($1)' },
  { ...plain, id: 15, name: 'calls_student', text: 'select calls($1) || student_name($2)' },
  { ...plain, id: 16, name: 'in_c', text: null },
  { ...plain, id: 17, name: 'pure', text: 'select name from student', isImmutable: true },
  { ...plain, id: 18, name: 'itself', text: 'select itself($1 - 1)' },
  { ...plain, id: 19, name: 'aggregate', text: null, calls: [10, 17] },
  { ...plain, id: 20, name: 'bad_aggregate', text: null, calls: [10, 16] },
]
const readsOf = readingOfFunctions(functions, relations)

describe('what a function reads', () => {
  it.each([
    ['one table of another program', 10, [2]],
    ['a table with an odd name', 11, [3]],
    ['what the function that it calls reads', 14, [2]],
    ['nothing, when it is immutable', 17, []],
    ['nothing but itself', 18, []],
    ['what the functions of an aggregate read', 19, [2]],
    ['nothing, when the database ships it', 99, []],
  ] as const)('is %s', (_what, called, reads) => {
    expect(readsOf(called)).toEqual(reads)
  })
  it.each([
    ['a table of the product', 12],
    ['a statement that it makes', 13],
    ['a table of the product, further in', 15],
    ['anything, in a language that cannot be read', 16],
    ['anything, in an aggregate', 20],
  ] as const)('cannot be said of %s', (_what, called) => {
    expect(readsOf(called)).toBe(null)
  })
})
