import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '../settings.ts'

const root = ({ dataDir }: Settings) => join(dataDir, 'files')
const folder = (settings: Settings, tenant: string) => join(root(settings), tenant)
const partial = '.part'

/** Writes bytes under a random name: temp, fsync, rename; only then may a row name them (security F3, F7). */
export const storeFile = async (settings: Settings, tenant: string, bytes: Uint8Array): Promise<string> => {
  const name = randomBytes(16).toString('hex')
  const [path, part] = [join(folder(settings, tenant), name), join(folder(settings, tenant), `${name}${partial}`)]
  await mkdir(folder(settings, tenant), { recursive: true, mode: 0o700 })
  const file = await open(part, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(part, path)
  await syncFolder(folder(settings, tenant))
  return name
}

/** A rename lasts only once its folder is on the disk. Windows has no such thing. */
const syncFolder = async (path: string): Promise<void> => {
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
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
