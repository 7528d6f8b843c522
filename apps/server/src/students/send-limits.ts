import { BlockList, isIP } from 'node:net'
import { count, forget } from '../platform/limits/limits.ts'
import type { Context, Services } from '../context.ts'
import { networkOf } from '../http/requests/address.ts'
import { Refusal } from '../platform/refusal.ts'
import { transact } from '../platform/database/transact.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
/** docs/rules/security.md#sign-in: a mobile, an address, and a school together. */
export const sendLimits = {
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

const strangersKey = (ip: string) => `smsMobiles:${networkOf(ip)}`

/** A sign-in shows that people sit behind the address, not a script. */
export function forgiveAddress({ database, ip }: Context): Promise<void> {
  return forget(database, strangersKey(ip))
}

/**
 * Counts a message before it is sent, all counters in one transaction: of twenty at once one is sent. Counted whether or not the number
 * is known, so that the count tells nothing. @throws Refusal 429
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
    for (const [window, most] of sendLimits.mobile)
      if ((await count(db, `sms:${tenant}:${mobile}:${window}`, window, now)) > most)
        return tooSoon(window)
    for (const [window, most] of sendLimits.address)
      if ((await count(db, `smsAddress:${network}:${window}`, window, now)) > most * factor)
        return tooSoon(hour)
    const isNew = (await count(db, `smsPair:${network}:${mobile}`, hour, now)) === 1
    if (
      isNew &&
      (await count(db, strangersKey(ip), hour, now)) > sendLimits.mobilesOfAddress * factor
    )
      return tooSoon(hour)
    if ((await count(db, `smsTenant:${tenant}`, day, now)) <= settings.smsDailyBudget) return null
    log.error({ tenant }, 'the SMS budget of the day is used up')
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
