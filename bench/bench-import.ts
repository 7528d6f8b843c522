// Import of 100,000 students with 12 columns from an xlsx; compared with exceljs reading the same
// sheet, and with COPY of the same rows into a similar table.
import { openAsBlob } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isJobOver, type Job } from '@jiaowu/api/contract/job'
import ExcelJS from 'exceljs'
import { buildStudent } from '../apps/server/src/start/demo/school.ts'
import { type Line, perSecond, seconds, times, watchMemory } from './measure.ts'
import { folder, isEmbedded, type Running } from './place.ts'

const rows = Number(process.env.IMPORT_ROWS ?? 100_000)
const headers = [
  '学号',
  '姓名',
  '英文姓名',
  '身份证号',
  '性别',
  '出生日期',
  '院系',
  '专业',
  '学籍状态',
  '手机号',
  '邮箱',
  '身高',
]
const faculties = [
  '信息工程学院',
  '机械与动力学院',
  '数理学院',
  '经济管理学院',
  '外国语学院',
  '法学院',
]
const majors = ['软件工程', '车辆工程', '统计学', '会计学', '日语', '知识产权']

// First student of each import: beyond the seeded ones and different from each other, since ID
// numbers are unique.
const first = { A: 1_500_000, S: 2_000_000, C: 2_400_000 } as const
type Prefix = keyof typeof first

export async function benchImport(server: Running): Promise<Line[]> {
  const path = join(folder, 'import.xlsx')
  const lines: Line[] = []
  for (const onError of ['abort', 'skip'] as const) {
    const prefix = onError === 'abort' ? 'A' : 'S'
    await writeSheet(path, prefix, rows)
    const ours = await importOnce(server, path, onError, rows)
    const bare = await seconds(() => readBare(path))
    const copy = isEmbedded ? await copyBare(onError) : Number.NaN
    const memory = `${Math.round(ours.before)} → ${Math.round(ours.peak)} MB`
    const note = `checked after ${ours.checked.toFixed(1)} s; memory ${memory}`
    lines.push({
      what: `import ${rows.toLocaleString('en')} × 12, ${onError}`,
      ours: perSecond(rows, ours.took),
      bare: `${perSecond(rows, bare)} exceljs reading`,
      ratio: times(ours.took, bare),
      note,
    })
    if (isEmbedded)
      lines.push({
        what: '',
        ours: '',
        bare: `${perSecond(rows, copy)} COPY`,
        ratio: times(ours.took, copy),
        note: `compared with reading plus COPY: ${times(ours.took, bare + copy)}`,
      })
  }
  return lines
}

/** Writes a workbook of that many students; the prefix begins their numbers. */
export async function writeSheet(path: string, prefix: Prefix, count: number): Promise<void> {
  // The library's streams are not installed (package.json: overrides).
  const book = new ExcelJS.Workbook()
  const sheet = book.addWorksheet('学生')
  sheet.addRow(headers)
  for (let i = 0; i < count; i += 1) sheet.addRow(cells(i, prefix))
  await book.xlsx.writeFile(path)
}

function cells(i: number, prefix: Prefix): (string | number)[] {
  const s = buildStudent(first[prefix] + i, 0, 0)
  return [
    `${prefix}${i}`,
    s.name,
    s.nameEn,
    s.idCard,
    s.gender === 1 ? '男' : '女',
    s.birth,
    faculties[i % 6] ?? '',
    majors[i % 6] ?? '',
    '在读',
    s.mobile,
    s.email,
    s.height,
  ]
}

/** Imports the workbook; in seconds and MB. */
export async function importOnce(
  { api, pid }: Running,
  path: string,
  onError: 'abort' | 'skip',
  count: number,
) {
  const file = new File([await openAsBlob(path)], 'students.xlsx')
  let checked = Number.NaN
  const started = performance.now()
  const watch = await watchMemory(pid, async (): Promise<Job> => {
    const { id } = await api.job.import({ params: { tag: 'EDU_STUDENT' }, body: { file, onError } })
    for (;;) {
      // The embedded database does not answer while one transaction writes all rows.
      const job = await api.job.get({ params: { id } }).catch(() => null)
      if (job === null) continue
      if (Number.isNaN(checked) && (job.phase === 'writing' || job.phase === 'finished'))
        checked = (performance.now() - started) / 1000
      if (isJobOver(job)) return job
      await sleep(50)
    }
  })
  if (watch.result.status !== 'done' || watch.result.inserted !== count)
    throw new Error(
      `the import ended with ${watch.result.status}: ${watch.result.message}; ` +
        JSON.stringify(watch.result.errors[0]),
    )
  return { took: (performance.now() - started) / 1000, checked, ...watch }
}

async function readBare(path: string): Promise<number> {
  let values = 0
  const book = await new ExcelJS.Workbook().xlsx.readFile(path)
  for (const sheet of book.worksheets)
    sheet.eachRow((row) => {
      values += row.cellCount
    })
  return values
}

async function copyBare(name: string): Promise<number> {
  const { PGlite } = await import('@electric-sql/pglite')
  const { DurableNodeFS } =
    await import('../apps/server/src/platform/database/embedded/durable-fs.ts')
  const { extensions } =
    await import('../apps/server/src/platform/database/embedded/pglite-session.ts')
  const pg = await PGlite.create({
    fs: new DurableNodeFS(join(folder, `copy-${name}`)),
    extensions,
  })
  // Same columns and indexes as the import fills on biz.student.
  await pg.exec(`
    create extension if not exists pg_trgm;
    create table s (
      id bigint primary key, tenant_id bigint not null, student_no varchar(20) not null, name varchar(50) not null,
      name_en varchar(100), id_card varchar(18), gender varchar(10), birth_date date, faculty_id bigint,
      major_id bigint, class_id bigint, status varchar(10), mobile varchar(20), email varchar(100),
      height numeric(5,1), enrol_year varchar(4), account_mobile varchar(20), deleted_at timestamptz
    );
    create unique index on s (tenant_id, student_no) where deleted_at is null;
    create unique index on s (tenant_id, id_card) where deleted_at is null;
    create unique index on s (tenant_id, account_mobile) where deleted_at is null;
    create index on s (tenant_id, faculty_id);
    create index on s (tenant_id, major_id);
    create index on s (tenant_id, class_id);
    create index on s (tenant_id, name, id);
    create index on s (tenant_id, status, id);
    create index on s (tenant_id, enrol_year, id);
    create index on s (tenant_id, birth_date, id);
    create index on s using gin (name gin_trgm_ops);
    create index on s using gin (student_no gin_trgm_ops);
  `)
  const text = Array.from({ length: rows }, (_, i) => {
    const c = cells(i, 'C')
    return [
      i + 1,
      10_000,
      c[0],
      c[1],
      c[2],
      c[3],
      1,
      c[5],
      1101 + (i % 6),
      1202 + (i % 6),
      1,
      c[9],
      c[10],
      c[11],
    ].join('\t')
  }).join('\n')
  const took = await seconds(() =>
    pg.query(
      `copy s (
         id, tenant_id, student_no, name, name_en, id_card, gender, birth_date, faculty_id, major_id, status, mobile,
         email, height
       ) from '/dev/blob'`,
      [],
      { blob: new Blob([`${text}\n`]) },
    ),
  )
  await pg.close()
  return took
}
