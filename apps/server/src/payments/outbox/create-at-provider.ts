import { t } from '@jiaowu/api/texts/index'
import type { Services } from '../../model/context.ts'
import { transact } from '../../platform/database/transact.ts'
import { GatewayFailure } from '../gateway.ts'
import { findGateway } from '../gateways.ts'
import { grace } from '../states.ts'
import { failureText, minute } from './backoff.ts'
import { firstQueryMs } from './query-payment.ts'
import {
  changeState,
  type EntryOrder,
  type EntryRun,
  selectEntryOrder,
  settleReported,
} from './order-of-entry.ts'
import { completeEntry, enqueue, retryEntry } from './outbox.ts'

const maxAttempts = 3
const retryMs = 500

/** Creates the order at the provider, which answers with the address that the QR code shows. */
export async function createAtProvider(services: Services, run: EntryRun): Promise<void> {
  const { lease, job } = run
  const { kysely } = services.database
  const order = await selectEntryOrder(services, job)
  if (order.state !== 'CREATING') return completeEntry(kysely, services, lease)
  const gateway = findGateway(services)
  const expiresAt = new Date(new Date(order.expires_at ?? order.create_time).getTime() + grace)
  try {
    const { codeUrl } = await gateway.create({
      orderNo: order.order_no,
      amountFen: order.amount_fen,
      description: t(order.report_language === 'en' ? 'en' : 'zh-CN', 'order.product', {
        report: order.report_name,
      }),
      expiresAt,
    })
    return await recordCreated(services, run, order, codeUrl)
  } catch (error) {
    if (!(error instanceof GatewayFailure)) throw error
    if (!error.final && job.attempts < maxAttempts)
      return retryEntry(kysely, services, lease, retryMs, failureText(error))
    const reported = await gateway.query(order.order_no).catch(() => null)
    if (reported?.state === 'paid') return settleReported(services, run, reported.payment)
    await recordFailed(services, run, order, failureText(error))
  }
}

function recordCreated(
  services: Services,
  { lease }: EntryRun,
  order: EntryOrder,
  codeUrl: string,
): Promise<void> {
  return transact(services.database.kysely, async (trx) => {
    await completeEntry(trx, services, lease)
    const isPending = await changeState(trx, services, order, {
      from: 'CREATING',
      to: 'PENDING',
      more: { code_url: codeUrl },
    })
    if (isPending) await enqueue(trx, services, order, 'query', { afterMs: firstQueryMs })
  })
}

/** The provider may have created the order although it did not answer: it is closed there and queried once more. */
function recordFailed(
  services: Services,
  { lease }: EntryRun,
  order: EntryOrder,
  failure: string,
): Promise<void> {
  return transact(services.database.kysely, async (trx) => {
    await completeEntry(trx, services, lease, failure)
    const hasFailed = await changeState(trx, services, order, {
      from: 'CREATING',
      to: 'FAILED',
      more: { failure },
    })
    if (!hasFailed) return
    await enqueue(trx, services, order, 'close')
    await enqueue(trx, services, order, 'query', { afterMs: minute })
  })
}
