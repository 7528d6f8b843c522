import type { Field } from '@jiaowu/api/entity/config'
import { yuanText } from '@jiaowu/api/fields/money'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validateField } from '../field-schema.ts'
import { readTyped, sentValue } from './read-typed.ts'

function buildTypedField(
  uiType: Field['uiType'],
  type?: string,
  pii: Field['pii'] = null,
): Parameters<typeof readTyped>[0] {
  return {
    attrName: 'a',
    uiType,
    valids: type === undefined ? {} : { type },
    options: {},
    pii,
  }
}

describe('texts', () => {
  it.each([
    ['２０２２０１００００', '2022010000'],
    ['ＣＳ－１０１', 'CS-101'],
    ['="0123"', '0123'],
    ["'0123", '0123'],
    ['\u200b张三\ufeff', '张三'],
    ['a\u00a0b', 'a b'],
    ['计算机２２０１班（本科）', '计算机2201班（本科）'],
    ["'tis", "'tis"],
    ['你好，世界', '你好，世界'],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
    ['', ''],
  ])('%j is %j', (typed, text) =>
    expect(readTyped(buildTypedField('input'), typed).text).toBe(text),
  )
  it.each([
    ['mobile', '138 0000 0001', '13800000001'],
    ['mobile', '+86 138-0000-0001', '13800000001'],
    ['mobile', '１３８００００００００１', '138000000001'],
    ['mobile', '13800000001.0', '13800000001'],
    ['mobile', '无', '无'],
    ['Idcard', '110105 19491231 002x', '11010519491231002X'],
    ['Idcard', '护照 E1', '护照 E1'],
    ['Email', 'a＠b。cn', 'a@b.cn'],
    ['Digits', '1,234', '1234'],
    ['Http', 'ｈttp://a.cn ', 'http://a.cn'],
  ])('%s: %s is %s', (type, typed, text) =>
    expect(readTyped(buildTypedField('input', type), typed).text).toBe(text),
  )
  it.each([
    ['张　三', '张三'],
    ['John  Smith', 'John Smith'],
  ])('the name %s is %s', (typed, text) =>
    expect(readTyped(buildTypedField('input', undefined, 'name'), typed).text).toBe(text),
  )
  it('of several lines keep their width and indentation', () =>
    expect(readTyped(buildTypedField('textarea'), '（１）\n　　二').text).toBe('（１）\n　　二'))
  it('names a long number that a spreadsheet has shortened', () =>
    expect(readTyped(buildTypedField('input', 'Idcard'), '1.10105E+17')).toMatchObject({
      value: undefined,
      fault: { rule: 'precision' },
    }))
  it.each([
    ['新一\n院', '新一 院'],
    ['新一 \r\n\t院\u2028部\n', '新一 院 部'],
    ['第一行\n\n第二行', '第一行 第二行'],
  ])('reads the breaks of a wrapped cell as blanks in a field of one line: %j', (cell, text) =>
    expect(readTyped(buildTypedField('input'), cell)).toMatchObject({
      value: text,
      text,
      tidied: true,
      fault: null,
    }),
  )
  it('keeps the breaks of a field of several lines', () =>
    expect(readTyped(buildTypedField('textarea'), '一\n二')).toMatchObject({
      value: '一\n二',
      tidied: false,
    }))
  it('keeps passwords as they are', () =>
    expect(readTyped(buildTypedField('password'), ' １ ').text).toBe(' １ '))
})

describe('numbers', () => {
  it.each([
    ['1,234.5', 1234.5],
    ['１２３', 123],
    ['85 %', 85],
    ['¥ 1 234', 1234],
    ['(12.5)', -12.5],
    ['−3', -3],
    ['90分', 90],
    ['.5', 0.5],
    ['1.5E+3', 1500],
    ['—', null],
    ['', null],
  ])('%s is %s', (typed, value) =>
    expect(readTyped(buildTypedField('inputNumber'), typed).value).toBe(value),
  )
  it.each(['缺考', '1,2', '1e', '12a'])('%s is none', (typed) =>
    expect(readTyped(buildTypedField('inputNumber'), typed)).toMatchObject({
      value: undefined,
      fault: { message: { key: 'rule.number' } },
    }),
  )
})

describe('amounts', () => {
  const amount = { ...buildTypedField('inputNumber'), options: { money: 'fen' as const } }
  it.each([
    ['12.5', 1250],
    ['12.50', 1250],
    ['１２．５', 1250],
    ['1,200', 120_000],
    ['￥12.5', 1250],
    ['¥ 1,200.05', 120_005],
    ['12.5元', 1250],
    ['(3)', -300],
    ['12.500', 1250],
    ['0.1', 10],
    ['4.35', 435],
    ['9999999999999.99', 999_999_999_999_999],
    ['-', null],
    ['', null],
  ])('%s is %s fen', (typed, fen) => {
    expect(readTyped(amount, typed)).toMatchObject({ value: fen, fault: null })
    expect(sentValue(amount, typed)).toBe(fen)
    expect(validateField(amount, fen)).toBeNull()
  })
  it.each([
    ['12.345', 'rule.amountDecimals', '12.345'],
    ['十二', 'rule.amount', '十二'],
    ['12a', 'rule.amount', '12a'],
    ['10000000000000', 'rule.amountRange', '10000000000000元'],
    ['1e30', 'rule.amount', '1e30'],
  ])('%s is refused, and what is sent for it is refused as well', (typed, key, sent) => {
    expect(readTyped(amount, typed)).toMatchObject({
      value: undefined,
      fault: { message: { key } },
    })
    expect(sentValue(amount, typed)).toBe(sent)
    expect(validateField(amount, sent)).toMatchObject({ message: { key } })
  })
  it('takes whole fen on the wire, as a number or as text', () => {
    expect(
      [1250, '1250', '12345678901234567', null].map((fen) => validateField(amount, fen)),
    ).toEqual([null, null, null, null])
    expect(validateField(amount, 12.5)).not.toBeNull()
  })
  it('reads what it shows, for any amount', () =>
    fc.assert(
      fc.property(fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }), (fen) => {
        expect(readTyped(amount, yuanText(fen)).value).toBe(fen)
      }),
      { numRuns: 1000, seed: 18 },
    ))
  it('leaves numbers without a unit as they are', () =>
    expect(readTyped(buildTypedField('inputNumber'), '12.5').value).toBe(12.5))
})

describe('days, and yes or no', () => {
  it.each([
    ['二〇〇四年九月一日', '2004-09-01'],
    ['2004．9．1', '2004-09-01'],
    ['31/12/2004', '2004-12-31'],
    ['1 Sep 2004', '2004-09-01'],
    ['民国93年9月1日', '2004-09-01'],
    ['/', null],
  ])('%s is %s', (typed, value) =>
    expect(readTyped(buildTypedField('date'), typed).value).toBe(value),
  )
  it('offers both days where day and month cannot be told apart', () =>
    expect(readTyped(buildTypedField('date'), '9/1/2004')).toMatchObject({
      value: undefined,
      choices: ['2004-09-01', '2004-01-09'],
      fault: { message: { key: 'rule.dateOrder' } },
    }))
  it.each([
    ['√', '1'],
    ['是', '1'],
    ['×', '0'],
    ['无', '0'],
    ['perhaps', undefined],
  ])('%s is %s', (typed, value) =>
    expect(readTyped(buildTypedField('switch'), typed).value).toBe(value),
  )
})

describe('reading again', () => {
  const kinds = [
    buildTypedField('input'),
    buildTypedField('textarea'),
    buildTypedField('input', 'mobile'),
    buildTypedField('input', 'Idcard'),
    buildTypedField('input', 'Email'),
    buildTypedField('input', undefined, 'name'),
    buildTypedField('inputNumber'),
    buildTypedField('date'),
    buildTypedField('datetime'),
    buildTypedField('time'),
    buildTypedField('year'),
  ]
  it('changes nothing, for any text and kind', () =>
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.string({ unit: 'grapheme' }), (kind, typed) => {
        const once = readTyped(kind, typed)
        if (once.value === undefined || once.value === null) return
        const again = readTyped(kind, String(once.value))
        expect(again.value).toEqual(once.value)
        expect(again.tidied).toBe(false)
      }),
      { numRuns: 4000, seed: 17 },
    ))
  it('reads every day in the notations that programs write', () =>
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1900-03-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
        (date) => {
          const day = date.toISOString().slice(0, 10)
          const [y, m, d] = day.split('-').map(Number)
          for (const typed of [
            `${y}/${m}/${d}`,
            `${y}年${m}月${d}日`,
            `${y}.${m}.${d}`,
            `${y} 年 ${m} 月 ${d} 日 星期一`,
            day.replaceAll('-', ''),
            date.toLocaleDateString('en-GB', {
              day: 'numeric',
              month: 'short',
              year: 'numeric',
              timeZone: 'UTC',
            }),
          ])
            expect(readTyped(buildTypedField('date'), typed).value, typed).toBe(day)
        },
      ),
      { numRuns: 300, seed: 4 },
    ))
})
