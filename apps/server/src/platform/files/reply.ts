import { makeZip } from 'client-zip'
import type { Settings } from '../settings/settings.ts'
import type { FileRef } from './driver.ts'
import { relay } from './relay.ts'
import { fileStore } from './store.ts'

export interface StoredFile {
  readonly name: string
  readonly type: string
  readonly size: string
  readonly storage_name: string
  readonly tenant_id: string
}

/** RFC 6266: an ASCII name for old clients, followed by the real one. */
export function disposition(kind: 'attachment' | 'inline', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\]/g, '_')
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encodeFileName(name)}`
}

function encodeFileName(name: string) {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

// The sandbox keeps a stored file from running as one of our pages (docs/rules/security.md#f4).
const sandboxHeaders = {
  'content-security-policy': `sandbox; default-src 'none'`,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

export async function fileReply(
  settings: Settings,
  file: StoredFile,
  kind: 'attachment' | 'inline' = 'attachment',
): Promise<Response> {
  return new Response(await fileStore(settings).read(toFileRef(file)), {
    headers: {
      ...sandboxHeaders,
      'content-type': file.type,
      'content-length': file.size,
      'content-disposition': disposition(kind, file.name),
    },
  })
}

function toFileRef({ tenant_id, storage_name }: StoredFile): FileRef {
  return {
    area: 'attachments',
    tenant: tenant_id,
    name: storage_name,
  }
}

/** Several files as one zip, built while it is sent. Equal names are numbered (docs/rules/security.md#f11). */
export function zipReply(
  settings: Settings,
  files: readonly StoredFile[],
  zipName: string,
): Response {
  const names = distinct(files.map(({ name }) => name))
  const store = fileStore(settings)
  // makeZip never cancels its inputs, so a cancelled download cancels the current one here.
  let current: ReadableStreamDefaultReader<Uint8Array> | undefined
  let isCancelled = false
  const open = async (file: StoredFile) => {
    current = (await store.read(toFileRef(file))).getReader()
    if (isCancelled) await current.cancel()
    return relay(current)
  }
  const entries = async function* () {
    for (const [i, file] of files.entries())
      yield { name: names[i] ?? file.name, input: await open(file), size: Number(file.size) }
  }
  const body = relay(makeZip(entries()).getReader(), (reason) => {
    isCancelled = true
    return current?.cancel(reason)
  })
  return new Response(body, {
    headers: {
      ...sandboxHeaders,
      'content-type': 'application/zip',
      'content-disposition': disposition('attachment', zipName),
    },
  })
}

function distinct(names: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return names.map((name) => {
    const times = seen.get(name) ?? 0
    seen.set(name, times + 1)
    const dot = name.lastIndexOf('.')
    return times === 0
      ? name
      : dot > 0
        ? `${name.slice(0, dot)} (${times})${name.slice(dot)}`
        : `${name} (${times})`
  })
}
