import { type FieldDraft, fieldDefinitionSchema } from '@jiaowu/api/entity/definition/definition'
import { findKind } from '@jiaowu/api/fields/kinds'
import { toQueryOperator, uiTypes } from '@jiaowu/api/entity/enums'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { checkEntity, hasErrors } from './entity-checks/index.ts'
import { operatorFor, refit, withoutRelation } from './refit.ts'

const draftField = (draft: Partial<FieldDraft>) =>
  v.parse(fieldDefinitionSchema, { id: '2', attrName: 'a', uiLabel: 'A', ...draft })

describe('a field whose control changes', () => {
  it('takes an operator that the new control has, and keeps one that fits', () => {
    const date = draftField({ uiType: 'date', queryType: 'between', isQuery: 1 })
    expect(refit(date, 'input').queryType).toBe('like')
    expect(refit(date, 'datetime').queryType).toBe('between')
    expect(refit({ ...date, queryType: 'createTime_range' }, 'inputNumber').queryType).toBe(
      'createTime_range',
    )
    expect(refit(date, 'uploadImg')).toMatchObject({ isQuery: 0 })
  })
  it('drops a source, its cascades and a default that is none of its choices', () => {
    const select = draftField({
      uiType: 'select',
      dictType: 1,
      dictValue: 'B.name',
      uiDefaultType: 0,
      defaultValue: 'x',
      options: { cascades: [{ attrName: 'b', filterAttr: 'c' }], valueAttr: 'code', labelEn: 'A' },
    })
    expect(refit(select, 'radio')).toEqual({ ...select, uiType: 'radio' })
    expect(refit(select, 'inputNumber')).toMatchObject({
      dictType: -1,
      dictValue: null,
      uiDefaultType: -1,
      defaultValue: null,
      options: { labelEn: 'A' },
    })
    expect(refit(select, 'input').defaultValue).toBe('x')
  })
  it('keeps what marks low numbers while it is a number', () => {
    const mark = draftField({ uiType: 'inputNumber', options: { warnUnless: 'passed' } })
    expect(refit(mark, 'inputNumber').options).toEqual({ warnUnless: 'passed' })
    expect(refit(mark, 'input').options).toEqual({})
  })
  it('shows no password', () => {
    const listed = draftField({
      isList: 1,
      isDetail: 1,
      isExport: 1,
      isQuery: 1,
      valids: { type: 'Email' },
    })
    expect(refit(listed, 'password')).toMatchObject({
      isList: 0,
      isDetail: 0,
      isExport: 0,
      isQuery: 0,
    })
  })
  it('keeps the time of now only where it is a time', () => {
    const now = draftField({ uiType: 'date', uiDefaultType: 1, defaultValue: 'currentTime' })
    expect(refit(now, 'datetime').defaultValue).toBe('currentTime')
    expect(refit(now, 'inputNumber').defaultValue).toBeNull()
  })
  it('becomes what its column is without a relation', () => {
    const link = draftField({ uiType: 'select', dictType: 1, dictValue: 'B.name', queryType: 'in' })
    const without = (columnType: string) => withoutRelation({ ...link, columnType }).uiType
    expect(
      ['integer', 'uuid', 'varchar(3)', 'date', 'timestamptz', 'numeric(8,2)'].map(without),
    ).toEqual(['inputNumber', 'input', 'input', 'date', 'datetime', 'inputNumber'])
  })
  it('has no finding that it did not have before, whatever the two controls are', () => {
    const kinds = fc.constantFrom(...uiTypes)
    const texts = fc.constantFrom(null, '1', '2024-01-01', 'x,y', 'currentTime', 'currentUser')
    fc.assert(
      fc.property(
        kinds,
        kinds,
        fc.constantFrom(-1 as const, 0 as const, 1 as const),
        texts,
        (from, to, uiDefaultType, defaultValue) => {
          const kind = findKind(from)
          const before = draftField({
            uiType: from,
            queryType: operatorFor(from),
            isQuery: kind.operators.length > 0 ? 1 : 0,
            isList: kind.secret ? 0 : 1,
            uiDefaultType,
            defaultValue,
            ...(kind.family === 'choice' && { dictType: 0, dictValue: 'D' }),
            valids: { maxChars: 3, maxLength: 5 },
          })
          if (listDefinitionErrors(before).length > 0) return
          const after = refit(before, to)
          // Only choices ask for something that nothing stood for before.
          const wanted = findKind(to).family === 'choice' && kind.family !== 'choice'
          expect(listDefinitionErrors(after)).toEqual(wanted ? ['entity.E030'] : [])
          if (findKind(to).operators.length > 0)
            expect(findKind(to).operators).toContain(toQueryOperator(after.queryType))
        },
      ),
      { numRuns: 500, seed: 1 },
    )
  })
})

function listDefinitionErrors(one: ReturnType<typeof draftField>): string[] {
  const findings = checkEntity({
    tag: 'A_B',
    name: 'A',
    schemaName: 'biz',
    tableName: 'a',
    idField: 'id',
    tagField: null,
    parentField: null,
    options: v.parse(v.any(), {
      selection: true,
      sorts: [],
      serialNumType: null,
      serialNumConfig: [],
      serialNumField: null,
    }),
    fields: [draftField({ id: '1', attrName: 'id', uiLabel: 'ID' }), { ...one, columnName: null }],
    buttons: [],
  })
  return hasErrors(findings)
    ? findings.flatMap(({ id, severity }) => (severity === 'error' ? [id] : []))
    : []
}
