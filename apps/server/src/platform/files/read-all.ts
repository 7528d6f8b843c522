import { arrayBuffer } from 'node:stream/consumers'
import { FileMissing, type FileRef, type FileStore } from './driver.ts'

/** A whole file in memory, for those that must be checked before they are given out; null when there is none. */
export async function readAll(store: FileStore, file: FileRef): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await arrayBuffer(await store.read(file)))
  } catch (error) {
    if (error instanceof FileMissing) return null
    throw error
  }
}
