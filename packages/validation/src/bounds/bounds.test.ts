import type { Values, WireValue } from '@jiaowu/api/entity/values'
import { describe, expect, it } from 'vitest'
import { checkField } from '../field-schema.ts'
import type { RuledField } from '../ruled-field.ts'
import { boundReads, boundsIn, brokenBound, brokenBounds } from './bounds.ts'

function number(valids: RuledField['valids'], options: RuledField['options'] = {}): RuledField {
  return { attrName: 'score', uiType: 'inputNumber', valids, options }
}
const course = (fullMark?: number): Values => ({
  course: [{ id: '1', name: '高等数学', ...(fullMark !== undefined && { values: { fullMark } }) }],
})

describe('bounds', () => {
  it.each<[RuledField['valids'], WireValue, string | null]>([
    [{ min: 0, max: 100 }, 0, null],
    [{ min: 0, max: 100 }, 100, null],
    [{ min: 0, max: 100 }, -1, 'min'],
    [{ min: 0, max: 100 }, 120, 'max'],
    [{ min: 0, max: 100 }, 100.1, 'max'],
    [{ min: 0, max: 100 }, null, null],
    [{ max: '100' }, 101, 'max'],
    [{ max: '60 + 40' }, 101, 'max'],
    [{ max: 9007199254740992 }, '9007199254740993', 'max'],
    [{ min: '9007199254740993' }, 9007199254740992, 'min'],
    [{ min: '0.1234567890123456789' }, '0.1234567890123456788', 'min'],
    [{ step: 0.5 }, 85.5, null],
    [{ step: 0.5 }, 85.4, 'step'],
    [{ step: 0.1 }, 0.3, null],
    [{ step: 0.1 }, '1e-7', 'step'],
    [{ min: 1, step: 2 }, 4, 'step'],
    [{ min: 1, step: 2 }, 5, null],
    [{ step: 5 }, -10, null],
    [{ min: '' }, -1, null],
    [{ min: 0, max: 100, step: 0.5 }, '缺考', null],
    [{ min: 0, max: 100, step: 0.5 }, '81,5', null],
    [{ max: 'no formula(' }, '0x10', null],
    [{ max: 'no formula(' }, 1, null],
  ])('of %j take %j or say %j', (valids, value, broken) => {
    expect(brokenBound(number(valids), value, null)?.name ?? null).toBe(broken)
  })

  it('follow an expression over the row, and are open where the row lacks what it reads', () => {
    const field = number({ min: 0, max: 'coalesce(row.course.fullMark, 100)' })
    const checked = (value: number, row: Values | null) => checkField(field, value, row).fault
    expect(checked(120, course(150))).toBeNull()
    expect(checked(151, course(150))).toMatchObject({
      rule: 'max',
      message: { key: 'rule.max', params: { bound: '150' } },
    })
    expect(checked(101, { course: [] })).toMatchObject({ rule: 'max' })
    expect(checked(120, course())).toBeNull()
    expect(checked(120, null)).toBeNull()
    expect(checked(-1, null)).toMatchObject({ rule: 'min' })
    expect(boundReads([field])).toEqual([
      {
        attrName: 'score',
        reads: ['course'],
        relations: [{ attrName: 'course', property: 'fullMark' }],
      },
    ])
  })

  it('are in fen for amounts, and named in yuan', () => {
    const field = number({ max: 1000 }, { money: 'fen' })
    expect(checkField(field, 1250).fault?.message).toMatchObject({ params: { bound: '10.00' } })
  })

  it('hold for numbers only', () => {
    const text: RuledField = { ...number({ max: 1 }), uiType: 'input' }
    expect(boundsIn(text, null)).toEqual({})
    expect(checkField(text, '20').fault).toBeNull()
  })
})

it('are checked where the value or what they read changes', () => {
  const fields = [number({ max: 'row.course.fullMark' })]
  const row = { ...course(100), score: 120 }
  const faultsOf = (...changed: string[]) =>
    brokenBounds(fields, row, new Set(changed)).map(({ attrName, name }) => [attrName, name])
  expect(faultsOf('score')).toEqual([['score', 'max']])
  expect(faultsOf('course')).toEqual([['score', 'max']])
  expect(faultsOf('term')).toEqual([])
})

it('counts the least length as the greatest', () => {
  const text: RuledField = { ...number({ minLength: 4 }), uiType: 'input' }
  expect(checkField(text, 'abc').fault?.rule).toBe('minLength')
  expect(checkField(text, '张三').fault).toBeNull()
  expect(checkField(text, '').fault).toBeNull()
})
