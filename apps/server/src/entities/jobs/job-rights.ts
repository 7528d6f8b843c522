// The user of a job and that user's access, read whenever a run starts, so that a revoked permission
// stops the job.
import type { ImportMode } from '@jiaowu/api/contract/job'
import type { Locale } from '@jiaowu/api/locale'
import { auditAlone, auditIn } from '../../platform/audit/write.ts'
import { readGranted } from '../../identity/granted.ts'
import { isActive, readPerson, readUser } from '../../identity/subject.ts'
import type { Context, Services } from '../../model/context.ts'
import { type InTransaction, noRequest, type Subject } from '../../platform/context.ts'
import { createTraceId, findTrace } from '../../platform/requests/trace.ts'
import { accessTo } from '../../access/access.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Rights } from '../import/columns.ts'
import { type JobBase, type ImportRecord, JobStop, type RowsWritten } from './job.ts'

/**
 * The access that an import needs: `add`, `update` or both (docs/rules/security.md#permissions).
 * @throws Refusal 403
 */
export async function rightsFor(
  context: Context,
  entity: LoadedEntity,
  mode: ImportMode,
): Promise<Rights> {
  const add = mode === 'update' ? null : await accessTo(context, entity, 'add')
  const update = mode === 'insert' ? null : await accessTo(context, entity, 'update')
  const view = add ?? update
  if (view === null) throw new Error('an import without a mode')
  // A field is visible when either grant shows it.
  return {
    view: { ...view, grants: [...(add?.grants ?? []), ...(update?.grants ?? [])] },
    add,
    update,
  }
}

/** The context of a job's user. @throws JobStop when the user no longer exists */
export async function buildJobContext(
  services: Services,
  job: Pick<JobBase, 'tenant_id' | 'user_id' | 'locale'>,
): Promise<Context> {
  const user = await readUser(services, job.tenant_id, job.user_id)
  if (!isActive(user) || user.tenant_id !== job.tenant_id)
    throw new JobStop('failed', { key: 'transfer.job.noRight' })
  const granted = await readGranted(services.database.kysely, user.tenant_id, user.role_ids)
  const subject: Subject = {
    kind: 'staff',
    userId: user.id,
    account: user.account,
    name: user.name,
    tenant: user.tenant_id,
    sessionId: '',
    ...granted,
    org: user.org_id === null ? null : { id: user.org_id, name: user.org_name ?? '' },
    person: readPerson(user),
  }
  const traceId = findTrace()?.id ?? createTraceId()
  const actor = {
    tenant: subject.tenant,
    userId: subject.userId,
    account: subject.account,
    ip: '',
    traceId,
  }
  return {
    ...services,
    subject,
    locale: job.locale as Locale,
    ip: '',
    traceId,
    request: new Request('http://jiaowu.invalid/'),
    ...noRequest,
    audit: (event, trx) => auditIn(services, trx, actor, event),
    auditAlone: (event) => auditAlone(services, actor, event),
  }
}

/** The access of a running job. @throws JobStop when it was revoked */
export async function loadJobRights(context: Context, job: ImportRecord): Promise<Rights> {
  const entity = await context.registry.find(job.tenant_id, job.tag)
  if (entity === undefined) throw new JobStop('failed', { key: 'transfer.job.noRight' })
  return await rightsFor(context, entity, job.options.mode).catch((error: unknown) => {
    throw error instanceof Refusal ? new JobStop('failed', { key: 'transfer.job.noRight' }) : error
  })
}

/**
 * Records each transaction of a job that writes rows, because those rows stay even when the job never
 * ends.
 */
export function rowsAudit(context: Context, { id, tag }: JobBase, kind: string) {
  return (trx: InTransaction, { upTo, inserted, updated }: RowsWritten): void => {
    if (inserted + updated > 0)
      context.audit(
        {
          action: `entity.${kind}.rows`,
          object: tag,
          objectId: id,
          result: 'ok',
          detail: { upTo, inserted, updated },
        },
        trx,
      )
  }
}
