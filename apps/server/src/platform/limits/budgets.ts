// Budgets over windows of time, counted in the database because several servers share them.
import { isListedAddress, networkOf, widerNetwork } from '../requests/address.ts'
import type { Settings } from '../settings/settings.ts'
import type { Database } from '../database/open-database.ts'
import { countLimit } from '../counters.ts'
import { countWithin, readCounter, readCounts } from './rate-limits.ts'

type Db = Pick<Database, 'kysely'>

export interface Budget {
  /** The key of the counter. */
  readonly key: string
  /** Milliseconds. */
  readonly window: number
  readonly most: number
}

/**
 * A limit of an address, and four times as much for its network (/24, or /56 with IPv6), so that changing
 * the address within a network gains little; CAMPUS_FACTOR times both where a campus shares its addresses
 * (docs/rules/security.md#sign-in).
 */
export function networkBudgets(
  { settings, ip }: Campus,
  {
    name,
    window,
    address,
    network = 4 * address,
  }: {
    readonly name: string
    readonly window: number
    readonly address: number
    readonly network?: number
  },
): Budget[] {
  const factor = findCampusFactor({ settings, ip })
  return [
    { key: `${name}:${networkOf(ip)}:${window}`, window, most: address * factor },
    { key: `${name}:${widerNetwork(ip)}:${window}`, window, most: network * factor },
  ]
}

interface Campus {
  readonly settings: Pick<Settings, 'campusCidrs' | 'campusFactor'>
  readonly ip: string
}

/** How many times the limits of an address hold for this one. */
export function findCampusFactor({ settings, ip }: Campus): number {
  return isListedAddress(settings.campusCidrs, ip) ? settings.campusFactor : 1
}

/** A budget that is used up, and the seconds until its window ends. */
export interface UsedUp {
  readonly budget: Budget
  readonly seconds: number
}

/** The used part from which a limit is nearly reached, and the least that tells of it. */
const [nearShare, leastTold] = [0.8, 5]

/**
 * Counts one for each budget, in order, up to the first that is used up.
 * @param onNear gets a budget once a window, when 80 % of it is used
 */
export async function spend(
  db: Db,
  budgets: readonly Budget[],
  now: Date,
  onNear?: (budget: Budget) => void,
): Promise<UsedUp | null> {
  for (const budget of budgets) {
    const { count, secondsLeft } = await countWithin(db, budget.key, budget.window, now)
    const limit = budget.key.split(':')[0] ?? ''
    if (count > budget.most) {
      countLimit(limit, 'reached')
      return { budget, seconds: secondsLeft }
    }
    if (budget.most >= leastTold && count === Math.ceil(nearShare * budget.most)) {
      countLimit(limit, 'near')
      onNear?.(budget)
    }
  }
  return null
}

/** The first budget with nothing left; counts nothing. */
export async function findUsedUp(
  db: Db,
  budgets: readonly Budget[],
  now: Date,
): Promise<UsedUp | null> {
  for (const budget of budgets) {
    const { count, secondsLeft } = await readCounter(db, budget.key, budget.window, now)
    if (count >= budget.most) return { budget, seconds: secondsLeft }
  }
  return null
}

/** The used part, from 0, of the budget of which most is used. */
export async function usedShare(db: Db, budgets: readonly Budget[], now: Date): Promise<number> {
  const counts = await readCounts(db, budgets, now)
  return Math.max(0, ...budgets.map(({ key, most }) => (counts.get(key) ?? 0) / most))
}
