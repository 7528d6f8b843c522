import { fieldDefinitionSchema, type FieldDraft } from '@jiaowu/api/entity/definition/definition'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { checkField, fieldSchema, validateField, validateValues } from './field-schema.ts'

function parseFieldDraft(draft: Partial<FieldDraft>) {
  return v.parse(fieldDefinitionSchema, { id: '1', attrName: 'a', uiLabel: '甲', ...draft })
}
function findBrokenRule(draft: Partial<FieldDraft>, value: unknown) {
  return validateField(parseFieldDraft(draft), value)?.rule ?? null
}

describe('checkField', () => {
  it('requires values of every kind', () => {
    for (const uiType of [
      'input',
      'inputNumber',
      'select',
      'date',
      'switch',
      'uploadImg',
      'richTextEditor',
    ] as const)
      for (const empty of [undefined, null, '', []])
        if (
          !(
            Array.isArray(empty) &&
            ['input', 'inputNumber', 'date', 'switch', 'richTextEditor'].includes(uiType)
          )
        )
          expect(findBrokenRule({ uiType, valids: { required: true } }, empty)).toBe('required')
    expect(findBrokenRule({ uiType: 'inputNumber', valids: { required: true } }, 0)).toBe(null)
    expect(findBrokenRule({ uiType: 'switch', valids: { required: true } }, '0')).toBe(null)
    expect(
      findBrokenRule({ uiType: 'richTextEditor', valids: { required: true } }, '<p>&nbsp;</p>'),
    ).toBe('required')
    expect(
      findBrokenRule(
        { uiType: 'richTextEditor', valids: { required: true } },
        '<p><img src="/a.png"></p>',
      ),
    ).toBe(null)
  })
  it('counts whitespace as blank, except in passwords', () => {
    for (const blank of [' ', '\t', '\u3000', ' \n '])
      expect([
        findBrokenRule({ valids: { required: true } }, blank),
        findBrokenRule({ uiType: 'textarea', valids: { required: true } }, blank),
        findBrokenRule({}, blank),
      ]).toEqual(['required', 'required', null])
    expect(findBrokenRule({ uiType: 'password', valids: { required: true } }, '        ')).toBe(
      null,
    )
    expect(findBrokenRule({ valids: { maxLength: 3 } }, '     ')).toBe('maxLength')
  })
  it('accepts empty optional values', () =>
    expect(findBrokenRule({ valids: { type: 'Email,mobile' } }, '')).toBe(null))
  it('prefers the length in options, and counts Chinese characters twice', () => {
    expect(findBrokenRule({ valids: { maxLength: 100 }, options: { maxLength: 4 } }, '教务')).toBe(
      null,
    )
    expect(findBrokenRule({ valids: { maxLength: 100 }, options: { maxLength: 3 } }, '教务')).toBe(
      'maxLength',
    )
    expect(findBrokenRule({ uiType: 'password', valids: { maxLength: 3 } }, 'abcd')).toBe(
      'maxLength',
    )
  })
  it('applies several validators', () => {
    expect(findBrokenRule({ valids: { type: 'Number,Digits' } }, '01')).toBe('Digits')
    expect(findBrokenRule({ valids: { type: 'Number,Digits' } }, 'x')).toBe('Number')
    expect(findBrokenRule({ uiType: 'inputNumber', valids: { type: 'PositiveNumber' } }, -1)).toBe(
      'PositiveNumber',
    )
  })
  it('converts values to canonical form', () => {
    expect(checkField(parseFieldDraft({ uiType: 'select' }), 5).value).toEqual([
      { id: '5', name: '' },
    ])
    expect(
      checkField(parseFieldDraft({ uiType: 'multiSelect' }), ['1', { id: 2, name: '二' }, '1'])
        .value,
    ).toEqual([
      { id: '1', name: '' },
      { id: '2', name: '二' },
    ])
    expect(checkField(parseFieldDraft({ uiType: 'date' }), '2026/1/5').value).toBe('2026-01-05')
    expect(
      checkField(parseFieldDraft({ uiType: 'inputNumber' }), '12345678901234567890').value,
    ).toBe('12345678901234567890')
    expect(checkField(parseFieldDraft({ uiType: 'switch' }), true).value).toBe('1')
  })
  it.each([
    ['date', '2026-02-30'],
    ['datetime', '2026-01-01 25:00:00'],
    ['time', '9'],
    ['year', '26'],
    ['switch', 'maybe'],
    ['select', ['1', '2']],
    ['select', {}],
    ['input', { a: 1 }],
    ['input', 'a\u0000b'],
  ] as const)('refuses %s %j', (uiType, value) => {
    expect(findBrokenRule({ uiType }, value)).toBe('value')
  })
  it('reports an invalid number with the message of the number rule', () =>
    expect(validateField(parseFieldDraft({ uiType: 'inputNumber' }), 'abc')?.message.key).toBe(
      'rule.number',
    ))
})

describe('fieldSchema', () => {
  it('gives the same verdict as a valibot schema', () => {
    expect(
      v.safeParse(fieldSchema(parseFieldDraft({ valids: { required: true } })), ''),
    ).toMatchObject({
      success: false,
      issues: [{ message: 'rule.required' }],
    })
    expect(v.parse(fieldSchema(parseFieldDraft({ uiType: 'date' })), '2026.1.5')).toBe('2026-01-05')
  })
})

describe('validateValues', () => {
  it('checks editable fields only, in order', () => {
    const required = { valids: { required: true } }
    const fields = [
      parseFieldDraft({ attrName: 'a', ...required }),
      parseFieldDraft({ attrName: 'b', isAdd: 2, ...required }),
      parseFieldDraft({ attrName: 'c', disabled: true, ...required }),
      parseFieldDraft({ attrName: 'd', isAdd: 0, ...required }),
      parseFieldDraft({ attrName: 'g', uiType: 'group', ...required }),
      parseFieldDraft({ attrName: 'e', ...required }),
    ]
    expect(validateValues(fields, {}, 'add').map((fault) => fault.path)).toEqual(['a', 'e'])
    expect(validateValues(fields, {}, 'edit').map((fault) => fault.path)).toEqual([
      'a',
      'b',
      'd',
      'e',
    ])
  })
})
