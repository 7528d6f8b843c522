import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { fieldDefinitionSchema, type FieldDraft } from '@jiaowu/api/entity/definition/definition'
import type { Row } from '@jiaowu/api/entity/values'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { matchBlock } from './match.ts'
import type { MatchSubject } from './types.ts'

function buildMatchField(draft: Omit<FieldDraft, 'id'>, more: Partial<Field> = {}): Field {
  const plain = v.parse(fieldDefinitionSchema, { id: draft.attrName, isList: 1, ...draft })
  return { ...plain, sortable: true, ...more }
}
const fields = [
  buildMatchField({
    attrName: 'studentNo',
    uiLabel: '学号',
    uiType: 'select',
    dictType: 1,
    isAdd: 0,
    isEdit: 0,
  }),
  buildMatchField({
    attrName: 'student',
    uiLabel: '学生',
    uiType: 'select',
    dictType: 1,
    isEdit: 2,
  }),
  buildMatchField({ attrName: 'score', uiLabel: '成绩', uiType: 'inputNumber' }),
  buildMatchField({
    attrName: 'point',
    uiLabel: '绩点',
    uiType: 'inputNumber',
    derived: 'row.score / 20',
  }),
  buildMatchField(
    { attrName: 'examType', uiLabel: '考核方式', uiType: 'select', dictType: 0 },
    {
      dictData: [
        { id: '1', name: '考试' },
        { id: '2', name: '考查' },
      ],
    },
  ),
  buildMatchField({ attrName: 'term', uiLabel: '学期', uiType: 'select', dictType: 0 }),
  buildMatchField({ attrName: 'credit', uiLabel: '学分', uiType: 'inputNumber', isEdit: 2 }),
]
const config: EntityConfig = {
  tag: 'G',
  name: '成绩',
  buttons: [],
  idField: 'id',
  tagField: 'term',
  permissions: [],
  entry: {
    by: ['term'],
    frozen: ['studentNo', 'student'],
    columns: ['score', 'examType'],
    progress: 'score',
  },
  options: {
    selection: true,
    operColumnShow: true,
    singleSelect: false,
    multiSelect: true,
    openType: 'drawer',
    sorts: [],
  },
  fields,
}
const people = [
  ['2025050067', '姚霞'],
  ['2024050078', '曾强斌'],
  ['2025040147', '韩梦'],
  ['2024050170', '丁伟翔'],
  ['0012', '欧阳 娜'],
  ['2024050099', '姚霞'],
] as const
const rows: Row[] = people.map(([no, name], i) => ({
  id: `g${i}`,
  version: 1,
  studentNo: [{ id: `s${i}`, name: no }],
  student: [{ id: `s${i}`, name }],
  score: null,
  point: null,
  examType: [{ id: '1', name: '考试' }],
  term: [{ id: '20252', name: '2025-2026-2' }],
  credit: 3,
}))
const sheet = ['studentNo', 'student', 'score', 'point', 'examType']

function subject(given: Partial<MatchSubject> = {}, held: readonly Row[] = rows): MatchSubject {
  return {
    config,
    columns: sheet.flatMap((name) => fields.find(({ attrName }) => attrName === name) ?? []),
    rows: held,
    keys: null,
    indexOf: (row) => held.indexOf(row),
    rowAt: (index) => held[index] ?? null,
    top: 0,
    left: 0,
    total: held.length,
    mayAdd: false,
    isEditable: ({ attrName }) => ['score', 'examType'].includes(attrName),
    ...given,
  }
}
const match = (text: string, given: Partial<MatchSubject> = {}, held = rows) =>
  matchBlock(
    subject(given, held),
    text.split('\n').map((line) => line.split('|')),
  )
const formatMatchedLines = (text: string, given: Partial<MatchSubject> = {}, held = rows) =>
  match(text, given, held).lines.map(
    ({ line, verdict, row }) => `${line} ${verdict} ${row?.id ?? '-'}`,
  )
const uses = (text: string, given: Partial<MatchSubject> = {}) =>
  match(text, given).columns.map(({ attrName, use }) => `${attrName ?? '-'} ${use}`)

describe('the lines of a block find their rows', () => {
  test('in the order of the rows, shuffled, with and without a heading', () => {
    expect(formatMatchedLines('2025050067|姚霞|80\n2024050078|曾强斌|70')).toEqual([
      '1 ready g0',
      '2 ready g1',
    ])
    expect(formatMatchedLines('2024050078|曾强斌|70\n2025050067|姚霞|80')).toEqual([
      '1 ready g1',
      '2 ready g0',
    ])
    expect(formatMatchedLines('学号|姓名|成绩\n2024050078|曾强斌|70\n2025050067|姚霞|80')).toEqual([
      '2 ready g1',
      '3 ready g0',
    ])
    expect(match('学号|姓名|成绩\n2024050078|曾强斌|70').heading).toBe(1)
  })
  test('below titles, and a heading in words of its own', () => {
    const titled = match('高等数学A 成绩单||\n\n学号*|姓名|成绩（百分制）\n2024050078|曾强斌|70')
    expect([titled.heading, titled.lines.map(({ row }) => row?.id)]).toEqual([3, ['g1']])
    const foreign = match('Student ID|Who|Result\n2024050078|曾强斌|70\n2025050067|姚霞|80')
    expect([foreign.heading, foreign.lines.length]).toEqual([1, 2])
  })
  test('wherever the block is pasted, and with its columns in any order', () => {
    expect(uses('70|曾强斌|2024050078\n80|姚霞|2025050067', { left: 2, top: 3 })).toEqual([
      'score write',
      'student check',
      'studentNo key',
    ])
    expect(uses('2024050078|70\n2025050067|80')).toEqual(['studentNo key', 'score write'])
    expect(uses('学号|姓名|班级|考核方式|成绩\n2024050078|曾强斌|软件1班|考查|70')).toEqual([
      'studentNo key',
      'student check',
      '- none',
      'examType write',
      'score write',
    ])
    expect(uses('2024050078|曾强斌|软件工程|软件1班|70\n2025040147|韩梦|法学|法学1班|80')).toEqual([
      'studentNo key',
      'student check',
      '- none',
      '- none',
      'score write',
    ])
  })
  test('keys in full width, with blanks, without leading zeros, as text of a number cell', () => {
    for (const key of [
      '２０２４０５００７８',
      ' 2024050078 ',
      '2024050078\u200b',
      "'2024050078",
      '2024050078.0',
    ])
      expect(formatMatchedLines(`${key}|曾强斌|70`)).toEqual(['1 ready g1'])
    for (const key of ['0012', '12', '００１２', '012'])
      expect(formatMatchedLines(`${key}|欧阳娜|70`)).toEqual(['1 ready g4'])
  })
  test('a key with zeros of its own is not another without them', () => {
    const [one, two] = [rows[0], rows[4]]
    if (one === undefined || two === undefined) throw new Error('no rows')
    const held = [{ ...one, studentNo: [{ id: 's', name: '12' }] }, two]
    expect(formatMatchedLines('0012||70\n12||60', {}, held)).toEqual(['1 ready g4', '2 ready g0'])
    expect(formatMatchedLines('012|欧阳娜|70', {}, held)).toEqual(['1 ready g4'])
  })
  test('the number is the key before the name, and a name before what many rows share', () => {
    const fieldsFirst = { ...config, fields: fields.toReversed() }
    const given = { config: fieldsFirst }
    for (const text of ['2024050078|曾强斌|70', '姓名|学期|学号\n曾强斌|2025-2026-2|2024050078'])
      expect(match(text, given).by).toBe('studentNo')
    expect(match('学期|姓名|成绩\n2025-2026-2|曾强斌|70', given).by).toBe('student')
  })
  test('a name alone, unless two rows have it', () => {
    expect(formatMatchedLines('韩梦|80\n姚霞|70')).toEqual(['1 ready g2', '2 ambiguous -'])
    expect(formatMatchedLines('姓名|成绩\n姚霞|70')).toEqual(['2 ambiguous -'])
  })
  test('rows of one key are told apart by what else the line says', () => {
    const many = people.slice(0, 2).flatMap((_person, i) =>
      ['1', '2'].map((term): Row => ({
        ...rows[i],
        id: `g${i}${term}`,
        term: [{ id: term, name: `第${term}学期` }],
      })),
    )
    expect(
      formatMatchedLines(
        '学号|学期|成绩\n2024050078|第2学期|70\n2025050067|第1学期|60\n2024050078|第3学期|1',
        {},
        many,
      ),
    ).toEqual(['2 ready g12', '3 ready g01', '4 unknown -'])
    expect(formatMatchedLines('学号|成绩\n2024050078|70', {}, many)).toEqual(['2 ambiguous -'])
  })
})

describe('lines that have to be settled', () => {
  test('another name than the row has', () => {
    const [line] = match('学号|姓名|成绩\n2024050078|姚霞|70').lines
    expect(line).toMatchObject({
      verdict: 'differs',
      index: 1,
      held: '2024050078 曾强斌',
      pasted: '2024050078 姚霞',
    })
    // Names that were sorted without their numbers, and names that nobody here has.
    expect(formatMatchedLines('2024050078|姚霞|70\n2025050067|曾强斌|60')).toEqual([
      '1 differs g1',
      '2 differs g0',
    ])
    expect(formatMatchedLines('学号|姓名|成绩\n2024050078|王五|70\n2025050067|赵六|60')).toEqual([
      '2 differs g1',
      '3 differs g0',
    ])
    expect(formatMatchedLines('2024050078|王五|70\n2025050067|赵六|60')).toEqual([
      '1 differs g1',
      '2 differs g0',
    ])
  })
  test('a line without a row, and one of two for the same row', () => {
    expect(
      formatMatchedLines('2024050078||70\n2099000000||60\n2025050067||1\n2025050067||2'),
    ).toEqual(['1 ready g1', '2 unknown -', '3 repeated g0', '4 repeated g0'])
    expect(formatMatchedLines('2024050078||70\n|曾强斌|60\n||')).toEqual([
      '1 ready g1',
      '2 unknown -',
    ])
  })
  test('lines below the last row are new ones where rows may be added', () => {
    expect(
      formatMatchedLines('2024050099|姚霞|70\n2099000000|新人|60', { top: 5, mayAdd: true }),
    ).toEqual(['1 ready g5', '2 new -'])
    expect(formatMatchedLines('2024050099|姚霞|70\n2099000000|新人|60', { top: 5 })).toEqual([
      '1 ready g5',
      '2 unknown -',
    ])
  })
  test('numbers of another class, under a heading that names them, find no row by place', () => {
    const { by, lines } = match('学号|成绩\n2099000001|70\n2099000002|60')
    expect([by, lines.map(({ verdict }) => verdict)]).toEqual(['studentNo', ['unknown', 'unknown']])
  })
})

describe('by place, when nothing can match', () => {
  test('columns that can be changed are laid where they are pasted', () => {
    const { by, columns, lines } = match('80|考试\n70|考查', {
      left: 2,
      top: 1,
      columns: subject().columns.filter(({ attrName }) => attrName !== 'point'),
    })
    expect([by, columns.map(({ use }) => use), lines.map(({ index }) => index)]).toEqual([
      null,
      ['write', 'write'],
      [1, 2],
    ])
  })
  test('what cannot be changed has to be the same there', () => {
    expect(formatMatchedLines('2099000001|王五|70\n2099000002|赵六|60', { top: 1 })).toEqual([
      '1 differs g1',
      '2 differs g2',
    ])
  })
  test('fields whose rows are not all known are no key', () => {
    expect(match('学期|姓名|成绩\n2025-2026-2|姚霞|70', { keys: [] }).by).toBeNull()
    expect(match('2024050078|曾强斌|70', { keys: ['student'] }).by).toBe('student')
  })
  test('a number that many rows hold is no key', () => {
    expect(match('70|3\n80|3', { left: 2 }).by).toBeNull()
  })
})

test('any shuffle of a block writes the same', () => {
  const block = people.map(([no, name], i) => [
    no,
    name,
    String(60 + i),
    i % 2 === 0 ? '考试' : '考查',
  ])
  const writes = (
    lines: readonly (readonly string[])[],
    order: readonly number[],
    heading: boolean,
  ) => {
    const head = ['学号', '姓名', '成绩', '考核方式']
    const all = (heading ? [head, ...lines] : lines).map((cells) =>
      order.map((at) => cells[at] ?? ''),
    )
    const found = matchBlock(subject(), all)
    return found.lines
      .map(({ line, row, verdict }) =>
        [
          verdict,
          row?.id,
          ...found.columns
            .flatMap(({ attrName, use }, i) =>
              use === 'write' ? [`${attrName}=${all[line - 1]?.[i]}`] : [],
            )
            .toSorted(),
        ].join(' '),
      )
      .toSorted()
  }
  const expected = writes(block, [0, 1, 2, 3], true)
  expect(expected).toHaveLength(people.length)
  expect(expected.every((line) => line.startsWith('ready'))).toBe(true)
  let seed = 1
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  const shuffled = <T>(all: readonly T[]) =>
    all
      .map((each) => [random(), each] as const)
      .toSorted((a, b) => a[0] - b[0])
      .map(([, each]) => each)
  for (let round = 0; round < 300; round += 1)
    expect(writes(shuffled(block), shuffled([0, 1, 2, 3]), round % 2 === 0)).toEqual(expected)
})
