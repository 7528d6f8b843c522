import { BlockList, isIP } from 'node:net'
import { increment, resetCounter } from '../platform/limits/rate-limits.ts'
import type { Context, Services } from '../context.ts'
import { networkOf } from '../http/requests/address.ts'
import { Refusal } from '../platform/refusal.ts'
import { transact } from '../platform/database/transact.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
/** `[window in ms, maximum]` per mobile and per address (docs/rules/security.md#sign-in). */
const sendLimits = {
  mobile: [
    [minute, 1],
    [hour, 5],
    [day, 10],
  ],
  address: [
    [hour, 60],
    [day, 300],
  ],
  mobilesOfAddress: 20,
} as const
const campusFactor = 10

const mobilesKey = (ip: string) => `smsMobiles:${networkOf(ip)}`

/** Resets the count of numbers of an address after a sign-in, which a script would not achieve. */
export function resetAddress({ database, ip }: Context): Promise<void> {
  return resetCounter(database, mobilesKey(ip))
}

/**
 * Counts a message before it is sent, all counters in one transaction: of twenty concurrent requests
 * one is sent. Counts unknown numbers too, so that the limit does not reveal known ones.
 * @throws Refusal 429, 503
 */
export async function countSend(context: Context, tenant: string, mobile: string): Promise<void> {
  const {
    database: { kysely },
    settings,
    ip,
    log,
  } = context
  const network = networkOf(ip)
  const factor = isCampus(settings, ip) ? campusFactor : 1
  const now = context.now()
  const refused = await transact(kysely, async (trx): Promise<Refusal | null> => {
    const db = { kysely: trx }
    for (const [window, max] of sendLimits.mobile)
      if ((await increment(db, `sms:${tenant}:${mobile}:${window}`, window, now)) > max)
        return tooSoon(window)
    for (const [window, max] of sendLimits.address)
      if ((await increment(db, `smsAddress:${network}:${window}`, window, now)) > max * factor)
        return tooSoon(hour)
    const isNew = (await increment(db, `smsPair:${network}:${mobile}`, hour, now)) === 1
    if (
      isNew &&
      (await increment(db, mobilesKey(ip), hour, now)) > sendLimits.mobilesOfAddress * factor
    )
      return tooSoon(hour)
    if ((await increment(db, `smsTenant:${tenant}`, day, now)) <= settings.smsDailyBudget)
      return null
    log.error({ tenant }, 'the daily SMS budget is used up')
    return new Refusal(503, { key: 'student.codeBudget' }, { retryAfter: hour / 1000 })
  })
  if (refused !== null) throw refused
}

function isCampus({ campusCidrs }: Services['settings'], ip: string): boolean {
  const list = new BlockList()
  for (const range of campusCidrs) {
    const [network = '', bits] = range.split('/')
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(network, family)
    else list.addSubnet(network, Number(bits), family)
  }
  return isIP(ip) !== 0 && list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
}

function tooSoon(windowMs: number) {
  return new Refusal(
    429,
    { key: windowMs === minute ? 'student.codeTooOften' : 'student.codeTooMany' },
    { retryAfter: windowMs / 1000, data: { lockSeconds: Math.min(windowMs, hour) / 1000 } },
  )
}
