import type { Field } from '@jiaowu/api/entity/config'
import { expect, test } from 'vitest'
import { formatRange } from './range-text.ts'

const row = { course: [{ id: '1', name: '高等数学', values: { fullMark: 150 } }] }

test.each<[Field['valids'], Field['options'], string, string]>([
  [{ min: 0, max: 'row.course.fullMark' }, {}, '0 至 150', '0 to 150'],
  [{ min: 1 }, {}, '1 及以上', '1 or more'],
  [{ max: 1000 }, { money: 'fen' }, '10.00 及以下', '10.00 or less'],
  [{ step: 0.5 }, {}, '每档 0.5', 'in steps of 0.5'],
  [{ min: 0, max: 5, step: 0.5 }, {}, '0 至 5，每档 0.5', '0 to 5, in steps of 0.5'],
  [{ max: 'row.other.fullMark' }, {}, '', ''],
  [{}, {}, '', ''],
])('bounds %j with %j are shown as %s', (valids, options, zh, en) => {
  const field = { attrName: 'score', uiType: 'inputNumber', valids, options } as Field
  expect([formatRange(field, row, 'zh-CN'), formatRange(field, row, 'en')]).toEqual([zh, en])
})
