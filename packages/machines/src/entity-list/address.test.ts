import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { describe, expect, test } from 'vitest'
import {
  isPresetAddress,
  isSameList,
  pageOfAddress,
  readAddress,
  viewOfAddress,
  writeAddress,
} from './address.ts'

function buildQueryField(attrName: string, uiType: string, queryType: string, isQuery = 1): Field {
  return { attrName, uiType, queryType, isQuery, sortable: true, isList: 1, options: {} } as Field
}
const config = {
  fields: [
    buildQueryField('name', 'input', 'like'),
    buildQueryField('birth', 'date', 'date_range'),
    buildQueryField('classes', 'select', 'in'),
    buildQueryField('hidden', 'input', 'equal', 0),
  ],
  times: ['createTime'],
} as unknown as EntityConfig
const plain = {
  queries: {},
  sorts: [],
  where: null,
  pageNum: 1,
  pageSize: 10,
  usualSize: 10,
  view: null,
  group: null,
  footer: [],
  frozen: null,
}

describe('the address of a list', () => {
  test.each([
    ['a text with a comma and dots', { queries: { name: '张, 三..' } }],
    ['a range', { queries: { birth: ['2000-01-01', '2001-01-01'] } }],
    ['an open range', { queries: { birth: [null, '2001-01-01'] } }],
    ['several choices', { queries: { classes: ['1', '2'] } }],
    ['ids of any signs', { queries: { classes: ['A,B', 'C~D', '%2C', '100%', '"', "'", 'x\ny'] } }],
    ['one id with a comma', { queries: { classes: ['A,B'] } }],
    ['one id with a percent sign', { queries: { classes: ['%252C'] } }],
    [
      'sorts',
      {
        sorts: [
          { column: 'name', asc: false },
          { column: 'birth', asc: true },
        ],
      },
    ],
    [
      'conditions in groups',
      {
        where: {
          or: [
            { column: 'name', op: 'isEmpty' },
            { and: [{ column: 'createTime', op: 'ge', value: '2026' }] },
          ],
        },
      },
    ],
    ['groups by month', { group: { column: 'birth', by: 'month' } }],
    ['figures', { footer: [{ column: 'birth', fn: 'min' }] }],
    ['the last frozen column', { frozen: 'name' }],
    ['page and size', { pageNum: 3, pageSize: 50 }],
  ] as const)('keeps %s', (_what, part) => {
    const list = { ...plain, ...part } as Parameters<typeof writeAddress>[2]
    const read = readAddress(writeAddress('', config, list), config)
    expect(read).toEqual({
      queries: list.queries,
      sorts: list.sorts,
      where: list.where,
      pageNum: list.pageNum > 1 ? list.pageNum : null,
      pageSize: list.pageSize === 10 ? null : list.pageSize,
      group: list.group,
      footer: list.footer,
      frozen: list.frozen,
      unknown: [],
    })
  })

  test('says the id of a choice, and nothing of a plain list', () => {
    const classes = [{ id: '7', name: '一班' }]
    expect(
      writeAddress('?_title=x&mode=grid&q.name=old', config, { ...plain, queries: { classes } }),
    ).toBe('?q.classes=7&_title=x&mode=grid')
    expect(writeAddress('', config, plain)).toBe('')
  })

  test('says a view alone while the list shows exactly that', () => {
    const list = { ...plain, queries: { name: 'x' }, pageNum: 2 }
    expect(writeAddress('', config, { ...list, view: { id: '5', isChanged: false } })).toBe(
      '?page=2&view=5',
    )
    expect(writeAddress('', config, { ...list, view: { id: '5', isChanged: true } })).toBe(
      '?q.name=x&page=2&view=5',
    )
    const emptied = writeAddress('', config, {
      ...list,
      queries: {},
      sorts: [],
      where: null,
      view: { id: '5', isChanged: true },
    })
    expect([emptied, isPresetAddress(emptied)]).toEqual(['?sorts=&page=2&view=5', true])
  })

  test('says the same of the list in another order, or to the console', () => {
    expect(isSameList('?page=2&q.name=x', '?q.name=x&page=2&mode=grid&_title=t')).toBe(true)
    expect(isSameList('', '?mode=grid')).toBe(true)
    expect(isSameList('?page=2', '?page=3')).toBe(false)
    expect(isSameList('?q.name=x', '?q.name=x&sorts=')).toBe(false)
  })

  test('names what the list does not have', () => {
    const { unknown, queries } = readAddress(
      '?name=a&nosuch=1&q.hidden=2&sorts=gone&where=%7B&group=name&footer=name:sum,gone:min&freeze=gone&page=0&size=x&_title=t',
      config,
    )
    expect(unknown).toEqual([
      'nosuch',
      'q.hidden',
      'gone',
      'where',
      'group=name',
      'footer=name:sum',
      'footer=gone:min',
      'freeze=gone',
    ])
    expect(queries).toEqual({ name: 'a' })
  })

  test('is read before the definition is known', () => {
    expect(
      [
        '',
        '?view=5&page=2',
        '?q.name=',
        '?no=1',
        '?sorts=a',
        '?group=a',
        '?_title=x&mode=grid',
      ].map(isPresetAddress),
    ).toEqual([false, false, true, true, true, true, false])
    expect([viewOfAddress('?view=5'), viewOfAddress('?view=')]).toEqual(['5', null])
    expect([pageOfAddress('?page=4'), pageOfAddress('?page=-1')]).toEqual([4, 1])
  })
})
