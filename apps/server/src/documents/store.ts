import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Settings } from '../settings.ts'

/** Apart from attachments: nothing here is ever swept. */
const folderOf = ({ dataDir }: Settings, tenant: string) => join(dataDir, 'documents', tenant)

const sync = async (path: string): Promise<void> => {
  if (process.platform === 'win32') return // a folder cannot be opened there
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Writes a file that is whole or absent: temp, fsync, rename, folder fsync (security F7). Named by its digest, so that writing twice is writing once. */
export const storeDocument = async (settings: Settings, tenant: string, sha256: string, bytes: Uint8Array): Promise<string> => {
  const folder = folderOf(settings, tenant)
  const [name, part] = [`${sha256}.pdf`, join(folder, `${sha256}.${randomUUID()}.part`)]
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = await open(part, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(part, join(folder, name))
  await sync(folder)
  return name
}

/** The bytes as they are on the disk, or null when the file is gone. */
export const loadDocument = async (settings: Settings, tenant: string, name: string): Promise<Uint8Array | null> => {
  try {
    return await readFile(join(folderOf(settings, tenant), name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
