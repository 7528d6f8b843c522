import { defaultTenant } from '@jiaowu/api/limits'
import { t } from '@jiaowu/api/texts/index'
import type { Kysely } from 'kysely'
import { listAdministrators } from '../administrators.ts'
import type { PlatformServices } from '../context.ts'
import type { Tables } from '../database/tables/tables.ts'
import { transact } from '../database/transact.ts'
import { increment } from '../limits/rate-limits.ts'
import { bothLanguages, sendMessage } from '../messages.ts'
import { sharedChain } from './line.ts'
import { type AuditBreak, type ChainReport, verifyAudit } from './verify.ts'

const day = 86_400_000

/** Verifies all chains once a day, on one of the servers of a database. */
export async function checkAuditDaily(services: PlatformServices): Promise<void> {
  if ((await increment(services.database, 'auditCheck', day, services.now())) > 1) return
  const reports = await verifyAudit(services)
  await recordChecks(services, reports)
  // The log is kept elsewhere: who rewrites a whole chain cannot rewrite its last link there.
  for (const { tenant, number, hash, broken } of reports)
    if (broken === null && number !== '0')
      services.log.info({ tenant, number, hash }, 'audit chain verified')
}

/** Stores the results for /metrics; a new break is logged and sent to the administrators. */
export async function recordChecks(
  services: PlatformServices,
  reports: readonly ChainReport[],
): Promise<void> {
  for (const { tenant, lines, broken, complete } of reports) {
    if (!complete && broken === null) continue
    const isNew = await transact(services.database.kysely, async (trx) => {
      const before = await trx
        .selectFrom('sys.audit_check')
        .select('broken')
        .where('tenant_id', '=', tenant)
        .forUpdate()
        .executeTakeFirst()
      const values = {
        checked_at: services.now(),
        lines: String(lines),
        broken: broken === null ? null : JSON.stringify(broken),
      }
      await trx
        .insertInto('sys.audit_check')
        .values({ tenant_id: tenant, ...values })
        .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(values))
        .execute()
      const known = (before?.broken ?? null) as AuditBreak | null
      if (broken === null || known?.number === broken.number) return false
      await tellAdministrators(trx, services, tenant, broken)
      return true
    })
    if (isNew) services.log.error({ tenant, ...broken }, 'the audit chain is broken')
  }
}

/** Tells the administrators of the tenant; of the first tenant for a chain that belongs to none. */
async function tellAdministrators(
  trx: Kysely<Tables>,
  services: PlatformServices,
  chain: string,
  { number, why }: AuditBreak,
): Promise<void> {
  const tenant = chain === sharedChain || chain === '0' ? defaultTenant : chain
  const receivers = await listAdministrators(trx, tenant, ['ROLE_AUDIT_ADMIN'])
  const both = `${t('zh-CN', `audit.why.${why}`)} / ${t('en', `audit.why.${why}`)}`
  await sendMessage(trx, services, {
    tenant,
    receivers,
    ...bothLanguages('audit.broken.title', 'audit.broken.content', { number, why: both }),
  })
}

/** How many chains the newest check found broken. */
export async function brokenChains({ kysely }: PlatformServices['database']): Promise<number> {
  const row = await kysely
    .selectFrom('sys.audit_check')
    .select((e) => e.fn.countAll<string>().as('n'))
    .where('broken', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(row.n)
}

/** When the oldest newest check of a chain ended; null before the first. */
export async function oldestCheck({ kysely }: PlatformServices['database']): Promise<Date | null> {
  const row = await kysely
    .selectFrom('sys.audit_check')
    .select((e) => e.fn.min('checked_at').as('at'))
    .executeTakeFirst()
  return row?.at == null ? null : new Date(row.at)
}
