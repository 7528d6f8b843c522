import { arrayBuffer } from 'node:stream/consumers'
import { FileMissing, type FileRef, type FileStore } from './driver.ts'

/** Reads a whole file into memory; null when it does not exist. */
export async function readAll(store: FileStore, file: FileRef): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await arrayBuffer(await store.read(file)))
  } catch (error) {
    if (error instanceof FileMissing) return null
    throw error
  }
}
