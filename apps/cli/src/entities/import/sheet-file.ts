import type { ImportFormat } from '@jiaowu/api/contract/job'
import { limits } from '@jiaowu/api/limits'
import { detectUtf16 } from '@jiaowu/api/text-encoding'
import type { FileFacts } from '@jiaowu/machines/transfer/ports'
import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'

/** A readable file, for `upload` to open by its path; null when it cannot be read. */
export async function readFileStats(path: string): Promise<FileFacts | null> {
  const found = await stat(path).catch(() => null)
  return found === null || !found.isFile()
    ? null
    : { key: resolve(path), name: basename(path), size: found.size }
}

const stdinKey = '-'

const isZip = (bytes: Buffer) => bytes.subarray(0, 2).toString('latin1') === 'PK'

/** The files a command sends: by path, or from stdin. */
export function sheetFiles() {
  let given: { readonly bytes: Buffer; readonly name: string } | null = null
  return {
    fromStdin: async (format: ImportFormat | null): Promise<FileFacts> => {
      const bytes = await readStdin()
      given = { bytes, name: `stdin.${format ?? guess(bytes)}` }
      return { key: stdinKey, name: given.name, size: bytes.byteLength }
    },
    open: async ({ key, name }: FileFacts): Promise<File> =>
      key === stdinKey && given !== null
        ? new File([new Uint8Array(given.bytes)], given.name)
        : new File([await openAsBlob(key)], name),
  }
}

/** All of stdin, up to one byte more than the import limit. */
async function readStdin(): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of process.stdin) {
    parts.push(part as Buffer)
    size += (part as Buffer).byteLength
    if (size > limits.importBytes) break
  }
  return Buffer.concat(parts)
}

/**
 * The format of stdin by its first bytes: a zip signature is xlsx, a brace ndjson, anything else
 * CSV.
 */
function guess(bytes: Buffer): ImportFormat {
  return isZip(bytes) ? 'xlsx' : /^\s*\{/.test(decodeStart(bytes)) ? 'ndjson' : 'csv'
}

/** The first characters, without a byte order mark. */
function decodeStart(bytes: Buffer): string {
  const sample = bytes.subarray(0, 64)
  return new TextDecoder(detectUtf16(sample)?.name ?? 'utf-8').decode(sample)
}

export type SheetFiles = ReturnType<typeof sheetFiles>
