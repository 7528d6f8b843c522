// Joins the kinds of jobs with the code that runs them, as `handlers.ts` joins the calls of the contract.
import type { Services } from '../model/context.ts'
import { runBulk } from '../entities/bulk/run.ts'
import { runImport } from '../entities/import/run.ts'
import type { LedgerJobs } from '../entities/jobs/job.ts'
import { jobStore } from '../entities/jobs/job-store.ts'
import { leaseSeconds } from '../entities/jobs/job-table.ts'
import { findGateway } from '../payments/gateways.ts'
import type { OutboxEntry } from '../payments/outbox/outbox.ts'
import { paymentRounds } from '../payments/payment-rounds.ts'
import { type FlowTimer, timerHandler } from '../entities/flow/fire.ts'
import { type FlowProof, proofHandler } from '../entities/flow/proofs.ts'
import { type HookDelivery, hookHandler } from '../platform/hooks/send.ts'
import { noticeHandler, type NoticeTask } from '../platform/notices/send.ts'
import type { JobHandler } from '../platform/jobs/job-handler.ts'
import { createQueue, type Queue } from '../platform/jobs/queue.ts'
import { addQueue, type JobKind, stopQueue } from '../platform/jobs/queues.ts'

interface Jobs extends LedgerJobs {
  readonly payment: OutboxEntry
  readonly notice: NoticeTask
  readonly timer: FlowTimer
  readonly proof: FlowProof
  readonly hook: HookDelivery
}
type JobHandlers = { readonly [Kind in JobKind]: JobHandler<Jobs[Kind], Services> }

/**
 * Imports run one at a time, and so do bulk changes: two would only compete for the database. They are two queues, so
 * that a bulk change, whose user waits for the result, does not wait for an import.
 */
const ledgerQueue = {
  concurrency: 1,
  pollMs: 3_000,
  renewMs: (leaseSeconds * 1_000) / 3,
} as const

const handlers = {
  import: { ...ledgerQueue, kind: 'import', store: jobStore('import'), run: runImport },
  bulk: { ...ledgerQueue, kind: 'bulk', store: jobStore('bulk'), run: runBulk },
  payment: paymentRounds,
  notice: noticeHandler,
  timer: timerHandler,
  proof: proofHandler,
  hook: hookHandler,
} as const satisfies JobHandlers

/** Queues that run whenever the server does. */
const ledgerKinds = ['import', 'bulk', 'notice', 'timer', 'proof', 'hook'] as const

/** Makes the ledger queues reachable; each starts when it is first woken. */
export function defineLedgerQueues(services: Services): void {
  for (const kind of ledgerKinds) defineQueue(services, kind)
}

function defineQueue<Kind extends JobKind>(services: Services, kind: Kind): Queue {
  const { database, settings, registry, keys, auditKeys, memory, log, now, newId } = services
  // Without the context of a request.
  const own: Services = { database, settings, registry, keys, auditKeys, memory, log, now, newId }
  const ofKind: JobHandlers = handlers
  return addQueue(services, kind, () => createQueue(own, ofKind[kind]))
}

/** Starts the ledger queues, with the jobs that were interrupted earlier. Returns what stops them. */
export function startLedgerQueues(services: Services): () => Promise<void> {
  for (const kind of ledgerKinds) defineQueue(services, kind).wake()
  return async () => {
    await Promise.all(ledgerKinds.map((kind) => stopQueue(services, kind)))
  }
}

const firstRoundMs = 3_000

/**
 * Starts the payment rounds. Resolves after the first, so that open orders are checked before the server is ready
 * (docs/rules/security.md#payments), but after three seconds at most: the provider may be down. Returns what stops
 * them. @throws SettingsError when the gateway's key cannot be read
 */
export async function startPaymentQueue(services: Services): Promise<() => Promise<void>> {
  findGateway(services)
  const queue = defineQueue(services, 'payment')
  queue.wake()
  await Promise.race([
    queue.settled(),
    new Promise<void>((resolve) => {
      setTimeout(resolve, firstRoundMs).unref()
    }),
  ])
  return () => stopQueue(services, 'payment')
}
