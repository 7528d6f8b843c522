// Chooses the directory of the embedded database below DATA_DIR. Nothing that is found there is ever
// renamed or deleted.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { SettingsError } from '../../../settings/settings.ts'
import type { Log } from '../../log.ts'
import { completeMark, isCompleteDirectory } from '../durable-fs.ts'

const name = 'pg18'
/** The first number that PostgreSQL gives to objects of users, and names their files by. */
const firstUserNumber = 16_384
/** Entries that initdb makes, besides `pg_*` and `postgresql*` entries. */
const initdbEntries = new Set(['PG_VERSION', 'base', 'global', 'postmaster.pid', 'postmaster.opts'])
const initdbDatabases = new Set(['1', '4', '5'])

/** Whether DATA_DIR has a database that was fully created. */
export function hasDatabase(dataDir: string): boolean {
  return listDatabaseNames(dataDir).some((each) => isCompleteDirectory(join(dataDir, each)))
}

/**
 * The directory of the finished database, else a free one for a new database. A first start that
 * was interrupted has left a fresh initdb without data: it stays, and the next number is used.
 * @throws SettingsError for a directory that holds more and has no completion mark
 */
export function databaseDirectory(dataDir: string, log: Log): string {
  const names = listDatabaseNames(dataDir)
  const finished = names.filter((each) => isCompleteDirectory(join(dataDir, each)))
  if (finished.length > 1)
    throw new SettingsError(
      `DATA_DIR ${dataDir} holds several databases (${finished.join(', ')}): ` +
        `move those that are not wanted to another place.`,
    )
  const [only] = finished
  if (only !== undefined) return join(dataDir, only)
  for (const each of names) {
    const directory = join(dataDir, each)
    const found = beyondInitdb(directory)
    if (found !== null)
      throw new SettingsError(
        `The database in ${directory} has no completion mark (${completeMark}) but holds data ` +
          `(${found}), so it was left as it is: restore a backup into an empty DATA_DIR or, if only ` +
          `that file was lost, as by an incomplete copy, create it empty and start again.`,
      )
  }
  const leftovers = names.filter((each) => readdirSync(join(dataDir, each)).length > 0)
  if (leftovers.length > 0)
    log.warn(
      { leftovers },
      'an interrupted first start left a database without data, which can be deleted by hand',
    )
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}-${number}`
    const directory = join(dataDir, free)
    if (!existsSync(directory) || readdirSync(directory).length === 0) return directory
  }
}

/** Bytes of all files below a directory. */
export function sizeOnDisk(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, entry) =>
        sum + (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    )
}

function listDatabaseNames(dataDir: string): string[] {
  return existsSync(dataDir)
    ? readdirSync(dataDir, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && /^pg18(-\d+)?$/.test(entry.name))
        .map((entry) => entry.name)
        .toSorted()
    : []
}

/** The first entry that initdb does not make; null where there is only a fresh initdb, or part of one. */
function beyondInitdb(directory: string): string | null {
  const strange = readdirSync(directory).find(
    (entry) =>
      !initdbEntries.has(entry) && !entry.startsWith('pg_') && !entry.startsWith('postgresql'),
  )
  if (strange !== undefined) return strange
  const space = listEntries(join(directory, 'pg_tblspc'))[0]
  if (space !== undefined) return join('pg_tblspc', space)
  for (const database of listEntries(join(directory, 'base'))) {
    if (!initdbDatabases.has(database)) return join('base', database)
    const file = listEntries(join(directory, 'base', database)).find(
      (each) => Number.parseInt(each, 10) >= firstUserNumber,
    )
    if (file !== undefined) return join('base', database, file)
  }
  return null
}

function listEntries(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory) : []
}
