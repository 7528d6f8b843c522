import type { Job } from '@jiaowu/api/contract/job'
import ExcelJS from 'exceljs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testApp, type TestApp } from '../../../apps/server/testing/app.ts'
import { readSheetCells, toCsv, importFile, waitForJob } from '../../support/imports.ts'

let app: TestApp
let api: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await testApp()
  api = await app.signIn('admin')
})
afterAll(() => app.close())

const heading = '学号,姓名,性别,院系,专业,学籍状态'
const review = { pauseAt: 'review' } as const
function students(...rows: string[]) {
  return toCsv(`${heading}\n${rows.join('\n')}\n`)
}
async function loadVerdictRows(job: Job, verdict: 'fresh' | 'wrong') {
  const { records } = await api.job.rows({
    params: { id: job.id },
    query: { verdict, pageSize: 100 },
  })
  return records
}

it('reads a text file again in the encoding that the user chooses, and keeps it', async () => {
  const text = `${heading}\nE001,张三,男,信息工程学院,软件工程,在读\n`
  const mixed = await importFile(api, 'EDU_STUDENT', toCsv(gb18030(text)), review)
  expect(mixed).toMatchObject({
    review: { fresh: 1 },
    sheet: { encoding: { name: 'gb18030', isGuess: true } },
  })
  const read = async (reading: { encoding?: 'utf-8' | 'gb18030'; heading?: number }) => {
    await api.job.resume({ params: { id: mixed.id }, body: { reading, pauseAt: 'review' } })
    return await waitForJob(api, mixed.id)
  }
  // A wrong choice shows signs that do not fit, and can be taken back.
  const chosen = await read({ encoding: 'utf-8' })
  expect(chosen.sheet?.encoding).toEqual({ name: 'utf-8', isGuess: false })
  expect(JSON.stringify(chosen.sheet?.preview)).toContain('\ufffd')
  expect((await read({ heading: 1 })).sheet?.encoding?.name).toBe('utf-8')
  const back = await read({ encoding: 'gb18030' })
  expect(back).toMatchObject({ review: { fresh: 1 }, sheet: { encoding: { isGuess: false } } })
  await api.job.cancel({ params: { id: mixed.id } })
})

/** The encoder that no runtime has: the decoder, backwards. */
function gb18030(text: string): Uint8Array<ArrayBuffer> {
  const decoder = new TextDecoder('gb18030')
  const pairs = new Map<string, readonly number[]>()
  for (let lead = 0x81; lead < 0xff; lead += 1)
    for (let trail = 0x40; trail < 0xff; trail += 1)
      pairs.set(decoder.decode(Uint8Array.of(lead, trail)), [lead, trail])
  return Uint8Array.from([...text].flatMap((letter) => pairs.get(letter) ?? [letter.charCodeAt(0)]))
}

describe('correcting cells of a review', () => {
  it('checks the corrected rows again, in one request for all equal cells', async () => {
    const job = await importFile(
      api,
      'EDU_STUDENT',
      students(
        'K001,甲,男,信工学院,软件工程,在读',
        'K002,乙,女,信工学院,软件工程,在读',
        'K003,丙,不详,信息工程学院,软件工程,在读',
        'K004,丁,男,信息工程学院,软件工程,在读',
      ),
      review,
    )
    expect(job).toMatchObject({ review: { fresh: 1, wrong: 3 }, can: { mend: true } })
    expect(job.errors[0]).toMatchObject({ row: 2, attrName: 'faculty' })
    const half = await api.job.mend({
      params: { id: job.id },
      body: {
        cells: [{ row: 2, attrName: 'faculty', value: '信息工程学院' }],
        equal: true,
      },
    })
    expect(half).toMatchObject({ status: 'paused', review: { fresh: 3, wrong: 1 } })
    const whole = await api.job.mend({
      params: { id: job.id },
      body: { cells: [{ row: 4, attrName: 'gender', value: '男' }] },
    })
    expect(whole).toMatchObject({ review: { fresh: 4, wrong: 0 }, can: { mend: false } })
    await api.job.resume({ params: { id: job.id }, body: {} })
    expect(await waitForJob(api, job.id)).toMatchObject({ status: 'done', inserted: 4, failed: 0 })
    const { stream } = await api.job.result({ params: { id: job.id } })
    expect((await readSheetCells(stream))[1]?.[3]).toBe('信息工程学院')
  })
  it('keeps corrections when other options are checked, and sees equal values of other rows', async () => {
    const job = await importFile(
      api,
      'EDU_STUDENT',
      students(
        'K101,甲,男,信息工程学院,软件工程,在读',
        'K101,乙,女,信息工程学院,软件工程,在读',
        'K102,丙,谁,信息工程学院,软件工程,在读',
      ),
      review,
    )
    expect(job.errors).toMatchObject([
      { row: 3, rule: 'duplicate' },
      { row: 4, attrName: 'gender' },
    ])
    const clash = await api.job.mend({
      params: { id: job.id },
      body: {
        cells: [
          { row: 3, attrName: 'studentNo', value: 'K１０２' },
          { row: 4, attrName: 'gender', value: '女' },
        ],
      },
    })
    expect(clash.errors).toMatchObject([{ row: 4, rule: 'duplicate' }])
    await api.job.mend({
      params: { id: job.id },
      body: { cells: [{ row: 4, attrName: 'studentNo', value: 'K103' }] },
    })
    await api.job.resume({
      params: { id: job.id },
      body: { mode: 'upsert', key: 'studentNo', pauseAt: 'review' },
    })
    expect(await waitForJob(api, job.id)).toMatchObject({ review: { fresh: 3, wrong: 0 } })
  })
  it('adds a choice that the dictionary lacks, once, for those who may', async () => {
    const rows = students(
      'K301,甲,男,信息工程学院,软件工程,交换中',
      'K302,乙,女,信息工程学院,软件工程,交换中',
      'K303,丙,女,信息工 学院,软件工程,在读',
    )
    const job = await importFile(api, 'EDU_STUDENT', rows, review)
    expect(job.errors.map(({ row, creatable }) => [row, creatable])).toEqual([
      [2, true],
      [3, true],
      [4, undefined],
    ])
    const mend = (by: typeof api, { id }: Job, attrName: string, row: number) =>
      by.job.mend({
        params: { id },
        body: { cells: [{ row, attrName, value: '交换中', create: true }], equal: true },
      })
    await expect(mend(api, job, 'faculty', 4)).rejects.toMatchObject({ problem: { code: 42200 } })
    expect(await mend(api, job, 'status', 2)).toMatchObject({ review: { fresh: 2, wrong: 1 } })
    const { records } = await api.entityData.page({
      params: { tag: 'SYS_DICT_ITEM' },
      body: { queries: { name: '交换中' } },
    })
    expect(records).toHaveLength(1)
    const clerk = await app.signIn('registrar')
    const other = await importFile(
      clerk,
      'EDU_STUDENT',
      students('K304,丁,男,信息工程学院,软件工程,没有的'),
      review,
    )
    expect(other.errors[0]?.creatable).toBeUndefined()
    await expect(mend(clerk, other, 'status', 2)).rejects.toMatchObject({ problem: { code: 403 } })
  })
  it('adds a record of another entity that its name alone makes', async () => {
    const { kysely } = app.services.database
    await sql`create table biz.ward (id serial primary key, title varchar(8) not null unique,
      beds int)`.execute(kysely)
    await sql`create table biz.patient (id serial primary key, name varchar(20) not null,
      ward int references biz.ward (id))`.execute(kysely)
    const { drafts } = await api.design.draftAll({ body: { tables: ['biz.ward', 'biz.patient'] } })
    await api.design.adopt({
      body: { definitions: drafts.map(({ definition }) => ({ ...definition })) },
    })
    const job = await importFile(
      api,
      'PATIENT',
      toCsv('name,ward\n张三,东区\n李四,东区\n王五,东区一二三四五六七八\n'),
      review,
    )
    expect(job.errors.map(({ row, attrName, creatable }) => [row, attrName, creatable])).toEqual([
      [2, 'ward', true],
      [3, 'ward', true],
      [4, 'ward', true],
    ])
    const mend = (row: number, value: string) =>
      api.job.mend({
        params: { id: job.id },
        body: { cells: [{ row, attrName: 'ward', value, create: true }], equal: true },
      })
    // A rule of the other entity is reported at the cell.
    await expect(mend(4, '东区一二三四五六七八')).rejects.toMatchObject({
      problem: { issues: [{ path: 'ward', rule: 'maxLength' }] },
    })
    expect(await mend(2, '东区')).toMatchObject({ review: { fresh: 2, wrong: 1 } })
    const { records } = await api.entityData.page({
      params: { tag: 'WARD' },
      body: { queries: {} },
    })
    expect(records.map(({ title }) => title)).toEqual(['东区'])
  })
  it('refuses rows that are right, columns that are not imported, and jobs that are over', async () => {
    const job = await importFile(
      api,
      'EDU_STUDENT',
      students('K201,甲,谁,信息工程学院,软件工程,在读', 'K202,乙,男,信息工程学院,软件工程,在读'),
      review,
    )
    const mend = (row: number, attrName: string) =>
      api.job.mend({
        params: { id: job.id },
        body: { cells: [{ row, attrName, value: '男' }] },
      })
    await expect(mend(3, 'gender')).rejects.toMatchObject({ problem: { code: 409 } })
    await expect(mend(2, 'height')).rejects.toMatchObject({ problem: { code: 42200 } })
    await api.job.cancel({ params: { id: job.id } })
    await expect(mend(2, 'gender')).rejects.toMatchObject({ problem: { code: 409 } })
  })
})

describe('sheets and heading', () => {
  async function register(classes: number): Promise<File> {
    const book = new ExcelJS.Workbook()
    book.addWorksheet('填写说明').addRows([['学号', '姓名', '请如实填写']])
    for (let i = 1; i <= classes; i += 1)
      book
        .addWorksheet(`${i}班`)
        .addRows([
          ['2026 级学生名册'],
          [],
          i === 2 ? ['姓名', '学号', '性别', '院系', '专业', '学籍状态'] : heading.split(','),
          ...[1, 2].map((n) =>
            i === 2
              ? [`生${n}`, `R${i}0${n}`, '女', '信息工程学院', '软件工程', '在读']
              : [`R${i}0${n}`, `生${n}`, '男', '信息工程学院', '软件工程', '在读'],
          ),
          ['合计', '2'],
        ])
    return new File([(await book.xlsx.writeBuffer()) as ArrayBuffer], 'register.xlsx')
  }
  it('imports two of 24 sheets at once, whatever the order of their columns', async () => {
    const job = await importFile(api, 'EDU_STUDENT', await register(24), review)
    expect(job.sheet).toMatchObject({ name: '1班', headerRow: 3 })
    expect(job.sheet?.sheets?.map(({ alike }) => alike)).toEqual([
      false,
      ...Array.from({ length: 24 }, () => true),
    ])
    await api.job.resume({
      params: { id: job.id },
      body: { reading: { sheets: ['1班', '2班'] }, pauseAt: 'review' },
    })
    const both = await waitForJob(api, job.id)
    expect(both, both.message ?? '').toMatchObject({ review: { fresh: 4, wrong: 0 } })
    expect(both.sheet?.notes.join('\n')).toContain('第 1班!6、2班!6 行')
    expect(
      (await loadVerdictRows(both, 'fresh')).map(({ sheet, row }) => `${sheet} ${row}`),
    ).toEqual(['1班 4', '1班 5', '2班 4', '2班 5'])
    await api.job.resume({ params: { id: job.id }, body: {} })
    expect(await waitForJob(api, job.id)).toMatchObject({ status: 'done', inserted: 4 })
    // The same file again is read as it was chosen.
    const again = await importFile(api, 'EDU_STUDENT', await register(24), {
      ...review,
      mode: 'upsert',
      key: 'studentNo',
    })
    expect(again.review).toMatchObject({ same: 4, fresh: 0 })
    await api.job.forget({ params: { tag: 'EDU_STUDENT' } })
  })
  it('moves the heading, reads a sheet without one, and keeps it when a column is assigned', async () => {
    const bare = toCsv('H1,院一\nH2,院二\n')
    const job = await importFile(api, 'EDU_FACULTY', bare, review)
    expect(job).toMatchObject({ phase: 'mapping' })
    await api.job.resume({
      params: { id: job.id },
      body: {
        reading: { heading: 0 },
        mapping: [
          { column: 1, attrName: 'code' },
          { column: 2, attrName: 'name' },
        ],
        pauseAt: 'review',
      },
    })
    expect(await waitForJob(api, job.id)).toMatchObject({
      sheet: { headerRow: 0 },
      review: { fresh: 2, wrong: 0 },
    })
    const titled = toCsv('院系名单,,\n代号,名称,院长\nH3,院三,张\n')
    const other = await importFile(api, 'EDU_FACULTY', titled, review)
    expect(other.sheet).toMatchObject({ headerRow: 2 })
    await api.job.resume({
      params: { id: other.id },
      body: {
        mapping: [
          { column: 1, attrName: 'code' },
          { column: 2, attrName: 'name' },
          { column: 3, attrName: 'dean' },
        ],
        pauseAt: 'review',
      },
    })
    expect(await waitForJob(api, other.id)).toMatchObject({
      sheet: { headerRow: 2 },
      review: { fresh: 1, wrong: 0 },
    })
  })
})
