import { increment, inHours, resetCounter } from '../platform/limits/rate-limits.ts'
import { type Budget, networkBudgets, spend } from '../platform/limits/budgets.ts'
import type { Context } from '../model/context.ts'
import { networkOf } from '../platform/requests/address.ts'
import { Refusal } from '../platform/refusal.ts'
import { transact } from '../platform/database/transact.ts'
import { readSchoolSettings, type SchoolSettings } from '../platform/settings/school-settings.ts'
import { listAdministrators } from '../platform/administrators.ts'
import { bothLanguages, sendMessage } from '../platform/messages.ts'
import { buildSchoolBudget } from '../platform/sms/school-budget.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const [numbersOfAddress, hourOfMobile] = [20, 5] // docs/rules/security.md#sign-in
/** A fifth of what a day takes may come within an hour. */
const hoursInDay = 5

const limits = ['SMS_MOBILE_DAY', 'SMS_ADDRESS_DAY', 'SMS_NETWORK_DAY', 'SMS_SCHOOL_DAY'] as const

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
    log,
  } = context
  const now = context.now()
  const of = await readSchoolSettings(kysely, tenant, limits)
  const school = buildSchoolBudget(settings, tenant, of.SMS_SCHOOL_DAY)
  const near: Budget[] = []
  const note = (budget: Budget) => near.push(budget)
  const refused = await transact(kysely, async (trx): Promise<Refusal | null> => {
    const db = { kysely: trx }
    const used =
      (await spend(db, mobileBudgets(tenant, mobile, of.SMS_MOBILE_DAY), now)) ??
      (await spend(db, networkLimits(context, of), now, note)) ??
      (await spendNumber(context, db, mobile, now)) ??
      (await spend(db, [school], now, note))
    if (used === null) return null
    const { budget, seconds } = used
    if (budget !== school) return tooMany(budget, seconds)
    log.error({ tenant }, 'the daily SMS budget is used up')
    const hours = Math.ceil(seconds / 3600)
    return new Refusal(
      503,
      { key: 'student.codeBudget', params: { hours } },
      { retryAfter: seconds },
    )
  })
  if (refused !== null) throw refused
  for (const budget of near) await tellNear(context, tenant, budget)
}

/** Administrators hear once a window that codes run out, before the first student is refused. */
async function tellNear(context: Context, tenant: string, { key, window, most }: Budget) {
  const { database, log } = context
  const [name = '', where = ''] = key.split(/:(.*)/)
  const limit = name === 'smsTenant' ? 'limit.smsSchool' : 'limit.smsAddress'
  const place = where.replace(/:\d+$/, '')
  log.warn({ tenant, limit: name, place, most }, '80 % of a limit of text messages is used')
  const params = { place, most, hours: Math.round(window / hour) }
  await sendMessage(database.kysely, context, {
    tenant,
    receivers: await listAdministrators(database.kysely, tenant),
    ...bothLanguages('limit.near', limit, params),
  })
}

function mobileBudgets(tenant: string, mobile: string, most: number): Budget[] {
  return [
    [minute, 1] as const,
    [hour, Math.min(hourOfMobile, most)] as const,
    [day, most] as const,
  ].map(([window, each]) => ({ key: `sms:${tenant}:${mobile}:${window}`, window, most: each }))
}

/** Lists the budgets of messages for the caller's address and its network in a school. */
export async function sendBudgets(context: Context, tenant: string): Promise<Budget[]> {
  return networkLimits(context, await readSchoolSettings(context.database.kysely, tenant, limits))
}

function networkLimits(
  context: Context,
  of: SchoolSettings<'SMS_ADDRESS_DAY' | 'SMS_NETWORK_DAY'>,
): Budget[] {
  return [hour, day].flatMap((window) => {
    const share = window === hour ? hoursInDay : 1
    return networkBudgets(context, {
      name: 'smsAddress',
      window,
      address: Math.ceil(of.SMS_ADDRESS_DAY / share),
      network: Math.ceil(of.SMS_NETWORK_DAY / share),
    })
  })
}

/** Different numbers of an address within an hour. */
async function spendNumber(
  context: Context,
  db: Parameters<typeof spend>[0],
  mobile: string,
  now: Date,
) {
  const { ip } = context
  const isNew = (await increment(db, `smsPair:${networkOf(ip)}:${mobile}`, hour, now)) === 1
  const [budget] = networkBudgets(context, {
    name: 'smsMobiles',
    window: hour,
    address: numbersOfAddress,
  })
  return isNew && budget !== undefined
    ? await spend(db, [{ ...budget, key: mobilesKey(ip) }], now)
    : null
}

function tooMany({ window }: Budget, seconds: number) {
  return new Refusal(
    429,
    window === minute
      ? { key: 'student.codeTooOften' }
      : inHours(seconds)
        ? { key: 'student.codeTooManyHours', params: { hours: Math.ceil(seconds / 3600) } }
        : { key: 'student.codeTooManyMinutes', params: { minutes: Math.ceil(seconds / 60) } },
    {
      retryAfter: window === minute ? 60 : seconds,
      data: { lockSeconds: window === minute ? 60 : Math.min(seconds, hour / 1000) },
    },
  )
}
