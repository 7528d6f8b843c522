import { statfsSync } from 'node:fs'

/** The disk is nearly full, so nothing more may be written; reading goes on. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull'
}

/** PostgreSQL panics on a full disk, and PGlite then hangs for good: stop well before. */
export const spareBytes = 512 * 1024 * 1024
const lookEveryMs = 10_000

export interface FreeSpace {
  bytes(): number
  enough(): boolean
  /** Looks again now. @throws StorageFull */
  assertWritable(): void
  stop(): void
}

export function watchFreeSpace(directory: string, spare = spareBytes): FreeSpace {
  const look = () => {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize
  }
  let bytes = look()
  const timer = setInterval(() => {
    bytes = look()
  }, lookEveryMs).unref()
  const enough = () => bytes >= spare
  return {
    bytes: () => bytes,
    enough,
    assertWritable: () => {
      if (!enough()) bytes = look()
      if (!enough()) throw new StorageFull('The disk is nearly full.')
    },
    stop: () => clearInterval(timer),
  }
}
