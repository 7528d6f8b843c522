import type { FileRef } from '../platform/files/driver.ts'
import { readAll } from '../platform/files/read-all.ts'
import { fileStore } from '../platform/files/store.ts'
import type { Settings } from '../platform/settings/settings.ts'

/** Separate from attachments: complete files in this area are never swept. */
const refTo = (tenant: string, name: string): FileRef => ({ area: 'documents', tenant, name })

/** Named by its digest, so that storing it twice is harmless. */
export async function storeDocument(
  settings: Settings,
  tenant: string,
  sha256: string,
  bytes: Uint8Array,
): Promise<string> {
  const name = `${sha256}.pdf`
  await fileStore(settings).write(refTo(tenant, name), bytes)
  return name
}

/** The stored bytes, or null when the file is missing. */
export function loadDocument(
  settings: Settings,
  tenant: string,
  name: string,
): Promise<Uint8Array | null> {
  return readAll(fileStore(settings), refTo(tenant, name))
}
