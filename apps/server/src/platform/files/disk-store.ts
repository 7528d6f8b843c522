// Stores files below DATA_DIR: for one instance, or for several that share the folder.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { areaFolder, areas, storagePath } from './storage-path.ts'
import {
  FileMissing,
  type FileArea,
  type FileRef,
  type FileStore,
  type ListedFile,
} from './driver.ts'
import { partialSuffix, writeAtomically } from './write-atomically.ts'

const partialRetentionMs = 3_600_000 // docs/rules/security.md#d3

interface FoundFile {
  readonly tenant: string
  readonly name: string
  readonly path: string
}

/** Files of a folder two levels deep: tenant, then name. */
const filesBelow = async function* (root: string): AsyncGenerator<FoundFile> {
  for (const tenant of await readdir(root).catch(() => [])) {
    for (const name of await readdir(join(root, tenant)).catch(() => []))
      yield { tenant, name, path: join(root, tenant, name) }
  }
}

export function diskStore(dataDir: string): FileStore {
  const pathOf = (file: FileRef) => join(dataDir, storagePath(file))
  const list = async function* (area: FileArea): AsyncGenerator<ListedFile> {
    for await (const { tenant, name, path } of filesBelow(join(dataDir, areaFolder[area]))) {
      if (name.endsWith(partialSuffix)) continue
      const file = await statFile(path)
      if (file !== null) yield { area, tenant, name, modified: file.mtime }
    }
  }
  const sha256 = async (file: FileRef): Promise<string | null> => {
    const hash = createHash('sha256')
    try {
      await pipeline(createReadStream(pathOf(file)), hash)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
    return hash.digest('hex')
  }
  const sweep = async (now: Date): Promise<number> => {
    let swept = 0
    for (const area of areas) {
      for await (const { name, path } of filesBelow(join(dataDir, areaFolder[area]))) {
        const part = name.endsWith(partialSuffix) ? await statFile(path) : null
        if (part === null || now.getTime() - part.mtimeMs < partialRetentionMs) continue
        await rm(path, { force: true })
        swept += 1
      }
    }
    return swept
  }
  return {
    write: (file, bytes) => writeAtomically(dirname(pathOf(file)), file.name, bytes),
    read: (file) => openFileStream(pathOf(file)),
    localFile: async (file) => {
      await access(pathOf(file)).catch(missing)
      return { path: pathOf(file), release: async () => {} }
    },
    sha256,
    remove: (file) => rm(pathOf(file), { force: true }),
    list,
    sweep,
    // The folder of DATA_DIR is checked at the start, and its free space all the time.
    healthy: () => Promise.resolve(true),
    probe: () => Promise.resolve(),
    claim: () => Promise.resolve(),
  }
}

async function statFile(path: string) {
  const stats = await stat(path).catch(() => null)
  return stats?.isFile() === true ? stats : null
}

/** A file as a stream, which closes its descriptor at the end or when cancelled. */
async function openFileStream(path: string): Promise<ReadableStream<Uint8Array>> {
  const handle = await open(path).catch(missing)
  return Readable.toWeb(handle.createReadStream()) as ReadableStream<Uint8Array>
}

function missing(error: unknown): never {
  throw (error as NodeJS.ErrnoException).code === 'ENOENT'
    ? new FileMissing('no such file', { cause: error })
    : error
}
