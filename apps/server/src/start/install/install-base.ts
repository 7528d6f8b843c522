import { createHash } from 'node:crypto'
import { defaultTenant } from '@jiaowu/api/limits'
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import type { Kysely } from 'kysely'
import { builtIn } from '../../model/shipped/index.ts'
import type { Keys } from '../../platform/keys/keys.ts'
import type { Database } from '../../platform/database/open-database.ts'
import type { Tables } from '../../platform/database/tables/tables.ts'
import { installSettings, installSmsTemplates } from './install-settings.ts'
import { installTenant, refreshApis } from './install-tenant.ts'
import { installSharedDictionaries } from './shared-dictionaries.ts'
import { transact } from '../../platform/database/transact.ts'

export interface Installation {
  readonly database: Pick<Database, 'kysely' | 'engine'>
  readonly keys: Keys
  readonly newId: () => string
  readonly now: () => Date
  /** Called only when an administrator is created. */
  readonly adminPasswordHash: () => Promise<string>
}

/**
 * Installs the built-in definitions and, on the first start, the first tenant with its administrator.
 * Runs at every start and changes nothing when all exist.
 */
export async function installBase({
  database: { kysely },
  newId,
  now,
  adminPasswordHash,
}: Omit<Installation, 'keys'>): Promise<{ created: boolean }> {
  const tenants = await kysely.selectFrom('sys.tenant').select('id').execute()
  const created = !tenants.some(({ id }) => id === defaultTenant)
  const hash = created ? await adminPasswordHash() : ''
  await transact(kysely, async (trx) => {
    await installDefinitions(trx, newId, now())
    await installSharedDictionaries(trx, newId)
    if (created)
      await installTenant(trx, newId, {
        id: defaultTenant,
        code: defaultTenant,
        name: '示范大学',
        adminPasswordHash: hash,
      })
    for (const { id } of created ? [{ id: defaultTenant }] : tenants) {
      await refreshApis(trx, newId, id)
      await installSettings(trx, newId, id)
      await installSmsTemplates(trx, newId, id)
    }
  })
  return { created }
}

/** Installs or updates the built-in definitions of all tenants; skips those that a user has edited. */
async function installDefinitions(
  db: Kysely<Tables>,
  newId: () => string,
  now: Date,
): Promise<void> {
  const known = new Map(
    (
      await db
        .selectFrom('sys.entity')
        .select(['id', 'tag', 'built_in', 'version'])
        .where('tenant_id', '=', '0')
        .execute()
    ).map((row) => [row.tag, row]),
  )
  for (const definition of builtIn) {
    const [row, built_in, text] = [
      known.get(definition.tag),
      fingerprint(definition),
      JSON.stringify(definition),
    ]
    if (row === undefined) {
      const id = newId()
      await db
        .insertInto('sys.entity')
        .values({
          id,
          tenant_id: '0',
          tag: definition.tag,
          name: definition.name,
          definition: text,
          built_in,
        })
        .execute()
      await db
        .insertInto('sys.entity_revision')
        .values({
          id: newId(),
          entity_id: id,
          tenant_id: '0',
          tag: definition.tag,
          version: 1,
          definition: text,
          note: 'built in',
        })
        .execute()
    } else if (row.built_in !== null && row.built_in !== built_in) {
      await db
        .updateTable('sys.entity')
        .set({
          definition: text,
          name: definition.name,
          built_in,
          version: row.version + 1,
          update_time: now,
        })
        .where('tenant_id', '=', '0')
        .where('id', '=', row.id)
        .execute()
      await db
        .insertInto('sys.entity_revision')
        .values({
          id: newId(),
          entity_id: row.id,
          tenant_id: '0',
          tag: definition.tag,
          version: row.version + 1,
          definition: text,
          note: 'built in',
        })
        .execute()
    }
  }
}

function fingerprint(definition: EntityDefinition) {
  return createHash('sha256').update(JSON.stringify(definition)).digest('base64url')
}
