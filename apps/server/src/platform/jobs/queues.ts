// The queues of this process, one per database and kind. Domains wake them by name and know nothing of their handlers,
// which are joined in `job-handlers.ts`.
import type { PlatformServices } from '../context.ts'
import type { Queue } from './queue.ts'

export type JobKind = 'import' | 'bulk' | 'payment' | 'notice' | 'timer' | 'proof' | 'hook'

const queues = new WeakMap<PlatformServices['database'], Map<JobKind, Queue>>()

/** Makes the queue reachable; one that exists already stays. */
export function addQueue(
  { database }: PlatformServices,
  kind: JobKind,
  create: () => Queue,
): Queue {
  const ofDatabase = queues.get(database) ?? new Map<JobKind, Queue>()
  queues.set(database, ofDatabase)
  const queue = ofDatabase.get(kind) ?? create()
  ofDatabase.set(kind, queue)
  return queue
}

/** Call it after the transaction that enqueued a job. Without a queue of the kind in this process nothing happens. */
export function wakeQueue(services: Pick<PlatformServices, 'database'>, kind: JobKind): void {
  queues.get(services.database)?.get(kind)?.wake()
}

/** Stops a job at its next step when this process runs it. */
export function cancelRunning(
  services: Pick<PlatformServices, 'database'>,
  kind: JobKind,
  id: string,
): void {
  queues.get(services.database)?.get(kind)?.cancel(id)
}

/** Stops the queue and forgets it. */
export async function stopQueue(
  services: Pick<PlatformServices, 'database'>,
  kind: JobKind,
): Promise<void> {
  const ofDatabase = queues.get(services.database)
  const queue = ofDatabase?.get(kind)
  ofDatabase?.delete(kind)
  await queue?.stop()
}
