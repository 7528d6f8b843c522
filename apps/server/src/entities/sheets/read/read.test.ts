import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { downloadZip } from 'client-zip'
import ExcelJS from 'exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rawXlsx, texts } from '../../../../testing/sheets/raw-xlsx.ts'
import { FileProblem, type RawRow, readLimits } from './model.ts'
import { dateCellOf } from './serial-date.ts'
import { readFile } from './read-file.ts'
import { isDateTimeFormat } from './workbook.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jiaowu-read-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const limits = { ...readLimits, rows: 1_000 }
let made = 0
async function writeTempFile(file: Blob | Uint8Array): Promise<string> {
  const path = join(folder, `${(made += 1)}`)
  await writeFile(path, file instanceof Blob ? new Uint8Array(await file.arrayBuffer()) : file)
  return path
}
async function readTestFile(
  file: Blob | Uint8Array,
  format: 'xlsx' | 'csv' | 'ndjson' = 'xlsx',
  more: Partial<typeof limits> = {},
) {
  const { head, rows } = await readFile(await writeTempFile(file), format, { ...limits, ...more })
  const all: RawRow[] = []
  for await (const chunk of rows()) all.push(...chunk)
  return { head, rows: all, cells: all.map(({ cells }) => cells) }
}
async function captureReadProblem(
  file: Blob | Uint8Array,
  format: 'xlsx' | 'csv' | 'ndjson' = 'xlsx',
  more: Partial<typeof limits> = {},
) {
  return await readTestFile(file, format, more).then(
    () => 'read',
    (error: unknown) => (error instanceof FileProblem ? error.text.key : error),
  )
}

describe('xlsx', () => {
  it('reads every kind of cell', async () => {
    const { cells, rows } = await readTestFile(
      await rawXlsx({
        strings: [
          '共享',
          '<r><t>富</t></r><r><rPr><b/></rPr><t>文本</t></r><rPh sb="0" eb="1"><t>fu</t></rPh>',
          '_x000D_换行_x0041_',
        ],
        formats: [0, 14, 'yyyy"年"m"月"d"日"', '00000', 'h:mm:ss', '[Red]0.00', 'yyyy/m/d h:mm'],
        rows: `<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c><c r="C2" t="s"><v>2</v></c><c r="D2"><v>59.5</v></c></row>
        <row r="5"><c r="A5" s="1"><v>46023</v></c><c r="B5" s="2"><v>46023</v></c><c r="C5" s="3"><v>42</v></c><c r="D5" s="4"><v>0.354166666666667</v></c><c r="E5" s="5"><v>1.5</v></c><c r="F5" s="6"><v>46023.35416667</v></c></row>
        <row r="6"><c r="A6"><f>1+1</f><v>2</v></c><c r="B6" t="e"><v>#N/A</v></c><c r="C6" t="b"><v>1</v></c><c r="D6" t="str"><v>abc</v></c><c r="E6" t="d"><v>2026-01-05T08:30:00.000</v></c><c r="F6" t="inlineStr"><is><r><t>内</t></r><r><t>联</t></r></is></c></row>
        <row r="7" spans="1:4"><c r="A7" s="1"/><c r="B7" t="inlineStr"><is><t>  </t></is></c></row><row r="900"/>`,
      }),
    )
    expect(rows.map(({ row }) => row)).toEqual([2, 5, 6])
    expect(cells).toEqual([
      ['共享', '富文本', '\r换行A', 59.5],
      [
        { day: '2026-01-01', clock: '00:00:00' },
        { day: '2026-01-01', clock: '00:00:00' },
        '00042',
        { day: null, clock: '08:30:00' },
        1.5,
        { day: '2026-01-01', clock: '08:30:00' },
      ],
      [
        2,
        { odd: 'error', text: '#N/A' },
        true,
        'abc',
        { day: '2026-01-05', clock: '08:30:00' },
        '内联',
      ],
    ])
  })
  it('counts dates from 1904 where the workbook does', async () => {
    const { cells } = await readTestFile(
      await rawXlsx({
        from1904: true,
        formats: [14],
        rows: '<row r="1"><c r="A1" s="0"><v>44561</v></c></row>',
      }),
    )
    expect(cells).toEqual([[{ day: '2026-01-01', clock: '00:00:00' }]])
  })
  it.each([
    [1, '1900-01-01'],
    [59, '1900-02-28'],
    [61, '1900-03-01'],
    [45_292, '2024-01-01'],
    [2_958_465, '9999-12-31'],
  ])('serial %d is %s', (serial, day) =>
    expect(dateCellOf(serial, false)).toEqual({ day, clock: '00:00:00' }),
  )
  it.each([60, -1, 2_958_466, Number.NaN])('serial %d is not a date', (serial) =>
    expect(dateCellOf(serial, false)).toBeNull(),
  )
  it('rounds times to the second', () =>
    expect(dateCellOf(45_292.9999999, false)).toEqual({ day: '2024-01-02', clock: '00:00:00' }))
  it.each([
    ['yyyy-mm-dd', true],
    ['[$-804]yyyy"年"m"月"', true],
    ['[h]:mm', true],
    ['上午/下午h"时"', true],
    ['General', false],
    ['0.00_ ', false],
    ['"d"0', false],
    ['[Red]#,##0', false],
    ['@', false],
    ['¥#,##0.00;[Red]-¥#,##0.00', false],
  ])('format %s', (code, is) => expect(isDateTimeFormat(code)).toBe(is))
  it('previews the sheets, hidden ones last, reads the first, and finds the signature', async () => {
    const { head, cells } = await readTestFile(
      await rawXlsx({
        rows: texts(1, 'a'),
        name: '数据',
        moreSheets: [
          { name: '隐藏', rows: '', state: 'hidden' },
          { name: '说明', rows: texts(1, 'b') },
          { name: '_jiaowu', rows: texts(1, '{}'), state: 'veryHidden' },
        ],
      }),
    )
    expect(head).toEqual({
      sheets: [
        { name: '数据', rows: [{ row: 1, cells: ['a'] }] },
        { name: '说明', rows: [{ row: 1, cells: ['b'] }] },
        { name: '隐藏', rows: [], isHidden: true },
      ],
      signature: '{}',
      from1904: false,
    })
    expect(cells).toEqual([['a']])
  })
  it('reads the stored results of formulas, and fills merged cells downwards', async () => {
    const { rows } = await readTestFile(
      await rawXlsx({
        formats: [0, 9],
        rows: `${texts(1, '班级', '姓名', '比例')}<row r="2"><c r="A2" t="inlineStr"><is><t>一班</t></is></c><c r="B2" t="str"><f>UPPER("a")</f><v>A</v></c><c r="C2" s="1"><v>0.855</v></c></row>
        <row r="3"><c r="B3" t="inlineStr"><is><t>乙</t></is></c><c r="C3"><f>1+1</f></c></row><row r="4"/>${texts(5, null, '丙')}${texts(6, null, '丁')}`,
        after: '<mergeCells count="1"><mergeCell ref="A2:A5"/></mergeCells>',
        entries: { 'xl/vbaProject.bin': 'macros are left unread' },
      }),
    )
    expect(rows.slice(1)).toEqual([
      { row: 2, cells: ['一班', 'A', '85.5%'], computed: 1 },
      { row: 3, cells: ['一班', '乙', { odd: 'formula', text: '' }], filled: 1 },
      { row: 5, cells: ['一班', '丙'], filled: 1 },
      { row: 6, cells: [null, '丁'] },
    ])
  })
  it('reads a sheet beside one that is too wide', async () => {
    const wide = '<row r="1"><c r="CW1"><v>1</v></c></row>'
    const { cells } = await readTestFile(
      await rawXlsx({ rows: texts(1, 'a'), moreSheets: [{ name: 'wide', rows: wide }] }),
    )
    expect(cells).toEqual([['a']])
  })
  it('reads prefixed names and cells without references', async () => {
    const { cells } = await readTestFile(
      await rawXlsx({
        rows: '',
        entries: {
          'xl/worksheets/sheet1.xml':
            '<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>a</x:t></x:is></x:c><x:c><x:v>2</x:v></x:c></x:row></x:sheetData></x:worksheet>',
        },
      }),
    )
    expect(cells).toEqual([['a', 2]])
  })
  it('finds parts whose names differ in case from those of the relations', async () => {
    const strings = '<sst><si><t>Hello</t></si></sst>'
    const file = await rawXlsx({
      rows: '<row r="1"><c r="A1" t="s"><v>0</v></c></row>',
      strings: [],
      entries: { 'xl/SharedStrings.xml': strings },
      order: (names) => names.filter((name) => name !== 'xl/sharedStrings.xml'),
    })
    expect((await readTestFile(file)).cells).toEqual([['Hello']])
  })
  it.each([
    ['utf-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16', (text: string) => Buffer.from(text, 'utf16le')],
    ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['UTF-16', (text: string) => Buffer.from(text, 'utf16le').swap16()],
    // A wrong name: the bytes are UTF-8.
    ['UTF-16', (text: string) => Buffer.from(text)],
    ['ISO-8859-1', (text: string) => Buffer.from(text, 'latin1')],
  ])('reads parts in the encoding that they declare or have: %s', async (name, encode) => {
    const sheet = `<?xml version="1.0" encoding="${name}"?><worksheet><sheetData>${texts(1, 'Zoë')}</sheetData></worksheet>`
    const entries = { 'xl/worksheets/sheet1.xml': new Uint8Array(encode(sheet)) }
    expect((await readTestFile(await rawXlsx({ rows: '', entries }))).cells).toEqual([['Zoë']])
  })
  it('reads the same rows in 200 random orders of the zip entries', async () => {
    const parts = {
      strings: Array.from({ length: 20 }, (_, i) => `s${i}`),
      rows: Array.from(
        { length: 20 },
        (_, i) => `<row r="${i + 1}"><c r="A${i + 1}" t="s"><v>${i}</v></c></row>`,
      ).join(''),
    }
    const expected = Array.from({ length: 20 }, (_, i) => [`s${i}`])
    const { openArchive } = await import('./zip.ts')
    const { readXlsx } = await import('./xlsx-rows.ts')
    for (let round = 0; round < 200; round += 1) {
      const file = await rawXlsx({
        ...parts,
        order: (names) =>
          names
            .map((name, i) => ({ name, at: (i * 7919 + round * 104_729) % 31 }))
            .toSorted((a, b) => a.at - b.at)
            .map(({ name }) => name),
      })
      const archive = await openArchive(await writeTempFile(file), limits)
      const found: unknown[] = []
      for await (const chunk of (await readXlsx(archive, limits)).rows([0]))
        found.push(...chunk.map(({ cells }) => cells))
      archive.close()
      expect(found).toEqual(expected)
    }
  })
  it('reads files of exceljs, with or without shared strings', async () => {
    const book = new ExcelJS.Workbook()
    book.addWorksheet('x').addRows([
      ['学号', '日期'],
      ['00123', new Date(Date.UTC(2026, 0, 5))],
    ])
    const { cells } = await readTestFile(new Blob([(await book.xlsx.writeBuffer()) as ArrayBuffer]))
    expect(cells).toEqual([
      ['学号', '日期'],
      ['00123', { day: '2026-01-05', clock: '00:00:00' }],
    ])
  })
})

describe('files that are refused', () => {
  const zip = async (...entries: { name: string; input: string | Uint8Array<ArrayBuffer> }[]) =>
    new Uint8Array(await downloadZip(entries).arrayBuffer())
  it('are those that are not a zip or not a workbook', async () => {
    expect(await captureReadProblem(new TextEncoder().encode('hello'))).toBe(
      'transfer.file.notXlsx',
    )
    expect(await captureReadProblem(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]))).toBe(
      'transfer.file.notXlsx',
    )
    expect(await captureReadProblem(await zip({ name: 'a.txt', input: 'x' }))).toBe(
      'transfer.file.notXlsx',
    )
    expect(await captureReadProblem((await rawXlsx({ rows: texts(1, 'a') })).slice(0, 900))).toBe(
      'transfer.file.notXlsx',
    )
  })
  it('are zips with entries no spreadsheet program writes', async () => {
    expect(
      await captureReadProblem(await rawXlsx({ rows: '', entries: { '../evil.xml': 'x' } })),
    ).toBe('transfer.file.hostile')
    expect(
      await captureReadProblem(await rawXlsx({ rows: '', entries: { 'xl/inner.zip': 'x' } })),
    ).toBe('transfer.file.hostile')
    expect(
      await captureReadProblem(
        await zip(...Array.from({ length: 201 }, (_, i) => ({ name: `xl/${i}.xml`, input: 'x' }))),
      ),
    ).toBe('transfer.file.hostile')
    expect(
      await captureReadProblem(
        await zip({ name: 'xl/a.xml', input: '1' }, { name: 'xl/a.xml', input: '2' }),
      ),
    ).toBe('transfer.file.hostile')
  })
  it('are not workbooks with hundreds of pictures, or folders separated by backslashes', async () => {
    const photos = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`xl/media/image${i}.png`, 'x']),
    )
    const rows = texts(1, 'a')
    expect((await readTestFile(await rawXlsx({ rows, entries: photos }))).cells).toEqual([['a']])
    expect((await readTestFile(await rawXlsx({ rows, separator: '\\' }))).cells).toEqual([['a']])
    expect(
      await captureReadProblem(await rawXlsx({ rows, entries: { '..\\evil.xml': 'x' } })),
    ).toBe('transfer.file.hostile')
  })
  it('are not workbooks with embedded documents, hundreds of controls or white pictures', async () => {
    const rows = texts(1, 'a')
    const controls = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`xl/ctrlProps/ctrlProp${i}.xml`, 'x']),
    )
    const file = await rawXlsx({
      rows,
      entries: {
        ...controls,
        'xl/embeddings/Microsoft_Excel_Worksheet1.xlsx': 'x',
        'xl/media/white.bmp': new Uint8Array(3_000_000),
      },
    })
    expect((await readTestFile(file)).cells).toEqual([['a']])
  })
  it('are zip bombs, by their inflated size and not the declared one', async () => {
    const { deflateRawSync, crc32 } = await import('node:zlib')
    const sheet = Buffer.from(
      `<worksheet><sheetData>${' '.repeat(30_000_000)}</sheetData></worksheet>`,
    )
    const packed = deflateRawSync(sheet)
    const liar = zipEntry('xl/worksheets/sheet1.xml', packed, 1_000, crc32(sheet))
    const honest = zipEntry('xl/worksheets/sheet1.xml', packed, sheet.length, crc32(sheet))
    expect(await captureReadProblem(honest)).toBe('transfer.file.hostile')
    expect(['transfer.file.hostile', 'transfer.file.broken', 'transfer.file.notXlsx']).toContain(
      await captureReadProblem(liar),
    )
  })
  it('are those with doctypes, broken XML, or too many rows or entries', async () => {
    expect(
      await captureReadProblem(
        await rawXlsx({
          rows: '',
          entries: {
            'xl/worksheets/sheet1.xml':
              '<!DOCTYPE a [<!ENTITY b "c">]><worksheet><sheetData>&b;</sheetData></worksheet>',
          },
        }),
      ),
    ).toBe('transfer.file.hostile')
    expect(await captureReadProblem(await rawXlsx({ rows: '<row r="1"><c r="A1">' }))).toBe(
      'transfer.file.broken',
    )
    expect(
      await captureReadProblem(
        await rawXlsx({ rows: texts(1, 'a') + texts(2, 'b') + texts(3, 'c') }),
        'xlsx',
        { rows: 1 },
      ),
    ).toBe('transfer.file.tooManyRows')
    expect(
      await captureReadProblem(await rawXlsx({ rows: texts(1, 'a'.repeat(5_000)) }), 'xlsx', {
        unpacked: 3_000,
      }),
    ).toBe('transfer.file.tooLarge')
  })
  it('are not those with a cell that is too long, which is an error of the cell', async () => {
    const { cells } = await readTestFile(await rawXlsx({ rows: texts(1, 'a'.repeat(4_001), 'b') }))
    expect(cells[0]?.[1]).toBe('b')
    expect(cells[0]?.[0]).toMatchObject({ odd: 'tooLong' })
  })
})

/** A zip of one deflated entry with a false size in its directory. */
function zipEntry(name: string, packed: Buffer, declared: number, crc: number): Uint8Array {
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(20, 4)
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(crc, 14)
  local.writeUInt32LE(packed.length, 18)
  local.writeUInt32LE(declared, 22)
  local.writeUInt16LE(name.length, 26)
  const central = Buffer.alloc(46)
  central.writeUInt32LE(0x02014b50, 0)
  central.writeUInt16LE(20, 4)
  central.writeUInt16LE(20, 6)
  central.writeUInt16LE(8, 10)
  central.writeUInt32LE(crc, 16)
  central.writeUInt32LE(packed.length, 20)
  central.writeUInt32LE(declared, 24)
  central.writeUInt16LE(name.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(46 + name.length, 12)
  end.writeUInt32LE(30 + name.length + packed.length, 16)
  return Buffer.concat([local, Buffer.from(name), packed, central, Buffer.from(name), end])
}

describe('csv', () => {
  const utf16 = (text: string) =>
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
  it.each([
    ['utf-8 with a mark', Buffer.from('\uFEFF学号,姓名\r\n001,张三\r\n')],
    ['utf-8', Buffer.from('学号,姓名\n001,张三\n')],
    ['semicolons', Buffer.from('学号;姓名\n001;张三\n')],
    ['bars', Buffer.from('学号|姓名\n001|张三\n')],
    ['full-width commas', Buffer.from('学号，姓名\n001，张三\n')],
    ['a declared separator', Buffer.from('sep=;\r\n学号;姓名\r\n001;张三\r\n')],
    ['utf-16 without a mark', Buffer.from('学号,姓名\n001,张三\n', 'utf16le')],
    ['tabs in utf-16', utf16('学号\t姓名\n001\t张三\n')],
    [
      'gb18030, as spreadsheets in China save it',
      Buffer.concat([
        Buffer.from([0xd1, 0xa7, 0xba, 0xc5, 0x2c, 0xd0, 0xd5, 0xc3, 0xfb, 0x0a]),
        Buffer.from('001,'),
        Buffer.from([0xd5, 0xc5, 0xc8, 0xfd]),
      ]),
    ],
  ])('%s', async (_name, bytes) =>
    expect((await readTestFile(bytes, 'csv')).cells).toEqual([
      ['学号', '姓名'],
      ['001', '张三'],
    ]),
  )
  it.each([
    ['é alone', 'nom,ville\nRené,Orléans\nZoë,Besançon\n'],
    ['signs of Windows', 'name,price\nCafé “Zoë”,5 €\n'],
  ])('takes accents among plain letters for Windows-1252, as a guess: %s', async (_what, text) => {
    const special = new Map([
      ['“', 0x93],
      ['”', 0x94],
      ['€', 0x80],
    ])
    const bytes = Uint8Array.from(text, (letter) => special.get(letter) ?? letter.charCodeAt(0))
    const { head, cells } = await readTestFile(bytes, 'csv')
    expect(head.encoding).toEqual({ name: 'windows-1252', isGuess: true })
    expect(cells).toEqual(
      text
        .trim()
        .split('\n')
        .map((line) => line.split(',')),
    )
  })
  it('keeps a Chinese name among English for Chinese', async () => {
    const text = Buffer.from('d5c5c8fd', 'hex')
    const line = Buffer.concat([Buffer.from('name,city,remark\nZhang San '), text])
    const { head, cells } = await readTestFile(new Uint8Array(line), 'csv')
    expect(head.encoding).toEqual({ name: 'gb18030', isGuess: true })
    expect(cells[1]).toEqual(['Zhang San 张三'])
  })
  it('decodes as the user chose, and shows what does not fit', async () => {
    const path = await writeTempFile(new Uint8Array(Buffer.from('d5c5c8fd2c61', 'hex')))
    const decoded = async (encoding: 'utf-8' | 'windows-1252') => {
      const { head, rows } = await readFile(path, 'csv', limits, encoding)
      for await (const [row] of rows()) return [head.encoding?.isGuess, ...(row?.cells ?? [])]
    }
    expect(await decoded('windows-1252')).toEqual([false, 'ÕÅÈý', 'a'])
    expect(await decoded('utf-8')).toEqual([false, '\ufffd\ufffd\ufffd\ufffd', 'a'])
  })
  it('reads big5', async () => {
    const big5 = Buffer.from('bec7b8b92ca96da65 72c a974bcc6'.replaceAll(' ', ''), 'hex')
    const line = Buffer.concat([big5, Buffer.from('\n')])
    expect((await readTestFile(Buffer.concat([line, line, line]), 'csv')).cells[0]?.[0]).toBe(
      '學號',
    )
  })
  it('finds the separator below a title', async () =>
    expect(
      (await readTestFile(Buffer.from('名单, 一班\n学号;姓名;性别\n1;甲;男\n2;乙;女\n'), 'csv'))
        .cells[1],
    ).toEqual(['学号', '姓名', '性别']))
  it('keeps quotes, line breaks and row numbers, and drops blank records', async () => {
    const { rows } = await readTestFile(Buffer.from('a,b\n"x, ""y""\nz",\n,,\n\n1,2,,\n'), 'csv')
    expect(rows).toEqual([
      { row: 1, cells: ['a', 'b'] },
      { row: 2, cells: ['x, "y"\nz'] },
      { row: 5, cells: ['1', '2'] },
    ])
  })
  it('reads rows of any width, and as many blank lines as a file holds', async () => {
    const blank = '\n'.repeat(400_000)
    const { rows } = await readTestFile(Buffer.from(`a,b\n${blank}1\n2,3,4\n`), 'csv')
    expect(rows).toEqual([
      { row: 1, cells: ['a', 'b'] },
      { row: 400_002, cells: ['1'] },
      { row: 400_003, cells: ['2', '3', '4'] },
    ])
  })
})

describe('ndjson', () => {
  it('uses the keys of all lines as the heading', async () => {
    const { rows } = await readTestFile(
      Buffer.from('{"a":1,"b":[{"id":"1","name":"x"}]}\n\n{"c":null,"a":"2"}'),
      'ndjson',
    )
    expect(rows).toEqual([
      { row: 0, cells: ['a', 'b', 'c'] },
      { row: 1, cells: [{ wire: 1 }, { wire: [{ id: '1', name: 'x' }] }, null] },
      { row: 3, cells: [{ wire: '2' }, null, { wire: null }] },
    ])
  })
  it('reports the line that is not an object', async () =>
    expect(await captureReadProblem(Buffer.from('{"a":1}\n[1]\n'), 'ndjson')).toBe(
      'transfer.file.line',
    ))
})
