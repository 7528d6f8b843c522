import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SettingsError } from '../../../settings/settings.ts'
import { quietLog } from '../../../../../testing/quiet-log.ts'
import { createDataFolder } from './data-folder.ts'
import { openDatabase } from '../../open-database.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jiaowu-folder-'))
  await writeFile(join(folder, 'file'), '')
})
afterAll(() => rm(folder, { recursive: true }))

it('creates the folder and its parents, and accepts an existing one', () => {
  const wanted = join(folder, 'a', 'b', 'c')
  createDataFolder(wanted)
  createDataFolder(wanted)
  expect(existsSync(wanted)).toBe(true)
})
it('explains in one sentence why it cannot', () => {
  const messageFor = (path: string) => {
    try {
      createDataFolder(path)
      return null
    } catch (error) {
      return error instanceof SettingsError ? error.message : error
    }
  }
  expect(messageFor(join(folder, 'file'))).toBe(
    `DATA_DIR ${join(folder, 'file')} cannot be used: it is a file.`,
  )
  expect(messageFor(join(folder, 'file', 'below'))).toBe(
    `DATA_DIR ${join(folder, 'file', 'below')} cannot be used: a part of the path is a file.`,
  )
  // /proc allows no new folders, and Node's recursive mkdir never returns there.
  if (process.platform === 'linux')
    expect(messageFor('/proc/jiaowu/data')).toBe(
      'DATA_DIR /proc/jiaowu/data cannot be used: it cannot be made.',
    )
})
it('names DATABASE_URL when no database answers there, without its password', async () => {
  const error: unknown = await openDatabase(
    { dataDir: join(folder, 'other'), databaseUrl: 'postgres://me:hidden@127.0.0.1:1/x' },
    quietLog as never,
  ).catch((e: unknown) => e)
  expect(error).toBeInstanceOf(SettingsError)
  expect((error as SettingsError).message).toMatch(/^DATABASE_URL cannot be used: [^\n]+\.$/)
  expect((error as SettingsError).message).not.toContain('hidden')
})
