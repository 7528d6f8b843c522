// Export of 1,000,000 students with 12 columns as xlsx, csv and ndjson; compared with exceljs
// writing the same cells, and with COPY … TO.
import { join } from 'node:path'
import ExcelJS from 'exceljs'
import { buildStudent } from '../apps/server/src/start/demo/school.ts'
import { type Line, ms, perSecond, seconds, times, watchMemory } from './measure.ts'
import { folder, isEmbedded, pgliteFolder, type Running } from './place.ts'

const columns = [
  'studentNo',
  'name',
  'nameEn',
  'idCard',
  'gender',
  'birthDate',
  'faculty',
  'major',
  'status',
  'mobile',
  'email',
  'height',
]

export async function benchExport(
  server: Running,
): Promise<{ lines: Line[]; bare: () => Promise<Line[]> }> {
  const lines: Line[] = []
  const found: { format: string; took: number; rows: number }[] = []
  for (const format of ['xlsx', 'csv', 'ndjson']) {
    const ours = await exportOnce(server, format)
    found.push({ format, took: ours.took, rows: ours.rows })
    lines.push({
      what: `export ${ours.rows.toLocaleString('en')} × 12, ${format}`,
      ours: perSecond(ours.rows, ours.took),
      bare: '',
      ratio: '',
      note: [
        `first byte ${ms(ours.first)}`,
        `memory ${Math.round(ours.before)} → ${Math.round(ours.peak)} MB`,
        `${Math.round(ours.result / 1e6)} MB`,
      ].join('; '),
    })
  }
  const bare = async (): Promise<Line[]> => {
    const [xlsx, csv] = found
    if (xlsx === undefined || csv === undefined) return []
    const bareRows = Math.min(xlsx.rows, bareLimit)
    const written = await seconds(() => writeBare(bareRows))
    const copied = isEmbedded ? await copyBare() : Number.NaN
    return [
      {
        what: '  xlsx compared with exceljs',
        ours: perSecond(xlsx.rows, xlsx.took),
        bare: perSecond(bareRows, written),
        ratio: times(xlsx.took / xlsx.rows, written / bareRows),
        note: `exceljs in memory, ${bareRows.toLocaleString('en')} rows`,
      },
      ...(isEmbedded
        ? [
            {
              what: '  csv compared with COPY TO',
              ours: perSecond(csv.rows, csv.took),
              bare: perSecond(csv.rows, copied),
              ratio: times(csv.took, copied),
              note: 'ids instead of names',
            },
          ]
        : []),
    ]
  }
  return { lines, bare }
}

/** Exports all students; in seconds and MB. */
export async function exportOnce({ url, token, pid }: Running, format: string) {
  const started = performance.now()
  let first = Number.NaN
  let rows = 0
  const watch = await watchMemory(pid, async () => {
    const response = await fetch(`${url}/api/entity/EDU_STUDENT/data/export`, {
      method: 'POST',
      headers: { authorization: `bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ columns, format }),
    })
    if (!response.ok) throw new Error(`the export was refused: ${await response.text()}`)
    rows = Number(response.headers.get('x-rows'))
    return await drain(response, () => {
      first = performance.now() - started
    })
  })
  return { took: (performance.now() - started) / 1000, first, rows, ...watch }
}

async function drain(response: Response, firstByte: () => void): Promise<number> {
  let bytes = 0
  for await (const piece of response.body ?? []) {
    if (bytes === 0) firstByte()
    bytes += (piece as Uint8Array).byteLength
  }
  return bytes
}

/** The library holds a workbook in memory: its streams are not installed (package.json: overrides). */
const bareLimit = 100_000

async function writeBare(rows: number): Promise<void> {
  const book = new ExcelJS.Workbook()
  const sheet = book.addWorksheet('x')
  sheet.columns = columns.map(() => ({ style: { numFmt: '@' } }))
  for (let i = 0; i < rows; i += 1) {
    const s = buildStudent(i % 50_000, 0, 0)
    sheet.addRow([
      s.no,
      s.name,
      s.nameEn,
      s.idCard,
      '男',
      s.birth,
      '信息工程学院',
      '软件工程',
      '在读',
      s.mobile,
      s.email,
      s.height,
    ])
    if (i % 1000 === 0) await new Promise(setImmediate)
  }
  await book.xlsx.writeFile(join(folder, 'bare.xlsx'))
}

/** COPY in batches of 5,000 rows; PGlite would hold the result of a single COPY in memory. */
async function copyBare(): Promise<number> {
  const { PGlite } = await import('@electric-sql/pglite')
  const { DurableNodeFS } =
    await import('../apps/server/src/platform/database/embedded/durable-fs.ts')
  const { extensions } =
    await import('../apps/server/src/platform/database/embedded/pglite-session.ts')
  const pg = await PGlite.create({ fs: new DurableNodeFS(pgliteFolder), extensions })
  const took = await seconds(async () => {
    for (let last = '0'; ;) {
      const {
        rows: [end],
      } = await pg.query<{ id: string | null }>(
        `select max(id)::text as id from (
           select id from biz.student
           where id > $1 and tenant_id = 10000 and deleted_at is null order by id limit 5000
         ) as batch`,
        [last],
      )
      if (end?.id === null || end === undefined) return
      await pg.query(
        `copy (
           select student_no, name, name_en, id_card, gender, birth_date, faculty_id, major_id, status, mobile, email,
             height
           from biz.student
           where id > ${last} and id <= ${end.id} and tenant_id = 10000 and deleted_at is null order by id
         ) to '/dev/blob'`,
      )
      last = end.id
    }
  })
  await pg.close()
  return took
}
