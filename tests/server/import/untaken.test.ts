// The review says of every cell of the file that is not taken how many they are and where, and offers
// its column.
import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import type { Job } from '@jiaowu/api/contract/job'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import ExcelJS from 'exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toCsv, importFile, waitForJob, toSheet } from '../../support/imports.ts'

let app: TestApp
let api: Client<typeof contract>
const tag = 'EDU_FACULTY'
beforeAll(async () => {
  app = await testApp()
  api = await app.signIn('admin')
})
afterAll(() => app.close())

const heading = ['院系代码', '院系名称']
const buildFacultyRows = (
  count: number,
  more: (n: number) => readonly (string | null)[] = () => [],
) => Array.from({ length: count }, (_, n) => [`U${n}`, `院系 ${n}`, ...more(n)])

async function importForReview(file: File, choices: object = {}): Promise<Job> {
  app.advance(1_000)
  const job = await importFile(api, tag, file, { pauseAt: 'review', ...choices })
  expect(job, job.message ?? '').toMatchObject({ status: 'paused' })
  return job
}

async function readSheetNotes(file: File): Promise<readonly string[]> {
  const { id, sheet } = await importForReview(file)
  await api.job.cancel({ params: { id } })
  return sheet?.notes ?? []
}

const csv = (lines: readonly (readonly (string | null)[])[]) =>
  toCsv(lines.map((line) => line.join(',')).join('\n'))

describe('a column without a heading', () => {
  it.each([16, 41, 700])('is counted and offered when its values begin in row %d', async (row) => {
    const lines = [
      heading,
      ...buildFacultyRows(row + 30, (n) => (n + 2 >= row && n + 2 < row + 25 ? ['备注'] : [])),
    ]
    for (const file of [csv(lines), await toSheet(lines)]) {
      const job = await importForReview(file)
      expect(job.sheet?.notes).toEqual([`以下列不会导入：C 列（25 个值，从第 ${row} 行起）`])
      expect(job.sheet?.columns).toMatchObject([
        { letter: 'A' },
        { letter: 'B' },
        { column: 3, letter: 'C', header: '', attrName: null, samples: ['备注', '备注', '备注'] },
      ])
      await api.job.cancel({ params: { id: job.id } })
    }
  })

  it('can be mapped', async () => {
    const lines = [heading, ...buildFacultyRows(60, (n) => (n >= 40 ? ['备注'] : []))]
    const { id } = await importForReview(csv(lines), { pauseAt: 'mapping' })
    const field = (await api.job.get({ params: { id } })).sheet?.fields.find(
      ({ attrName, required, unique }) =>
        !required && !unique && !['code', 'name'].includes(attrName),
    )
    const to = field?.attrName ?? ''
    await api.job.resume({
      params: { id },
      body: {
        mapping: [
          { column: 1, attrName: 'code' },
          { column: 2, attrName: 'name' },
          { column: 3, attrName: to },
        ],
        pauseAt: 'review',
      },
    })
    const job = await waitForJob(api, id)
    expect(job.sheet?.notes).toEqual([])
    expect(job.sheet?.columns[2]).toMatchObject({ letter: 'C', attrName: to })
    await api.job.cancel({ params: { id } })
  })
})

it('names what stands above the heading, beside the last one, and in columns without a field', async () => {
  const lines = [
    ['2026 年院系名单', null, null, '打印：教务处'],
    [...heading, '座位'],
    ...buildFacultyRows(30, (n) => [n < 7 ? 'x' : null, null, n === 25 ? '见附件' : null]),
  ]
  const job = await importForReview(await toSheet(lines), {
    mapping: JSON.stringify([
      { header: '院系代码', attrName: 'code' },
      { header: '院系名称', attrName: 'name' },
      { header: '座位', attrName: null },
    ]),
  })
  expect(job.sheet?.notes).toEqual([
    '以下列不会导入：座位（7 个值）、E 列（1 个值，从第 28 行起）',
    '表头上方的 2 个值不会导入（A1、D1）',
  ])
  await api.job.cancel({ params: { id: job.id } })
})

it('names the columns of a further sheet that stand under no heading of the first', async () => {
  const book = new ExcelJS.Workbook()
  book.addWorksheet('一班').addRows([heading, ...buildFacultyRows(3)])
  book.addWorksheet('二班').addRows([
    ['院系名称', '院系代码', null, '电话'],
    ['院系 9', 'V9', null, '1'],
    ['院系 8', 'V8', '多', '2'],
  ])
  const bytes = new Uint8Array((await book.xlsx.writeBuffer()) as ArrayBuffer)
  const job = await importForReview(new File([bytes], 'two.xlsx'), {
    reading: JSON.stringify({ sheets: ['一班', '二班'] }),
  })
  expect([job.total, job.errors]).toEqual([5, []])
  expect(job.sheet?.notes).toEqual([
    '以下列不会导入：二班!C 列（1 个值，从第 3 行起）、二班!D 列（2 个值，从第 2 行起）',
  ])
  await api.job.cancel({ params: { id: job.id } })
})

describe('a sheet of many columns', () => {
  it('is read to its last heading', async () => {
    const wide = (last: readonly string[]) => [
      ...Array.from({ length: 150 }, (_, n) => `题${n + 1}`),
      ...last,
    ]
    const lines = [
      wide(heading),
      ...buildFacultyRows(3).map((row) => [...wide([]).map(() => '1'), ...(row as string[])]),
    ]
    for (const file of [csv(lines), await toSheet(lines)]) {
      const job = await importForReview(file, { pauseAt: 'mapping' })
      const mapping = (job.sheet?.columns ?? []).map(({ column, attrName }) => ({
        column,
        attrName,
      }))
      expect(mapping.slice(-2)).toEqual([
        { column: 151, attrName: 'code' },
        { column: 152, attrName: 'name' },
      ])
      await api.job.resume({ params: { id: job.id }, body: { mapping, pauseAt: 'review' } })
      const checked = await waitForJob(api, job.id)
      expect([checked.phase, checked.total, checked.errors]).toEqual(['review', 3, []])
      expect(checked.sheet?.notes.join()).toContain('题150（3 个值）')
      await api.job.cancel({ params: { id: job.id } })
    }
  })

  it('tells of the cells beyond the columns that are read', async () => {
    const far = [...heading, ...Array.from({ length: 998 }, () => null)]
    const lines = [heading, ...buildFacultyRows(30)].map((line, n) =>
      n === 20 ? [...line, ...far.slice(2), '远'] : line,
    )
    for (const file of [csv(lines), await toSheet(lines)])
      expect(await readSheetNotes(file)).toEqual([
        '第 1000 列之后的 1 个值没有读取，第一个在 ALM21',
      ])
  })
})

describe('rosters and mark sheets as universities keep them', () => {
  const roster = (rows: readonly (readonly (string | number | Date | null)[])[]) =>
    toSheet(
      [
        ['信息工程学院软件工程专业 2026 级学生名册'],
        ['序号', '学号', '姓名', '性别', '学籍状态', '备注'],
        ...rows,
        ['制表人', '李老师', null, null, '日期', '2026-09-01'],
      ],
      '名册',
    )

  it('get what their title tells for all rows, and leave the line of signatures', async () => {
    app.advance(1_000)
    const file = await roster([
      [1, '2026990001', '张小明', '男', '在读', null],
      [2, '2026990002', '王\u200d芳', '女', '在读', null],
    ])
    const job = await importFile(api, 'EDU_STUDENT', file, { pauseAt: 'review' })
    expect(job).toMatchObject({ status: 'paused', phase: 'mapping' })
    // Neither the numbers of the lines nor the signatures below them are asked about.
    expect(job.message).toMatch(/^缺少必填列/)
    const from = '信息工程学院软件工程专业 2026 级学生名册'
    expect(job.sheet?.fixed).toMatchObject([
      { attrName: 'faculty', label: '院系', value: [{ name: '信息工程学院' }], from },
      { attrName: 'major', label: '专业', value: [{ name: '软件工程' }], from },
    ])
    const fixed = Object.fromEntries(
      (job.sheet?.fixed ?? []).map(({ attrName, value }) => [attrName, value]),
    )
    const columns = job.sheet?.columns ?? []
    await api.job.resume({
      params: { id: job.id },
      body: {
        pauseAt: 'review',
        fixed,
        mapping: columns.map(({ column, attrName }) => ({ column, attrName })),
      },
    })
    const checked = await waitForJob(api, job.id)
    expect(checked).toMatchObject({ phase: 'review', review: { fresh: 2, wrong: 0 }, total: 2 })
    expect(checked.sheet?.fixed?.map(({ from: told }) => told)).toEqual([null, null])
    await api.job.resume({ params: { id: job.id }, body: {} })
    expect(await waitForJob(api, job.id)).toMatchObject({ status: 'done', inserted: 2 })
    const { records } = await api.entityData.page({
      params: { tag: 'EDU_STUDENT' },
      body: { queries: { studentNo: '2026990002' } },
    })
    expect(records).toMatchObject([
      { name: '王芳', faculty: [{ name: '信息工程学院' }], major: [{ name: '软件工程' }] },
    ])
    const again = await importFile(
      api,
      'EDU_STUDENT',
      await toSheet([
        ['学号', '姓名', '性别', '学籍状态'],
        ['2026990003', '赵六', '男', '在读'],
      ]),
      { pauseAt: 'review' },
    )
    expect(again.sheet?.fixed).toMatchObject([
      { attrName: 'faculty', from: '上次导入' },
      { attrName: 'major', from: '上次导入' },
    ])
    await api.job.cancel({ params: { id: again.id } })
  })

  it('are imported by a program in one call', async () => {
    app.advance(1_000)
    const job = await importFile(
      api,
      'EDU_STUDENT',
      await toSheet([
        ['学号', '姓名', '性别', '学籍状态'],
        ['2026990011', '钱七', '男', '在读'],
      ]),
      { fixed: JSON.stringify({ faculty: '信息工程学院', major: '软件工程' }) },
    )
    expect(job, job.message ?? '').toMatchObject({ status: 'done', inserted: 1 })
    const refused = api.job.import({
      params: { tag: 'EDU_STUDENT' },
      body: { file: toCsv('学号\n1'), fixed: JSON.stringify({ nothing: '1' }) },
    })
    await expect(refused).rejects.toMatchObject({
      problem: { issues: [{ path: 'fixed.nothing' }] },
    })
  })

  it('join a school year and its half, by themselves and as asked', async () => {
    const [grade] = (
      await api.entityData.page({ params: { tag: 'EDU_GRADE' }, body: { queries: {} } })
    ).records
    const [student] = (grade?.['studentNo'] ?? []) as readonly { name: string }[]
    const [course] = (grade?.['course'] ?? []) as readonly { id: string; name: string }[]
    const { code } = await api.entityData.get({
      params: { tag: 'EDU_COURSE', id: course?.id ?? '' },
    })
    const lines = [
      ['2025-2026学年第二学期学生成绩单'],
      ['学号', '姓名', '课程号', '课程名称', '学年', '学期', '总评'],
      [
        student?.name ?? '',
        '某人',
        String(code),
        course?.name ?? '',
        '2025-2026',
        '第二学期',
        '88',
      ],
    ]
    app.advance(1_000)
    const job = await importFile(api, 'EDU_GRADE', await toSheet(lines), { pauseAt: 'review' })
    expect(
      job.sheet?.columns.map(({ header, attrName, joined }) => [header, attrName, joined ?? 0]),
    ).toEqual([
      ['学号', 'student', 0],
      ['姓名', null, 0],
      ['课程号', 'course', 0],
      ['课程名称', null, 0],
      ['学年', 'term', 6],
      ['学期', null, 0],
      ['总评', 'score', 0],
    ])
    await api.job.resume({ params: { id: job.id }, body: { pauseAt: 'review' } })
    const checked = await waitForJob(api, job.id)
    expect(checked.errors).toEqual([])
    expect(checked).toMatchObject({ phase: 'review', review: { fresh: 1 } })
    await api.job.resume({
      params: { id: job.id },
      body: {
        pauseAt: 'review',
        mapping: { '学年+学期': 'remarks', 姓名: null },
        fixed: { term: '2021-2022-1' },
      },
    })
    const other = await waitForJob(api, job.id)
    const rows = await api.job.rows({ params: { id: job.id }, query: { verdict: 'fresh' } })
    expect([other.phase, rows.records[0]?.cells.map(({ after }) => after)]).toEqual([
      'review',
      expect.arrayContaining(['2025-2026-2', '2021-2022 学年第一学期']),
    ])
    await api.job.cancel({ params: { id: job.id } })
  })
})
