import type { Services } from '../context.ts'
import { purgeExpired, trimHistory } from '../entities/write/purge.ts'
import { sweepFiles } from './files/sweep.ts'
import { sweepJobs } from '../entities/import/sweep.ts'

const hour = 3_600_000
const day = 24 * hour
const kept = { captcha: hour, codes: day, sessions: 30 * day, counters: day, notices: 30 * day } // docs/rules/security.md#d3

/** What has served its time: old captchas, tickets, counters, sessions, files nobody owns. Safe to run on every instance at once. */
export async function tidy(services: Services): Promise<void> {
  const {
    database: { kysely },
    now,
    log,
  } = services
  const before = (ms: number) => new Date(now().getTime() - ms).toISOString()
  await kysely.deleteFrom('sys.captcha').where('expires_at', '<', before(kept.captcha)).execute()
  await kysely
    .deleteFrom('sys.captcha_ticket')
    .where('expires_at', '<', before(kept.captcha))
    .execute()
  await kysely.deleteFrom('sys.sms_code').where('expires_at', '<', before(kept.codes)).execute()
  await kysely
    .deleteFrom('sys.pay_notice')
    .where('received_at', '<', before(kept.notices))
    .execute()
  await kysely.deleteFrom('sys.file_ticket').where('expires_at', '<', before(0)).execute()
  await kysely
    .deleteFrom('sys.rate_limit')
    .where('window_start', '<', before(kept.counters))
    .where((e) => e.or([e('blocked_until', 'is', null), e('blocked_until', '<', before(0))]))
    .execute()
  await kysely
    .deleteFrom('sys.session')
    .where('absolute_expires_at', '<', before(kept.sessions))
    .execute()
  await sweepJobs(services)
  const purged = await purgeExpired(services)
  const trimmed = await trimHistory(services)
  if (purged + trimmed > 0)
    log.info({ purged, trimmed }, 'deleted records and old history gone for good')
  const swept = await sweepFiles(services)
  if (swept.wiped + swept.drafts + swept.loose + swept.unfinished > 0)
    log.info(swept, 'files swept')
}

/** Tidies soon after the start and then every hour, never twice at once. Returns what stops it, after the run under way. */
export function startHousekeeping(services: Services): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  const run = () => {
    running = running
      .then(() => tidy(services))
      .catch((error: unknown) =>
        services.log.warn({ err: error }, 'tidying did not come to its end'),
      )
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
