import { randomBytes } from 'node:crypto'
import type { Settings } from '../settings/settings.ts'
import { diskStore } from './disk-store.ts'
import type { FileArea, FileStore } from './driver.ts'
import { s3Store } from './s3/store.ts'

/** One row per value of FILE_DRIVER. */
const stores = {
  disk: ({ dataDir }) => diskStore(dataDir),
  s3: ({ s3, dataDir }) => {
    if (s3 === undefined) throw new Error('FILE_DRIVER s3 has no account')
    return s3Store(s3, dataDir)
  },
} satisfies Record<Settings['fileDriver'], (settings: Settings) => FileStore>

/** The store that FILE_DRIVER names. */
export function fileStore(settings: Settings): FileStore {
  return stores[settings.fileDriver](settings)
}

/** Writes bytes under a random name and returns it. Insert the row afterwards (docs/rules/security.md#f3). */
export async function storeFile(
  settings: Settings,
  area: FileArea,
  tenant: string,
  bytes: Uint8Array,
): Promise<string> {
  const name = randomBytes(16).toString('hex')
  await fileStore(settings).write({ area, tenant, name }, bytes)
  return name
}
