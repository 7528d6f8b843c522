import { expect, it } from 'vitest'
import { closeFields, type EntityConfig, type Field } from './config.ts'

const field = (attrName: string, more: Partial<Field> = {}) =>
  ({ attrName, isAdd: 1, isEdit: 1, disabled: false, ...more }) as Field

it('leaves open the fields that the state names, and says which state closes the others', () => {
  const config = {
    fields: [
      field('name'),
      field('score'),
      field('hidden', { isEdit: 0 }),
      field('shown', { isEdit: 2 }),
      field('sum', { derived: 'row.score + 1' }),
    ],
  } as unknown as EntityConfig
  const { fields } = closeFields(config, { name: '审核', edit: ['name'] })
  expect(fields.map(({ attrName, isEdit, closed }) => [attrName, isEdit, closed])).toEqual([
    ['name', 1, undefined],
    ['score', 2, '审核'],
    ['hidden', 0, undefined],
    ['shown', 2, undefined],
    ['sum', 1, undefined],
  ])
})
