// Deletes rows in the recycle bin permanently, with their custom values, history and files; at a
// user's request and by age.
import { sql } from 'kysely'
import { auditIn } from '../../../platform/audit/write.ts'
import type { Context, Services } from '../../../model/context.ts'
import { Invalid, notFound, Refusal } from '../../../platform/refusal.ts'
import { brokenConstraint } from '../../../platform/database/problems.ts'
import { exactly } from '../../../platform/database/tables/row-count.ts'
import { transact } from '../../../platform/database/transact.ts'
import { type EntityAccess, isReadOnly, tenantRows, wholeAccess } from '../../../access/access.ts'
import { guardAccounts } from '../accounts.ts'
import { deleteCustomValues } from '../values/custom.ts'
import { type LoadedEntity } from '../../../model/definition/loaded.ts'
import { allOf, columnRef, type Condition, tableName } from '../../../model/definition/names.ts'
import { fault } from '../../read/query.ts'
import { parseIds } from './id-list.ts'
import { binAccess } from './recycle.ts'
import { isReferenced, type Reference, referencesTo } from './remove.ts'
import { withIds } from '../../read/row.ts'
import { idText } from '../../../model/definition/row-key.ts'
import { fromTable } from '../../../model/definition/from-table.ts'
import type { AnyDatabase } from '../../../platform/database/any-database.ts'

const dayMs = 86_400_000
const batchSize = 200
const historyBatchSize = 5_000

const stillUsed = (): Refusal => new Refusal(409, { key: 'recycle.stillUsed' })

/**
 * Purges rows at a user's request. `count`: the number the user typed to confirm.
 * @throws Refusal 404, 409; Invalid when the number differs, or is above 500
 */
export async function purgeRows(
  context: Context,
  entity: LoadedEntity,
  joined: string,
  count: number,
): Promise<{ purged: number }> {
  const ids = parseIds(entity, joined)
  const { view, rows: where } = await binAccess(context, entity)
  if (count !== ids.length)
    throw new Invalid([fault('count', 'value', { key: 'recycle.purgeCount' })])
  const references = await referencesTo(context, context.subject.tenant, entity)
  await transact(context.database.untyped, async (trx) => {
    await guardAccounts(trx, context, entity, ids)
    await deletePermanently(trx, view, references, where, ids)
    for (const id of ids)
      context.audit({ action: 'entity.purge', object: entity.tag, objectId: id, result: 'ok' }, trx)
  }).catch(asStillUsed)
  return { purged: ids.length }
}

/**
 * Deletes all of the rows or none. `where` restricts them to the recycle bin.
 * @throws Refusal 404; 409 when other rows refer to them, even rows in the bin
 */
async function deletePermanently(
  trx: AnyDatabase,
  access: EntityAccess,
  references: readonly Reference[],
  where: Condition,
  ids: readonly string[],
): Promise<void> {
  const { entity, tenant } = access
  const { rows } = await sql`
    select 1 from ${fromTable(entity)} where ${where} and ${withIds(access, ids)}
    for update`.execute(trx)
  if (ids.length === 0 || rows.length !== ids.length) throw notFound()
  if (await isReferenced(trx, access, references, ids, tenantRows)) throw stillUsed()
  await deletePermissions(trx, access, ids)
  exactly(
    await sql`
      delete from ${tableName(entity.table.schema, entity.table.name)} as t
      where ${tenantRows(entity, tenant)} and ${withIds(access, ids)}`.execute(trx),
    ids.length,
    entity.definition.name,
  )
  await deleteCustomValues(trx, entity, tenant, ids)
  await sql`
    delete from sys.row_history
    where tenant_id = ${tenant}::int8 and tag = ${entity.tag}::text
      and row_id = any(${ids}::text[])`.execute(trx)
  // The file sweep deletes the files after their own time in the bin (docs/rules/security.md#f12).
  await sql`
    update sys.attachment set deleted_at = now()
    where tenant_id = ${tenant}::int8 and biz_type = ${entity.tag}::text
      and biz_id = any(${ids}::text[]) and deleted_at is null`.execute(trx)
}

/** The permissions and rules of a role are deleted with it. */
async function deletePermissions(
  trx: AnyDatabase,
  { entity: { table }, tenant }: EntityAccess,
  ids: readonly string[],
): Promise<void> {
  if (`${table.schema}.${table.name}` !== 'sys.role') return
  await sql`
    delete from sys.role_permission
    where tenant_id = ${tenant}::int8 and role_id::text = any(${ids}::text[])`.execute(trx)
  await sql`
    delete from sys.role_table_rule
    where tenant_id = ${tenant}::int8 and role_id::text = any(${ids}::text[])`.execute(trx)
}

function asStillUsed(error: unknown): never {
  throw brokenConstraint(error)?.kind === 'foreignKey' ? stillUsed() : error
}

/** Purges rows of a school deleted more than RECYCLE_DAYS ago, except rows that others refer to. */
export async function purgeExpired(services: Services, tenant: string): Promise<number> {
  const { registry, settings } = services
  if (settings.recycleDays === 0) return 0
  let purged = 0
  for (const entity of await registry.all(tenant))
    if (entity.has('deleted_at') && entity.has('tenant_id') && !isReadOnly(entity))
      purged += await purgeEntity(services, tenant, entity)
  return purged
}

async function purgeEntity(
  services: Services,
  tenant: string,
  entity: LoadedEntity,
): Promise<number> {
  const { database, settings, now } = services
  const access = wholeAccess(entity, tenant)
  const expiry = new Date(now().getTime() - settings.recycleDays * dayMs).toISOString()
  const where = allOf([access.rows, sql`${columnRef('deleted_at')} < ${expiry}::timestamptz`])
  const references = await referencesTo(services, tenant, entity)
  let [purged, after] = [0, '']
  for (;;) {
    const key = idText(entity)
    const { rows } = await sql<{ id: string }>`
      select ${key} as id from ${fromTable(entity)}
      where ${where} and ${key} > ${after}::text
      order by ${key} limit ${batchSize}`.execute(database.kysely)
    if (rows.length > 0)
      purged += await purgeBatch(
        services,
        access,
        references,
        where,
        rows.map(({ id }) => id),
      )
    if (rows.length < batchSize) break
    after = rows.at(-1)?.id ?? after
  }
  return purged
}

/** Purges the rows in one transaction or, when one is still referred to, one by one. */
async function purgeBatch(
  services: Services,
  access: EntityAccess,
  references: readonly Reference[],
  where: Condition,
  ids: readonly string[],
): Promise<number> {
  try {
    await transact(services.database.untyped, async (trx) => {
      await deletePermanently(trx, access, references, where, ids)
      auditIn(
        services,
        trx,
        { tenant: access.tenant, userId: null, account: null, ip: '', traceId: '' },
        {
          action: 'entity.expire',
          object: access.entity.tag,
          result: 'ok',
          detail: { rows: ids.length, days: services.settings.recycleDays },
        },
      )
    }).catch(asStillUsed)
    return ids.length
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (ids.length <= 1) return 0
    let purged = 0
    for (const id of ids) purged += await purgeBatch(services, access, references, where, [id])
    return purged
  }
}

/** Deletes history of a school older than HISTORY_DAYS, in batches to keep locks short. */
export async function trimHistory(
  { database: { kysely }, settings, now }: Services,
  tenant: string,
): Promise<number> {
  if (settings.historyDays === 0) return 0
  const before = new Date(now().getTime() - settings.historyDays * dayMs).toISOString()
  for (let trimmed = 0; ;) {
    const { numAffectedRows = 0n } = await sql`
      delete from sys.row_history where tenant_id = ${tenant}::int8 and id in (
        select id from sys.row_history
        where tenant_id = ${tenant}::int8 and at < ${before}::timestamptz limit ${historyBatchSize}
      )`.execute(kysely)
    trimmed += Number(numAffectedRows)
    if (numAffectedRows < BigInt(historyBatchSize)) return trimmed
  }
}
