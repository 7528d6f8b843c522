// Fires the timers of flows that are due: each in a transaction that ends its task and takes its step.
import { decide, listTimers } from '@jiaowu/machines/flow/flow'
import { t } from '@jiaowu/api/texts/index'
import { wholeAccess } from '../../access/access.ts'
import type { Services } from '../../model/context.ts'
import { type LoadedEntity, readableFields } from '../../model/definition/loaded.ts'
import { withDrawnPapers } from '../../model/papers.ts'
import { buildServerContext } from '../../model/server-context.ts'
import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'
import { transact } from '../../platform/database/transact.ts'
import type { JobHandler } from '../../platform/jobs/job-handler.ts'
import type { Lease } from '../../platform/jobs/lease.ts'
import { drain } from '../../platform/jobs/queue.ts'
import { wakeQueue } from '../../platform/jobs/queues.ts'
import { createTaskStore, type Task } from '../../platform/jobs/task-store.ts'
import { notFound } from '../../platform/refusal.ts'
import { lockRow } from '../read/row.ts'
import { loadCases, withTables } from './cases.ts'
import { commitStep, type StepWriter } from './commit.ts'
import { loadStepWriter } from './step-writer.ts'
import { findCase } from './read.ts'
import { loadFlowRow } from './row-people.ts'

export interface FlowTimer extends Task {
  readonly case_id: string
  /** Type of the machine's event: `path@48 h`. */
  readonly event: string
}

const { store, complete } = createTaskStore<FlowTimer>({
  table: 'sys.flow_timer',
  purpose: 'looking for timers of flows',
  // A step that cannot be taken is tried for about forty days, an hour apart.
  most: 1000,
})

export const timerHandler: JobHandler<FlowTimer, Services> = {
  kind: 'timer',
  store,
  run: (services, { job, lease }) => fireTimer(services, job, lease),
  concurrency: 2,
  pollMs: 3_000,
  renewMs: 20_000,
  mostPerRound: 500,
}

/** Fires the timers that are due. Returns how many. */
export function fireDue(services: Services): Promise<number> {
  return drain(services, timerHandler)
}

async function fireTimer(services: Services, timer: FlowTimer, lease: Lease): Promise<void> {
  const context = buildServerContext(services, timer.tenant_id, {
    userId: '0',
    name: t('zh-CN', 'flow.notice.system'),
    permissions: new Set(),
  })
  const db = databaseOf(services)
  const found = await withTables(db)
    .selectFrom('sys.flow_case')
    .select(['tag', 'row_id'])
    .where('tenant_id', '=', timer.tenant_id)
    .where('id', '=', timer.case_id)
    .executeTakeFirst()
  const entity =
    found === undefined ? undefined : await context.registry.find(timer.tenant_id, found.tag)
  if (found === undefined || entity?.definition.options.flow === undefined) {
    await complete(db, services.now(), lease, 'the flow is gone')
    return
  }
  const cases = await loadCases(withTables(db), timer.tenant_id, entity, [found.row_id])
  const flow = cases.get(found.row_id)?.flow
  if (flow === undefined) throw notFound()
  const writing = await loadStepWriter({ context, entity, id: found.row_id }, flow, { isJob: true })
  await withDrawnPapers(services, writing.papers.drawable, () =>
    transact(db, async (trx) => {
      // First of all: of two servers, the one that has lost the task writes nothing.
      await complete(trx, services.now(), lease)
      await takeStep(trx, writing, timer, entity)
    }),
  )
  if (writing.hasNotices) wakeQueue(services, 'notice')
}

/** Nothing happens where the case has left the state meanwhile. */
async function takeStep(
  trx: AnyDatabase,
  writing: StepWriter,
  { event, tenant_id }: FlowTimer,
  entity: LoadedEntity,
): Promise<void> {
  const { context, id, reads } = writing
  const locked = await lockRow(trx, wholeAccess(entity, tenant_id), readableFields(entity), id)
  if (locked === undefined) throw notFound()
  const known = await findCase(trx, context, entity, locked.row, true)
  const part = listTimers(known.flow, known.flowCase).find(({ type }) => type === event)
  if (part === undefined || known.stored === null) return
  const row = await loadFlowRow(trx, tenant_id, known.flow, reads, locked.row)
  const step = decide(known.flow, known.flowCase, part, null, row.scope)
  if (step === null) return
  await commitStep(trx, writing, {
    known: { ...known, stored: known.stored },
    locked: locked.row,
    row,
    step,
    part,
    event: { zh: t('zh-CN', 'flow.notice.timer'), en: t('en', 'flow.notice.timer') },
    asked: [],
    note: null,
    by: null,
    principal: null,
  })
}
