import { randomUUID } from 'node:crypto'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'

/** How unfinished files end: what a crash leaves behind under such a name may be swept. */
export const partial = '.part'

/** Writes a file that is whole or absent: temp, fsync, rename, folder fsync (docs/rules/security.md#f7). Writing the same name twice at once is no harm. */
export async function writeWhole(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  const part = join(folder, `${name}.${randomUUID()}${partial}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = await open(part, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(part, join(folder, name))
  await syncFolder(folder)
}

/** A rename lasts only once its folder is on the disk. Windows cannot open a folder. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}
