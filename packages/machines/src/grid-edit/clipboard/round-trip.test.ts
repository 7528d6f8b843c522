import type { Field } from '@jiaowu/api/entity/config'
import { fieldDefinitionSchema } from '@jiaowu/api/entity/definition/definition'
import { holdsValue, isEmpty, findKind } from '@jiaowu/api/fields/kinds'
import { type UiType, uiTypes } from '@jiaowu/api/entity/enums'
import { valueText } from '@jiaowu/api/fields/money'
import type { WireValue } from '@jiaowu/api/entity/values'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { pastedValue } from '../edits/edits.ts'
import { isEditable } from '../selection/places.ts'
import { formatBlock, htmlOfBlock, parseBlock, pastedBlock } from './clipboard.ts'
import { parseHtmlTable } from './html-table.ts'

const items = [
  { id: '1', name: '考试' },
  { id: '2', name: '考查，开卷' },
  { id: '3', name: '考查' },
  { id: '4', name: 'a, b' },
]
const [first, second, third, fourth] = items.map((item) => [item])
const single = [first, second, third, fourth] as WireValue[]
const several = [...single, [...items].slice(1), [...items].toReversed(), []] as WireValue[]
const texts = ['张三', '0012', '"引用"', 'a\tb', '=1+1', '-5', '1,234', "'x", null]

/** Values of every kind that a grid changes; a kind without any is a type error. */
const values: Readonly<Record<UiType, readonly WireValue[]>> = {
  input: texts,
  textarea: [...texts, '一\n二', '一\n\n"二"\t三'],
  password: [],
  inputNumber: [0, -1.5, 12.25, 1_000_000, '1234567890123456789', null],
  select: single,
  multiSelect: several,
  checkbox: several,
  radio: single,
  switch: ['1', '0', null],
  date: ['2026-02-28', null],
  datetime: ['2026-02-28 08:05:09', null],
  year: ['2026', null],
  time: ['08:05:09', null],
  rate: [4, 4.5, null],
  selectTree: single,
  multiSelectTree: several,
  group: [],
  separate: [],
  uploadImg: [],
  richTextEditor: [],
}

function buildRoundTripField(uiType: UiType, options: Field['options'] = {}): Field {
  const plain = v.parse(fieldDefinitionSchema, { id: '1', attrName: 'a', uiLabel: '甲', uiType })
  return {
    ...plain,
    options,
    sortable: true,
    ...(findKind(uiType).family === 'choice' ? { dictType: 0 as const, dictData: items } : {}),
  }
}

const toPlainValue = (value: WireValue) =>
  isEmpty(value) ? null : Array.isArray(value) ? value.map(({ id }) => id as string) : value

/** Columns of a grid hold values, and no passwords. */
function isPasted(uiType: UiType): boolean {
  const isColumn = holdsValue(uiType) && !findKind(uiType).secret
  return (
    isColumn &&
    isEditable({ mayEdit: true, mayAdd: true, open: {} }, buildRoundTripField(uiType), false)
  )
}

describe('what is copied is what is pasted', () => {
  test.each(uiTypes.filter(isPasted))('%s', (uiType) => {
    const field = buildRoundTripField(uiType)
    const all = values[uiType]
    expect(all.length).toBeGreaterThan(0)
    const block = all.map((value) => [valueText(field, value), 'end'])
    for (const each of [block, ...block.map((row) => [row.slice(0, 1)])]) {
      const text = formatBlock(each)
      const ways = [parseBlock(text), pastedBlock(text, parseHtmlTable(htmlOfBlock(each)))]
      for (const way of ways) expect(way).toEqual(each)
    }
    expect(block.map(([text = '']) => toPlainValue(pastedValue(field, text)))).toEqual(
      all.map(toPlainValue),
    )
  })
  test('amounts in fen', () => {
    const field = buildRoundTripField('inputNumber', { money: 'fen' })
    for (const value of [0, 5, 1250, -99])
      expect(pastedValue(field, valueText(field, value))).toBe(value)
  })
})
