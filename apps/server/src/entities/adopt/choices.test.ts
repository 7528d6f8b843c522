import { describe, expect, it } from 'vitest'
import { choicesOfCheck, readComment } from './choices.ts'

const listIds = (choices: readonly { readonly id: string }[] | null) =>
  choices?.map(({ id }) => id) ?? null

describe('check constraints', () => {
  it.each([
    [`CHECK ((kind = ANY (ARRAY['a'::text, 'b'::text])))`, ['a', 'b']],
    [
      `CHECK (((kind)::text = ANY ((ARRAY['S'::character varying, 'M'::character varying])::text[])))`,
      ['S', 'M'],
    ],
    [`CHECK ((kind = ANY (ARRAY[1, 2, 3])))`, ['1', '2', '3']],
    [`CHECK ((kind = ANY ('{1,2}'::integer[])))`, ['1', '2']],
    [`CHECK (((kind = 'x'::bpchar) OR (kind = 'y'::bpchar)))`, ['x', 'y']],
    [`CHECK ((VALUE = ANY (ARRAY['it''s'::text, 'b'::text])))`, ["it's", 'b']],
    [`CHECK ((upper((kind)::text) = ANY (ARRAY['M'::text, 'S'::text])))`, ['M', 'S']],
    [`CHECK ((upper((kind)::text) = ANY (ARRAY['m'::text, 'S'::text])))`, null],
    [
      `CHECK (((kind IS NULL) OR (upper((kind)::text) = ANY (ARRAY['SC'::text, 'VC'::text]))))`,
      ['SC', 'VC'],
    ],
    [`CHECK (((kind = 'x'::text) OR (kind = 'y'::text) OR (kind IS NULL)))`, ['x', 'y']],
    [`CHECK ((kind > 0))`, null],
    [`CHECK (((kind >= 1) AND (kind <= 5)))`, null],
    [`CHECK (((kind = 'x'::text) OR (other = 'y'::text)))`, null],
  ])('%s', (definition, expected) => {
    expect(listIds(choicesOfCheck(definition, 'kind'))).toEqual(expected)
  })
})

describe('comments', () => {
  it.each([
    ['状态（0正常 1停用）', '状态', { 0: '正常', 1: '停用' }],
    ['菜单状态（0正常 1停用）', '菜单状态', { 0: '正常', 1: '停用' }],
    ['用户性别（0男 1女 2未知）', '用户性别', { 0: '男', 1: '女', 2: '未知' }],
    ['删除标志（0代表存在 2代表删除）', '删除标志', { 0: '存在', 2: '删除' }],
    ['类型:1=系统,2=自定义', '类型', { 1: '系统', 2: '自定义' }],
    ['菜单类型（M目录 C菜单 F按钮）', '菜单类型', { M: '目录', C: '菜单', F: '按钮' }],
    ['0正常 1停用', '0正常 1停用', { 0: '正常', 1: '停用' }],
    ['性别（1：男，2：女）', '性别', { 1: '男', 2: '女' }],
    [
      '发布状态（0未发布，1已发布，2已撤销）',
      '发布状态',
      { 0: '未发布', 1: '已发布', 2: '已撤销' },
    ],
    ['借阅单号', '借阅单号', null],
    ['创建时间', '创建时间', null],
    ['价格，单位：分', '价格', null],
    ['First name of the customer', '', null],
    ['First name', 'First name', null],
    ['The month', '', null],
    ['Primary key. Foreign key to Address.AddressID', '', null],
    [
      '1 = Superior, 2 = Excellent, 3 = Preferred supplier, 4 = Above average, 5 = Below average',
      '',
      {
        1: 'Superior',
        2: 'Excellent',
        3: 'Preferred supplier',
        4: 'Above average',
        5: 'Below average',
      },
    ],
    [
      '1 = Salary received monthly, 2 = Salary received biweekly',
      '',
      { 1: 'Salary received monthly', 2: 'Salary received biweekly' },
    ],
    ['Status. 0 = Pending, 1 = Done, 2 = ?', '', null],
    ['类型：1=甲，2=甲', '类型', null],
    ['状态（0正常 1停用 2=）', '状态', null],
  ])('%s', (comment, label, choices) => {
    const read = readComment(comment)
    expect(read.label).toBe(label)
    expect(
      read.choices === null
        ? null
        : Object.fromEntries(read.choices.map(({ id, name }) => [id, name])),
    ).toEqual(choices)
  })
})
