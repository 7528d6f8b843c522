// Turns an upload into a job. What can be checked at once is refused here; the job reports the
// rest.
import { createHash } from 'node:crypto'
import type { contract } from '@jiaowu/api/contract/contract'
import { entityPermission, may } from '@jiaowu/api/entity/permission'
import type { ImportFormat } from '@jiaowu/api/contract/job'
import { limits } from '@jiaowu/api/limits'
import type { Received } from '@jiaowu/api/endpoint'
import { sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { type LoadedEntity, valueFields } from '../../model/definition/loaded.ts'
import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'
import { buildFilterFault, unknownField } from '../read/query.ts'
import { nameStore } from '../../platform/files/folder-mark.ts'
import { fileStore, storeFile } from '../../platform/files/store.ts'
import { Invalid, Refusal } from '../../platform/refusal.ts'
import { transact } from '../../platform/database/transact.ts'
import type { ImportOptions, ImportRecord, JobFile, LedgerJobKind } from '../jobs/job.ts'
import { readJob } from '../jobs/job-table.ts'
import { rightsFor } from '../jobs/job-rights.ts'
import { wakeQueue } from '../../platform/jobs/queues.ts'
import { isGranting } from '../write/accounts.ts'
import { buildUploadRef } from './upload/upload-store.ts'
import { fileKind } from '../sheets/read/file-kind.ts'

type Upload = Received<(typeof contract)['job']['import']>['body']

/**
 * Jobs of one user: queued or running at once, and started in 24 hours (docs/rules/security.md#c9).
 * Dry runs write nothing and do not count towards the day.
 */
const openJobs = 3
/** Minutes within which the same upload returns the same job (docs/rules/security.md#files). */
const sameWithinMinutes = 10

/** The key must be the id or a unique field. @throws Invalid */
function assertKey(entity: LoadedEntity, key: string | null): void {
  if (key === null || key === entity.definition.idField) return
  const field = valueFields(entity).find(({ definition }) => definition.attrName === key)
  if (field === undefined) throw new Invalid([unknownField('key')])
  const isUnique =
    field.column !== null &&
    [...entity.table.uniques.values()].some(
      (columns) => columns.filter((name) => name !== 'tenant_id').join() === field.column?.name,
    )
  if (!isUnique)
    throw new Invalid([buildFilterFault('key', 'unique', { key: 'transfer.file.keyNeeded' })])
}

const usual: ImportOptions = {
  mode: 'insert',
  key: null,
  onError: 'abort',
  dryRun: false,
  empty: 'keep',
  pauseAt: 'none',
  confirm: false,
  mapping: null,
  fixed: null,
  reading: null,
  mappingSeen: false,
  revision: null,
}

export function mergeImportOptions(
  body: Omit<Upload, 'file' | 'format'>,
  before: Partial<ImportOptions> = {},
): ImportOptions {
  return {
    ...usual,
    ...before,
    ...Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)),
  }
}

export async function assertQuota(
  db: AnyDatabase,
  { subject, settings }: Context,
  kind: LedgerJobKind = 'import',
): Promise<void> {
  const { rows } = await sql<{ open: string | number; daily: string | number }>`
    select count(*) filter (where status in ('queued', 'running')) as open,
      count(*) filter (where not coalesce((options->>'dryRun')::boolean, false)) as daily
    from sys.job
    where kind = ${kind} and tenant_id = ${subject.tenant}::int8
      and user_id = ${subject.userId}::int8
      and (status in ('queued', 'running') or create_time > now() - interval '1 day')`.execute(db)
  const [open, daily] = [Number(rows[0]?.open ?? 0), Number(rows[0]?.daily ?? 0)]
  if (open >= openJobs || daily >= settings.importsPerDay)
    throw new Refusal(429, { key: 'transfer.job.tooMany' }, { retryAfter: 30 })
}

/** @throws Refusal 403 when the user lacks a right the mode needs, Invalid for a bad key */
export async function assertChoices(
  context: Context,
  entity: LoadedEntity,
  options: ImportOptions,
): Promise<void> {
  const { mode, key } = options
  const { permissions } = context.subject
  if (mode === 'upsert' && !may(permissions, entityPermission(entity.tag, 'update')))
    throw new Refusal(403, { key: 'problem.forbidden' })
  await rightsFor(context, entity, mode)
  if (mode !== 'insert') assertKey(entity, key)
  const unknown = Object.keys(options.fixed ?? {}).find(
    (name) => !valueFields(entity).some(({ definition }) => definition.attrName === name),
  )
  if (unknown !== undefined) throw new Invalid([unknownField(`fixed.${unknown}`)])
}

/** @throws Refusal 403, 413, 422, 429 */
export async function startImport(
  context: Context,
  entity: LoadedEntity,
  body: Upload,
): Promise<ImportRecord> {
  const { file, format, ...choices } = body
  const options = mergeImportOptions(choices)
  await assertChoices(context, entity, options)
  context.database.assertWritable()
  if (!options.dryRun && valueFields(entity).some((field) => isGranting(entity, field)))
    await context.proveFresh()
  if (file.size > limits.importBytes) throw new Refusal(413, { key: 'transfer.file.tooLarge' })
  const bytes = new Uint8Array(await file.arrayBuffer())
  const name = safeName(file instanceof File ? file.name : 'import')
  const kind = detectFormat(name, format, bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const hash = hashImport(entity.tag, options, sha256)
  const {
    settings,
    subject: { tenant },
  } = context
  const storage = await storeFile(settings, 'uploads', tenant, bytes)
  const forget = () => fileStore(settings).remove(buildUploadRef(tenant, storage))
  const store = nameStore(settings)
  const { id, isNew } = await insertJob(
    context,
    entity,
    options,
    {
      name,
      size: bytes.byteLength,
      sha256,
      storage,
      format: kind,
      ...(store !== null && { store }),
    },
    hash,
    !options.dryRun && options.pauseAt === 'none',
  ).catch(async (error: unknown) => {
    await forget()
    throw error
  })
  if (!isNew) {
    await forget()
    return await loadKeptImport(context, id)
  }
  const job = await loadKeptImport(context, id)
  wakeQueue(context, 'import')
  return job
}

function safeName(name: string): string {
  return (
    [
      ...name
        .normalize('NFC')
        .replace(/[\u0000-\u001f\u007f-\u009f/\\\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, ''),
    ]
      .slice(-200)
      .join('') || 'import'
  )
}

/** @throws Invalid that names the file for what it is */
function detectFormat(
  name: string,
  asked: ImportFormat | undefined,
  bytes: Uint8Array,
): ImportFormat {
  const kind = fileKind(name, bytes, asked)
  if ('refusal' in kind)
    throw new Invalid([buildFilterFault('file', 'type', { key: kind.refusal })])
  return kind.format
}

function hashImport(tag: string, options: ImportOptions, sha256: string): string {
  return createHash('sha256')
    .update(JSON.stringify([tag, options, sha256]))
    .digest('hex')
}

/**
 * Locks the user's row, so that simultaneous uploads run one after another: a double click makes
 * one job, and parallel uploads cannot exceed the quota.
 */
function insertJob(
  context: Context,
  entity: LoadedEntity,
  options: ImportOptions,
  file: JobFile,
  hash: string,
  mayBeSame: boolean,
): Promise<{ id: string; isNew: boolean }> {
  return transact(databaseOf(context), async (trx) => {
    const { subject, newId, locale, now } = context
    await sql`
      select id from sys.app_user
      where tenant_id = ${subject.tenant}::int8 and id = ${subject.userId}::int8
      for update`.execute(trx)
    const same = mayBeSame ? await findSame(trx, context, hash) : undefined
    if (same !== undefined) return { id: same, isNew: false }
    await assertQuota(trx, context)
    const id = newId()
    await sql`insert into sys.job (id, tenant_id, user_id, kind, tag, status, phase, options, file, choice_hash, locale, create_time, trace_id)
    values (${id}::int8, ${subject.tenant}::int8, ${subject.userId}::int8, 'import', ${entity.tag},
      'queued', 'reading', ${JSON.stringify(options)}::jsonb, ${JSON.stringify(file)}::jsonb,
      ${hash}, ${locale}, ${now().toISOString()}::timestamptz, ${context.traceId})`.execute(trx)
    const { mode, key, onError, dryRun } = options
    context.audit(
      {
        action: 'entity.import.upload',
        object: entity.tag,
        objectId: id,
        result: 'ok',
        detail: { mode, key, onError, dryRun, size: file.size, sha256: file.sha256 },
      },
      trx,
    )
    return { id, isNew: true }
  })
}

async function findSame(
  db: AnyDatabase,
  context: Context,
  hash: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id::text as id from sys.job where tenant_id = ${context.subject.tenant}::int8
      and user_id = ${context.subject.userId}::int8 and choice_hash = ${hash}
      and create_time > ${new Date(context.now().getTime() - sameWithinMinutes * 60_000).toISOString()}::timestamptz and status in ('queued', 'running', 'done') and not (options->>'dryRun')::boolean order by id desc limit 1`.execute(
    db,
  )
  return rows[0]?.id
}

async function loadKeptImport(context: Context, id: string): Promise<ImportRecord> {
  const job = await readJob(context, { tenant_id: context.subject.tenant, id })
  if (job?.kind !== 'import') throw new Error('a job vanished as it was made')
  return job
}
