// Deletes rows in the recycle bin permanently, with their custom values, history and files; at a
// user's request and by age.
import { databaseOf } from '../../../platform/database/any-database.ts'
import { fromTable } from '../../../model/definition/from-table.ts'
import { allPermission } from '@jiaowu/api/limits'
import { sql } from 'kysely'
import { auditIn } from '../../../platform/audit/write.ts'
import type { Context, Services } from '../../../model/context.ts'
import { buildServerActor, buildServerContext } from '../../../model/server-context.ts'
import { Invalid, notFound, Refusal } from '../../../platform/refusal.ts'
import { brokenConstraint } from '../../../platform/database/problems.ts'
import { transact } from '../../../platform/database/transact.ts'
import { isReadOnly, wholeAccess } from '../../../access/access.ts'
import type { LoadedEntity } from '../../../model/definition/loaded.ts'
import { allOf, columnRef } from '../../../model/definition/names.ts'
import { idText } from '../../../model/definition/row-key.ts'
import { buildFilterFault } from '../../read/query.ts'
import { auditEach } from '../audit-rows.ts'
import { writeRows } from '../write-rows.ts'
import type { RowWriter } from '../writer.ts'
import { parseIds } from './id-list.ts'
import { binAccess } from './recycle.ts'
import { referencesTo, stillUsed } from './references.ts'

const dayMs = 86_400_000
const batchSize = 200
const historyBatchSize = 5_000

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
    throw new Invalid([buildFilterFault('count', 'value', { key: 'recycle.purgeCount' })])
  if (ids.length === 0) throw notFound()
  const writer: RowWriter = {
    context,
    entity,
    isJob: false,
    add: null,
    change: view,
    within: where,
    references: await referencesTo(context, context.subject.tenant, entity),
    audit: auditEach(context, entity, 'entity.purge'),
  }
  await purge(context, writer, ids)
  return { purged: ids.length }
}

/** @throws Refusal 404; 409 when other rows refer to them, even rows in the bin */
async function purge(services: Services, writer: RowWriter, ids: readonly string[]): Promise<void> {
  await transact(databaseOf(services), (trx) =>
    writeRows(
      trx,
      writer,
      ids.map((id) => ({ kind: 'purge', id, changes: [] })),
    ),
  ).catch(asStillUsed)
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
  const writer: RowWriter = {
    context: buildServerContext(services, tenant, {
      userId: '',
      name: '',
      permissions: new Set([allPermission]),
    }),
    entity,
    isJob: false,
    add: null,
    change: access,
    within: where,
    references: await referencesTo(services, tenant, entity),
    audit: (trx, rows) =>
      auditIn(services, trx, buildServerActor(tenant), {
        action: 'entity.expire',
        object: entity.tag,
        result: 'ok',
        detail: { rows: rows.length, days: settings.recycleDays },
      }),
  }
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
        writer,
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
  writer: RowWriter,
  ids: readonly string[],
): Promise<number> {
  try {
    await purge(services, writer, ids)
    return ids.length
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (ids.length <= 1) return 0
    let purged = 0
    for (const id of ids) purged += await purgeBatch(services, writer, [id])
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
