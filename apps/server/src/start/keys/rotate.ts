// Replaces the key of personal data. A run that was killed goes on when it is started again
// (docs/operations.md#keys-of-personal-data).
import type { Services } from '../../model/context.ts'
import { convertAll } from './convert.ts'
import { newKey } from '../../platform/files/key-lines.ts'
import { readKeyFile, retireKeyFile, writeKeyFile } from '../../platform/keys/key-file.ts'
import { createKeys, KeyError, type Keys } from '../../platform/keys/keys.ts'
import { assertFits, knownKeys, recordKey } from '../../platform/keys/open-keys.ts'

export interface Rotation {
  readonly key: string
  readonly values: number
}

/**
 * Encrypts everything with the first key of PII_KEY; without PII_KEY with a new key, which replaces
 * the key file.
 * @throws KeyError without the keys of the database, or without a new one in PII_KEY
 */
export async function rotateKeys(
  services: Pick<Services, 'database' | 'settings' | 'log'>,
): Promise<Rotation> {
  const db = services.database.kysely
  const known = await knownKeys(db)
  const { settings } = services
  const secrets = settings.piiKeys ?? (await secretsWithNew(services, known.length))
  const keys = createKeys(secrets)
  assertFits(services, keys, known)
  if (known.length === 1 && known[0]?.id === keys.current)
    throw new KeyError(
      'PII_KEY names only the key in use: put the new key in front of it, separated by a comma.',
    )
  await recordKey(db, keys)
  const values = await convertAll(services, keys)
  await db.deleteFrom('sys.pii_key').where('id', '<>', keys.current).execute()
  if (settings.piiKeys === undefined) await dropOld(settings.dataDir, secrets, keys)
  return { key: keys.current, values }
}

/** The keys of the file after a new one; an interrupted rotation has left two. */
async function secretsWithNew(
  { settings }: Pick<Services, 'settings'>,
  known: number,
): Promise<readonly Buffer[]> {
  const held = await readKeyFile(settings.dataDir)
  if (held === null)
    throw new KeyError('There is no key file: start the server once, or set PII_KEY.')
  if (held.length > 1 || known === 0) return held
  const secrets = [newKey(), ...held]
  await writeKeyFile(settings.dataDir, secrets)
  return secrets
}

async function dropOld(dataDir: string, secrets: readonly Buffer[], keys: Keys): Promise<void> {
  const [current] = secrets
  if (current === undefined) return
  await retireKeyFile(dataDir, keys.ids[1] ?? 'old')
  await writeKeyFile(dataDir, [current])
}
