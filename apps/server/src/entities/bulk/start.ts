// A bulk change starts as a check: a job checks every selected row and then pauses. Applying it is
// a second request.
import type { contract } from '@jiaowu/api/contract/contract'
import { limits } from '@jiaowu/api/limits'
import type { Received } from '@jiaowu/api/endpoint'
import { sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { type LoadedEntity, valueFields } from '../../model/definition/loaded.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { Refusal } from '../../platform/refusal.ts'
import { transact } from '../../platform/database/transact.ts'
import type { BulkOptions, BulkRecord } from '../jobs/job.ts'
import { cancelJob, changeJob, readOwnJob } from '../jobs/job-table.ts'
import { cancelRunning, wakeQueue } from '../../platform/jobs/queues.ts'
import { assertUnowned } from '../flow/owners.ts'
import { isGranting } from '../write/accounts.ts'
import { assertQuota } from '../import/start-import.ts'
import { assertSize, rightsTo, parseSelection, valuesToSet } from './choose.ts'

type Bulk = (typeof contract)['bulk']
type Asked = Received<Bulk['remove']>['body'] & { readonly set?: Readonly<Record<string, unknown>> }

/** The user's own job; undefined for one of another user. */
export async function readBulk(context: Context, id: string): Promise<BulkRecord | undefined> {
  const job = await readOwnJob(context, id)
  return job?.kind === 'bulk' ? job : undefined
}

/** @throws Refusal 403, 404, 429; Invalid for a bad filter, field or value */
export async function startBulk(
  context: Context,
  entity: LoadedEntity,
  action: BulkOptions['action'],
  { set = {}, ...asked }: Asked,
): Promise<string> {
  const rights = await rightsTo(context, entity, { action, where: asked.where })
  const options: BulkOptions = {
    action,
    ...parseSelection(asked),
    set: action === 'update' ? valuesToSet(rights, set) : {},
    onError: 'skip',
    basis: null,
  }
  await assertUnowned(context, entity, Object.keys(options.set))
  context.database.assertWritable()
  if (isGrantingAny(entity, Object.keys(options.set))) await context.proveFresh()
  const total = await assertSize(context, rights, options)
  const { subject, newId, locale, now } = context
  const id = newId()
  await transact(databaseOf(context), async (trx) => {
    await sql`
      select id from sys.app_user
      where tenant_id = ${subject.tenant}::int8 and id = ${subject.userId}::int8
      for update`.execute(trx)
    await assertQuota(trx, context, 'bulk')
    await sql`insert into sys.job (id, tenant_id, user_id, kind, tag, status, phase, options, total, locale, create_time, trace_id)
      values (${id}::int8, ${subject.tenant}::int8, ${subject.userId}::int8, 'bulk', ${entity.tag},
        'queued', 'checking', ${JSON.stringify(options)}::jsonb, ${total}::int4, ${locale},
        ${now().toISOString()}::timestamptz, ${context.traceId})`.execute(trx)
  })
  wakeQueue(context, 'bulk')
  return id
}

function isGrantingAny(entity: LoadedEntity, attrNames: readonly string[]): boolean {
  return valueFields(entity).some(
    (field) => attrNames.includes(field.definition.attrName) && isGranting(entity, field),
  )
}

/** @throws Refusal 409 when the job is over */
export async function applyBulk(
  context: Context,
  job: BulkRecord,
  { count, onError }: Received<Bulk['apply']>['body'],
): Promise<void> {
  if (isUnderWay(job)) {
    wakeQueue(context, 'bulk')
    return
  }
  if (job.status !== 'paused' || job.phase !== 'review' || job.changed === 0)
    throw new Refusal(409, {
      key:
        job.status === 'queued' || job.status === 'running'
          ? 'transfer.job.notReady'
          : 'transfer.job.over',
    })
  if (count !== job.changed)
    throw new Refusal(409, { key: 'bulk.otherCount', params: { n: job.changed } })
  if (onError === 'abort' && job.wrong > 0)
    throw new Refusal(409, { key: 'bulk.abortRefused', params: { n: job.wrong } })
  if (onError === 'abort' && job.changed > limits.bulkTogether)
    throw new Refusal(409, { key: 'bulk.tooManyTogether', params: { n: limits.bulkTogether } })
  const entity = await context.registry.get(context.subject.tenant, job.tag)
  await rightsTo(context, entity, job.options)
  const event = {
    action: `entity.bulk.${job.options.action}.apply`,
    object: job.tag,
    objectId: job.id,
    result: 'ok',
    detail: { count, onError },
  } as const
  const isApplied = await transact(databaseOf(context), async (trx) => {
    const changed = await changeJob(trx, job, ['paused'], {
      status: 'queued',
      phase: 'writing',
      options: { ...job.options, onError },
      done: job.same + job.wrong,
      message: null,
      attempts: 0,
    })
    if (changed) context.audit(event, trx)
    return changed
  })
  if (!isApplied) {
    const now = await readBulk(context, job.id)
    if (now === undefined || !isUnderWay(now)) throw new Refusal(409, { key: 'transfer.job.over' })
    return
  }
  wakeQueue(context, 'bulk')
}

function isUnderWay({ phase, status }: BulkRecord): boolean {
  return (
    (phase === 'writing' || phase === 'finished') && ['queued', 'running', 'done'].includes(status)
  )
}

/** @throws Refusal 409 when it is over */
export async function cancelBulk(context: Context, job: BulkRecord): Promise<void> {
  await transact(databaseOf(context), async (trx) => {
    await cancelJob(trx, job)
    const action = `entity.bulk.${job.options.action}.cancel`
    if (job.phase === 'writing')
      context.audit({ action, object: job.tag, objectId: job.id, result: 'ok' }, trx)
  })
  if (job.status === 'running') cancelRunning(context, 'bulk', job.id)
}
