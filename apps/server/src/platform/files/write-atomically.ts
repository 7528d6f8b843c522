import { randomUUID } from 'node:crypto'
import { link, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Suffix of unfinished files. Those left by a crash are swept later. */
export const partialSuffix = '.part'

/**
 * Writes a file atomically and durably: temporary file, fsync, rename, fsync of the folder
 * (docs/rules/security.md#f7). Concurrent writes of one name are safe: the last one stays.
 */
export async function writeAtomically(
  folder: string,
  name: string,
  bytes: Uint8Array,
): Promise<void> {
  const part = await writePart(folder, name, bytes)
  await rename(part, join(folder, name))
  await syncFolder(folder)
}

/**
 * The same for a file that is made once: an existing file stays as it is, whichever process made
 * it. Read it back, since it may hold other bytes.
 */
export async function createAtomically(
  folder: string,
  name: string,
  bytes: Uint8Array,
): Promise<void> {
  const part = await writePart(folder, name, bytes)
  try {
    await link(part, join(folder, name))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await rm(part, { force: true })
  }
  await syncFolder(folder)
}

async function writePart(folder: string, name: string, bytes: Uint8Array): Promise<string> {
  const part = join(folder, `${name}.${randomUUID()}${partialSuffix}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = await open(part, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  return part
}

/** Makes a new name durable. Windows cannot open a folder, so nothing happens there. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}
