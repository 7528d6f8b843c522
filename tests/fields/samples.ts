import type { UiType } from '@jiaowu/api/entity/enums'
import type { WireValue } from '@jiaowu/api/entity/values'

/** Test data of a field kind. */
export interface Sample {
  /** A value as a client may send it, and its canonical form; null for kinds without a value. */
  readonly good: readonly (readonly [sent: unknown, kept: WireValue])[]
  readonly bad: readonly unknown[]
  /** The first good value as a line of text. */
  readonly text: string
}
const choice = (id: string, name = '') => [{ id, name }]

/** One row per kind: a kind without test data is a type error. */
export const samples = {
  input: {
    good: [
      ['张三', '张三'],
      ['', null],
    ],
    bad: [{ a: 1 }, ['x'], 'a\u0000b'],
    text: '张三',
  },
  textarea: { good: [['一\n二', '一\n二']], bad: [5], text: '一\n二' },
  password: { good: [['secret-2026', 'secret-2026']], bad: [{}], text: '' },
  inputNumber: {
    good: [
      [12.5, 12.5],
      ['12.50', 12.5],
      ['1234567890123456789', '1234567890123456789'],
    ],
    bad: ['abc', '1e9', Number.NaN, '１２'],
    text: '12.5',
  },
  select: {
    good: [
      [choice('1', '男'), choice('1', '男')],
      ['1', choice('1')],
      [7, choice('7')],
    ],
    bad: [['1', '2'], {}, [[]]],
    text: '男',
  },
  multiSelect: {
    good: [
      [
        ['a', { id: 'b', name: '乙' }],
        [...choice('a'), ...choice('b', '乙')],
      ],
    ],
    bad: [[{}], [[1]]],
    text: ',乙',
  },
  checkbox: {
    good: [[[...choice('a', '甲'), ...choice('a', '甲')], choice('a', '甲')]],
    bad: [[null]],
    text: '甲',
  },
  radio: { good: [[{ id: '2', name: '女' }, choice('2', '女')]], bad: [['1', '2']], text: '女' },
  switch: {
    good: [
      ['1', '1'],
      [false, '0'],
      [1, '1'],
    ],
    bad: ['2', 'maybe', []],
    text: '1',
  },
  date: {
    good: [
      ['2026-02-28', '2026-02-28'],
      ['2026/2/8', '2026-02-08'],
      ['1980年5月6日', '1980-05-06'],
      [20_260_101, '2026-01-01'],
    ],
    bad: ['2026-02-30', 'today', 202_601],
    text: '2026-02-28',
  },
  datetime: {
    good: [
      ['2026-02-28 08:05:09', '2026-02-28 08:05:09'],
      ['2026-02-28T08:05', '2026-02-28 08:05:00'],
    ],
    bad: ['2026-02-28 25:00:00', ''.padEnd(30, '1')],
    text: '2026-02-28 08:05:09',
  },
  year: {
    good: [
      ['2026', '2026'],
      [2026, '2026'],
    ],
    bad: ['26', '3026'],
    text: '2026',
  },
  time: {
    good: [
      ['08:05:09', '08:05:09'],
      ['8:05', '08:05:00'],
    ],
    bad: ['24:00:00', 'noon'],
    text: '08:05:09',
  },
  rate: {
    good: [
      [4, 4],
      ['4.5', 4.5],
    ],
    bad: ['five'],
    text: '4',
  },
  selectTree: {
    good: [[choice('10', '教务处'), choice('10', '教务处')]],
    bad: [['1', '2']],
    text: '教务处',
  },
  multiSelectTree: {
    good: [
      [
        ['1', '2'],
        [...choice('1'), ...choice('2')],
      ],
    ],
    bad: [[{}]],
    text: ',',
  },
  group: { good: [['x', null]], bad: [], text: '' },
  separate: { good: [['x', null]], bad: [], text: '' },
  uploadImg: {
    good: [[[{ id: '9', name: 'a.png' }], [{ id: '9', name: 'a.png' }]]],
    bad: [[{}]],
    text: 'a.png',
  },
  richTextEditor: {
    good: [['<p>一 <b>二</b></p>', '<p>一 <b>二</b></p>']],
    bad: [5],
    text: '一 二',
  },
} as const satisfies Record<UiType, Sample>
