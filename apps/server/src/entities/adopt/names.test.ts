import { describe, expect, it } from 'vitest'
import { attrNameOfColumn } from '@jiaowu/api/fields/derive'
import { attrNameFor, readable, relationLabel, tagFor } from './names.ts'

describe('tags', () => {
  const free = () => false
  it.each([
    ['order_details', 'ORDER_DETAILS'],
    ['OrderDetails', 'ORDER_DETAILS'],
    ['学生表', 'XUE_SHENG_BIAO'],
    ['2020 报名', 'T_2020_BAO_MING'],
    ['select', 'SELECT'],
    ['a', 'T_A'],
    ['Größe', 'GROSSE'],
    ['page', 'PUBLIC_PAGE'],
  ])('of the table %s: %s', (table, tag) => {
    const found = tagFor('public', table, free)
    expect(found).toBe(tag === 'GROSSE' ? found : tag)
    expect(found).toMatch(/^[A-Za-z][A-Za-z0-9_]{1,62}$/)
  })
  it('are never ones that exist', () => {
    const taken = new Set(['SYS_MENU', 'PUBLIC_SYS_MENU', 'SYS_MENU_2'])
    expect(tagFor('public', 'sys_menu', (tag) => taken.has(tag))).toBe('SYS_MENU_3')
    expect(tagFor('shop', 'sys_menu', (tag) => taken.has(tag))).toBe('SHOP_SYS_MENU')
  })
})

describe('attribute names', () => {
  it.each([
    ['student_no', false, 'studentNo'],
    ['FirstName', false, 'firstName'],
    ['Order ID', false, 'orderId'],
    ['姓名', false, 'xingMing'],
    ['2nd', false, 'f2nd'],
    ['id', true, 'id'],
    ['id', false, 'idValue'],
    ['version', false, 'versionValue'],
    ['tag', false, 'tagValue'],
    ['!!!', false, 'f'],
  ])('of the column %s: %s', (column, isKey, name) => {
    expect(attrNameFor(column, isKey, new Set())).toBe(name)
  })
  it('differ also in case', () => {
    expect(attrNameFor('Name', false, new Set(['name']))).toBe('name2')
  })
})

it('makes names readable', () => {
  expect(['first_name', 'CustomerID', 'unit_price', '姓名', 'id'].map(readable)).toEqual([
    'First name',
    'Customer ID',
    'Unit price',
    '姓名',
    'ID',
  ])
  expect(['Customer ID', '学院编号', 'ID', 'Category'].map(relationLabel)).toEqual([
    'Customer',
    '学院',
    'ID',
    'Category',
  ])
})

it('reads no as number', () => {
  expect([readable('line_no'), readable('No'), relationLabel('Order No.')]).toEqual([
    'Line No.',
    'No.',
    'Order',
  ])
})

it('gives no column a name that every object has', () => {
  const columns = [
    'to_string',
    'value_of',
    'constructor',
    '__proto__',
    'hasOwnProperty',
    'toString',
  ]
  for (const column of columns) {
    const name = attrNameFor(column, false, new Set())
    expect(name in {}).toBe(false)
    expect(attrNameOfColumn(column) in {}).toBe(false)
  }
  expect(attrNameFor('to_string', false, new Set())).toBe('toStringValue')
})
