// A sheet that fits no entity becomes a table of the school, with its rows.
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { planSheet, type SheetPlan, type SheetProposal } from '@jiaowu/api/entity/definition/sheet'
import { ApiProblem } from '@jiaowu/api/problem'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importFile, toCsv, toSheet, waitForJob } from '../../support/imports.ts'
import { newStaff } from '../../support/staff.ts'
import { listRows, makeChange, makeTable, preview, refusal, tableCases } from './table-cases.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
let students: readonly { readonly no: string; readonly name: string }[]
beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
  const { records } = await admin.entityData.page({
    params: { tag: 'EDU_STUDENT' },
    body: { pageNum: 1, pageSize: 12, queries: {}, sorts: [] },
  })
  students = records.map((row) => ({ no: String(row['studentNo']), name: String(row['name']) }))
})
afterAll(() => app.close())

const propose = (file: File, more = {}) => admin.design.proposeSheet({ body: { file, ...more } })

const accept = (proposal: SheetProposal, change: Partial<SheetPlan> = {}) =>
  JSON.stringify({ ...planSheet(proposal), ...change })

async function adopt(file: File, change: Partial<SheetPlan> = {}) {
  const proposal = await propose(file)
  const made = await admin.design.adoptSheet({ body: { file, plan: accept(proposal, change) } })
  const id = made.jobId ?? ''
  const paused = await waitForJob(admin, id)
  expect(paused).toMatchObject({ status: 'paused', phase: 'review', review: { wrong: 0 } })
  await admin.job.resume({ params: { id }, body: {} })
  return { proposal, made, job: await waitForJob(admin, id) }
}

const loadRows = async (tag: string) =>
  (
    await admin.entityData.page({
      params: { tag },
      body: { pageNum: 1, pageSize: 50, queries: {}, sorts: [] },
    })
  ).records

/** A gradebook of the school's own students: a title, a serial number, marks, a grade, a footer. */
function buildGradebook(name = '平时成绩登记表') {
  const grades = ['优', '良', '中']
  return toSheet([
    [name],
    ['序号', '学号', '姓名', '平时', '期末', '等级', '登记日期', '是否补考', '备注'],
    ...students.map(({ no, name: who }, i) => [
      i + 1,
      no,
      who,
      80 + i,
      70.5 + i,
      grades[i % 3] ?? '',
      new Date(Date.UTC(2026, 0, 5 + i)),
      i % 2 === 0 ? '是' : '否',
      i === 3 ? '缓考' : null,
    ]),
    ['制表人：王老师', null, null, null, null, null, '日期：2026-01-20'],
  ])
}

describe('a proposal', () => {
  it('reads the sheet as an import does: kinds, key, choices, relations, rows left out', async () => {
    const found = await propose(await buildGradebook())
    expect(found).toMatchObject({
      name: '平时成绩登记表',
      table: 'ping_shi_cheng_ji_deng_ji_biao',
      tag: 'PING_SHI_CHENG_JI_DENG_JI_BIAO',
      heading: 2,
      rows: students.length,
      notes: [expect.stringContaining('1 行')],
    })
    expect(
      found.columns.map(({ label, kind, isLeft, unique = false, target }) =>
        [label, kind, isLeft ? 'left' : '', unique ? 'key' : '', target ?? ''].join(' ').trim(),
      ),
    ).toEqual([
      '序号 text left',
      '学号 relation  key EDU_STUDENT',
      '姓名 text',
      '平时 integer',
      '期末 decimal',
      '等级 choice',
      '登记日期 date',
      '是否补考 flag',
      '备注 text',
    ])
    expect(found.columns[5]?.choices).toEqual(['优', '良', '中'])
    expect(found.targets.map(({ tag }) => tag)).toContain('EDU_STUDENT')
    expect(found.targets.every(({ tag }) => !tag.startsWith('SYS_'))).toBe(true)
  })

  it('keeps what is no number: a few words make a column of texts, and are told', async () => {
    const rows = Array.from({ length: 20 }, (_, i) => `A${i + 1},${i === 7 ? '缺考' : 60 + i}`)
    const { columns } = await propose(toCsv(`编号,成绩\n${rows.join('\n')}\n`))
    expect(columns.map(({ kind }) => kind)).toEqual(['text', 'text'])
    expect(columns[1]?.notes).toEqual(['1 个值不是数字（缺考），因此按文本保存'])
    expect(columns[0]).toMatchObject({ unique: true, required: true })
  })

  it('keeps codes of digits as texts, and masks personal data in its samples', async () => {
    const lines = ['007,13800138001,2026', '008,13800138002,2025', '009,13800138003,2024']
    const { columns } = await propose(toCsv(`代码,联系电话,年份\n${lines.join('\n')}\n`))
    expect(columns.map(({ kind }) => kind)).toEqual(['text', 'text', 'integer'])
    expect(columns[1]?.samples[0]).toBe('138****8001')
  })

  it('says that a sheet fits an entity, and that a column nearly names records', async () => {
    const head = '学号,姓名,性别,身份证号,手机号'
    const roster = students.map(({ no, name }) => `${no},${name},男,,`)
    const found = await propose(toCsv(`${head}\n${roster.join('\n')}\n`))
    expect(found.fits).toMatchObject({ tag: 'EDU_STUDENT' })
    const strangers = [...students.map(({ no }) => no), '00000001', '00000002']
    const { columns } = await propose(
      toCsv(`学号,得分\n${strangers.map((no, i) => `${no},${i}`).join('\n')}\n`),
    )
    expect(columns[0]?.kind).toBe('text')
    expect(columns[0]?.notes.join()).toContain(`${students.length} 个值`)
  })

  it('names columns without a heading by their letters, where the first row is data', async () => {
    const found = await propose(toCsv('张三,2026-01-05,88\n李四,2026-01-06,91\n'))
    expect(found.heading).toBe(0)
    expect(found.rows).toBe(2)
    expect(found.columns.map(({ label, kind }) => `${label} ${kind}`)).toEqual([
      'A 列 text',
      'B 列 date',
      'C 列 integer',
    ])
  })

  it('refuses what is no sheet, in the words of imports', async () => {
    const bad = await propose(toCsv('%PDF-1.7', 'a.pdf')).catch((error: unknown) => error)
    expect((bad as ApiProblem).problem.issues[0]?.path).toBe('file')
    const empty = await propose(toCsv('', 'a.csv')).catch((error: unknown) => error)
    expect((empty as ApiProblem).problem.issues[0]?.msg).toBe('文件中没有数据行')
  })
})

describe('an adopted sheet', () => {
  it('is a table of the school with its rows, its list, its menu entry and its history', async () => {
    const { made, job } = await adopt(await buildGradebook())
    expect(made).toMatchObject({ table: 'form.ping_shi_cheng_ji_deng_ji_biao' })
    expect(job).toMatchObject({ status: 'done', inserted: students.length, failed: 0 })
    const rows = await loadRows(made.tag)
    expect(rows).toHaveLength(students.length)
    const first = rows.find((row) => row['pingShi'] === 80)
    expect(first).toMatchObject({
      qiMo: 70.5,
      dengJi: [{ id: '优', name: '优' }],
      dengJiRiQi: '2026-01-05',
      shiFouBuKao: '1',
      xueHao: [{ name: students[0]?.name }],
    })
    const { rows: keys } = await sql<{ key: string }>`
      select pg_get_constraintdef(c.oid) as key from pg_constraint c
      where c.conrelid = 'form.ping_shi_cheng_ji_deng_ji_biao'::regclass and c.contype in ('p', 'f')
      union all select indexdef from pg_indexes
      where schemaname = 'form' and tablename = 'ping_shi_cheng_ji_deng_ji_biao'`.execute(
      app.services.database.kysely,
    )
    expect(keys.length).toBeGreaterThanOrEqual(4)
    for (const { key } of keys) expect(key).toMatch(/\("?tenant_id"?, /)
    const { rows: lines } = await sql<{ kind: string; statements: string }>`
      select kind, statements from sys.table_change where tenant_id = 10000
      and table_name = 'ping_shi_cheng_ji_deng_ji_biao'`.execute(app.services.database.kysely)
    expect(lines).toEqual([{ kind: 'create', statements: expect.stringContaining('create table') }])
    expect(JSON.stringify(await admin.session.menu({}))).toContain(made.tag)
  })

  it('takes its own export and the same sheet again as an update', async () => {
    const { made } = await adopt(await buildGradebook('再来一次'), { name: '再来一次' })
    const job = await importFile(admin, made.tag, await buildGradebook(), {
      mode: 'upsert',
      key: 'xueHao',
      mapping: JSON.stringify({ 姓名: 'xingMing' }),
    } as never)
    expect(job.message).toBeNull()
    expect(job).toMatchObject({ status: 'done', inserted: 0, skipped: students.length })
  })

  it('is changed as its author says: names, kinds, left columns, an existing dictionary', async () => {
    const file = toCsv('编号,颜色,分\nA1,红,1\nA2,蓝,2\nA3,红,3\n', 'colours.csv')
    const { proposal, made, job } = await adopt(file, {
      name: '颜色表',
      nameEn: 'Colours',
      tag: 'COLOURS',
      table: 'colours',
      columns: [
        { column: 1, columnName: 'code', label: '编号', kind: 'text', length: 8, unique: true },
        {
          column: 2,
          columnName: 'colour',
          label: '颜色',
          kind: 'choice',
          choices: ['红', '蓝', '绿'],
        },
      ],
    })
    expect(proposal.name).toBe('colours')
    expect(job).toMatchObject({ status: 'done', inserted: 3 })
    expect((await loadRows(made.tag)).map((row) => row['colour'])).toContainEqual([
      { id: '蓝', name: '蓝' },
    ])
    const again = await admin.entityData
      .create({ params: { tag: made.tag }, body: { code: 'A1' } })
      .catch((error: unknown) => error)
    expect((again as ApiProblem).problem.issues.map(({ path }) => path)).toEqual(['code'])
  })

  it('tells wrong rows and writes none, until they are corrected or left out', async () => {
    const file = toCsv('编号,分\nA1,1\nA2,二\nA3,3\n', 'wrong.csv')
    const proposal = await propose(file)
    const columns = [
      { column: 1, columnName: 'no', label: '编号', kind: 'text', length: 8 },
      { column: 2, columnName: 'points', label: '分', kind: 'integer' },
    ] as const
    const plan = accept(proposal, { tag: 'WRONG_ROWS', table: 'wrong_rows', columns: [...columns] })
    const made = await admin.design.adoptSheet({ body: { file, plan } })
    const job = await waitForJob(admin, made.jobId ?? '')
    expect(job).toMatchObject({ status: 'paused', inserted: 0, review: { fresh: 2, wrong: 1 } })
    expect(await loadRows(made.tag)).toEqual([])
    await admin.job.resume({ params: { id: job.id }, body: { onError: 'skip' } })
    expect(await waitForJob(admin, job.id)).toMatchObject({ status: 'done', inserted: 2 })
  })

  it('leaves no table where the definition or the plan is refused', async () => {
    const file = toCsv('编号,分\nA1,1\nA2,2\n', 'none.csv')
    const proposal = await propose(file)
    const columns = [
      { column: 1, columnName: 'tenant_id', label: '编号', kind: 'text' as const },
      {
        column: 2,
        columnName: 'points',
        label: '分',
        kind: 'relation' as const,
        target: 'SYS_USER',
      },
    ]
    const attempts = [
      accept(proposal, { table: 'none', tag: 'NONE', columns }),
      accept(proposal, { table: 'none', tag: 'NONE', columns: columns.slice(1) }),
      accept(proposal, { table: 'none', tag: 'EDU_STUDENT' }),
      accept(proposal, { table: 'colours', tag: 'NONE' }),
      // A tag that no definition may have, known by the checks of a definition only.
      accept(proposal, { table: 'none', tag: 'config' }),
    ]
    for (const plan of attempts) {
      const refused = await admin.design
        .adoptSheet({ body: { file, plan } })
        .catch((error: unknown) => error)
      expect(refused, plan).toBeInstanceOf(ApiProblem)
    }
    const { rows } = await sql`select to_regclass('form.none') as found`.execute(
      app.services.database.kysely,
    )
    expect(rows).toEqual([{ found: null }])
  })

  it('is for designers who may bring tables in, and rows for those who may add them', async () => {
    const file = toCsv('编号,分\nA1,1\nA2,2\n', 'rights.csv')
    const plan = accept(await propose(file), { tag: 'RIGHTS', table: 'rights' })
    const weak = app.client(
      (await newStaff(app, admin, 'weak', { codes: ['entity:design'] })).token,
    )
    for (const attempt of [
      () => weak.design.proposeSheet({ body: { file } }),
      () => weak.design.adoptSheet({ body: { file, plan } }),
    ])
      expect(((await attempt().catch((e: unknown) => e)) as ApiProblem).problem.code).toBe(403)
    const codes = ['entity:design', 'entity:adopt']
    const designer = app.client((await newStaff(app, admin, 'maker', { codes })).token)
    const made = await designer.design.adoptSheet({ body: { file, plan } })
    expect(made).toMatchObject({ tag: 'RIGHTS', jobId: null })
  })

  it('belongs to its school: another one neither sees nor is stopped by its rows', async () => {
    const { made, proposal } = await adopt(toCsv('编号,分\nA1,1\nA2,2\n', '两校.csv'))
    const other = await app.signIn('admin', '10001')
    const file = toCsv('编号,分\nA1,7\n', '两校.csv')
    const theirs = await other.design.proposeSheet({ body: { file } })
    expect(theirs.table).toBe(`${proposal.table}_2`)
    const table = (await other.design.tables({ query: { schema: 'form' } })).find(
      ({ name }) => name === proposal.table,
    )
    expect(table).toMatchObject({ rows: 0, tags: [], key: ['id'] })
    const { definition } = await other.design.draft({ params: { name: made.table } })
    await other.design.adopt({ body: { definitions: [{ ...definition }] } })
    expect(await importFile(other, definition.tag, file)).toMatchObject({
      status: 'done',
      message: null,
    })
    const values = async (api: typeof admin, tag: string) =>
      (
        await api.entityData.page({
          params: { tag },
          body: { pageNum: 1, pageSize: 9, queries: {}, sorts: [] },
        })
      ).records.map((row) => row['fen'])
    expect(await values(other, definition.tag)).toEqual([7])
    expect((await values(admin, made.tag)).toSorted()).toEqual([1, 2])
  })
})

describe('a sheet that was brought in', () => {
  it('is taken back whole, before its rows are written and after', async () => {
    const name = '撤销表'
    const file = await buildGradebook(name)
    const proposal = await propose(file)
    const made = await admin.design.adoptSheet({ body: { file, plan: accept(proposal) } })
    const waiting = await waitForJob(admin, made.jobId ?? '')
    expect(waiting.status).toBe('paused')
    expect((await preview(admin, made.tag, { act: 'takeBack' })).words.join()).toContain('一并取消')
    await makeChange(admin, made.tag, { act: 'takeBack', rows: 0 })
    expect((await waitForJob(admin, waiting.id)).status).toBe('cancelled')
    const again = await adopt(file, { name })
    const shown = await preview(admin, again.made.tag, { act: 'takeBack' })
    expect(shown).toMatchObject({ lost: students.length })
    await makeChange(admin, again.made.tag, { act: 'takeBack', rows: students.length })
    const { rows } = await sql`select to_regclass(${again.made.table}) as found`.execute(
      app.services.database.kysely,
    )
    expect(rows).toEqual([{ found: null }])
    expect(JSON.stringify(await admin.session.menu({}))).not.toContain(again.made.tag)
  })

  it('stays once a row was changed, or other rows name its own', async () => {
    const { made } = await adopt(toCsv('编号,分\nA1,1\nA2,2\n', '留下.csv'))
    const [first] = await listRows(admin, made.tag)
    const params = { tag: made.tag, id: String(first?.id) }
    await makeTable(admin, 'naming', [
      { columnName: 'which', label: '哪个', kind: 'relation', target: made.tag },
    ])
    expect(await refusal(preview(admin, made.tag, { act: 'takeBack' }))).toContain('naming')
    await makeChange(admin, 'NAMING', { act: 'takeBack', rows: 0 })
    await admin.entityData.update({
      params,
      body: { fen: 9, version: first?.version ?? 1 } as never,
    })
    expect(await refusal(makeChange(admin, made.tag, { act: 'takeBack', rows: 2 }))).toContain(
      '已有 1 行被修改',
    )
    expect(await listRows(admin, made.tag)).toHaveLength(2)
  })
})

tableCases(() => ({ app, admin }))
