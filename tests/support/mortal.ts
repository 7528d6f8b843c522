import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type RunningServer, startRealServer } from './server.ts'

/** A server that is killed and comes back on the same data; both are gone after the tests of the file. `prepare`: what lies there before the first start. */
export function mortalServer(
  env: Record<string, string> = {},
  prepare: (dataDir: string) => Promise<void> = async () => {},
) {
  let dataDir = ''
  let server: RunningServer | null = null
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'jiaowu-mortal-'))
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
  }
}
