import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import type { Job, ReviewRow } from '@jiaowu/api/contract/job'
import { messageText } from '@jiaowu/api/texts/index'
import { expect, it } from 'vitest'
import type { JobApi } from './check-job.ts'
import { checkRows, type KnownRow } from './paste-check.ts'

const field = (attrName: string, uiLabel: string, more: Partial<Field>) =>
  ({ attrName, uiLabel, uiType: 'input', valids: {}, options: {}, ...more }) as Field
const config = {
  idField: 'id',
  fields: [
    field('course', '课程', { uiType: 'select', dictType: 1 }),
    field('score', '成绩', {
      uiType: 'inputNumber',
      valids: { min: 0, max: 'row.course.fullMark' },
    }),
  ],
} as unknown as EntityConfig

const course = (fullMark: number | null) => [
  { id: '7', name: '高等数学', ...(fullMark !== null && { values: { fullMark } }) },
]
function buildRow(
  id: string | null,
  score: number,
  fullMark: number | null,
  before = 60,
): KnownRow {
  const whole = { id: id ?? '', course: course(fullMark), score: before }
  return { index: 0, id, held: id === null ? null : { score: before }, whole, values: { score } }
}

/** A server that takes every row it is sent but those over 200. */
function server() {
  const sent: { readonly id?: string; readonly score: number }[] = []
  const api = {
    job: {
      import: async ({ body }: { body: { file: File } }) => {
        const lines = (await body.file.text()).trim().split('\n')
        sent.push(...lines.map((line) => JSON.parse(line) as (typeof sent)[number]))
        const wrong = sent.filter(({ score }) => score > 200).length
        const review = { changed: sent.length - wrong, fresh: 0, same: 0, wrong }
        return { id: 'j1', status: 'paused', phase: 'review', review } as unknown as Job
      },
      rows: ({ query: { verdict } }: { query: { verdict: string } }) => {
        const records = sent.flatMap(({ score }, at): Partial<ReviewRow>[] =>
          (verdict === 'wrong') === score > 200
            ? [{ row: at + 1, cells: [], errors: [{ attrName: 'score', msg: 'no' } as never] }]
            : [],
        )
        return Promise.resolve({ records })
      },
    },
  } as unknown as JobApi
  const check = (rows: readonly KnownRow[]) =>
    checkRows(
      api,
      () => Promise.resolve(),
      { tag: 'T', config, rows, textOf: (message) => messageText('zh-CN', message) },
      new AbortController().signal,
    )
  return { sent, check }
}

it('keeps back the rows that are out of bounds, and numbers those of the server by the block', async () => {
  const { sent, check } = server()
  const found = await check([
    buildRow('1', 120, 100),
    buildRow('2', 120, 150),
    buildRow(null, -1, 100),
    // Its course says nothing here: the server knows.
    buildRow('4', 300, null),
  ])
  expect(sent).toEqual([
    { id: '2', score: 120 },
    { id: '4', score: 300 },
  ])
  expect(found).toMatchObject({ jobId: 'j1', changed: 1, wrong: 3 })
  expect(
    found.refused.map(({ row, errors }) => [row, errors.map(({ msg }) => msg).join()]),
  ).toEqual([
    [1, '不能大于 100'],
    [3, '不能小于 0'],
    [4, 'no'],
  ])
  expect(found.left.map(({ id, values, faults }) => [id, values, faults])).toEqual([
    ['1', { score: 120 }, { score: '不能大于 100' }],
    [null, { score: -1 }, { score: '不能小于 0' }],
    ['4', { score: 300 }, { score: 'no' }],
  ])
  expect(found.after.map(({ id }) => id)).toEqual(['2'])
})

it('asks no server where no row can be written', async () => {
  const { sent, check } = server()
  expect(await check([buildRow('1', 101, 100)])).toMatchObject({
    jobId: null,
    changed: 0,
    wrong: 1,
  })
  expect(sent).toEqual([])
})

it('leaves a value alone that was stored before its field had bounds', async () => {
  const { sent, check } = server()
  expect(await check([buildRow('1', 120, 100, 120)])).toMatchObject({ wrong: 0 })
  expect(sent).toHaveLength(1)
})

it('leaves a text that is no number to the server, which refuses it by the rule of its kind', async () => {
  const { sent, check } = server()
  const text = { ...buildRow('1', 0, 100), values: { score: '缺考' } }
  await check([text, buildRow('2', 81, 100)])
  expect(sent.map(({ score }) => score)).toEqual(['缺考', 81])
})
