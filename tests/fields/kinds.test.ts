import { fieldDefinitionSchema } from '@jiaowu/api/entity/definition/definition'
import { fieldKinds, isEmpty } from '@jiaowu/api/fields/kinds'
import { type UiType, uiTypes } from '@jiaowu/api/entity/enums'
import { checkField } from '@jiaowu/validation'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { cells } from '../../apps/cli/src/fields/index.ts'
import { serverFields } from '../../apps/server/src/model/fields/index.ts'
import { type Sample, samples } from './samples.ts'

function parseKindField(uiType: UiType) {
  return v.parse(fieldDefinitionSchema, { id: '1', attrName: 'a', uiLabel: '甲', uiType })
}

describe.each(uiTypes)('%s', (uiType) => {
  const { good, bad, text }: Sample = samples[uiType]
  it('converts client input to canonical form', () => {
    for (const [sent, kept] of good)
      expect(checkField(parseKindField(uiType), sent).value).toEqual(kept)
  })
  it('leaves canonical values unchanged', () => {
    for (const [, kept] of good)
      expect(checkField(parseKindField(uiType), kept).value).toEqual(kept)
  })
  it('refuses other values', () => {
    for (const value of bad)
      expect([value, checkField(parseKindField(uiType), value).fault?.rule]).toEqual([
        value,
        'value',
      ])
  })
  it('has a text form, also in the terminal', () => {
    const [, kept] = good[0] ?? [null, null]
    expect(fieldKinds[uiType].toText(kept)).toBe(text)
    expect(typeof cells[uiType](kept, 'zh-CN', {})).toBe('string')
  })
  it('counts its empty value as empty, and reads an empty text as it', () => {
    expect(isEmpty(fieldKinds[uiType].empty)).toBe(true)
    if (fieldKinds[uiType].family !== 'layout')
      expect(isEmpty(fieldKinds[uiType].fromText(''))).toBe(true)
  })
  it('has a row in the server table', () => expect(Object.keys(serverFields)).toContain(uiType))
})
