// Opens the keys of the audit chains at start, and marks the lines from before there was a key
// (docs/rules/security.md#l1).
import { type Kysely, sql } from 'kysely'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PlatformServices } from '../context.ts'
import type { Tables } from '../database/tables/tables.ts'
import { transact } from '../database/transact.ts'
import { keyLines, newKey, readKeyLines } from '../files/key-lines.ts'
import { createAtomically, writeAtomically } from '../files/write-atomically.ts'
import type { Settings } from '../settings/settings.ts'
import { AuditKeyError, type AuditKeys, createAuditKeys } from './keys.ts'
import { type Mark, textOfMark } from './mark.ts'
import { listChains } from './verify.ts'

type Opening = Pick<PlatformServices, 'database' | 'settings' | 'log' | 'now'>
type Where = Pick<Settings, 'dataDir' | 'auditKeys'>

const keyFile = 'audit.key'
/**
 * Ids of keys that this server has used. Without it, somebody who empties `sys.audit_key` could have rewritten
 * lines marked anew as older than the key.
 */
const usedFile = 'audit.used'
const checkText = 'jiaowu audit key'

/** Needs the tables and the start turn. Makes the key file at the first start. @throws AuditKeyError */
export async function openAuditKeys(services: Opening): Promise<AuditKeys> {
  const { database, settings } = services
  const db = database.kysely
  const known = await db.selectFrom('sys.audit_key').select(['id', 'check_value']).execute()
  const keys = createAuditKeys(await secretsFor(settings, known.length > 0))
  const source = settings.auditKeys === undefined ? join(settings.dataDir, keyFile) : 'AUDIT_KEY'
  for (const { id, check_value } of known)
    if (!keys.isMac(checkText, check_value, id))
      throw new AuditKeyError(
        `${source} is not the key of this database: its audit log is under the key ${id}.`,
      )
  if (known.length === 0) await markFirst(services, keys)
  else if (!known.some(({ id }) => id === keys.current)) await recordKey(db, keys)
  await rememberUse(settings, keys)
  return keys
}

/** The keys of the settings or the key file; null without any. */
export async function readAuditKeys(settings: Where): Promise<AuditKeys | null> {
  const secrets = settings.auditKeys ?? (await readKeyFile(settings))
  return secrets === null ? null : createAuditKeys(secrets)
}

async function readKeyFile({ dataDir }: Where): Promise<readonly Buffer[] | null> {
  const path = join(dataDir, keyFile)
  const keys = await readKeyLines(path)
  if (keys?.length === 0)
    throw new AuditKeyError(
      `${path} holds no keys of the audit log: put back the copy from the backup.`,
    )
  return keys
}

/** @throws AuditKeyError when the database knows a key and the file is gone */
async function secretsFor(settings: Where, isKnown: boolean): Promise<readonly Buffer[]> {
  const found = settings.auditKeys ?? (await readKeyFile(settings))
  if (found !== null) return found
  const path = join(settings.dataDir, keyFile)
  if (isKnown)
    throw new AuditKeyError(
      `The audit log is under a key that is not here: put back ${path} or set AUDIT_KEY.`,
    )
  await createAtomically(settings.dataDir, keyFile, keyLines([newKey()]))
  const made = await readKeyFile(settings)
  if (made === null)
    throw new AuditKeyError(`${path} was written and is not there: check the disk.`)
  return made
}

/** Records the first key, and where each chain ended before it. @throws AuditKeyError */
async function markFirst(services: Opening, keys: AuditKeys): Promise<void> {
  const { database, settings, log, now } = services
  const used = await readUsed(settings)
  const tenants = await listChains(services)
  await transact(database.kysely, async (trx) => {
    // No line comes between, from a server of an earlier version neither.
    await sql`lock table sys.audit_chain in exclusive mode`.execute(trx)
    const ends: ChainEnd[] = []
    for (const tenant of tenants) ends.push(...(await endBefore(trx, tenant)))
    if (ends.length > 0 && used.includes(keys.current))
      throw new AuditKeyError(
        `The database does not know the key ${keys.current} of the audit log, which this server has used: ` +
          'its lines were rewritten, or a backup from before the key was put back. Compare the log of the ' +
          `server; where it was a backup, remove ${join(settings.dataDir, usedFile)} and start again.`,
      )
    for (const end of ends) {
      const mark = { ...end, key_id: keys.current, at: now().toISOString() }
      await trx
        .insertInto('sys.audit_mark')
        .values({ ...mark, mac: keys.mac(textOfMark(mark)) })
        .execute()
      log.warn(end, 'the audit chain is keyed after this line')
    }
    await recordKey(trx, keys)
  })
}

type ChainEnd = Pick<Mark, 'tenant_id' | 'number' | 'hash' | 'anchored'>

/** Finds the end of a chain that has lines. */
async function endBefore(trx: Kysely<Tables>, tenant: string): Promise<ChainEnd[]> {
  const { rows } = await sql<ChainEnd>`
    select c.tenant_id::text as tenant_id, c.number::text as number, c.hash, coalesce((
      select max(a.number) from sys.audit_anchor a where a.tenant_id = ${tenant}::int8), 0)::text as anchored
    from sys.audit_chain c where c.tenant_id = ${tenant}::int8 and c.number > 0`.execute(trx)
  return rows
}

async function recordKey(db: Kysely<Tables>, keys: AuditKeys): Promise<void> {
  await db
    .insertInto('sys.audit_key')
    .values({ id: keys.current, check_value: keys.mac(checkText) })
    .execute()
}

async function readUsed({ dataDir }: Where): Promise<readonly string[]> {
  const text = await readFile(join(dataDir, usedFile), 'utf8').catch(() => '')
  return text.split('\n').filter((line) => line !== '')
}

async function rememberUse(settings: Where, { current }: AuditKeys): Promise<void> {
  const used = await readUsed(settings)
  if (used.includes(current)) return
  const text = [...used, current].map((id) => `${id}\n`).join('')
  await writeAtomically(settings.dataDir, usedFile, Buffer.from(text))
}
