import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { quietLog } from '../../apps/server/testing/quiet-log.ts'
import {
  type Database,
  openDatabase,
} from '../../apps/server/src/platform/database/open-database.ts'
import { type RunningServer, startRealServer } from './server.ts'

/**
 * A server that a test can kill and restart on the same data. Removed after the tests of the file.
 * `prepare` fills the data directory before the first start.
 */
export function killableServer(
  env: Record<string, string> = {},
  prepare: (dataDir: string) => Promise<void> = async () => {},
) {
  let dataDir = ''
  let server: RunningServer | null = null
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'jiaowu-killable-'))
    await prepare(dataDir)
  }, 120_000)
  const kill = async () => {
    await server?.kill()
  }
  afterAll(async () => {
    await kill()
    await rm(dataDir, { recursive: true, force: true })
    await rm(`${dataDir}.lock`, { force: true })
  })
  return {
    start: async (): Promise<RunningServer> => {
      server = await startRealServer({ ...env, DATA_DIR: dataDir })
      return server
    },
    kill,
    /** Opens the database of the stopped server. */
    withDatabase: async (change: (database: Database) => Promise<void>): Promise<void> => {
      const database = await openDatabase({ dataDir }, quietLog)
      try {
        await change(database)
      } finally {
        await database.close()
      }
    },
  }
}
