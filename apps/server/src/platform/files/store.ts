import { randomBytes } from 'node:crypto'
import type { Settings } from '../settings/settings.ts'
import { diskStore } from './disk-store.ts'
import type { FileArea, FileStore } from './driver.ts'
import { s3Store } from './s3/store.ts'

export function fileStore(settings: Settings): FileStore {
  return settings.s3 === undefined
    ? diskStore(settings.dataDir)
    : s3Store(settings.s3, settings.dataDir)
}

/** Writes bytes under a random name; only then may a row name them (docs/rules/security.md#f3). */
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
