// Files of secret keys in DATA_DIR, mode 0600: one base64 key of 32 bytes a line, the first of which writes.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'

const keyBytes = 32

export function newKey(): Buffer {
  return randomBytes(keyBytes)
}

/** Null when there is no file; empty when it holds anything but keys. */
export async function readKeyLines(path: string): Promise<readonly Buffer[] | null> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const keys = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => Buffer.from(line, 'base64'))
  return keys.some((key) => key.length !== keyBytes) ? [] : keys
}

export function keyLines(keys: readonly Buffer[]): Buffer {
  return Buffer.from(keys.map((key) => `${key.toString('base64')}\n`).join(''))
}
