import type { Row } from '@jiaowu/api/entity/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testApp, type TestApp } from '../../../apps/server/testing/app.ts'
import { toCsv, importFile } from '../../support/imports.ts'

let app: TestApp
let api: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await testApp()
  api = await app.signIn('admin')
})
afterAll(() => app.close())

const tag = 'EDU_STUDENT'
const createPastedFile = (lines: readonly (readonly string[])[], separator = '\t') =>
  toCsv(`${lines.map((line) => line.join(separator)).join('\n')}\n`, '粘贴的内容.tsv')
async function students(pageSize: number): Promise<readonly Row[]> {
  return (await api.entityData.page({ params: { tag }, body: { pageSize, pageNum: 3 } })).records
}
const readPastedName = (row: Row | undefined, attrName: string) =>
  ((row?.[attrName] ?? []) as readonly { readonly name: string }[])[0]?.name ?? ''

describe('a block without a heading', () => {
  it('is told from data, and its columns by their values', async () => {
    const [like] = await students(5)
    const line = (no: string, name: string, phone: string, idCard: string) => [
      name,
      '男',
      no,
      readPastedName(like, 'faculty'),
      readPastedName(like, 'major'),
      phone,
      idCard,
    ]
    const lines = [
      line('2026010901', '张小明', '13912345678', '110101200501011239'),
      line('2026010902', '李大华', '13812345679', '110101200501011247'),
    ]
    const numbered = lines.map((parts, i) => [`${i + 1}. ${parts[0] ?? ''}`, ...parts.slice(1)])
    for (const [separator, rows] of [
      ['\t', lines],
      ['，', lines],
      ['、', lines],
      ['  ', lines],
      ['，', numbered],
    ] as const) {
      const job = await importFile(api, tag, createPastedFile(rows, separator), {
        pauseAt: 'review',
      })
      expect(job).toMatchObject({ status: 'paused', sheet: { headerRow: 0 } })
      expect(job.sheet?.columns.map(({ attrName, by }) => [attrName, by])).toEqual([
        ['name', 'values'],
        ['gender', 'values'],
        ['studentNo', 'values'],
        ['faculty', 'values'],
        ['major', 'values'],
        ['mobile', 'values'],
        ['idCard', 'values'],
      ])
      await api.job.cancel({ params: { id: job.id } })
    }
  })
  it('stays a guess of the heading where nothing in it is data', async () => {
    const job = await importFile(
      api,
      tag,
      createPastedFile([
        ['甲', '乙'],
        ['丙', '丁'],
      ]),
      {
        pauseAt: 'review',
      },
    )
    expect(job.sheet).toMatchObject({ headerRow: 1 })
  })
})

describe('rows in another order', () => {
  it('are changed by their key', async () => {
    const rows = await students(12)
    const lines = rows.map((row) => [
      String(row.name),
      `p${String(row.studentNo)}@school.cn`,
      String(row.studentNo),
    ])
    const job = await importFile(
      api,
      tag,
      createPastedFile([['姓名', '邮箱', '学号'], ...lines.toReversed()]),
      { mode: 'update' },
    )
    expect(job).toMatchObject({ status: 'done', key: 'studentNo', updated: 12, failed: 0 })
    for (const row of await students(12))
      expect(row.email).toBe(`p${String(row.studentNo)}@school.cn`)
  })
  it('are wrong where a column that cannot be changed holds something else', async () => {
    const [mark] = (
      await api.entityData.page({ params: { tag: 'EDU_GRADE' }, body: { pageSize: 1 } })
    ).records
    const job = await importFile(
      api,
      'EDU_GRADE',
      toCsv(`id,学生,成绩\n${mark?.id},不是此人,61\n`),
      { mode: 'update', pauseAt: 'review' },
    )
    expect(job).toMatchObject({ review: { wrong: 1, changed: 0 } })
    expect(job.errors[0]).toMatchObject({ column: '学生', value: '不是此人' })
    const [other] = (
      await api.entityData.page({ params: { tag }, body: { pageSize: 200 } })
    ).records.filter((row) => row.name !== readPastedName(mark, 'student'))
    const named = await importFile(
      api,
      'EDU_GRADE',
      toCsv(`id,学生,成绩\n${mark?.id},${String(other?.studentNo)},61\n`),
      { mode: 'update', pauseAt: 'review' },
    )
    expect(named.errors[0]).toMatchObject({
      column: '学生',
      rule: 'notWritable',
      msg: `此列不能修改，该记录是“${readPastedName(mark, 'student')}”`,
    })
  })
})
