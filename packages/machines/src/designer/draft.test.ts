import {
  type EntityDefinition,
  entityDefinitionSchema,
  type FieldDefinition,
} from '@jiaowu/api/entity/definition/definition'
import type { TableColumn } from '@jiaowu/api/entity/definition/table'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import {
  addColumn,
  addCustom,
  addGroup,
  addSegment,
  changeField,
  fieldForColumn,
  isCustomValid,
  moveField,
  removeField,
  removeSegment,
  setField,
  setOptions,
  setSegment,
  toggleFlag,
} from './draft.ts'

const empty = v.parse(entityDefinitionSchema, {
  tag: 'A_B',
  name: '甲',
  tableName: 'loan',
  fields: [],
})
function draftColumn(columnName: string, more: Partial<TableColumn> = {}): TableColumn {
  return {
    columnName,
    columnComment: '',
    columnKey: '',
    isKey: false,
    columnType: 'varchar(32)',
    dataType: 'varchar',
    dataLength: 32,
    isNullable: 'YES',
    hasDefault: false,
    ...more,
  }
}
const listAttrNames = ({ fields }: EntityDefinition) => fields.map(({ attrName }) => attrName)
function first({ fields }: EntityDefinition): FieldDefinition {
  return (
    fields[0] ??
    (() => {
      throw new Error('no field')
    })()
  )
}

describe('a column dropped into the fields', () => {
  it('becomes a field pre-filled from it', () => {
    const draft = addColumn(
      empty,
      draftColumn('loan_no', {
        columnComment: '借阅单号',
        isNullable: 'NO',
        columnKey: 'PRI',
        isKey: true,
      }),
    )
    expect(first(draft)).toMatchObject({
      id: '-1',
      attrName: 'loanNo',
      uiLabel: '借阅单号',
      uiType: 'input',
      isPk: 1,
      isNull: 0,
      columnName: 'loan_no',
      tableName: 'loan',
      uiSort: 1,
    })
    expect(
      first(addColumn(empty, draftColumn('memo', { dataType: 'varchar', dataLength: 200 }))).uiType,
    ).toBe('textarea')
    expect(
      first(addColumn(empty, draftColumn('born', { dataType: 'date', dataLength: null }))).uiType,
    ).toBe('date')
  })
  it('takes its place among the others and a temporary id of its own', () => {
    const two = addColumn(addColumn(empty, draftColumn('a')), draftColumn('b'))
    const three = addColumn(two, draftColumn('c'), 1)
    expect([
      listAttrNames(three),
      three.fields.map(({ id }) => id),
      three.fields.map(({ uiSort }) => uiSort),
    ]).toEqual([
      ['a', 'c', 'b'],
      ['-1', '-3', '-2'],
      [1, 2, 3],
    ])
  })
  it('is known again, unless it holds documents', () => {
    const draft = addColumn(
      addColumn(empty, draftColumn('a')),
      draftColumn('extra', { dataType: 'jsonb', columnType: 'jsonb' }),
    )
    expect(fieldForColumn(draft, draftColumn('a'))?.attrName).toBe('a')
    expect(fieldForColumn(draft, draftColumn('extra', { dataType: 'jsonb' }))).toBeUndefined()
    expect(draft.fields[1]?.attrName).toBe('')
  })
  it('gets a free name when its own is taken', () =>
    expect(
      listAttrNames(
        addColumn(
          addCustom(empty, { attrName: 'A', uiLabel: 'x', columnType: 'VARCHAR' }),
          draftColumn('a'),
        ),
      ),
    ).toEqual(['A', 'a2']))
})

describe('fields', () => {
  const draft = addColumn(
    addColumn(addColumn(empty, draftColumn('a')), draftColumn('b')),
    draftColumn('c'),
  )
  it('move, by place', () => {
    expect(listAttrNames(moveField(draft, '-1', 2))).toEqual(['b', 'c', 'a'])
    expect(listAttrNames(moveField(draft, '-3', 0))).toEqual(['c', 'a', 'b'])
    expect(listAttrNames(moveField(draft, '-1', 99))).toEqual(['b', 'c', 'a'])
    expect(moveField(draft, '-9', 0)).toBe(draft)
  })
  it('go', () =>
    expect(
      removeField(draft, '-2').fields.map(({ attrName, uiSort }) => [attrName, uiSort]),
    ).toEqual([
      ['a', 1],
      ['c', 2],
    ]))
  it('forget a value when its kind changes', () => {
    const filled = setField(draft, '-1', { uiDefaultType: 0, dictType: 0, linkType: 1 })
    const valued = setField(filled, '-1', { defaultValue: 'x', dictValue: 'D', linkUrl: '/x' })
    expect(first(valued)).toMatchObject({ defaultValue: 'x', dictValue: 'D', linkUrl: '/x' })
    expect(first(setField(valued, '-1', { uiDefaultType: 1 }))).toMatchObject({
      defaultValue: null,
      dictValue: 'D',
      linkUrl: '/x',
    })
    expect(first(setField(valued, '-1', { dictType: 1 }))).toMatchObject({
      defaultValue: 'x',
      dictValue: null,
    })
    expect(first(setField(valued, '-1', { linkType: 2 }))).toMatchObject({ linkUrl: null })
    expect(first(setField(valued, '-1', { dictType: 0 }))).toMatchObject({ dictValue: 'D' })
  })
  it('lose what another control cannot have, and so do those that depend on them', () => {
    const cascades = [{ attrName: 'a', filterAttr: 'x' }]
    const joined = setOptions(
      setField(
        setField(draft, '-1', { uiType: 'select', dictType: 0, dictValue: 'D', isList: 1 }),
        '-2',
        { uiType: 'select', options: { cascades, placeholder: 'p' } },
      ),
      { sorts: [{ column: 'a', asc: true }] },
    )
    expect(changeField(joined, '-1', { uiType: 'radio' }).fields[1]?.options.cascades).toEqual(
      cascades,
    )
    const plain = changeField(joined, '-1', { uiType: 'inputNumber' })
    expect(first(plain)).toMatchObject({ dictType: -1, dictValue: null, queryType: 'between' })
    expect(plain.fields[1]?.options).toEqual({ placeholder: 'p' })
    expect(plain.options.sorts).toHaveLength(1)
    expect(changeField(joined, '-1', { uiType: 'password' }).options.sorts).toEqual([])
    expect(changeField(joined, '-9', { uiType: 'password' })).toEqual(joined)
    expect(first(changeField(joined, '-1', { uiType: 'date', queryType: 'lt' })).queryType).toBe(
      'lt',
    )
  })
  it('take sorts, entry sheet, title, cascades and formulas along to a new name', () => {
    const named = (name: string): EntityDefinition => ({
      ...setField(
        setField(draft, '-2', { options: { cascades: [{ attrName: name, filterAttr: 'a' }] } }),
        '-3',
        { derived: `row.${name} + row.ab + len('row.a')` },
      ),
      tagField: name,
      options: {
        ...draft.options,
        sorts: [
          { column: name, asc: true },
          { column: 'b', asc: false },
        ],
        titlePattern: `{${name}} {b}`,
        kept: { createUser: name, deleted: { attrName: 'b', yes: '1', no: '0' } },
        entry: {
          by: ['b'],
          frozen: [name],
          columns: ['c', name],
          progress: name,
          add: { field: name, from: ['a'] },
        },
      },
    })
    const after = changeField(named('a'), '-1', { attrName: 'first' })
    expect(listAttrNames(after)).toEqual(['first', 'b', 'c'])
    expect({ ...after, fields: after.fields.slice(1) }).toEqual({
      ...named('first'),
      fields: named('first').fields.slice(1),
    })
    // A name that two fields have, and no name at all, lead nowhere.
    for (const attrName of ['b', ''])
      expect(changeField(named('a'), '-1', { attrName }).options).toEqual(named('a').options)
  })
  it('switch flags between 0 and 1', () => {
    const on = toggleFlag(draft, '-1', 'isQuery')
    expect([first(on).isQuery, first(toggleFlag(on, '-1', 'isQuery')).isQuery]).toEqual([1, 0])
  })
  it('groups are titled group and 100 wide', () =>
    expect(addGroup(draft, 0).fields[0]).toMatchObject({
      uiType: 'group',
      uiLabel: 'group',
      uiWidth: 100,
      columnName: null,
    }))
  it('custom ones need a label, a type and a free name', () => {
    const custom = { uiLabel: '备注', columnType: 'VARCHAR', attrName: 'note' }
    expect(isCustomValid(draft, custom)).toBe(true)
    for (const wrong of [
      { uiLabel: ' ' },
      { columnType: '' },
      { attrName: '' },
      { attrName: 'A' },
      { attrName: '1x' },
    ])
      expect(isCustomValid(draft, { ...custom, ...wrong })).toBe(false)
    expect(addCustom(draft, custom).fields.at(-1)).toMatchObject({
      attrName: 'note',
      columnName: null,
      tableName: null,
      columnType: 'VARCHAR',
      uiType: 'input',
    })
  })
})

describe('options', () => {
  it('single and multiple selection are never both on', () => {
    const single = setOptions(empty, { singleSelect: true })
    expect([single.options.singleSelect, single.options.multiSelect]).toEqual([true, false])
    const multiple = setOptions(single, { multiSelect: true })
    expect([multiple.options.singleSelect, multiple.options.multiSelect]).toEqual([false, true])
  })
  it('a custom serial number starts with a counter of five digits, and is edited by segment', () => {
    const custom = setOptions(empty, { serialNumType: 2 })
    expect(custom.options.serialNumConfig).toEqual([{ type: 1, length: 5, period: 'never' }])
    const longer = setSegment(addSegment(custom, 2), 0, { type: 3, text: 'B' })
    expect([
      longer.options.serialNumConfig,
      removeSegment(longer, 0).options.serialNumConfig,
    ]).toEqual([
      [
        { type: 3, text: 'B' },
        { type: 2, format: 3 },
      ],
      [{ type: 2, format: 3 }],
    ])
  })
})
