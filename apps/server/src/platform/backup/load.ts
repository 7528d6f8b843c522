import { readdir } from 'node:fs/promises'
import { parseJson } from '@jiaowu/api/exact-json'
import { CompiledQuery, type ControlledTransaction } from 'kysely'
import { areaFolder, areas, refAt } from '../files/storage-path.ts'
import type { FileStore } from '../files/driver.ts'
import type { Database } from '../database/open-database.ts'
import { BackupError } from './archive.ts'
import { listRelations, type Shape } from './catalog.ts'
import { type BackupHeader, partNames, type RowCounts } from './dump.ts'
import { keyFiles } from './key-files.ts'
import type { Part } from './tar.ts'

export interface RestoreTarget {
  readonly database: Database
  readonly files: FileStore
  readonly dataDir: string
  /** Said of parts that the target has not, such as an extension. */
  readonly warn: (sentence: string) => void
}

export interface Restored {
  readonly header: BackupHeader
  readonly tables: number
  readonly rows: number
  readonly files: number
  readonly keys: readonly string[]
}

type Trx = ControlledTransaction<unknown>

/** Entries of DATA_DIR that a command makes before it can look whether the folder is empty. */
const ownEntries = /^pg18/

/** @throws BackupError with a sentence for a folder that holds something */
export async function assertEmptyFolder(dataDir: string, isOwn = /^$/): Promise<void> {
  const found = (await readdir(dataDir).catch(() => [])).filter((name) => !isOwn.test(name))
  if (found.length > 0)
    throw new BackupError(
      `DATA_DIR ${dataDir} is not empty (${found.slice(0, 3).join(', ')}): a backup is restored into an ` +
        'empty place only, so that it replaces nothing. Name another folder, or move these files away.',
    )
}

/**
 * Writes all parts into an empty database and an empty store. Rows are committed after everything else, when all
 * digests fit: a failure leaves an empty database. @throws BackupError
 */
export async function loadAll(
  parts: AsyncIterable<Part>,
  target: RestoreTarget,
): Promise<Restored> {
  await assertEmptyFolder(target.dataDir, ownEntries)
  for (const area of areas)
    for await (const { name } of target.files.list(area))
      throw new BackupError(`The file store is not empty (${areaFolder[area]}/…/${name}).`)
  const trx = await target.database.untyped.startTransaction().execute()
  try {
    for (const name of ['statement_timeout', 'idle_in_transaction_session_timeout'])
      await run(trx, `set local ${name} = 0`)
    const restored = await new Loading(trx, target).read(parts)
    await trx.commit().execute()
    return restored
  } catch (error) {
    await trx.rollback().execute()
    throw error
  }
}

class Loading {
  readonly #trx: Trx
  readonly #target: RestoreTarget
  #header: BackupHeader | undefined
  #counts: number[] = []
  #files = 0
  #keys: string[] = []
  #isFinished = false

  constructor(trx: Trx, target: RestoreTarget) {
    this.#trx = trx
    this.#target = target
  }

  async read(parts: AsyncIterable<Part>): Promise<Restored> {
    for await (const part of parts) {
      if (part.name === partNames.header) await this.#begin(part.bytes)
      else if (part.name.startsWith(partNames.rows)) await this.#insert(part)
      else if (part.name === partNames.counts) await this.#finish(part.bytes)
      else if (part.name.startsWith(partNames.stored)) await this.#store(part)
      else if (part.name.startsWith(partNames.keys)) await this.#putKey(part)
    }
    if (this.#header === undefined || !this.#isFinished)
      throw new BackupError('The backup has no rows.')
    return {
      header: this.#header,
      tables: this.#header.shape.tables.length,
      rows: this.#counts.reduce((sum, count) => sum + count, 0),
      files: this.#files,
      keys: this.#keys,
    }
  }

  async #begin(bytes: Buffer): Promise<void> {
    const header = parseJson(bytes.toString('utf8')) as unknown as BackupHeader
    if (header.format !== 1)
      throw new BackupError(
        `The backup was made by version ${header.version}: restore it with that.`,
      )
    const { shape } = header
    const standing = await listRelations(this.#trx, shape.schemas)
    if (standing.length > 0)
      throw new BackupError(
        `The database is not empty (${standing.slice(0, 3).join(', ')}): a backup is restored into an ` +
          'empty database only, so that it replaces nothing.',
      )
    this.#header = header
    this.#counts = shape.tables.map(() => 0)
    await this.#create(shape)
  }

  async #create({ schemas, extensions, before }: Shape): Promise<void> {
    for (const name of schemas) await run(this.#trx, `create schema if not exists "${name}"`)
    for (const statement of extensions) {
      const problem = await tryRun(this.#trx, statement)
      if (problem !== undefined) this.#target.warn(`${statement}: ${problem}`)
    }
    await run(this.#trx, 'set local check_function_bodies = off')
    await runInAnyOrder(this.#trx, before)
  }

  async #insert({ name, bytes }: Part): Promise<void> {
    const at = Number(name.slice(partNames.rows.length).split('/')[0])
    const shape = this.#header?.shape.tables[at]
    if (shape === undefined) throw new BackupError(`${name} belongs to no table.`)
    const lines = bytes.toString('utf8').trimEnd().split('\n')
    const names = shape.columns.map((column) => column.name).join(', ')
    const values = shape.columns.map(({ type }, index) => `(r.v ->> ${index})::${type}`).join(', ')
    await this.#trx.executeQuery(
      CompiledQuery.raw(
        `insert into ${shape.table} (${names}) overriding system value
         select ${values} from json_array_elements($1::json) as r(v)`,
        [`[${lines.join(',')}]`],
      ),
    )
    this.#counts[at] = (this.#counts[at] ?? 0) + lines.length
  }

  async #finish(bytes: Buffer): Promise<void> {
    const { rows, sequences } = parseJson(bytes.toString('utf8')) as unknown as RowCounts
    const shape = this.#header?.shape
    if (shape === undefined) throw new BackupError('The backup does not begin with its header.')
    for (const [at, { table }] of shape.tables.entries())
      if (rows[at] !== this.#counts[at])
        throw new BackupError(`${table}: ${this.#counts[at]} rows instead of ${rows[at]}.`)
    for (const statement of [...shape.after, ...sequences]) await run(this.#trx, statement)
    this.#isFinished = true
  }

  async #store({ name, bytes }: Part): Promise<void> {
    const path = name.slice(partNames.stored.length)
    const file = areas.map((area) => refAt(area, path)).find((found) => found !== undefined)
    if (file === undefined) throw new BackupError(`${name} is no file of a store.`)
    await this.#target.files.write(file, bytes)
    this.#files += 1
  }

  async #putKey({ name, bytes }: Part): Promise<void> {
    const file = name.slice(partNames.keys.length)
    await keyFiles.write(this.#target.dataDir, file, bytes)
    this.#keys.push(file)
  }
}

function run(trx: Trx, statement: string) {
  return trx.executeQuery(CompiledQuery.raw(statement))
}

/** The message of a statement that failed, without effect on the transaction. */
async function tryRun(trx: Trx, statement: string): Promise<string | undefined> {
  await run(trx, 'savepoint backup_try')
  try {
    await run(trx, statement)
    await run(trx, 'release savepoint backup_try')
    return undefined
  } catch (error) {
    await run(trx, 'rollback to savepoint backup_try')
    return error instanceof Error ? error.message : String(error)
  }
}

/** Repeats what failed for want of another object, for as long as any of them succeeds. */
async function runInAnyOrder(trx: Trx, statements: readonly string[]): Promise<void> {
  let left = statements
  for (;;) {
    const failed: { statement: string; problem: string }[] = []
    for (const statement of left) {
      const problem = await tryRun(trx, statement)
      if (problem !== undefined) failed.push({ statement, problem })
    }
    const [first] = failed
    if (first === undefined) return
    if (failed.length === left.length)
      throw new BackupError(
        `The target does not take a definition (${first.problem}): ${first.statement.slice(0, 200)}`,
      )
    left = failed.map(({ statement }) => statement)
  }
}
