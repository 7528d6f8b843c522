// The key file of an installation without PII_KEY: DATA_DIR/pii.key, mode 0600, one base64 key a
// line, the first of which writes (docs/rules/security.md#d6).
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { keyLines, newKey, readKeyLines } from '../files/key-lines.ts'
import { createAtomically, writeAtomically } from '../files/write-atomically.ts'
import { KeyError } from './keys.ts'

const fileName = 'pii.key'

export function buildKeyPath(dataDir: string): string {
  return join(dataDir, fileName)
}

/** Null when there is no file. @throws KeyError for one that holds no keys */
export async function readKeyFile(dataDir: string): Promise<readonly Buffer[] | null> {
  const keys = await readKeyLines(buildKeyPath(dataDir))
  if (keys === null) return null
  if (keys.length === 0)
    throw new KeyError(
      `${buildKeyPath(dataDir)} holds no keys of personal data: put back the copy from the backup.`,
    )
  return keys
}

/**
 * Makes the key file of a new installation and returns the keys it holds: those of another server
 * that shares the folder, if that one was first. Durable before any row is encrypted.
 * @throws KeyError when the file cannot be read back
 */
export async function createKeyFile(dataDir: string): Promise<readonly Buffer[]> {
  await createAtomically(dataDir, fileName, keyLines([newKey()]))
  const keys = await readKeyFile(dataDir)
  if (keys === null)
    throw new KeyError(`${buildKeyPath(dataDir)} was written and is not there: check the disk.`)
  return keys
}

/** Replaces the key file. Durable before any row is encrypted with the key. */
export async function writeKeyFile(dataDir: string, keys: readonly Buffer[]): Promise<void> {
  await writeAtomically(dataDir, fileName, keyLines(keys))
}

/** Keeps the file of a key that no longer writes: older backups need it. */
export async function retireKeyFile(dataDir: string, keyId: string): Promise<void> {
  await rename(buildKeyPath(dataDir), join(dataDir, `pii.${keyId}.retired.key`))
}
