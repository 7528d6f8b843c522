import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { entityDefinitionSchema, type EntityDraft } from './definition.ts'
import { definitionChanges, entityOfPortable, portableEntity } from './portable.ts'

const draft: EntityDraft = {
  tag: 'LIB_LOAN',
  name: '借阅',
  tableName: 'loan',
  tagField: 'title',
  options: { singleSelect: true, multiSelect: false },
  fields: [
    {
      id: '900',
      attrName: 'title',
      uiLabel: '书名',
      columnName: 'title',
      tableName: 'loan',
      columnType: 'varchar(200)',
      uiSort: 2,
      isList: 1,
      valids: { required: true },
    },
    {
      id: '901',
      attrName: 'id',
      uiLabel: 'id',
      columnName: 'id',
      tableName: 'loan',
      uiSort: 1,
      isPk: 1,
      isAdd: 0,
      isEdit: 0,
    },
    { id: '902', attrName: 'note', uiLabel: '备注', uiSort: 3 },
  ],
  buttons: [{ code: 'lend', name: '借出', position: 2, eventContent: [{ do: 'refresh' }] }],
}
const definition = v.parse(entityDefinitionSchema, draft)
const file = portableEntity(definition)
function again() {
  return v.parse(entityDefinitionSchema, entityOfPortable(JSON.parse(JSON.stringify(file))))
}

describe('a definition as a file', () => {
  it('contains what differs from the defaults, in order, without ids', () => {
    expect(file).toEqual({
      tag: 'LIB_LOAN',
      name: '借阅',
      tableName: 'loan',
      tagField: 'title',
      options: { singleSelect: true, multiSelect: false },
      fields: [
        { attrName: 'id', columnName: 'id', uiLabel: 'id', isPk: 1, isAdd: 0, isEdit: 0 },
        {
          attrName: 'title',
          columnName: 'title',
          columnType: 'varchar(200)',
          uiLabel: '书名',
          isList: 1,
          valids: { required: true },
        },
        { attrName: 'note', uiLabel: '备注' },
      ],
      buttons: [{ code: 'lend', name: '借出', position: 2, eventContent: [{ do: 'refresh' }] }],
    })
    expect(Object.keys(file)).toEqual([
      'tag',
      'name',
      'tableName',
      'tagField',
      'options',
      'fields',
      'buttons',
    ])
  })
  it('gives an equivalent definition when read back', () => {
    expect(portableEntity(again())).toEqual(file)
    expect(again().fields.map(({ id, uiSort, tableName }) => [id, uiSort, tableName])).toEqual([
      ['-1', 1, 'loan'],
      ['-2', 2, 'loan'],
      ['-3', 3, null],
    ])
    expect(
      portableEntity({
        ...definition,
        fields: definition.fields.map((field) => ({ ...field, id: `${field.id}7` })),
      }),
    ).toEqual(file)
  })
  it('leaves input that is no definition unchanged', () =>
    expect([entityOfPortable('x'), entityOfPortable({ fields: 'x' })]).toEqual([
      'x',
      { fields: 'x' },
    ]))
})

describe('the difference between two files', () => {
  const changed = (change: (next: typeof definition) => typeof definition) =>
    definitionChanges(file, portableEntity(change(definition))).map(
      ({ path, kind }) => `${kind} ${path}`,
    )
  it('is empty for equivalent definitions', () => expect(changed(() => again())).toEqual([]))
  it('names fields by attrName, and reports a new order', () => {
    expect(
      changed((next) => ({
        ...next,
        name: '借书',
        fields: next.fields.map((field) =>
          field.attrName === 'title'
            ? { ...field, isQuery: 1, valids: { required: true, maxLength: 9 } }
            : field,
        ),
      })),
    ).toEqual(['changed name', 'added fields.title.valids.maxLength', 'added fields.title.isQuery'])
    expect(
      changed((next) => ({
        ...next,
        fields: next.fields.filter(({ attrName }) => attrName !== 'note'),
      })),
    ).toEqual(['removed fields.note'])
    expect(
      changed((next) => ({
        ...next,
        fields: next.fields.map((field) => ({ ...field, uiSort: -field.uiSort })),
      })),
    ).toEqual(['changed fields'])
    expect(changed((next) => ({ ...next, buttons: [] }))).toEqual(['removed buttons.lend'])
  })
})
