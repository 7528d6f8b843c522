import { entityDefinitionSchema, type FieldDraft } from '@jiaowu/api/entity/definition/definition'
import { uiTypes } from '@jiaowu/api/entity/enums'
import { validateValues } from '@jiaowu/validation'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { configOfDraft } from './config-of.ts'
import { sampleRows } from './sample-rows.ts'

const fields: FieldDraft[] = uiTypes.map((uiType, index) => ({
  id: String(-1 - index),
  attrName: uiType,
  uiLabel: `名${uiType}`,
  uiType,
  uiSort: uiTypes.length - index,
  isList: 1,
  isQuery: 1,
  isDetail: 1,
  options: { labelEn: `Name ${uiType}` },
  valids: uiType === 'input' ? { maxLength: 3 } : {},
  ...(['select', 'radio'].includes(uiType) ? { dictType: 0, dictValue: 'KIND' } : {}),
}))
const draft = v.parse(entityDefinitionSchema, {
  tag: 'LIB_LOAN',
  name: '借阅',
  nameEn: 'Loans',
  tableName: 'loan',
  fields,
  options: {
    sorts: [
      { column: 'input', asc: true },
      { column: 'gone', asc: true },
    ],
  },
  buttons: [
    { code: 'a', name: '甲', nameEn: 'A', position: 1 },
    { code: 'b', name: '乙', position: 2, status: 0 },
  ],
})

describe('preview of a draft', () => {
  it('lists the fields in order and in the language of the user, without those that a list cannot show', () => {
    const config = configOfDraft(draft, 'en')
    expect([config.name, config.fields[0]?.uiType, config.fields.at(-1)?.uiLabel]).toEqual([
      'Loans',
      'richTextEditor',
      'Name input',
    ])
    expect(
      config.fields
        .filter(({ isList }) => isList === 0)
        .map(({ uiType }) => uiType)
        .toSorted(),
    ).toEqual(['group', 'password', 'separate'])
    expect(
      config.fields
        .filter(({ isQuery }) => isQuery === 0)
        .map(({ uiType }) => uiType)
        .toSorted(),
    ).toEqual(['group', 'password', 'separate', 'uploadImg'])
    expect([config.buttons.map(({ name }) => name), config.options.sorts]).toEqual([
      ['A'],
      [{ column: 'input', asc: true }],
    ])
    expect(config.fields.find(({ attrName }) => attrName === 'multiSelect')?.sortable).toBe(false)
  })
  it('uses the items of a dictionary when they are known', () => {
    const items = [{ id: 'x', name: '甲种' }]
    const known = configOfDraft(draft, 'zh-CN', { KIND: items }).fields
    expect(
      ['select', 'radio', 'checkbox'].map(
        (name) => known.find(({ attrName }) => attrName === name)?.dictData?.length,
      ),
    ).toEqual([1, 1, 3])
  })
  it('shows sample rows that pass the validation of every field', () => {
    const config = configOfDraft(draft, 'zh-CN')
    const rows = sampleRows(config, 5)
    expect(rows.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5'])
    expect(rows[0]?.['input']).toBe('名i')
    for (const row of rows)
      expect(
        validateValues(
          config.fields,
          Object.fromEntries(
            config.fields.map(({ attrName }) => [attrName, row[attrName] ?? null]),
          ),
          'add',
        ),
      ).toEqual([])
  })
})
