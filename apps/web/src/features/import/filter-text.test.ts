import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { fieldDefinitionSchema, type FieldDraft } from '@jiaowu/api/entity/definition/definition'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { listImportModes } from '@jiaowu/machines/entity-list/rights'
import { filterText } from '../transfer/filter-text.ts'

const config: Pick<EntityConfig, 'tag' | 'fields'> = {
  tag: 'A',
  fields: [
    buildFilterField({ attrName: 'name', uiLabel: '姓名' }),
    buildFilterField({ attrName: 'faculty', uiLabel: '院系' }),
    buildFilterField(
      { attrName: 'gender', uiLabel: '性别' },
      { dictData: [{ id: '2', name: '女' }] },
    ),
    buildFilterField({ attrName: 'birth', uiLabel: '出生日期' }),
  ],
}

test('a filter is described with names for ids and both ends of a range; unknown fields are left out', () => {
  expect(
    filterText(config, {
      name: '王',
      faculty: [
        { id: '1', name: '数理学院' },
        { id: '2', name: '外语学院' },
      ],
      gender: '2',
      birth: ['2000-01-01', null],
      gone: 'x',
    }),
  ).toBe('姓名 王；院系 数理学院、外语学院；性别 女；出生日期 2000-01-01 – …')
  expect(filterText(config, {})).toBe('')
})

test('the permissions of the user and the editable fields decide the import modes', () => {
  const modesWith = (...codes: readonly string[]) => listImportModes(config, codes)
  expect(modesWith('entity:A:add', 'entity:A:update')).toEqual(['insert', 'update', 'upsert'])
  expect(modesWith('entity:A:add')).toEqual(['insert'])
  expect(modesWith('entity:A:update')).toEqual(['update'])
  expect(modesWith('entity:A:view')).toEqual([])
  expect(
    listImportModes(
      {
        ...config,
        fields: [buildFilterField({ attrName: 'a', uiLabel: 'a', isAdd: 0, isEdit: 2 })],
      },
      ['ALL_PERMISSION'],
    ),
  ).toEqual([])
})

function buildFilterField(
  draft: Partial<FieldDraft> & { attrName: string; uiLabel: string },
  more: Partial<Field> = {},
): Field {
  return {
    ...v.parse(fieldDefinitionSchema, { id: draft.attrName, ...draft }),
    sortable: true,
    ...more,
  }
}
