import type { FileRef } from '../platform/files/driver.ts'
import { readAll } from '../platform/files/read-all.ts'
import { fileStore } from '../platform/files/store.ts'
import type { Settings } from '../platform/settings/settings.ts'

/** Apart from attachments: of what is whole here, nothing is ever swept. */
const refTo = (tenant: string, name: string): FileRef => ({ area: 'documents', tenant, name })

/** Named by its digest, so that writing twice is writing once. */
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

/** The bytes as they are kept, or null when the file is gone. */
export function loadDocument(
  settings: Settings,
  tenant: string,
  name: string,
): Promise<Uint8Array | null> {
  return readAll(fileStore(settings), refTo(tenant, name))
}
