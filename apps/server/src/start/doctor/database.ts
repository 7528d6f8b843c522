// The database: its version, tables, clock, keys, and all that lies in it.
import { type RawBuilder, sql } from 'kysely'
import { migrations } from '../../platform/database/migrations/index.ts'
import { missingRights } from '../../platform/database/role-rights.ts'
import { readAuditKeys } from '../../platform/audit/open-keys.ts'
import { verifyAudit } from '../../platform/audit/verify.ts'
import { knownKeys, openKeys } from '../../platform/keys/open-keys.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { findUnderOtherKeys } from '../keys/reseal.ts'
import { findMissingFiles } from './missing-files.ts'
import { findSickTables } from './sick-tables.ts'
import { type Check, type Complaint, complain, type Open, warn } from './finding.ts'

/** PostgreSQL 15. */
const oldestVersion = 150_000
/** Milliseconds by which the clocks of server and database may differ. */
const clockMs = 5_000

export const databaseChecks: readonly Check[] = [
  { name: 'database', look: lookAtVersion },
  { name: 'migrations', look: lookAtMigrations },
  { name: 'role', look: lookAtRole },
  { name: 'clock', look: lookAtClock },
  { name: 'key', look: lookAtKey },
  { name: 'administrator', look: lookAtAdministrators },
  { name: 'jobs', look: lookAtJobs },
  { name: 'messages', look: lookAtMessages },
  { name: 'tables', isLong: true, look: lookAtTables },
  { name: 'audit', isLong: true, look: lookAtAudit },
  { name: 'missing files', isLong: true, look: lookAtMissingFiles },
]

async function readNumber(patient: Open, select: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int4 as n, 'doctor' as by from ${select}`.execute(databaseOf(patient))
  return rows[0]?.n ?? 0
}

async function lookAtVersion(patient: Open): Promise<Complaint[]> {
  const { rows } = await sql<{ version: number }>`
    select current_setting('server_version_num')::int4 as version`.execute(databaseOf(patient))
  const version = rows[0]?.version ?? 0
  const found =
    version < oldestVersion
      ? [
          complain(
            `PostgreSQL ${Math.floor(version / 10_000)} is too old.`,
            'Update to 15 or newer.',
          ),
        ]
      : []
  const availability = await patient.database.availability()
  return availability === 'readOnly'
    ? [
        ...found,
        complain(
          'The database takes no writes.',
          'Is it a standby? Name the primary in DATABASE_URL.',
        ),
      ]
    : found
}

async function lookAtMigrations(patient: Open): Promise<Complaint[]> {
  const { rows } = await sql<{ name: string }>`select name from sys.migration`.execute(
    databaseOf(patient),
  )
  const applied = new Set(rows.map(({ name }) => name))
  const known = new Set(migrations.map(({ name }) => name))
  const later = [...applied].filter((name) => !known.has(name))
  const missing = [...known].filter((name) => !applied.has(name))
  return [
    ...(later.length > 0
      ? [
          complain(
            `A newer program has changed the database (${later.join(', ')}).`,
            'Start that version.',
          ),
        ]
      : []),
    ...(missing.length > 0
      ? [
          warn(
            `${missing.length} migrations are missing, from ${missing[0]} on.`,
            'The next start applies them.',
          ),
        ]
      : []),
  ]
}

async function lookAtRole({ database, settings }: Open): Promise<Complaint[]> {
  if (database.engine === 'pglite') return []
  const missing = await missingRights(database.untyped, settings.businessSchemas)
  return missing.map(({ isRequired, consequence, grant }) =>
    isRequired ? complain(consequence, grant) : warn(consequence, grant),
  )
}

async function lookAtClock(patient: Open): Promise<Complaint[]> {
  const { rows } = await sql<{ at: string; newest: string | null }>`
    select clock_timestamp()::text as at, 'doctor' as by,
      (select max(at)::text from sys.audit_log) as newest`.execute(databaseOf(patient))
  const now = patient.now().getTime()
  const off = Math.abs(new Date(rows[0]?.at ?? 0).getTime() - now)
  const newest = rows[0]?.newest ?? null
  const advice = 'Let chrony or systemd-timesyncd keep the clocks of all machines.'
  return [
    ...(patient.database.engine === 'postgres' && off > clockMs
      ? [
          warn(
            `The clocks of server and database differ by ${Math.round(off / 1000)} s.`,
            `${advice} Codes and sessions end too early or too late.`,
          ),
        ]
      : []),
    ...(newest !== null && new Date(newest).getTime() > now + 60_000
      ? [
          complain(
            `The audit log has lines of the future (${newest}): the clock was set back.`,
            advice,
          ),
        ]
      : []),
  ]
}

async function lookAtKey(patient: Open): Promise<Complaint[]> {
  const advice =
    'Put back the key from the backup (docs/operations.md#keys-of-personal-data): without it the data cannot be read.'
  // A database that no server has opened yet has no key.
  if ((await knownKeys(patient.database.kysely)).length === 0) return []
  try {
    const keys = await openKeys(patient)
    const stray = await findUnderOtherKeys(patient, keys)
    return stray.map(({ place, rows }) =>
      warn(
        `${rows} rows of ${place} are sealed with another key than the one that writes.`,
        'Run "pii rotate" with a new key, and the earlier ones (pii.*.retired.key) behind it in PII_KEY.',
      ),
    )
  } catch (error) {
    return [complain(error instanceof Error ? error.message : String(error), advice)]
  }
}

async function lookAtAdministrators(patient: Open): Promise<Complaint[]> {
  const { rows } = await sql<{ tenant: string }>`
    select t.id::text as tenant, 'doctor' as by from sys.tenant t where t.status = '1' and not exists (
      select 1 from sys.app_user u join sys.role r on r.tenant_id = u.tenant_id
        and r.id::text = any(u.role_ids)
      where u.tenant_id = t.id and u.deleted_at is null and u.status = '1' and r.deleted_at is null
        and r.code in ('ROLE_ADMIN', 'ROLE_SECURITY_ADMIN'))`.execute(databaseOf(patient))
  return rows.map(({ tenant }) =>
    complain(
      `School ${tenant} has no administrator who may sign in.`,
      `Run "admin reset --school ${tenant}".`,
    ),
  )
}

async function lookAtJobs(patient: Open): Promise<Complaint[]> {
  const late = sql`now() - interval '10 minutes'`
  const stuck = await readNumber(
    patient,
    sql`sys.job where status = 'running' and lease_until < ${late}
      or status = 'queued' and coalesce(start_time, create_time) < ${late}`,
  )
  const due = await readNumber(
    patient,
    sql`(select 1 from sys.pay_outbox where done_at is null and next_at < ${late} and attempts = 0
      union all select 1 from sys.flow_timer where done_at is null and next_at < ${late}
      union all select 1 from sys.flow_proof where done_at is null and next_at < ${late}) t`,
  )
  const failed = await readNumber(
    patient,
    sql`sys.job where status = 'failed' and end_time > now() - interval '7 days'
      and message ->> 'key' in ('transfer.job.fault', 'transfer.job.gaveUp')`,
  )
  return [
    ...(stuck > 0
      ? [
          complain(
            `${stuck} imports or bulk changes have waited for more than ten minutes.`,
            'Is a server running on this folder? 后台任务 names each; /metrics: jiaowu_jobs_oldest_seconds.',
          ),
        ]
      : []),
    ...(due > 0
      ? [
          complain(
            `${due} tasks of payments or flows have been due for more than ten minutes.`,
            'Start a server; the log names a task that fails.',
          ),
        ]
      : []),
    ...(failed > 0
      ? [
          warn(
            `${failed} jobs of the last week ended by a fault of the program.`,
            'The log has the fault under the id of the call, which 后台任务 shows.',
          ),
        ]
      : []),
  ]
}

async function lookAtMessages(patient: Open): Promise<Complaint[]> {
  const week = sql`now() - interval '7 days'`
  const notices = await readNumber(
    patient,
    sql`sys.notice_task where failure is not null and done_at > ${week}`,
  )
  const sms = await readNumber(
    patient,
    sql`sys.sms_task where failure is not null and create_time > ${week}`,
  )
  const hooks = await readNumber(
    patient,
    sql`sys.hook_delivery where failure is not null and done_at > ${week}`,
  )
  return [
    ...(notices > 0
      ? [
          warn(
            `${notices} notices of the last week were given up.`,
            'Look at MAIL_… and SMS_…; sys.notice_task has the failures.',
          ),
        ]
      : []),
    ...(sms > 0
      ? [
          warn(
            `${sms} text messages of the last week failed.`,
            'Run "provider check"; the list 短信任务 has the failures.',
          ),
        ]
      : []),
    ...(hooks > 0
      ? [
          warn(
            `${hooks} calls of hooks were given up in the last week.`,
            'Mend the receiver, then "jiaowu hook repeat".',
          ),
        ]
      : []),
  ]
}

async function lookAtTables(patient: Open): Promise<Complaint[]> {
  const sick = await findSickTables(patient)
  return sick.map(({ table, message }) =>
    complain(
      `${table} cannot be read: ${message}`,
      'Stop the servers, copy the data, and restore a backup; the disk or its file system is damaged.',
    ),
  )
}

async function lookAtAudit(patient: Open): Promise<Complaint[]> {
  const auditKeys = await readAuditKeys(patient.settings)
  if (auditKeys === null)
    return [
      complain(
        'The key of the audit log is not here.',
        'Put back audit.key from the backup, or set AUDIT_KEY.',
      ),
    ]
  const reports = await verifyAudit({ database: patient.database, auditKeys })
  return reports.flatMap(({ tenant, broken }) =>
    broken === null
      ? []
      : [
          complain(
            `The audit chain of school ${tenant} is broken at line ${broken.number} (${broken.why}).`,
            'Compare with AUDIT_FILE or the syslog receiver, and with a backup (docs/operations.md#audit-log).',
          ),
        ],
  )
}

async function lookAtMissingFiles(patient: Open): Promise<Complaint[]> {
  const missing = await findMissingFiles(patient)
  return [...missing]
    .filter(([, { lost }]) => lost > 0)
    .map(([area, { lost, example }]) =>
      complain(
        `${lost} files of ${area} are missing, such as ${example}.`,
        'Restore them from the backup; is DATA_DIR (or the bucket) the one of this database?',
      ),
    )
}
