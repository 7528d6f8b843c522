import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testApp, type TestApp } from '../../../apps/server/testing/app.ts'
import { readSheetCells, toCsv, importFile, waitForJob, toSheet } from '../../support/imports.ts'

let app: TestApp
let api: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await testApp()
  api = await app.signIn('admin')
})
afterAll(() => app.close())

const tag = 'EDU_FACULTY'
const head = ['院系代码', '院系名称', '英文名称', '院长']
async function byCode(code: string) {
  return (await api.entityData.page({ params: { tag }, body: { queries: { code } } })).records[0]
}
async function full(code: string) {
  return await api.entityData.get({ params: { tag, id: (await byCode(code))?.id ?? '' } })
}

describe('modes', () => {
  it('insert writes every row or none', async () => {
    const good = await importFile(
      api,
      tag,
      await toSheet([head, ['I01', '导入一', 'One', null], ['I02', '导入二', null, '李四']]),
    )
    expect(good).toMatchObject({
      status: 'done',
      phase: 'finished',
      total: 2,
      done: 2,
      inserted: 2,
      updated: 0,
      skipped: 0,
      failed: 0,
      errors: [],
      can: { resume: false, cancel: false, result: true },
    })
    expect(await byCode('I01')).toMatchObject({ name: '导入一', nameEn: 'One' })
    const bad = await importFile(
      api,
      tag,
      await toSheet([head, ['I03', '导入三'], ['I04', null], ['I01', '又一'], ['I03', '重复']]),
    )
    expect(bad).toMatchObject({
      status: 'failed',
      total: 4,
      inserted: 0,
      failed: 3,
      message: '有 3 行不正确，没有写入任何数据',
    })
    expect(bad.errors).toMatchObject([
      { row: 3, column: '院系名称', attrName: 'name', rule: 'required' },
      { row: 4, column: '院系代码', value: 'I01', rule: 'unique' },
      { row: 5, column: '院系代码', rule: 'duplicate', msg: '与第 2 行重复' },
    ])
    expect(await byCode('I03')).toBeUndefined()
    // A row that exists is told to exist, whatever else is wrong with it: it may be meant to change the record.
    const both = await importFile(api, tag, await toSheet([head, ['I01', null]]))
    expect(both.errors).toMatchObject([
      { row: 2, attrName: 'name', rule: 'required' },
      { row: 2, attrName: 'code', rule: 'unique' },
    ])
    // The same rows, meant otherwise: the ledger knows the good one.
    await api.job.resume({ params: { id: bad.id }, body: { onError: 'skip' } })
    expect(await waitForJob(api, bad.id)).toMatchObject({ status: 'done', inserted: 1, failed: 3 })
    expect(await byCode('I03')).toMatchObject({ name: '导入三' })
  })

  it('update changes single cells and follows the choice for empty ones', async () => {
    await importFile(
      api,
      tag,
      await toSheet([
        head,
        ['U1', '甲', 'A', '张'],
        ['U2', '乙', 'B', '王'],
        ['U3', '丙', 'C', '赵'],
      ]),
    )
    const before = await full('U3')
    const kept = await importFile(
      api,
      tag,
      await toSheet([
        head,
        ['U1', '甲一', null, null],
        ['U2', '乙', 'B', '王'],
        ['U9', '没有', null, null],
      ]),
      { mode: 'update', key: 'code', onError: 'skip' },
    )
    expect(kept).toMatchObject({
      status: 'done',
      inserted: 0,
      updated: 1,
      skipped: 1,
      failed: 1,
      errors: [{ row: 4, rule: 'noRecord' }],
    })
    expect(await full('U1')).toMatchObject({ name: '甲一', nameEn: 'A', dean: '张', version: 2 })
    expect(await full('U2')).toMatchObject({ version: 1 })
    const cleared = await importFile(api, tag, await toSheet([head, ['U1', '甲一', null, null]]), {
      mode: 'update',
      key: 'code',
      mapping: JSON.stringify([{ header: '英文名称', attrName: 'nameEn', empty: 'clear' }]),
    })
    expect(cleared).toMatchObject({ updated: 1 })
    expect(await full('U1')).toMatchObject({ nameEn: null, dean: '张' })
    expect(await full('U3')).toEqual(before)
  })

  it('upsert matches by any unique field, and refuses a key that is not unique', async () => {
    const job = await importFile(api, tag, toCsv('院系名称,院系代码\n甲二,U1\n丁,U4\n'), {
      mode: 'upsert',
      key: 'code',
    })
    expect(job).toMatchObject({
      status: 'done',
      inserted: 1,
      updated: 1,
      format: 'csv',
      key: 'code',
    })
    await expect(
      importFile(api, tag, toCsv('院系名称,院系代码\n甲,U1\n'), { mode: 'upsert', key: 'name' }),
    ).rejects.toMatchObject({ problem: { code: 42200 } })
    const guessed = await importFile(api, tag, toCsv('院系名称,院系代码\n甲三,U1\n'), {
      mode: 'upsert',
    })
    expect(guessed).toMatchObject({ updated: 1, key: 'code' })
    const none = await importFile(api, tag, toCsv('院系名称\n甲\n'), {
      mode: 'update',
      key: 'code',
    })
    expect(none).toMatchObject({ status: 'failed', message: '文件中没有用于匹配的列“院系代码”' })
  })

  it('the choice default restores the default of the field', async () => {
    const file = () =>
      toSheet([
        ['专业代码', '是否招生', '学制'],
        ['0101', '否', 4],
      ])
    expect(
      await importFile(api, 'EDU_MAJOR', await file(), { mode: 'update', key: 'code' }),
    ).toMatchObject({ status: 'done', updated: 1 })
    const back = await importFile(
      api,
      'EDU_MAJOR',
      await toSheet([
        ['专业代码', '是否招生'],
        ['0101', null],
      ]),
      { mode: 'update', key: 'code', empty: 'default' },
    )
    expect(back).toMatchObject({ status: 'done', updated: 1 })
    const { records } = await api.entityData.page({
      params: { tag: 'EDU_MAJOR' },
      body: { queries: { code: '0101' } },
    })
    expect(records[0]).toMatchObject({ enabled: '1' })
  })
})

describe('checking before writing', () => {
  it('a dry run reports every row, writes nothing, and can be confirmed afterwards', async () => {
    const job = await importFile(
      api,
      tag,
      await toSheet([head, ['D1', '试一'], ['U1', '甲改'], ['U2', '乙'], ['', '没有代码']]),
      { mode: 'upsert', key: 'code', dryRun: true, onError: 'skip' },
    )
    expect(job).toMatchObject({
      status: 'done',
      phase: 'review',
      dryRun: true,
      inserted: 0,
      updated: 0,
      review: { fresh: 1, changed: 1, same: 1, wrong: 1 },
      can: { resume: true },
    })
    expect(await byCode('D1')).toBeUndefined()
    const rows = async (verdict: 'fresh' | 'changed' | 'same' | 'wrong') =>
      (await api.job.rows({ params: { id: job.id }, query: { verdict } })).records
    expect(await rows('changed')).toMatchObject([
      {
        row: 3,
        name: '甲改',
        written: false,
        cells: [{ attrName: 'name', label: '院系名称', before: '甲三', after: '甲改' }],
        errors: [],
      },
    ])
    expect(await rows('fresh')).toMatchObject([
      {
        row: 2,
        id: null,
        cells: [
          { attrName: 'code', before: null, after: 'D1' },
          { attrName: 'name', after: '试一' },
        ],
      },
    ])
    expect(await rows('wrong')).toMatchObject([
      { row: 5, errors: [{ column: '院系代码', rule: 'required' }] },
    ])
    expect(await rows('same')).toMatchObject([{ row: 4, cells: [] }])
    await api.job.resume({ params: { id: job.id }, body: { dryRun: false } })
    expect(await waitForJob(api, job.id)).toMatchObject({
      status: 'done',
      phase: 'finished',
      inserted: 1,
      updated: 1,
      skipped: 1,
      failed: 1,
    })
    expect(await byCode('D1')).toMatchObject({ name: '试一' })
    expect((await rows('fresh'))[0]).toMatchObject({ written: true })
  })

  it('does not overwrite a record saved after the check', async () => {
    const job = await importFile(api, tag, await toSheet([head, ['U1', '甲旧'], ['U2', '乙新']]), {
      mode: 'update',
      key: 'code',
      pauseAt: 'review',
    })
    expect(job).toMatchObject({ status: 'paused', phase: 'review', message: '检查完毕，等待确认' })
    const stored = await full('U1')
    await api.entityData.update({
      params: { tag, id: stored.id },
      body: { version: stored.version, name: '他人改' },
    })
    await api.job.resume({ params: { id: job.id }, body: {} })
    expect(await waitForJob(api, job.id)).toMatchObject({
      status: 'failed',
      updated: 0,
      failed: 1,
      errors: [{ row: 2, rule: 'changed' }],
      message: '数据在检查后发生了变化，没有写入任何数据',
    })
    expect(await full('U2')).toMatchObject({ name: '乙' })
    await api.job.resume({ params: { id: job.id }, body: { onError: 'skip' } })
    expect(await waitForJob(api, job.id)).toMatchObject({ status: 'done', updated: 1, failed: 1 })
    expect(await full('U1')).toMatchObject({ name: '他人改' })
  })

  it('remembers columns assigned by hand', async () => {
    const file = () =>
      toSheet([
        ['代号', '叫什么', '备忘'],
        ['M1', '映一', 'x'],
      ])
    expect(await importFile(api, tag, await file())).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('没有找到表头：没有任何一列能与字段对应') as string,
    })
    const job = await importFile(api, tag, await file(), { pauseAt: 'mapping' })
    expect(job).toMatchObject({ status: 'paused', phase: 'mapping' })
    expect(job.sheet?.columns).toMatchObject([
      { column: 1, letter: 'A', header: '代号', attrName: null, by: null, samples: ['M1'] },
      { header: '叫什么' },
      { header: '备忘' },
    ])
    expect(job.sheet?.fields).toContainEqual({
      attrName: 'code',
      label: '院系代码',
      required: true,
      unique: true,
    })
    await api.job.resume({
      params: { id: job.id },
      body: { mapping: { 代号: 'code', 叫什么: 'name', 备忘: null } },
    })
    expect(await waitForJob(api, job.id)).toMatchObject({
      status: 'done',
      inserted: 1,
      sheet: { notes: ['以下列不会导入：备忘（1 个值）'] },
    })
    expect(await api.job.remembered({ params: { tag } })).toMatchObject({
      mode: 'insert',
      columns: [
        { header: '代号', attrName: 'code' },
        { header: '叫什么', attrName: 'name' },
        { header: '备忘', attrName: null },
      ],
    })
    const again = await importFile(
      api,
      tag,
      await toSheet([
        ['代号', '叫什么', '备忘'],
        ['M2', '映二', 'y'],
      ]),
    )
    expect(again).toMatchObject({ status: 'done', inserted: 1 })
    expect(again.sheet?.columns.map(({ by }) => by)).toEqual([
      'remembered',
      'remembered',
      'remembered',
    ])
    await api.job.forget({ params: { tag } })
    expect(await api.job.remembered({ params: { tag } })).toBeNull()
  })

  it('stops at an unknown, a duplicate and a missing column', async () => {
    expect(
      await importFile(
        api,
        tag,
        await toSheet([
          [...head, '没听说过'],
          ['X1', 'x', null, null, 1],
        ]),
      ),
    ).toMatchObject({
      status: 'failed',
      message: '以下列无法对应到字段：没听说过。请修改表头或指定列映射',
    })
    expect(
      await importFile(
        api,
        tag,
        await toSheet([
          ['院系代码', '__proto__'],
          ['X1', 'x'],
        ]),
      ),
    ).toMatchObject({
      status: 'failed',
      message: '以下列无法对应到字段：__proto__。请修改表头或指定列映射',
    })
    expect(
      await importFile(
        api,
        tag,
        await toSheet([
          ['院系代码', 'x'],
          ['X1', 'x'],
        ]),
        { mapping: JSON.stringify({ x: 'code' }) },
      ),
    ).toMatchObject({ status: 'failed', message: '多列对应到同一字段：院系代码、x' })
    expect(await importFile(api, tag, await toSheet([['院系代码'], ['X1']]))).toMatchObject({
      status: 'failed',
      message: '缺少必填列：院系名称',
    })
    expect(await importFile(api, tag, await toSheet([head, []]))).toMatchObject({
      status: 'failed',
      message: '文件中没有数据行',
    })
  })

  it('asks for confirmation before system records are imported', async () => {
    const job = await importFile(
      api,
      'SYS_DICT',
      await toSheet([
        ['字典代码', '字典名称'],
        ['imp1', '导入字典'],
      ]),
      { pauseAt: 'none' },
    )
    expect(job).toMatchObject({ status: 'paused', phase: 'review', needsConfirm: true })
    await api.job.resume({ params: { id: job.id }, body: {} })
    expect(await waitForJob(api, job.id)).toMatchObject({ status: 'done', inserted: 1 })
  })
})

describe('a job', () => {
  it('returns the sheet with the result of each row', async () => {
    const job = await importFile(
      api,
      tag,
      await toSheet([
        ['说明', null],
        head,
        ['R1', '果一', null, '00123'],
        ['R2', null],
        ['R1', '果三'],
      ]),
      { onError: 'skip' },
    )
    expect(job).toMatchObject({
      status: 'done',
      inserted: 1,
      failed: 2,
      errors: [{ row: 4 }, { row: 5 }],
    })
    const { stream, name } = await api.job.result({ params: { id: job.id } })
    expect(name).toBe('sheet-导入结果.xlsx')
    expect(await readSheetCells(stream)).toEqual([
      [...head, '结果', '原因'],
      ['R1', '果一', undefined, '00123', '已新增'],
      ['R2', undefined, undefined, undefined, '失败', '院系名称: 此项为必填项'],
      ['R1', '果三', undefined, undefined, '失败', '院系代码: 与第 3 行重复'],
    ])
    const wrong = await api.job.result({
      params: { id: job.id },
      query: { only: 'wrong', format: 'csv' },
    })
    expect(await new Response(wrong.stream).text()).toBe(
      '院系代码,院系名称,英文名称,院长,结果,原因\r\nR2,,,,失败,院系名称: 此项为必填项\r\nR1,果三,,,失败,院系代码: 与第 3 行重复\r\n',
    )
    // Mended and uploaded again, the two columns of our own are passed over.
    const mended = await importFile(
      api,
      tag,
      await toSheet([
        [...head, '结果', '原因'],
        ['R2', '果二', null, null, '失败', 'x'],
      ]),
    )
    expect(mended).toMatchObject({ status: 'done', inserted: 1 })
  })

  it('is the same for the same upload, and is listed to its owner only', async () => {
    const file = await toSheet([head, ['S1', '同']])
    const first = await importFile(api, tag, file)
    expect((await importFile(api, tag, file)).id).toBe(first.id)
    expect((await importFile(api, tag, file, { onError: 'skip' })).id).not.toBe(first.id)
    app.advance(11 * 60_000)
    expect((await importFile(api, tag, file)).id).not.toBe(first.id)
    const { records, total } = await api.job.list({ query: { tag, pageSize: 3 } })
    expect(records).toHaveLength(3)
    expect(total).toBeGreaterThan(3)
    const other = await app.signIn('registrar')
    expect((await other.job.list({})).total).toBe(0)
    for (const ask of [other.job.get, other.job.cancel, other.job.result])
      await expect(ask({ params: { id: first.id } })).rejects.toMatchObject({
        problem: { code: 404 },
      })
    await expect(other.job.resume({ params: { id: first.id }, body: {} })).rejects.toMatchObject({
      problem: { code: 404 },
    })
    await expect(
      other.job.rows({ params: { id: first.id }, query: { verdict: 'fresh' } }),
    ).rejects.toMatchObject({ problem: { code: 404 } })
    expect(
      (
        await app.call(`/job/${first.id}/resume`, {
          method: 'POST',
          headers: { authorization: `bearer ${api.token}` },
        })
      ).status,
    ).toBe(409)
  })

  it('can be cancelled while it waits', async () => {
    const job = await importFile(api, tag, await toSheet([head, ['C1', '消']]), {
      pauseAt: 'review',
    })
    expect(await api.job.cancel({ params: { id: job.id } })).toMatchObject({
      status: 'cancelled',
      can: { resume: false, cancel: false },
    })
    await expect(api.job.resume({ params: { id: job.id }, body: {} })).rejects.toMatchObject({
      problem: { code: 409 },
    })
    expect(await byCode('C1')).toBeUndefined()
  })

  it('answers in the language of the request', async () => {
    const job = await importFile(
      app.client(api.token, 'en'),
      tag,
      await toSheet([
        ['Code', 'Name'],
        ['E1', null],
      ]),
    )
    expect(job).toMatchObject({
      status: 'failed',
      entityName: 'Faculty',
      message: '1 rows are wrong; nothing was written',
      errors: [{ column: 'Name', msg: 'This input is required' }],
    })
  })

  it('writes a line to the log', async () => {
    const { records } = await api.entityData.page({
      params: { tag: 'SYS_LOG' },
      body: { queries: { action: 'entity.import' }, pageSize: 5 },
    })
    expect(records.length).toBeGreaterThan(0)
  })
})
