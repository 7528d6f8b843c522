import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { partial, writeWhole } from '../files/write-whole.ts'
import type { Settings } from '../settings.ts'

/** Apart from attachments: of what is whole here, nothing is ever swept. */
const root = ({ dataDir }: Settings) => join(dataDir, 'documents')
const folderOf = (settings: Settings, tenant: string) => join(root(settings), tenant)

/** Named by its digest, so that writing twice is writing once. */
export const storeDocument = async (settings: Settings, tenant: string, sha256: string, bytes: Uint8Array): Promise<string> => {
  const name = `${sha256}.pdf`
  await writeWhole(folderOf(settings, tenant), name, bytes)
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

const partsKept = 3_600_000 // security D3

/** Unfinished files a crash left behind. Says how many went. */
export const sweepParts = async (settings: Settings, now: Date): Promise<number> => {
  let swept = 0
  for (const tenant of await readdir(root(settings)).catch(() => [])) {
    for (const name of await readdir(folderOf(settings, tenant)).catch(() => [])) {
      const path = join(folderOf(settings, tenant), name)
      const found = name.endsWith(partial) ? await stat(path).catch(() => null) : null
      if (found === null || now.getTime() - found.mtimeMs < partsKept) continue
      await rm(path, { force: true })
      swept += 1
    }
  }
  return swept
}
