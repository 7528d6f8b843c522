import type { Services } from '../model/context.ts'
import type { JobHandler } from '../platform/jobs/job-handler.ts'
import { expireOrders } from './orders/close-order.ts'
import type { OutboxEntry } from './outbox/outbox.ts'
import { paymentHandler, runDue } from './outbox/payment-handler.ts'
import { reconcileDay } from './reconcile.ts'

/** The outbox of payments as a queue: before each round orders expire, once a day the provider's bill is compared. */
export const paymentRounds: JobHandler<OutboxEntry, Services> = {
  ...paymentHandler,
  beforeRound: expireOrders,
  afterRound: compareNewBill,
}

/** Expires orders and makes the calls that are due. Returns how many of both. */
export async function payRound(services: Services): Promise<number> {
  return (await expireOrders(services)) + (await runDue(services))
}

const chinaOffsetMs = 8 * 3_600_000
const dayMs = 86_400_000
/** WeChat provides the bill of the previous day at ten in the morning, China time. */
const billHour = 10

/** The day whose bill is available, `YYYY-MM-DD` in China: yesterday; null before ten in the morning. */
export function billDay(now: Date): string | null {
  const inChina = new Date(now.getTime() + chinaOffsetMs)
  return inChina.getUTCHours() < billHour
    ? null
    : new Date(inChina.getTime() - dayMs).toISOString().slice(0, 10)
}

/** A bill that is still being made, or a provider that does not answer, is asked again after this. */
const againMs = 30 * 60_000

/** The last day that was asked for; `again`: when to ask once more, null after an answer. */
const lastCompared = new WeakMap<
  Services['database'],
  { readonly day: string; readonly again: number | null }
>()

async function compareNewBill(services: Services): Promise<void> {
  const { database, log, now } = services
  const day = billDay(now())
  if (day === null) return
  const last = lastCompared.get(database)
  if (last?.day === day && (last.again === null || now().getTime() < last.again)) return
  lastCompared.set(database, { day, again: null })
  await reconcileDay(services, day).catch((error: unknown) => {
    lastCompared.set(database, { day, again: now().getTime() + againMs })
    log.warn({ err: error, day }, "the provider's bill could not be compared")
  })
}
