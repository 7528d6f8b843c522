import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testApp, type TestApp } from '../../../apps/server/testing/app.ts'
import { rawXlsx, texts } from '../../../apps/server/testing/sheets/raw-xlsx.ts'
import { readSheetCells, toCsv, importFile, toSheet } from '../../support/imports.ts'

let app: TestApp
let api: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await testApp()
  api = await app.signIn('admin')
})
afterAll(() => app.close())

async function findImportedRow(tag: string, queries: Record<string, unknown>) {
  const {
    records: [row],
  } = await api.entityData.page({ params: { tag }, body: { queries } })
  return await api.entityData.get({ params: { tag, id: row?.id ?? '' } })
}
const findStudentRow = (studentNo: string) => findImportedRow('EDU_STUDENT', { studentNo })
const needed = {
  学号: 'X',
  姓名: '测试',
  性别: '男',
  院系: '信息工程学院',
  专业: '软件工程',
  学籍状态: '在读',
}
/** A sheet of students in which only the given columns are of interest. */
function students(...rows: Record<string, unknown>[]) {
  const headers = [...new Set([...Object.keys(needed), ...rows.flatMap((row) => Object.keys(row))])]
  return toSheet([
    headers,
    ...rows.map((row) =>
      headers.map((header) => ({ ...needed, ...row }[header] as string) ?? null),
    ),
  ])
}
const serial = (day: string) => Math.round(Date.parse(`${day}T00:00:00Z`) / 86_400_000) + 25_569

describe('numbers and texts', () => {
  it('keeps 18-digit ID numbers and leading zeros, and refuses numbers that the spreadsheet has rounded', async () => {
    const job = await importFile(
      api,
      'EDU_STUDENT',
      await students(
        { 学号: '007001', 身份证号: '110105200001011237' },
        { 学号: 20267002, 身份证号: null },
        { 学号: '7003', 身份证号: Number('110105200001011237') },
      ),
      { onError: 'skip' },
    )
    expect(job.errors).toMatchObject([{ row: 4, column: '身份证号', rule: 'precision' }])
    expect(job).toMatchObject({ inserted: 2 })
    const { records } = await api.entityData.page({
      params: { tag: 'EDU_STUDENT' },
      body: { pageSize: 1, queries: { idCard: '110105200001011237' } },
    })
    expect(records).toMatchObject([{ studentNo: '007001', idCard: '1****************7' }])
    expect(await findStudentRow('20267002')).toMatchObject({ idCard: null })
  })
  it('a number formatted with leading zeros keeps them; a date in a text column is its day', async () => {
    const job = await importFile(
      api,
      'EDU_FACULTY',
      await rawXlsx({
        formats: [0, '000000', 14],
        rows: `${texts(1, '院系代码', '院系名称')}<row r="2"><c r="A2" s="1"><v>42</v></c><c r="B2" t="inlineStr"><is><t>零</t></is></c></row><row r="3"><c r="A3" s="2"><v>46023</v></c><c r="B3" t="inlineStr"><is><t>日</t></is></c></row>`,
      }),
      { onError: 'skip' },
    )
    expect(job).toMatchObject({
      inserted: 2,
      errors: [],
    })
    expect(await findImportedRow('EDU_FACULTY', { code: '000042' })).toMatchObject({ name: '零' })
    expect(await findImportedRow('EDU_FACULTY', { code: '2026-01-01' })).toMatchObject({
      name: '日',
    })
  })
  it('reads numbers with separators, in full width or stored as text', async () => {
    const job = await importFile(
      api,
      'EDU_STUDENT',
      await students(
        { 学号: '7101', 身高: '１７０．５' },
        { 学号: '7102', 身高: 165.5 },
        { 学号: '7103', 身高: '高' },
      ),
      { onError: 'skip' },
    )
    expect(job.errors).toMatchObject([
      { row: 4, column: '身高', value: '高', rule: 'value', msg: '请输入正确的数字' },
    ])
    expect([(await findStudentRow('7101')).height, (await findStudentRow('7102')).height]).toEqual([
      170.5, 165.5,
    ])
  })
})

describe('days', () => {
  it('reads the usual notations of dates', async () => {
    const ways: unknown[] = [
      '2004-05-06',
      '2004/5/6',
      '2004.5.6',
      '2004年5月6日',
      '20040506',
      20_040_506,
      serial('2004-05-06'),
      new Date(Date.UTC(2004, 4, 6)),
      ' 2004-05-06 ',
    ]
    const job = await importFile(
      api,
      'EDU_STUDENT',
      await students(
        ...ways.map((way, i) => ({ 学号: `72${String(i).padStart(2, '0')}`, 出生日期: way })),
      ),
    )
    expect(job).toMatchObject({ status: 'done', inserted: ways.length })
    for (const [i] of ways.entries())
      expect((await findStudentRow(`72${String(i).padStart(2, '0')}`)).birthDate).toBe('2004-05-06')
  })
  it('reads the 1904 date system, times and years, and refuses days that do not exist', async () => {
    const inline = (ref: string, text: string) =>
      `<c r="${ref}" t="inlineStr"><is><t>${text}</t></is></c>`
    const row = (n: number, no: string, cells: string) =>
      `<row r="${n}">${inline(`A${n}`, no)}${inline(`B${n}`, '时')}${inline(`C${n}`, '女')}${inline(`D${n}`, '信息工程学院')}${inline(`E${n}`, '软件工程')}${inline(`F${n}`, '在读')}${cells}</row>`
    const job = await importFile(
      api,
      'EDU_STUDENT',
      await rawXlsx({
        from1904: true,
        formats: [0, 14, 'yyyy-mm-dd hh:mm:ss', 'h:mm'],
        rows:
          texts(
            1,
            '学号',
            '姓名',
            '性别',
            '院系',
            '专业',
            '学籍状态',
            '出生日期',
            '注册时间',
            '入学年份',
            '晨练时间',
          ) +
          row(
            2,
            '7301',
            `<c r="G2" s="1"><v>${serial('2004-05-06') - 1462}</v></c><c r="H2" s="2"><v>${serial('2026-01-05') - 1462 + 0.354166667}</v></c><c r="I2"><v>2024</v></c><c r="J2" s="3"><v>0.25</v></c>`,
          ) +
          row(3, '7302', `${inline('G3', '2004-02-30')}`),
      }),
      { onError: 'skip' },
    )
    expect(job).toMatchObject({
      inserted: 1,
      errors: [{ row: 3, column: '出生日期', value: '2004-02-30', rule: 'value' }],
    })
    expect(await findStudentRow('7301')).toMatchObject({
      birthDate: '2004-05-06',
      registeredAt: '2026-01-05 08:30:00',
      enrolYear: '2024',
      wakeTime: '06:00:00',
    })
  })
})

describe('choices', () => {
  it('matches choices by name in either language, code or id, and switches by any word for yes', async () => {
    const job = await importFile(
      api,
      'EDU_STUDENT',
      await students(
        { 学号: '7401', 性别: ' 女 ', 民族: '汉族', 是否在校: 'No' },
        { 学号: '7402', 性别: 'Female', 院系: '01', 是否在校: false },
        { 学号: '7403', 兴趣特长: '篮球，音乐、书法', 是否在校: '是' },
      ),
    )
    expect(job).toMatchObject({ status: 'done', inserted: 3 })
    expect(await findStudentRow('7401')).toMatchObject({ gender: [{ name: '女' }], onCampus: '0' })
    expect(await findStudentRow('7402')).toMatchObject({
      gender: [{ name: '女' }],
      faculty: [{ name: '信息工程学院' }],
      onCampus: '0',
    })
    expect((await findStudentRow('7403')).interests).toMatchObject([
      { name: '篮球' },
      { name: '音乐' },
      { name: '书法' },
    ])
  })
  it('suggests similar choices, and checks a child against its parent', async () => {
    const job = await importFile(
      api,
      'EDU_STUDENT',
      await students(
        { 学号: '7501', 院系: '信息工程院' },
        { 学号: '7502', 专业: '会计学' },
        { 学号: '7503', 性别: '不详' },
      ),
      { onError: 'skip' },
    )
    expect(job.errors).toMatchObject([
      {
        row: 2,
        column: '院系',
        value: '信息工程院',
        rule: 'choice',
        msg: '“信息工程院”不在可选项中。您是否要填：信息工程学院？',
        suggestions: ['信息工程学院'],
      },
      { row: 3, column: '专业', rule: 'cascade', msg: '所选项不属于上级选项' },
      { row: 4, column: '性别', rule: 'choice' },
    ])
  })
  it('refuses an ambiguous name; the number decides', async () => {
    const {
      records: [one, two],
    } = await api.entityData.page({
      params: { tag: 'EDU_STUDENT' },
      body: { pageSize: 2, sorts: [{ column: 'studentNo', asc: true }] },
    })
    for (const row of [one, two])
      await api.entityData.update({
        params: { tag: 'EDU_STUDENT', id: row?.id ?? '' },
        body: { version: row?.version ?? 0, name: '同名' },
      })
    const { fields } = await api.entityData.config({ params: { tag: 'EDU_GRADE' } })
    const [term] = fields.find(({ attrName }) => attrName === 'term')?.dictData ?? []
    await importFile(
      api,
      'EDU_COURSE',
      toCsv('课程代码,课程名称,开课院系,学分\nZZ01,新课,法学院,2\n'),
    )
    const withCourse = async (who: unknown) =>
      importFile(
        api,
        'EDU_GRADE',
        await toSheet([
          ['学生', '课程', '学期', '成绩'],
          [who as string, 'ZZ01', term?.name ?? '', 90],
        ]),
      )
    expect(await withCourse('同名')).toMatchObject({
      status: 'failed',
      errors: [{ column: '学生', rule: 'ambiguous', msg: '有多条名为“同名”的记录，请改填编号' }],
    })
    expect(await withCourse(one?.studentNo)).toMatchObject({ status: 'done', inserted: 1 })
    expect(await withCourse(two?.id)).toMatchObject({ status: 'done', inserted: 1 })
  })
})

describe('irregular sheets', () => {
  it('skips titles, merged headings, blank rows and columns, and other sheets', async () => {
    const file = await rawXlsx({
      name: '院系',
      moreSheets: [{ name: '备查', rows: texts(1, 'x') }],
      rows: `${texts(1, '2026 年院系名单')}${texts(2, '院系代码', '基本信息', null, null, null)}${texts(3, null, '院系名称', '英文名称', null, '院长')}<row r="4"/>${texts(5, 'M1', '合一', 'One', null, '张')}<row r="6"><c r="A6" s="0"/><c r="B6" t="inlineStr"><is><t>  </t></is></c></row>${texts(9, 'M2', '合二')}<row r="1048576"><c r="A1048576"/></row>`,
      after:
        '<mergeCells count="3"><mergeCell ref="A1:E1"/><mergeCell ref="A2:A3"/><mergeCell ref="B2:E2"/></mergeCells>',
    })
    const job = await importFile(api, 'EDU_FACULTY', file)
    expect(job).toMatchObject({
      status: 'done',
      total: 2,
      inserted: 2,
      sheet: {
        headerRow: 3,
        notes: ['其余工作表未读取：备查', '表头上方的 2 个值不会导入（A1、B2）'],
      },
    })
    const { records } = await api.job.rows({ params: { id: job.id }, query: { verdict: 'fresh' } })
    expect(records.map(({ row }) => row)).toEqual([5, 9])
  })
  it('takes the results of formulas, names errors cell by cell, reads the text of a link, and removes the quote that an export adds', async () => {
    const file = await rawXlsx({
      rows: `${texts(1, '院系代码', '院系名称', '院长', '联系电话')}<row r="2"><c r="A2" t="inlineStr"><is><t>F1</t></is></c><c r="B2"><f>A2&amp;"x"</f><v>F1x</v></c><c r="C2" t="e"><v>#REF!</v></c></row>${texts(3, 'F2', '链接', "'=cmd", "'+86")}`,
      after: '<hyperlinks><hyperlink ref="B3" r:id="rId9"/></hyperlinks>',
    })
    const job = await importFile(api, 'EDU_FACULTY', file, { onError: 'skip' })
    expect(job).toMatchObject({
      inserted: 1,
      failed: 1,
      errors: [{ row: 2, column: '院长', value: '#REF!', rule: 'errorCell' }],
    })
    expect(await findImportedRow('EDU_FACULTY', { code: 'F2' })).toMatchObject({
      name: '链接',
      dean: '=cmd',
      phone: '+86',
    })
  })
  it('refuses a template of another entity, and accepts its own after the headings were changed', async () => {
    const { stream } = await api.entityData.template({ params: { tag: 'EDU_MAJOR' } })
    const template = new File([await new Response(stream).arrayBuffer()], 't.xlsx')
    expect(await importFile(api, 'EDU_FACULTY', template)).toMatchObject({
      status: 'failed',
      message: '此文件是为“专业”制作的，不能导入到“院系”',
    })
    expect(await importFile(api, 'EDU_MAJOR', template)).toMatchObject({
      status: 'failed',
      message: '文件中没有数据行',
    })
  })
  it('refuses a file that is no sheet when it is uploaded', async () => {
    for (const [name, text] of [
      ['a.xls', 'x'],
      ['a.pdf', '%PDF'],
      ['a.xlsx', 'not a zip'],
      ['a', 'x'],
    ] as const)
      await expect(importFile(api, 'EDU_FACULTY', new File([text], name))).rejects.toMatchObject({
        problem: { code: 42200, issues: [{ path: 'file' }] },
      })
    expect(
      await importFile(api, 'EDU_FACULTY', new File(['PK\u0003\u0004xxxx'], 'a.xlsx')),
    ).toMatchObject({
      status: 'failed',
      message: '文件不是有效的 Excel 工作簿（.xlsx），请用 Excel 或 WPS 打开后另存为 .xlsx',
    })
  })
})

describe('templates and exports', () => {
  it('imports a filled template', async () => {
    const { default: ExcelJS } = await import('exceljs')
    const { stream } = await api.entityData.template({ params: { tag: 'EDU_FACULTY' } })
    const book = new ExcelJS.Workbook()
    await book.xlsx.load(await new Response(stream).arrayBuffer())
    const [sheet] = book.worksheets
    const headers = ((sheet?.getRow(1).values ?? []) as string[]).slice(1)
    for (const [header, value] of [
      ['院系代码', '0088'],
      ['院系名称', '模板院'],
      ['成立年份', '1999'],
    ] as const) {
      const cell = sheet?.getRow(3).getCell(headers.indexOf(header) + 1)
      if (cell !== undefined) cell.value = value
    }
    const job = await importFile(
      api,
      'EDU_FACULTY',
      new File([(await book.xlsx.writeBuffer()) as ArrayBuffer], 't.xlsx'),
    )
    expect(job).toMatchObject({ status: 'done', inserted: 1, sheet: { notes: [] } })
    expect(await findImportedRow('EDU_FACULTY', { code: '0088' })).toMatchObject({
      founded: '1999',
    })
  })
  it('finds no change in an export imported again, in any format', async () => {
    for (const format of ['xlsx', 'csv', 'ndjson'] as const) {
      for (const tag of ['EDU_STUDENT', 'EDU_GRADE', 'EDU_COURSE', 'SYS_USER']) {
        const { stream } = await api.entityData.export({ params: { tag }, body: { format } })
        const job = await importFile(
          api,
          tag,
          new File([await new Response(stream).arrayBuffer()], `e.${format}`),
          { mode: 'upsert', key: 'id', confirm: true },
        )
        expect(
          job,
          `${tag} ${format} ${job.message ?? ''} ${JSON.stringify(job.errors[0])}`,
        ).toMatchObject({ status: 'done', inserted: 0, updated: 0, failed: 0 })
        expect(job.skipped).toBeGreaterThan(2)
      }
    }
  })
})

it('writes the cells into the result as they were typed', async () => {
  const job = await importFile(
    api,
    'EDU_FACULTY',
    toCsv('院系代码,院系名称,成立年份\n0099,,1950\n'),
    { onError: 'skip' },
  )
  const { stream } = await api.job.result({ params: { id: job.id } })
  expect((await readSheetCells(stream))[1]).toEqual([
    '0099',
    undefined,
    '1950',
    '失败',
    '院系名称: 此项为必填项',
  ])
})

describe('times of a column with a time zone', () => {
  beforeAll(async () => {
    const { database, registry } = app.services
    await sql`alter table biz.student alter registered_at type timestamptz,
      alter update_time type timestamp using update_time at time zone 'Asia/Shanghai'`.execute(
      database.untyped,
    )
    registry.invalidate()
  })
  it('refuses times that the clocks of the school skipped, and stores the doubled ones', async () => {
    const times = ['1986-05-04 02:30:00', '1991-04-14 02:15:00', '1986-09-14 01:30:00']
    const job = await importFile(
      api,
      'EDU_STUDENT',
      await students(...times.map((at, i) => ({ 学号: `725${i}`, 注册时间: at }))),
      { onError: 'skip' },
    )
    expect(job).toMatchObject({
      inserted: 1,
      errors: times.slice(0, 2).map((value, i) => ({
        row: i + 2,
        column: '注册时间',
        value,
        rule: 'skippedTime',
        msg: '当天的时钟拨快，跳过了这一时刻，请填写实际存在的时间',
      })),
    })
    expect(await findStudentRow('7252')).toMatchObject({ registeredAt: times[2] })
  })
  it('writes times of changes without a zone by the clock of the school', async () => {
    const rows = await students({ 学号: '7261', 注册时间: '2026-03-08 02:30:00' })
    await importFile(api, 'EDU_STUDENT', rows)
    const { rows: late } = await sql<{ seconds: number }>`
      select extract(epoch from now() - update_time at time zone 'Asia/Shanghai')::int4 as seconds
      from biz.student where student_no = '7261'`.execute(app.services.database.untyped)
    expect(late).toHaveLength(1)
    expect(Math.abs(late[0]?.seconds ?? Number.NaN)).toBeLessThan(600)
  })
})

describe('headings of other systems', () => {
  /** Heading → field, by a pause at the mapping. */
  async function mapHeadings(tag: string, headers: readonly string[], row: readonly string[]) {
    const job = await importFile(api, tag, await toSheet([headers, row]), { pauseAt: 'mapping' })
    await api.job.cancel({ params: { id: job.id } })
    return Object.fromEntries(
      (job.sheet?.columns ?? []).map(({ header, attrName }) => [header, attrName]),
    )
  }

  it('are taken by what they mean in rosters and mark sheets', async () => {
    expect(
      await mapHeadings(
        'EDU_STUDENT',
        [
          'Student ID',
          '学生姓名',
          '性别',
          '所属学院',
          '所属行政班',
          '手机',
          'Student Email',
          '辅导员',
        ],
        ['2026990001', '测试', '男', '信息工程学院', '软件2601班', '13800000000', 'a@b.cn', '甲'],
      ),
    ).toEqual({
      'Student ID': 'studentNo',
      学生姓名: 'name',
      性别: 'gender',
      所属学院: 'faculty',
      所属行政班: 'class',
      手机: 'mobile',
      'Student Email': 'email',
      辅导员: null,
    })
  })

  it.each([
    [['学号', '课程号', '课程名称', '总评'], { 课程号: 'course', 课程名称: null, 总评: 'score' }],
    [['学号', '课程名称', '百分成绩'], { 课程名称: 'course', 百分成绩: 'score' }],
    [['学号', '课程代码', '课程', '成绩'], { 课程代码: null, 课程: 'course', 成绩: 'score' }],
    // The field's own label comes before a word for it.
    [['学号', '总评', '成绩'], { 总评: null, 成绩: 'score' }],
  ])('the key of a relation comes before its title: %j', async (headers, expected) => {
    const found = await mapHeadings(
      'EDU_GRADE',
      headers,
      headers.map(() => '1'),
    )
    expect(found).toMatchObject(expected)
  })
})
