// One process per data directory. PGlite itself lets two in, and one of them silently loses its rows.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeDataFolder } from './data-folder.ts'

/** Another process works on the same data directory. */
export class DataDirectoryInUse extends Error {
  override readonly name = 'DataDirectoryInUse'
}

export interface DataLock {
  /** False once the lock file was removed or replaced: then another process could believe it holds the lock. */
  held(): boolean
  release(): void
}

/**
 * An operating-system lock, taken through SQLite: the kernel frees it however the process ends, so there is nothing stale to clean up.
 * Not for network file systems. @throws DataDirectoryInUse
 */
export function lockDataDirectory(dataDir: string): DataLock {
  makeDataFolder(dataDir)
  const path = join(dataDir, 'pg18.lock')
  const sqlite = new DatabaseSync(path)
  try {
    sqlite.exec('pragma locking_mode=exclusive; begin exclusive')
  } catch (error) {
    sqlite.close()
    if (!(error instanceof Error) || !/locked|busy/i.test(error.message)) throw error
    throw new DataDirectoryInUse(
      `Another server is already running on ${dataDir}: stop it first, or give this one its own folder with DATA_DIR.`,
    )
  }
  const { ino, dev } = statSync(path)
  return {
    held: () => {
      const now = statSync(path, { throwIfNoEntry: false })
      return now !== undefined && now.ino === ino && now.dev === dev
    },
    release: () => sqlite.close(),
  }
}
