// Allows one process per data directory. PGlite would admit two, and one would silently lose its rows.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createDataFolder } from './data-folder.ts'

/** Another process uses the same data directory. */
export class DataDirectoryInUse extends Error {
  override readonly name = 'DataDirectoryInUse'
}

export interface DataLock {
  /** False when the lock file was removed or replaced, so that another process could take the lock. */
  held(): boolean
  release(): void
}

/**
 * Takes an operating-system lock through SQLite. The kernel releases it however the process ends, so
 * no stale lock remains. Does not work on network file systems. @throws DataDirectoryInUse
 */
export function lockDataDirectory(dataDir: string): DataLock {
  createDataFolder(dataDir)
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
