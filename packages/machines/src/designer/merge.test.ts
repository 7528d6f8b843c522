import { entityDefinitionSchema, type FieldDraft } from '@jiaowu/api/entity/definition/definition'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { differingParts, initialChoices, mergeDefinitions } from './merge.ts'

function entity(
  fields: readonly (Partial<FieldDraft> & { attrName: string })[],
  more: object = {},
) {
  return v.parse(entityDefinitionSchema, {
    tag: 'A_B',
    name: '甲',
    tableName: 'a',
    ...more,
    fields: fields.map((field, index) => ({
      id: field.attrName,
      uiLabel: field.attrName,
      uiSort: index + 1,
      ...field,
    })),
  })
}
const base = entity([{ attrName: 'a' }, { attrName: 'b' }, { attrName: 'c' }])
function listNamedLabels(definition: ReturnType<typeof entity>) {
  return definition.fields.map(({ attrName, uiLabel }) => `${attrName}=${uiLabel}`)
}

describe('two saves of one definition', () => {
  it('differ by field, by entity key and by order', () => {
    expect(differingParts(base, base)).toEqual([])
    expect(
      differingParts(
        base,
        entity([{ attrName: 'a', uiLabel: '甲' }, { attrName: 'b' }, { attrName: 'd' }], {
          name: '乙',
        }),
      ),
    ).toEqual(['name', 'field:a', 'field:c', 'field:d'])
    expect(
      differingParts(base, entity([{ attrName: 'b' }, { attrName: 'a' }, { attrName: 'c' }])),
    ).toEqual(['order'])
    expect(
      differingParts(
        base,
        entity([{ attrName: 'a', id: 'other' }, { attrName: 'b' }, { attrName: 'c' }]),
      ),
    ).toEqual([])
  })
  it('keep the changes of both users, so that neither loses work unasked', () => {
    const mine = entity([
      { attrName: 'a', uiLabel: 'mine' },
      { attrName: 'b' },
      { attrName: 'c' },
      { attrName: 'm' },
    ])
    const theirs = entity(
      [{ attrName: 'a' }, { attrName: 'b', uiLabel: 'theirs' }, { attrName: 't' }],
      { name: '乙' },
    )
    const choices = initialChoices(base, mine, theirs)
    expect(choices).toEqual({
      name: 'theirs',
      'field:a': 'mine',
      'field:b': 'theirs',
      'field:c': 'theirs',
      'field:m': 'mine',
      'field:t': 'theirs',
    })
    const merged = mergeDefinitions(mine, theirs, choices)
    expect([merged.name, ...listNamedLabels(merged)]).toEqual([
      '乙',
      'a=mine',
      'b=theirs',
      't=t',
      'm=m',
    ])
    expect(merged.fields.map(({ uiSort }) => uiSort)).toEqual([1, 2, 3, 4])
  })
  it('take the other side when chosen', () => {
    const mine = entity([{ attrName: 'a', uiLabel: 'mine' }, { attrName: 'b' }])
    const theirs = entity([
      { attrName: 'c' },
      { attrName: 'b' },
      { attrName: 'a', uiLabel: 'theirs' },
    ])
    expect(
      listNamedLabels(
        mergeDefinitions(mine, theirs, { 'field:a': 'theirs', 'field:c': 'mine', order: 'mine' }),
      ),
    ).toEqual(['a=theirs', 'b=b'])
    expect(
      listNamedLabels(
        mergeDefinitions(mine, theirs, { 'field:a': 'mine', 'field:c': 'theirs', order: 'theirs' }),
      ),
    ).toEqual(['c=c', 'b=b', 'a=mine'])
  })
})
