import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { fieldDefinitionSchema } from '@jiaowu/api/entity/definition/definition'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { buildCard } from './card.ts'

const states = [{ id: '1', name: '在读', tone: 'good' }] as const

function buildCardField(attrName: string, more: object = {}): Field {
  return {
    ...v.parse(fieldDefinitionSchema, { id: attrName, attrName, uiLabel: attrName, ...more }),
    sortable: false,
  }
}

const columns = [
  buildCardField('no'),
  buildCardField('name'),
  { ...buildCardField('idNumber'), pii: 'idCard' as const },
  buildCardField('photo', { uiType: 'uploadImg' }),
  buildCardField('phone'),
  { ...buildCardField('status', { uiType: 'select' }), dictData: states } as unknown as Field,
  buildCardField('term'),
  buildCardField('town'),
  buildCardField('more'),
]
const row = {
  id: '7',
  no: 'A1',
  name: '姚霞',
  idNumber: '1***3',
  photo: 'x',
  phone: '139',
  status: [{ id: '1', name: '在读' }],
  term: '',
  town: '杭州',
  more: 'z',
}

function summarize(config: Partial<EntityConfig>, shown = columns, values: object = row) {
  const card = buildCard({ fields: columns, tagField: null, ...config } as EntityConfig, shown, {
    id: '7',
    ...values,
  })
  const names = (fields: readonly Field[]) => fields.map(({ attrName }) => attrName)
  return [card.title, names(card.states), names(card.lines)]
}

test('a card is named by the pattern, and shows the first columns that it leaves unsaid', () => {
  expect(summarize({ titlePattern: '{name} {no}' })).toEqual([
    '姚霞 A1',
    ['status'],
    ['phone', 'town', 'more'],
  ])
})
test('without a pattern the first column with a value names it', () => {
  expect(summarize({}, columns.slice(0, 5), { ...row, no: '' })).toEqual(['姚霞', [], ['phone']])
  expect(summarize({}, [], {})).toEqual(['7', [], []])
})
test('follows the order of the columns that the person chose', () => {
  expect(summarize({ titlePattern: '{name}' }, columns.toReversed())).toEqual([
    '姚霞',
    ['status'],
    ['more', 'town', 'phone'],
  ])
})
