import ExcelJS from 'exceljs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../model/context.ts'
import { entityDataHandlers } from '../handlers/entity-data.ts'
import { Invalid } from '../../platform/refusal.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { type Fixture, openFixture } from '../../../testing/entities/fixture.ts'
import { readSheets } from '../../../testing/sheets/read-sheets.ts'

let fixture: Fixture
let context: Context
let ids: string[]
type Body = Parameters<typeof entityDataHandlers.export>[0]['body']
function exportForTest(tag: string, body: Partial<Body> = {}, as = context) {
  return Promise.resolve(
    entityDataHandlers.export(
      {
        params: { tag },
        query: undefined,
        body: { pageSize: -1, pageNum: -1, sorts: [], queries: {}, format: 'xlsx', ...body },
      },
      as,
    ),
  )
}

const readExportedSheets = async (response: Response) => readSheets(await response.arrayBuffer())
async function openWorkbook(response: Response) {
  const book = new ExcelJS.Workbook()
  await book.xlsx.load(await response.arrayBuffer())
  return book
}

/** The kind of validation of the last prepared row by heading. */
function validations(sheet: ExcelJS.Worksheet | undefined, header: readonly string[]) {
  return Object.fromEntries(
    header.flatMap((name, index) => {
      const { dataValidation } = sheet?.getCell(10_001, index + 1) ?? {}
      return dataValidation === undefined ? [] : [[name, dataValidation.type]]
    }),
  )
}

beforeAll(async () => {
  fixture = await openFixture()
  context = fixture.context()
  const add = async (body: Record<string, unknown>) =>
    (
      await entityDataHandlers.create(
        { params: { tag: 'T_SAMPLE' }, query: undefined, body },
        context,
      )
    ).id
  const dept = (
    await entityDataHandlers.create(
      { params: { tag: 'T_DEPT' }, query: undefined, body: { name: '=数学' } },
      context,
    )
  ).id
  ids = [
    await add({
      code: '0012',
      name: '甲',
      amount: 12.5,
      kind: '1',
      deptId: dept,
      tags: ['1', '2'],
      active: '1',
      born: '2026-01-05',
      moment: '2026-01-05 08:00:00',
      memo: '=HYPERLINK("x")',
      big: '9007199254740993',
      html: '<p>x</p>',
      score: 5,
      photo: [{ id: '1', name: 'p.png' }],
    }),
    await add({ name: '+86', active: '0' }),
  ]
})
afterAll(async () => {
  await fixture.close()
})

describe('export', () => {
  it('writes labels, typed cells, the hidden id column and a signature', async () => {
    const response = await exportForTest('T_SAMPLE', {
      sorts: [{ column: 'id', asc: true }],
      fileName: '../学生',
    })
    expect(response.headers.get('x-rows')).toBe('2')
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="__.xlsx"; filename*=UTF-8\'\'%E5%AD%A6%E7%94%9F.xlsx',
    )
    const sheets = await readExportedSheets(response)
    const [header = [], first = [], second = []] = sheets.get('T_SAMPLE') ?? []
    const cell = (name: string, row = first) => row[header.indexOf(name)]
    expect([
      header[0],
      header.at(-1),
      header.includes('名称'),
      header.includes('pass'),
      header.includes('分组'),
    ]).toEqual(['编号', 'id', true, false, false])
    expect(
      [
        '编号',
        '名称',
        'amount',
        'kind',
        'deptId',
        'tags',
        'active',
        'born',
        'moment',
        'memo',
        'big',
        'html',
        'score',
        'photo',
        'id',
      ].map((name) => cell(name)),
    ).toEqual([
      '0012',
      '甲',
      12.5,
      '甲',
      "'=数学",
      '甲,乙',
      '是',
      '2026-01-05',
      '2026-01-05 08:00:00',
      '\'=HYPERLINK("x")',
      '9007199254740993',
      '<p>x</p>',
      5,
      'p.png',
      ids[0],
    ])
    expect([cell('名称', second), cell('active', second), cell('id', second)]).toEqual([
      "'+86",
      '否',
      ids[1],
    ])
    expect(JSON.parse(String(sheets.get('_jiaowu')?.[0]?.[0]))).toMatchObject({
      tag: 'T_SAMPLE',
      revision: '1',
      kind: 'export',
    })
    const book = await openWorkbook(await exportForTest('T_SAMPLE', {}, fixture.context({}, 'en')))
    expect(book.worksheets.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'Sample visible',
      '_jiaowu veryHidden',
    ])
    const keyColumn = book.worksheets[0]?.getColumn(header.length)
    expect([keyColumn?.hidden, book.worksheets[0]?.getCell(1, 2).value]).toEqual([true, 'Name'])
  })
  it('writes dates and times as dates that a spreadsheet filters and computes with', async () => {
    const columns = ['born', 'moment', 'amount']
    const book = await openWorkbook(
      await exportForTest('T_SAMPLE', { columns, sorts: [{ column: 'id', asc: true }] }),
    )
    const cells = columns.map((_, index) => book.worksheets[0]?.getCell(2, index + 1))
    expect(cells.map((cell) => [cell?.value, cell?.numFmt])).toEqual([
      [new Date('2026-01-05T00:00:00Z'), 'yyyy-mm-dd'],
      [new Date('2026-01-05T08:00:00Z'), 'yyyy-mm-dd hh:mm:ss'],
      [12.5, '0.00'],
    ])
  })
  it('writes columns in the requested order, and applies filters and pages', async () => {
    const csv = await (
      await exportForTest('T_SAMPLE', {
        format: 'csv',
        columns: ['name', 'code'],
        queries: { code: '0012' },
      })
    ).text()
    expect(csv).toBe('名称,编号\r\n甲,0012\r\n')
    const second = await exportForTest('T_SAMPLE', {
      format: 'csv',
      columns: ['name'],
      sorts: [{ column: 'id', asc: true }],
      pageSize: 1,
      pageNum: 2,
    })
    expect([second.headers.get('x-rows'), await second.text()]).toEqual(['1', "名称\r\n'+86\r\n"])
    const lines = (
      await (
        await exportForTest('T_SAMPLE', {
          format: 'ndjson',
          columns: ['kind', 'amount'],
          sorts: [{ column: 'id', asc: true }],
        })
      ).text()
    )
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toEqual([
      { id: ids[0], kind: [{ id: '1', name: '甲' }], amount: 12.5 },
      { id: ids[1], kind: [], amount: null },
    ])
  })
  it('refuses invalid requests before sending the first byte', async () => {
    for (const [body, fault] of [
      [{ columns: ['pass'] }, 'columns.pass unknownField'],
      [{ columns: ['name', 'name'] }, 'columns.name unknownField'],
      [{ columns: [] }, 'columns required'],
      [{ queries: { nothing: 1 } }, 'queries.nothing unknownField'],
      [{ pageSize: 0 }, 'pageSize range'],
    ] as const) {
      const error = await exportForTest('T_SAMPLE', body as Partial<Body>).then(
        () => null,
        (e: unknown) => e,
      )
      expect(
        error instanceof Invalid ? error.faults.map(({ path, rule }) => `${path} ${rule}`) : error,
      ).toEqual([fault])
    }
  })
  it('reads every row once across chunks, in any order, with nulls', async () => {
    await sql`
      insert into biz.t_dept (id, tenant_id, name, secret)
      select 700000 + n, 10000, 'd' || (n % 7),
        case when n % 5 = 0 then null else 's' || (n % 3) end
      from generate_series(1, 3500) n`.execute(databaseOf(fixture))
    for (const sorts of [
      [],
      [{ column: 'name', asc: true }],
      [
        { column: 'secret', asc: false },
        { column: 'name', asc: true },
      ],
      [{ column: 'secret', asc: true }],
      [{ column: 'id', asc: true }],
    ]) {
      const response = await exportForTest('T_DEPT', { format: 'ndjson', sorts })
      const found = (await response.text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id as string)
      expect([found.length, new Set(found).size, response.headers.get('x-rows')]).toEqual([
        3501,
        3501,
        '3501',
      ])
      const pages = [1, 2, 3, 4].map((pageNum) =>
        entityDataHandlers.page(
          {
            params: { tag: 'T_DEPT' },
            query: undefined,
            body: { pageSize: 1000, pageNum, sorts, queries: {} },
          },
          context,
        ),
      )
      expect(found).toEqual(
        (await Promise.all(pages)).flatMap(({ records }) => records.map(({ id }) => id)),
      )
    }
  })
  it('stops when the client disconnects', async () => {
    const response = await exportForTest('T_DEPT', { format: 'csv' })
    const reader = response.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    expect((await exportForTest('T_DEPT', { format: 'csv', pageSize: 1, pageNum: 1 })).status).toBe(
      200,
    )
  })
})

describe('template', () => {
  it('has heading, text cells, drop-downs, instructions and a signature', async () => {
    const response = await entityDataHandlers.template(
      { params: { tag: 'T_SAMPLE' }, query: undefined, body: undefined },
      context,
    )
    const bytes = await response.arrayBuffer()
    const book = await openWorkbook(new Response(bytes))
    expect(book.worksheets.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'T_SAMPLE visible',
      '_lists veryHidden',
      '填写说明 visible',
      '_jiaowu veryHidden',
    ])
    const [sheet, lists, instructions] = book.worksheets
    const header = [...((sheet?.getRow(1).values ?? []) as string[])].slice(1)
    expect(header.slice(0, 3)).toEqual(['编号', '名称', 'memo'])
    expect(header).not.toContain('pass')
    expect(header).not.toContain('photo')
    const column = (name: string) => header.indexOf(name) + 1
    expect([
      sheet?.getColumn(column('编号')).numFmt,
      sheet?.getColumn(column('amount')).numFmt,
    ]).toEqual(['@', '0.00'])
    expect(sheet?.getCell(2, column('kind')).dataValidation).toMatchObject({
      type: 'list',
      formulae: [expect.stringMatching(/^'?_lists'?!\$[A-Z]+\$1:\$[A-Z]+\$3$/)],
    })
    expect(lists?.getColumn(column('kind')).values.slice(1)).toEqual(['甲', '乙', '丙'])
    expect(validations(sheet, header)).toMatchObject({
      active: 'list',
      kind: 'list',
      amount: 'decimal',
      quantity: 'whole',
      born: 'date',
      moment: 'date',
      名称: 'textLength',
    })
    expect(sheet?.getCell(1, column('编号')).note).toContain('文本')
    expect(lists?.getColumn(column('active')).values.slice(1)).toEqual(['是', '否'])
    expect(instructions?.getCell(6, 1).value).toBe('名称')
    expect(instructions?.getCell(6, 4).value).toBe('最多 12 个字符（汉字算 2 个）')
    const sheets = await readExportedSheets(new Response(bytes))
    const signature = JSON.parse(String(sheets.get('_jiaowu')?.[0]?.[0]))
    expect(signature).toMatchObject({ tag: 'T_SAMPLE', revision: '1', kind: 'template' })
    expect(signature.columns.length).toBe(header.length)
    const example = [...((sheet?.getRow(2).values ?? []) as string[])].slice(1)
    expect(signature.example.map((text: string) => text || undefined)).toEqual(
      header.map((_, index) => example[index]),
    )
    expect(example[column('kind') - 1]).toBe('甲')
    expect(example[column('born') - 1]).toBe('2026-01-31')
  })
})
