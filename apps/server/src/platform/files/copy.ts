import { createHash } from 'node:crypto'
import type { FileRef, FileStore } from './driver.ts'
import { areas, storagePath } from './storage-path.ts'
import { readAll } from './read-all.ts'

export interface Copied {
  readonly copied: number
  readonly unchanged: number
}

/**
 * Copies every file of one store into another, one after another. Skips files that the target holds
 * with the same digest, so an interrupted copy can be repeated.
 */
export async function copyFiles(
  from: FileStore,
  to: FileStore,
  onProgress: (progress: Copied) => void = () => {},
): Promise<Copied> {
  let [copied, unchanged] = [0, 0]
  for (const area of areas) {
    for await (const { tenant, name } of from.list(area)) {
      const file = { area, tenant, name }
      const known = await to.sha256(file)
      if (known !== null && known === (await from.sha256(file))) unchanged += 1
      else if (await copyOne(from, to, file)) copied += 1
      onProgress({ copied, unchanged })
    }
  }
  return { copied, unchanged }
}

/** Copies one file and verifies it by reading it back. False when the source no longer has it. */
async function copyOne(from: FileStore, to: FileStore, file: FileRef): Promise<boolean> {
  const bytes = await readAll(from, file)
  if (bytes === null) return false
  await to.write(file, bytes)
  if (digest(await readAll(to, file)) !== digest(bytes))
    throw new Error(`${storagePath(file)} differs from its source after the copy.`)
  return true
}

function digest(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : createHash('sha256').update(bytes).digest('hex')
}
