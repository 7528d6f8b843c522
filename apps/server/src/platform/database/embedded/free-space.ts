import { statfsSync } from 'node:fs'

/** The disk is nearly full: writes are refused, reads continue. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull'
}

/** Stop writing well before the disk is full: PostgreSQL panics there, and PGlite then hangs. */
const spareBytes = 512 * 1024 * 1024
const checkEveryMs = 10_000

export interface FreeSpace {
  bytes(): number
  enough(): boolean
  /** Measures again when space was short. @throws StorageFull */
  assertWritable(): void
  stop(): void
}

export function watchFreeSpace(directory: string, spare = spareBytes): FreeSpace {
  const measure = () => {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize
  }
  let bytes = measure()
  const timer = setInterval(() => {
    bytes = measure()
  }, checkEveryMs).unref()
  const enough = () => bytes >= spare
  return {
    bytes: () => bytes,
    enough,
    assertWritable: () => {
      if (!enough()) bytes = measure()
      if (!enough()) throw new StorageFull('The disk is nearly full.')
    },
    stop: () => clearInterval(timer),
  }
}
