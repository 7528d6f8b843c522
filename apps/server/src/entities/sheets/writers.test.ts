import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import ExcelJS from 'exceljs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attachmentHeader, safeFileName } from './file-name.ts'
import { guardText, unguardText } from './formula.ts'
import type { Cell, SheetColumn } from './format.ts'
import { csvStream } from './write/csv-stream.ts'
import { xlsxStream } from './write/xlsx-stream.ts'

const columns: SheetColumn[] = [
  { header: '学号', type: 'text', width: 20 },
  { header: '成绩', type: 'number', width: 10 },
  { header: 'id', type: 'text', width: 20, hidden: true },
]
async function* yieldOnce(...rows: Cell[][]) {
  yield rows
}

async function readWorkbook(stream: Readable) {
  const book = new ExcelJS.Workbook()
  const bytes = Buffer.concat((await stream.toArray()) as Buffer[])
  await book.xlsx.load(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
  )
  return book.worksheets.map((sheet) => {
    const rows: unknown[][] = []
    const formats: unknown[] = []
    sheet.eachRow((row) => {
      rows.push((row.values as unknown[]).slice(1))
      formats.push(row.getCell(1).numFmt)
    })
    return { name: sheet.name, rows, formats }
  })
}

describe('xlsx', () => {
  it('writes strings as text and numbers as numbers', async () => {
    const [sheet] = await readWorkbook(
      xlsxStream({
        sheetName: '成/绩*',
        columns,
        chunks: yieldOnce(
          ['00123456789012345678', 59.5, '1'],
          ['=1+1', -3, '2'],
          [null, null, '3'],
          ['a\nb<&>"', 1e15, '4'],
        ),
      }),
    )
    expect(sheet?.rows).toEqual([
      ['学号', '成绩', 'id'],
      ['00123456789012345678', 59.5, '1'],
      ["'=1+1", -3, '2'],
      [undefined, undefined, '3'],
      ['a\nb<&>"', 1e15, '4'],
    ])
    expect(sheet?.formats[1]).toBe('@')
  })
  it('waits for a slow consumer, and stops reading rows when destroyed', async () => {
    let made = 0
    let ended = false
    const endless = async function* (): AsyncGenerator<Cell[][]> {
      try {
        for (;;) {
          made += 500
          await sleep(0)
          yield Array.from({ length: 500 }, (_, i) => [
            `${Math.random()}${i}`,
            i,
            `${Math.random()}`,
          ])
        }
      } finally {
        ended = true
      }
    }
    const stream = xlsxStream({ sheetName: 's', columns, chunks: endless() })
    stream.on('error', () => undefined)
    await sleep(1_500)
    const before = made
    await sleep(500)
    expect(made).toBe(before)
    expect(before).toBeLessThan(30_000)
    for (let taken = 0; taken < 1_500_000;) {
      const piece = stream.read() as Buffer | null
      taken += piece?.length ?? 0
      if (piece === null) await sleep(5)
    }
    expect(made).toBeGreaterThan(before)
    stream.destroy()
    for (let waited = 0; waited < 100 && !ended; waited += 1) await sleep(10)
    expect(ended).toBe(true)
  })
  it('fails when reading the rows fails', async () => {
    const broken = async function* (): AsyncGenerator<Cell[][]> {
      yield [['a', 1, '1']]
      throw new Error('lost')
    }
    await expect(
      xlsxStream({ sheetName: 's', columns, chunks: broken() }).toArray(),
    ).rejects.toThrow('lost')
  })
})

describe('csv', () => {
  it('quotes a line break of any kind', async () => {
    const stream = csvStream(columns, yieldOnce(['a\nb', 1, 'c\rd'], ['e\r\nf', 2, 'g']))
    expect(Buffer.concat((await stream.toArray()) as Buffer[]).toString()).toBe(
      '\uFEFF学号,成绩,id\r\n"a\nb",1,"c\rd"\r\n"e\r\nf",2,g\r\n',
    )
  })
  it('quotes cells, guards formulas and begins with a BOM', async () => {
    const text = Buffer.concat(
      (await Readable.from(
        csvStream(columns, yieldOnce(['a,"b"\n', 1, '1'], ['@x', -1, '2'], [null, null, '3'])),
      ).toArray()) as Buffer[],
    ).toString()
    expect(text).toBe('\uFEFF学号,成绩,id\r\n"a,""b""\n",1,1\r\n\'@x,-1,2\r\n,,3\r\n')
  })
})

describe('formulas', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+86', "'+86"],
    ['-1', "'-1"],
    ['@a', "'@a"],
    ['\tx', "'\tx"],
    ['\rx', "'\rx"],
    ['\0', "'\0"],
    ['a=1', 'a=1'],
    ["'a", "'a"],
    ["'=1", "''=1"],
    ['', ''],
  ])('%j becomes %j', (text, guarded) => expect(guardText(text)).toBe(guarded))
  it('are restored by unguardText', () =>
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^'{0,3}[=+\-@\t\r]?.{0,5}$/)),
        (text) => {
          expect(unguardText(guardText(text))).toBe(text)
        },
      ),
      { numRuns: 2000, seed: 3 },
    ))
  it('never start a cell', () =>
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(/^[=+\-@\t\r\0]/.test(guardText(text))).toBe(false)
      }),
      { numRuns: 2000, seed: 3 },
    ))
})

describe('file names', () => {
  it.each([
    ['成绩', '成绩.xlsx'],
    ['../../etc/passwd', 'etcpasswd.xlsx'],
    ['a\u202Etxt.exe', 'atxt.exe.xlsx'],
    ['x.xlsx', 'x.xlsx'],
    ['', 'export.xlsx'],
    ['...', 'export.xlsx'],
    ['a\r\nb', 'ab.xlsx'],
    ['CON:"<>|?*', 'CON.xlsx'],
    ['好'.repeat(150), `${'好'.repeat(100)}.xlsx`],
  ])('%j is %j', (wanted, name) => expect(safeFileName(wanted, 'xlsx')).toBe(name))
  it('are in the header in ASCII and UTF-8', () =>
    expect(attachmentHeader("成绩 (1)'s.xlsx")).toBe(
      "attachment; filename=\"__ (1)'s.xlsx\"; filename*=UTF-8''%E6%88%90%E7%BB%A9%20%281%29%27s.xlsx",
    ))
})
