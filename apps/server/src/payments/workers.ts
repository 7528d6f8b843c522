import type { Services } from '../context.ts'
import { gatewayOf } from './gateways.ts'
import { expireOrders } from './orders.ts'
import { releaseAll } from './outbox.ts'
import { reconcileDay } from './reconcile.ts'
import { runDue } from './work.ts'

const every = 1_000
const china = 8 * 3_600_000
const billHour = 10 // WeChat has yesterday's bill at ten in the morning

/** One round: orders whose time is over, then every wish that is due. */
export async function payRound(services: Services): Promise<number> {
  return (await expireOrders(services)) + (await runDue(services))
}

/** Yesterday in China, once ten in the morning has passed there; null before. */
export function billDay(now: Date): string | null {
  const there = new Date(now.getTime() + china)
  return there.getUTCHours() < billHour
    ? null
    : new Date(there.getTime() - 86_400_000).toISOString().slice(0, 10)
}

const patience = 3_000

/**
 * Rounds every second, one at a time, and the bill of yesterday once a day. Leases of a server that died are nobody's, and the open orders
 * are looked at before the server is ready (docs/rules/security.md#payments), but not for longer than three seconds: the provider may be away. Resolves to what
 * stops the rounds, after the one under way. @throws SettingsError when the gateway's key cannot be read
 */
export async function startPayWorkers(services: Services): Promise<() => Promise<void>> {
  const { log, now } = services
  gatewayOf(services)
  if (services.database.engine === 'pglite') await releaseAll(services)
  let running: Promise<unknown> = Promise.resolve()
  let idle = true
  let billed: string | null = null
  const bill = async (): Promise<void> => {
    const day = billDay(now())
    if (day === null || day === billed) return
    billed = day
    await reconcileDay(services, day).catch((error: unknown) => {
      log.warn({ err: error, day }, "the provider's bill could not be compared")
    })
  }
  const round = () => {
    if (!idle) return
    idle = false
    running = payRound(services)
      .then(bill)
      .catch((error: unknown) => {
        log.warn({ err: error }, 'a payment round did not come to its end')
      })
      .finally(() => {
        idle = true
      })
  }
  round()
  await Promise.race([
    running,
    new Promise<void>((resolve) => {
      setTimeout(resolve, patience).unref()
    }),
  ])
  const timer = setInterval(round, every)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
