import type { Services } from '../model/context.ts'
import { purgeExpired, trimHistory } from '../entities/write/removal/purge.ts'
import { dropOldSlowLists } from '../entities/indexes/slow-lists.ts'
import { checkAuditDaily } from '../platform/audit/daily.ts'
import { countBackgroundRun } from '../platform/counters.ts'
import { dropOldKeys } from '../platform/idempotency.ts'
import { dropUnsold } from '../documents/sold-content.ts'
import { sweepFiles } from '../entities/attachments/sweep.ts'
import { sweepJobs, wipeLooseUploads } from '../entities/import/sweep.ts'
import { sweepRegistrations } from '../students/registration-requests.ts'
import { inEachSchool } from '../platform/database/schools.ts'

const hour = 3_600_000
const day = 24 * hour
/** Milliseconds for which each kind of row is kept after it expires (docs/rules/security.md#d3). */
const retention = {
  captcha: hour,
  codes: day,
  sessions: 30 * day,
  counters: day,
  notices: 30 * day,
  registrations: 180 * day,
}

/**
 * Deletes expired captchas, tickets, codes, counters and sessions, ended jobs, purged rows and files
 * without an owner. Safe to run on several instances at once.
 */
export async function runHousekeeping(services: Services): Promise<void> {
  const {
    database: { kysely },
    now,
    log,
  } = services
  const before = (ms: number) => new Date(now().getTime() - ms).toISOString()
  await kysely
    .deleteFrom('sys.captcha')
    .where('expires_at', '<', before(retention.captcha))
    .execute()
  await kysely
    .deleteFrom('sys.captcha_ticket')
    .where('expires_at', '<', before(retention.captcha))
    .execute()
  await kysely
    .deleteFrom('sys.device_code')
    .where('expires_at', '<', before(retention.captcha))
    .execute()
  await kysely
    .deleteFrom('sys.pay_notice')
    .where('received_at', '<', before(retention.notices))
    .execute()
  await kysely
    .deleteFrom('sys.rate_limit')
    .where('window_start', '<', before(retention.counters))
    .where((e) => e.or([e('blocked_until', 'is', null), e('blocked_until', '<', before(0))]))
    .execute()
  let [purged, trimmed] = [0, 0]
  await inEachSchool(services, 'housekeeping', async (tenant) => {
    await dropExpired(services, before, tenant)
    await dropOldKeys(services, tenant)
    await dropUnsold(services, tenant)
    await dropOldSlowLists(services, tenant)
    await sweepJobs(services, tenant)
    await sweepRegistrations(services, tenant, retention.registrations / day)
    purged += await purgeExpired(services, tenant)
    trimmed += await trimHistory(services, tenant)
  })
  if (purged + trimmed > 0) log.info({ purged, trimmed }, 'purged deleted records and old history')
  await wipeLooseUploads(services)
  const swept = await sweepFiles(services)
  if (swept.wiped + swept.drafts + swept.loose + swept.unfinished > 0)
    log.info(swept, 'files swept')
  await checkAuditDaily(services)
}

async function dropExpired(
  { database: { kysely } }: Services,
  before: (ms: number) => string,
  tenant: string,
): Promise<void> {
  await kysely
    .deleteFrom('sys.sms_code')
    .where('tenant_id', '=', tenant)
    .where('expires_at', '<', before(retention.codes))
    .execute()
  await kysely
    .deleteFrom('sys.file_ticket')
    .where('tenant_id', '=', tenant)
    .where('expires_at', '<', before(0))
    .execute()
  await kysely
    .deleteFrom('sys.sso_attempt')
    .where('tenant_id', '=', tenant)
    .where('expires_at', '<', before(retention.captcha))
    .execute()
  for (const table of [
    'sys.factor_step',
    'sys.passkey_challenge',
    'sys.factor_reset',
    'sys.known_browser',
  ] as const)
    await kysely
      .deleteFrom(table)
      .where('tenant_id', '=', tenant)
      .where('expires_at', '<', before(0))
      .execute()
  await kysely
    .deleteFrom('sys.sso_logout')
    .where('tenant_id', '=', tenant)
    .where('expires_at', '<', before(retention.captcha))
    .execute()
  await kysely
    .deleteFrom('sys.sso_session')
    .where('tenant_id', '=', tenant)
    .where('created_at', '<', before(retention.sessions))
    .execute()
  await kysely
    .deleteFrom('sys.session')
    .where('tenant_id', '=', tenant)
    .where('absolute_expires_at', '<', before(retention.sessions))
    .execute()
}

/**
 * Runs housekeeping a minute after the start and then every hour, one run at a time. The returned
 * function stops it and resolves when the current run has ended.
 */
export function startHousekeeping(services: Services): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  const run = () => {
    running = running
      .then(() => runHousekeeping(services))
      .then(() => countBackgroundRun('housekeeping', 'ok'))
      .catch((error: unknown) => {
        countBackgroundRun('housekeeping', 'failed')
        services.log.warn({ err: error }, 'housekeeping failed')
      })
  }
  const first = setTimeout(run, 60_000)
  const every = setInterval(run, hour)
  first.unref()
  every.unref()
  return () => {
    clearTimeout(first)
    clearInterval(every)
    return running
  }
}
