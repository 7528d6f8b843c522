// Opens the keys of personal data at start, and refuses keys that do not fit the database
// (docs/rules/security.md#d6).
import type { Kysely } from 'kysely'
import type { PlatformServices } from '../context.ts'
import type { Tables } from '../database/tables/tables.ts'
import { createKeyFile, buildKeyPath, readKeyFile } from './key-file.ts'
import { createKeys, KeyError, type Keys } from './keys.ts'

type Db = Kysely<Tables>
type Installed = Pick<PlatformServices, 'database' | 'settings'>

const [checkContext, checkText] = ['check', 'jiaowu'] as const

/** Needs the tables and the start turn. Makes the key file at the first start. @throws KeyError */
export async function openKeys(services: Installed): Promise<Keys> {
  const db = services.database.kysely
  const keys = createKeys(await loadSecrets(services))
  await useKey(db, keys)
  const known = await knownKeys(db)
  assertFits(services, keys, known)
  if (!known.some(({ id }) => id === keys.current))
    throw new KeyError(
      'The first key of PII_KEY has never been used: run "npm run server -- pii rotate" with it.',
    )
  return keys
}

/** @throws KeyError when the database is encrypted and the key file is gone */
async function loadSecrets({ database, settings }: Installed): Promise<readonly Buffer[]> {
  if (settings.piiKeys !== undefined) return settings.piiKeys
  const found = await readKeyFile(settings.dataDir)
  if (found !== null) return found
  if ((await knownKeys(database.kysely)).length > 0)
    throw new KeyError(
      'The database holds personal data encrypted with a key that is not here: ' +
        `put back ${buildKeyPath(settings.dataDir)} or set PII_KEY.`,
    )
  return await createKeyFile(settings.dataDir)
}

interface KnownKey {
  readonly id: string
  readonly check_value: string
}

export function knownKeys(db: Db): Promise<KnownKey[]> {
  return db.selectFrom('sys.pii_key').select(['id', 'check_value']).execute()
}

/** Records the writing key of a database that has none. `openKeys` reads what is recorded again. */
async function useKey(db: Db, keys: Keys): Promise<void> {
  if ((await knownKeys(db)).length === 0) await recordKey(db, keys)
}

export async function recordKey(db: Db, keys: Keys): Promise<void> {
  await db
    .insertInto('sys.pii_key')
    .values({ id: keys.current, check_value: keys.seal(checkContext, checkText) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** @throws KeyError unless every key of the database is here */
export function assertFits(
  { settings }: Pick<Installed, 'settings'>,
  keys: Keys,
  known: readonly KnownKey[],
): void {
  for (const { id, check_value } of known) {
    const isHere = keys.ids.includes(id) && keys.open(checkContext, check_value) === checkText
    if (!isHere)
      throw new KeyError(
        `${settings.piiKeys === undefined ? buildKeyPath(settings.dataDir) : 'PII_KEY'} is not the ` +
          `key of this database: its personal data is encrypted with the key ${id}.`,
      )
  }
}
