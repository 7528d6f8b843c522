// Whole sheets: every cell counted, workbooks of many sheets, and cells as ISO 8601 writes them.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rawXlsx, texts } from '../../../../testing/sheets/raw-xlsx.ts'
import { FileProblem, type RawRow, readLimits } from './model.ts'
import { readFile } from './read-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jiaowu-survey-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const limits = { ...readLimits, rows: 1_000 }
let made = 0
async function writeSurveyFile(file: Blob | Uint8Array): Promise<string> {
  const path = join(folder, `${(made += 1)}`)
  await writeFile(path, file instanceof Blob ? new Uint8Array(await file.arrayBuffer()) : file)
  return path
}

async function readSurveyFile(file: Blob) {
  const { head, rows } = await readFile(await writeSurveyFile(file), 'xlsx', limits)
  const cells: RawRow['cells'][] = []
  for await (const chunk of rows()) cells.push(...chunk.map((row) => row.cells))
  return { head, cells }
}

async function captureSurveyProblem(file: Blob) {
  return await readSurveyFile(file).then(
    () => 'read',
    (error: unknown) => (error instanceof FileProblem ? error.text.key : error),
  )
}

describe('xlsx', () => {
  it('reads dates, times and lengths of time as ISO writes them', async () => {
    const at = (day: string | null, clock: string) => ({ day, clock })
    const cellsOf = [
      ['2021-01-01', at('2021-01-01', '00:00:00')],
      ['2021-01-01T10:10:10', at('2021-01-01', '10:10:10')],
      ['2021-01-01T10:10:10.5Z', at('2021-01-01', '10:10:10')],
      ['2021-01-01T10:10:10+08:00', at('2021-01-01', '10:10:10')],
      ['20210101T101010', at('2021-01-01', '10:10:10')],
      ['10:10:10', at(null, '10:10:10')],
      ['T10:10', at(null, '10:10:00')],
      ['10:10:10.123', at(null, '10:10:10')],
      ['PT10H10M10S', at(null, '10:10:10')],
      ['PT90M', at(null, '01:30:00')],
      // A month, more than a day, and no time at all: their text.
      ['2021-01', '2021-01'],
      ['PT100H', 'PT100H'],
      ['24:30:00', '24:30:00'],
      ['PT', 'PT'],
    ] as const
    const row = cellsOf.map(([text]) => `<c t="d"><v>${text}</v></c>`).join('')
    const { cells } = await readSurveyFile(await rawXlsx({ rows: `<row r="1">${row}</row>` }))
    expect(cells).toEqual([cellsOf.map(([, cell]) => cell)])
  })
  it('counts the cells of a whole sheet', async () => {
    const rows = Array.from({ length: 60 }, (_, n) =>
      [
        `<row r="${n + 1}"><c r="A${n + 1}"><v>${n}</v></c>`,
        n === 50 ? `<c r="D${n + 1}"><v>7</v></c>` : '',
        n >= 58 ? `<c r="XFD${n + 1}"><v>8</v></c>` : '',
        '</row>',
      ].join(''),
    )
    const file = await readFile(
      await writeSurveyFile(await rawXlsx({ rows: rows.join('') })),
      'xlsx',
      limits,
    )
    expect(await file.survey([{ index: 0, headerRow: 1 }])).toEqual([
      {
        index: 0,
        rows: 59,
        columns: [
          { column: 1, cells: 59, first: 2, samples: ['1', '2', '3'] },
          { column: 4, cells: 1, first: 51, samples: ['7'] },
        ],
        beyond: { cells: 2, row: 59, column: 16_384 },
        hidden: { rows: 0, first: [] },
      },
    ])
    const all: RawRow[] = []
    for await (const chunk of file.rows()) all.push(...chunk)
    expect([all.length, all.at(-1)?.cells]).toEqual([60, [59]])
  })
  it('reads a workbook of 200 sheets, and says how many are too many', async () => {
    const more = (count: number) =>
      Array.from({ length: count }, (_, n) => ({
        name: `S${n}`,
        state: 'visible',
        rows: texts(1, `v${n}`),
      }))
    const { head } = await readSurveyFile(
      await rawXlsx({ rows: texts(1, 'a'), moreSheets: more(199) }),
    )
    expect(head.sheets.length).toBe(200)
    expect(
      await captureSurveyProblem(await rawXlsx({ rows: texts(1, 'a'), moreSheets: more(1_000) })),
    ).toBe('transfer.file.tooManySheets')
  })
})

describe('csv', () => {
  it('counts the cells of further columns', async () => {
    const wide = `a${','.repeat(1_000)}x,,y\n1,2\n`
    const file = await readFile(await writeSurveyFile(Buffer.from(wide)), 'csv', limits)
    expect(await file.survey([{ index: 0, headerRow: 0 }])).toMatchObject([
      {
        columns: [
          { column: 1, cells: 2 },
          { column: 2, cells: 1 },
        ],
        beyond: { cells: 2, row: 1, column: 1_001 },
      },
    ])
    await file.close()
  })
})
