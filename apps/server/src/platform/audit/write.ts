import type { PlatformServices } from '../context.ts'
import type { AuditEvent, InTransaction } from '../context.ts'
import { appendLine } from '../database/finish-write.ts'
import { type AnyTransaction, transact } from '../database/transact.ts'
import { type AuditActor, newLine } from './line.ts'

type Making = Pick<PlatformServices, 'newId' | 'now' | 'auditKeys'>

/**
 * Records an action in the transaction that performs it: both are committed, or neither. The line is
 * written last, because it locks the chain of its tenant until the commit. @throws when `trx` is no
 * open transaction of `transact`
 */
export function auditIn(
  { newId, now, auditKeys }: Making,
  trx: InTransaction,
  actor: AuditActor,
  event: AuditEvent,
): void {
  appendLine(trx as AnyTransaction, actor.tenant, () =>
    newLine({ id: newId(), at: now(), keys: auditKeys }, actor, event),
  )
}

/**
 * Records what writes nothing itself: a read, a refusal, a failed attempt. A read fails when its line
 * cannot be written; a refusal stands even then, and the failure is logged.
 */
export async function auditAlone(
  services: PlatformServices,
  actor: AuditActor,
  event: AuditEvent,
): Promise<void> {
  try {
    await transact(services.database.kysely, async (trx) => auditIn(services, trx, actor, event))
  } catch (error) {
    if (event.result === 'ok') throw error
    services.log.error(
      { err: error, action: event.action, traceId: actor.traceId },
      'an audit line could not be written',
    )
  }
}
