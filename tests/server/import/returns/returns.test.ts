// An export comes back: every table is exported and imported as an update. All rows are the same; with
// one cell edited, exactly this cell is written.
import { isDeepStrictEqual } from 'node:util'
import type { ExportFormat } from '@jiaowu/api/contract/entity/entity-data'
import { findKind } from '@jiaowu/api/fields/kinds'
import type { Row } from '@jiaowu/api/entity/values'
import { builtIn } from '@jiaowu/server/definitions'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import ExcelJS from 'exceljs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toCsv, importFile, toSheet } from '../../../support/imports.ts'
import { returningTables } from './tables.ts'

/** Their rows are written by other means. */
const readOnly = ['RPT_ORDER', 'RPT_DOCUMENT', 'SYS_LOG']

type Client = Awaited<ReturnType<TestApp['signIn']>>
let app: TestApp
let admin: Client
let foreign: string[]

const run = (text: string) => sql.raw(text).execute(app.services.database.kysely)

beforeAll(async () => {
  app = await testApp({ BUSINESS_SCHEMAS: 'biz,back', LIMIT_EXPORTS: '10000' })
  admin = await app.signIn('admin')
  await run(returningTables)
  const { drafts, refused } = await admin.design.draftAll({ body: { schemas: ['back'] } })
  expect(refused).toEqual([])
  await admin.design.adopt({ body: { definitions: drafts.map(({ definition }) => definition) } })
  foreign = drafts.map(({ definition }) => definition.tag)
}, 90_000)
afterAll(() => app.close())

async function exportTable(tag: string, format: ExportFormat): Promise<Uint8Array<ArrayBuffer>> {
  const body = { pageSize: -1, pageNum: -1, queries: {}, sorts: [], format }
  const { stream } = await admin.entityData.export({ params: { tag }, body })
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** As programs read them: every value whole, by id. */
async function exportRows(tag: string): Promise<Row[]> {
  const text = new TextDecoder().decode(await exportTable(tag, 'ndjson')).trim()
  const rows = text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as Row)
  return rows.toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1))
}

async function importBytes(
  tag: string,
  bytes: Uint8Array<ArrayBuffer>,
  format: ExportFormat,
  mode: 'update' | 'upsert' | 'insert' = 'update',
) {
  const job = await importFile(admin, tag, new File([bytes], `e.${format}`), {
    mode,
    confirm: true,
  })
  return {
    status: job.status,
    // The message of a job that is refused as a whole.
    message: job.status === 'done' ? null : job.message,
    errors: job.errors.map(({ row, column, value, msg }) => [row, column, value, msg]).slice(0, 3),
    same: job.skipped,
    updated: job.updated,
    inserted: job.inserted,
  }
}
const done = { status: 'done', message: null, errors: [], same: 0, updated: 0, inserted: 0 }

/** Lists the values of the tables that do not come back, each export taken as an update. */
async function listUnreturned(tags: readonly string[], formats: readonly ExportFormat[]) {
  const faults: unknown[] = []
  for (const tag of tags) {
    const before = await exportRows(tag)
    for (const format of formats) {
      const found = await importBytes(tag, await exportTable(tag, format), format)
      if (!isDeepStrictEqual(found, { ...done, same: before.length }))
        faults.push([tag, format, before.length, found])
    }
    expect(await exportRows(tag)).toEqual(before)
  }
  return faults.map((fault) => JSON.stringify(fault))
}

/** The fields of an export whose cells may be edited, with what to write into the first row. */
async function listCellEdits(tag: string, rows: readonly Row[]) {
  const { fields, idField } = await admin.entityData.config({ params: { tag } })
  return fields.flatMap((field) => {
    const { attrName, uiLabel, isEdit, isExport, uiType } = field
    if (isEdit !== 1 || isExport !== 1 || attrName === idField) return []
    const { family } = findKind(uiType)
    const old = rows[0]?.[attrName]
    if (family === 'text' && (typeof old === 'string' || old === null))
      return [{ attrName, uiLabel, write: () => `${old ?? ''}改` }]
    if (family === 'number' && typeof old === 'number')
      return [{ attrName, uiLabel, write: () => old + 1 }]
    // Another row's cell, as people fill cells.
    const other = rows.findIndex((row) => !isDeepStrictEqual(row[attrName], old))
    return family === 'choice' && other > 0
      ? [{ attrName, uiLabel, write: (cells: readonly unknown[]) => cells[other] }]
      : []
  })
}

/** Writes into the first row of an exported workbook; the rows are those of `exportRows`. */
async function editWorkbook(
  bytes: Uint8Array<ArrayBuffer>,
  rows: readonly Row[],
  label: string,
  write: (cells: readonly unknown[]) => unknown,
) {
  const book = new ExcelJS.Workbook()
  await book.xlsx.load(bytes.buffer)
  const [sheet] = book.worksheets
  if (sheet === undefined) throw new Error('no sheet')
  const heading = (sheet.getRow(1).values as unknown[]).map(String)
  const [idColumn, column] = [heading.indexOf('id'), heading.indexOf(label)]
  const numbers = Array.from({ length: rows.length }, (_, n) => n + 2)
  // Texts that a spreadsheet could take for a formula begin with an apostrophe.
  const ids = numbers.map((n) => String(sheet.getRow(n).getCell(idColumn).value).replace(/^'/, ''))
  const places = rows.map(({ id }) => ids.indexOf(String(id)) + 2)
  const cells = places.map((n) => sheet.getRow(n).getCell(column).value)
  sheet.getRow(places[0] ?? 0).getCell(column).value = write(cells) as ExcelJS.CellValue
  return new Uint8Array((await book.xlsx.writeBuffer()) as ArrayBuffer)
}

describe('an export that is imported as an update', () => {
  it('changes nothing in the tables of a stranger, whatever their keys and values', async () => {
    for (const tag of foreign) expect(await exportRows(tag), tag).not.toEqual([])
    expect(await listUnreturned(foreign, ['csv', 'xlsx', 'ndjson'])).toEqual([])
  }, 120_000)

  it('changes nothing in the shipped entities', async () => {
    const tags: string[] = []
    for (const { tag } of builtIn)
      if (!readOnly.includes(tag) && (await exportRows(tag)).length > 0) tags.push(tag)
    expect(tags.length).toBeGreaterThan(15)
    expect(await listUnreturned(tags, ['csv', 'xlsx'])).toEqual([])
  }, 120_000)

  it('writes one edited cell, and nothing else', async () => {
    let tried = 0
    for (const tag of [...foreign, 'EDU_STUDENT', 'EDU_COURSE', 'EDU_CLASS']) {
      for (const { attrName, uiLabel, write } of (
        await listCellEdits(tag, await exportRows(tag))
      ).slice(0, 4)) {
        const before = await exportRows(tag)
        if (!(await hasIds(tag))) continue
        const bytes = await editWorkbook(await exportTable(tag, 'xlsx'), before, uiLabel, write)
        const found = await importBytes(tag, bytes, 'xlsx')
        if (found.status === 'failed') {
          // A rule of the field refuses the edit, at its cell.
          expect(found.errors.length, `${tag} ${JSON.stringify(found)}`).toBe(1)
          continue
        }
        const place = `${tag} ${attrName}`
        expect({ place, ...found }).toEqual({ place, ...done, same: before.length - 1, updated: 1 })
        const after = await exportRows(tag)
        const differing = after.flatMap((row, at) =>
          Object.keys(row).flatMap((name) =>
            isDeepStrictEqual(row[name], before[at]?.[name]) ? [] : [`${at} ${name}`],
          ),
        )
        expect({ place, differing }).toEqual({ place, differing: [`0 ${attrName}`] })
        tried += 1
      }
    }
    expect(tried).toBeGreaterThan(12)
  }, 180_000)

  it('brings back deleted rows of names that repeat or are masked', async () => {
    for (const [tag, table] of [
      ['SCORE', 'score'],
      ['TRIP', 'trip'],
      ['STAY', 'stay'],
      ['VISIT', 'visit'],
      ['USE', 'use'],
    ] as const) {
      const before = await exportRows(tag)
      for (const format of ['csv', 'xlsx'] as const) {
        const bytes = await exportTable(tag, format)
        await run(`delete from back.${table}`)
        const found = await importBytes(tag, bytes, format, tag === 'STAY' ? 'insert' : 'upsert')
        expect({ tag, ...found }).toEqual({ tag, ...done, inserted: before.length })
        // A serial key is another one.
        const bare = (rows: readonly Row[]) =>
          rows.map((row) => JSON.stringify({ ...row, ...(tag === 'STAY' && { id: '' }) })).sort()
        expect(bare(await exportRows(tag))).toEqual(bare(before))
      }
    }
  })
})

describe('a sheet of marks by student and course', () => {
  const heading = ['Xh', 'Kch', 'Cj']
  const marks = async () =>
    (await exportRows('SCORE'))
      .map(({ id, cj }) => [id, cj] as const)
      .filter(([, cj]) => Number(cj) > 90)
  const reset = () => run('update back.score set cj = 60')

  it.each([
    ['names, and a number where a name repeats', '李娜', '高等数学', '007~C1'],
    ['numbers', '007', 'C1', '007~C1'],
    ['a name with its number', '张伟（2024002）', '大学英语（一）（C2）', '2024002~C2'],
    ['numbers with commas', 'A,B', 'C,3', 'A%2CB~C%2C3'],
  ])('finds its rows by %s', async (_how, student, course, id) => {
    for (const mode of ['update', 'upsert'] as const) {
      await reset()
      const file = await toSheet([heading, [student, course, 95]])
      const job = await importFile(admin, 'SCORE', file, { mode })
      expect([job.status, job.updated, job.inserted, job.errors]).toEqual(['done', 1, 0, []])
      expect(await marks()).toEqual([[id, 95]])
    }
  })

  it.each([
    ['张伟', '高等数学', 'Xh', '有多条名为“张伟”的记录'],
    ['李娜（2024001）', '高等数学', 'Xh', '不在可选项中'],
    ['李娜', '高等数学二', 'Kch', '不在可选项中'],
  ])('tells the cell that names no one: %s, %s', async (student, course, column, said) => {
    await reset()
    const file = toCsv(`${heading.join(',')}\n${student},${course},95\n`)
    for (const mode of ['update', 'upsert'] as const) {
      const job = await importFile(admin, 'SCORE', file, { mode })
      expect(job.errors).toMatchObject([{ row: 2, column, msg: expect.stringContaining(said) }])
      expect(await marks()).toEqual([])
    }
  })

  it('never moves a row to another key', async () => {
    await reset()
    const job = await importFile(admin, 'SCORE', toCsv('Xh,Kch,Cj,id\n李娜,C1,95,2024001~C1\n'), {
      mode: 'update',
    })
    expect(job.errors).toMatchObject([{ row: 2, column: 'Xh' }])
    expect(await marks()).toEqual([])
  })

  it('adds the rows that are new, by the key that the export gives no id', async () => {
    await run("delete from back.score where xh = '007'")
    const file = toCsv(`Xh,Kch,Cj,id\n李娜,C1,95,\n2024001,C1,96,\n`)
    const job = await importFile(admin, 'SCORE', file, { mode: 'upsert' })
    expect([job.status, job.updated, job.inserted]).toEqual(['done', 1, 1])
    expect(await marks()).toEqual([
      ['007~C1', 95],
      ['2024001~C1', 96],
    ])
  })
})

async function hasIds(tag: string): Promise<boolean> {
  const text = new TextDecoder().decode((await exportTable(tag, 'csv')).subarray(0, 4_096))
  return text.split('\r\n')[0]?.split(',').at(-1) === 'id'
}
