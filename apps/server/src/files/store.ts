import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '../settings.ts'
import { partial, writeWhole } from './write-whole.ts'

const root = ({ dataDir }: Settings) => join(dataDir, 'files')
const folder = (settings: Settings, tenant: string) => join(root(settings), tenant)

/** Writes bytes under a random name; only then may a row name them (security F3). */
export const storeFile = async (settings: Settings, tenant: string, bytes: Uint8Array): Promise<string> => {
  const name = randomBytes(16).toString('hex')
  await writeWhole(folder(settings, tenant), name, bytes)
  return name
}

export const storedPath = (settings: Settings, tenant: string, storageName: string): string => join(folder(settings, tenant), storageName)

export const readFileStream = (settings: Settings, tenant: string, storageName: string) => createReadStream(join(folder(settings, tenant), storageName))

/** Gone for good; a file that is gone already is no error. */
export const wipeFile = (settings: Settings, tenant: string, storageName: string): Promise<void> => rm(join(folder(settings, tenant), storageName), { force: true })

export interface LooseFile { readonly tenant: string; readonly name: string; readonly isPartial: boolean; readonly age: number }

/** Everything on the disk, with its age in milliseconds. */
export const storedFiles = async function* (settings: Settings, now: Date): AsyncGenerator<LooseFile> {
  for (const tenant of await readdir(root(settings)).catch(() => [])) {
    for (const name of await readdir(folder(settings, tenant)).catch(() => [])) {
      const found = await stat(join(folder(settings, tenant), name)).catch(() => null)
      if (found?.isFile() === true) yield { tenant, name, isPartial: name.endsWith(partial), age: now.getTime() - found.mtimeMs }
    }
  }
}
