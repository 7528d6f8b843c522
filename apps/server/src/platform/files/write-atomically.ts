import { randomUUID } from 'node:crypto'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'

/** Suffix of unfinished files. Those left by a crash are swept later. */
export const partialSuffix = '.part'

/**
 * Writes a file atomically and durably: temporary file, fsync, rename, fsync of the folder
 * (docs/rules/security.md#f7). Concurrent writes of one name are safe.
 */
export async function writeAtomically(
  folder: string,
  name: string,
  bytes: Uint8Array,
): Promise<void> {
  const part = join(folder, `${name}.${randomUUID()}${partialSuffix}`)
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

/** Makes a rename durable. Windows cannot open a folder, so nothing happens there. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}
