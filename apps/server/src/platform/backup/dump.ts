import { CompiledQuery, type Transaction } from 'kysely'
import { keyFiles, listKeyFiles } from './key-files.ts'
import { areas, storagePath } from '../files/storage-path.ts'
import type { FileStore } from '../files/driver.ts'
import { readAll } from '../files/read-all.ts'
import type { Database } from '../database/open-database.ts'
import { version } from '../version.ts'
import { readSequences, readShape, type Shape, type TableShape } from './catalog.ts'
import type { Part } from './tar.ts'

/** The first part: how the others are read. */
export interface BackupHeader {
  readonly format: 1
  readonly version: string
  readonly madeAt: string
  readonly engine: Database['engine']
  readonly shape: Shape
}

/** The part after the last row. */
export interface RowCounts {
  readonly sequences: readonly string[]
  /** Rows by table, in the order of the shape. */
  readonly rows: readonly number[]
}

export const partNames = {
  header: 'backup.json',
  counts: 'rows.json',
  rows: 'rows/',
  stored: 'stored/',
  keys: 'keys/',
} as const

const fetchedRows = 1_000
const partBytes = 4 * 1024 * 1024

export interface BackupSource {
  readonly database: Database
  readonly schemas: readonly string[]
  readonly files: FileStore
  readonly dataDir: string
  readonly now: Date
}

export interface BackupCounts {
  tables: number
  rows: number
  files: number
  keys: string[]
}

/**
 * All parts of a backup. Rows come first, from one snapshot, then files: a file is stored before the row that names
 * it, so none is missing.
 */
export async function* dumpAll(source: BackupSource, counts: BackupCounts): AsyncGenerator<Part> {
  yield* dumpDatabase(source, counts)
  for (const area of areas)
    for await (const { tenant, name } of source.files.list(area)) {
      const file = { area, tenant, name }
      const bytes = await readAll(source.files, file)
      if (bytes === null) continue
      counts.files += 1
      yield { name: `${partNames.stored}${storagePath(file)}`, bytes: Buffer.from(bytes) }
    }
  for (const name of await listKeyFiles(source.dataDir)) {
    counts.keys.push(name)
    yield { name: `${partNames.keys}${name}`, bytes: await keyFiles.read(source.dataDir, name) }
  }
}

async function* dumpDatabase(source: BackupSource, counts: BackupCounts): AsyncGenerator<Part> {
  const trx = await source.database.untyped
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute()
  try {
    await run(trx, 'set local statement_timeout = 0')
    await run(trx, 'set local idle_in_transaction_session_timeout = 0')
    yield* readDatabase(trx, source, counts)
  } finally {
    await trx.rollback().execute()
  }
}

async function* readDatabase(
  trx: Transaction<unknown>,
  { database, schemas, now }: BackupSource,
  counts: BackupCounts,
): AsyncGenerator<Part> {
  const shape = await readShape(trx, schemas)
  const header: BackupHeader = {
    format: 1,
    version,
    madeAt: now.toISOString(),
    engine: database.engine,
    shape,
  }
  yield { name: partNames.header, bytes: Buffer.from(JSON.stringify(header)) }
  const rows: number[] = []
  for (const [at, table] of shape.tables.entries()) {
    let count = 0
    for await (const { lines, bytes } of fetchLines(trx, table)) {
      const name = `${partNames.rows}${at}/${String(count).padStart(12, '0')}.ndjson`
      count += lines
      yield { name, bytes }
    }
    rows.push(count)
    counts.rows += count
  }
  counts.tables = rows.length
  const ends: RowCounts = { sequences: await readSequences(trx, schemas), rows }
  yield { name: partNames.counts, bytes: Buffer.from(JSON.stringify(ends)) }
}

/** A line a row: a JSON array of the columns as text, which every type reads back as it was. */
async function* fetchLines(
  trx: Transaction<unknown>,
  { table, columns, isOnly }: TableShape,
): AsyncGenerator<{ lines: number; bytes: Buffer }> {
  if (columns.length === 0) return
  const texts = columns.map(({ name }) => `${name}::text`).join(', ')
  await run(
    trx,
    `declare backup_rows no scroll cursor for
     select to_json(array[${texts}]::text[])::text as line from ${isOnly ? 'only ' : ''}${table}`,
  )
  let lines: string[] = []
  let size = 0
  const take = () => {
    const bytes = Buffer.from(`${lines.join('\n')}\n`)
    const taken = { lines: lines.length, bytes }
    lines = []
    size = 0
    return taken
  }
  for (;;) {
    const { rows } = await run<{ line: string }>(trx, `fetch ${fetchedRows} from backup_rows`)
    for (const { line } of rows) {
      lines.push(line)
      size += line.length
      if (size >= partBytes) yield take()
    }
    if (rows.length < fetchedRows) break
  }
  if (lines.length > 0) yield take()
  await run(trx, 'close backup_rows')
}

function run<Row>(trx: Transaction<unknown>, statement: string) {
  return trx.executeQuery<Row>(CompiledQuery.raw(statement))
}
