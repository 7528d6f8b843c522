// Timers of cases: set when a state is entered, dropped when it is left, and fired once by the job queue, whatever
// number of servers look for them (docs/rules/contract.md#flows).
import { listTimers } from '@jiaowu/machines/flow/flow'
import { findDueTime, type FlowCalendar } from '@jiaowu/machines/flow/due'
import { schoolDay } from '@jiaowu/api/formats'
import { sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { Invalid } from '../../platform/refusal.ts'
import type { FlowDatabase, StoredCase } from './cases.ts'

export interface TimedCase {
  readonly stored: StoredCase
  /** Paths of the states that were just entered, whose timers begin anew; null for all. */
  readonly entered: ReadonlySet<string> | null
}

/** @throws Invalid where the school's calendar leaves no working days */
export async function writeTimers(
  trx: FlowDatabase,
  context: Context,
  cases: readonly TimedCase[],
): Promise<void> {
  const timed = cases.filter(({ stored }) =>
    stored.flow.parts.events.some(({ event }) => event === null),
  )
  if (timed.length === 0) return
  const { subject, newId, now } = context
  const { tenant } = subject
  const calendar = await readCalendar(trx, context)
  const added = []
  for (const { stored, entered } of timed) {
    const active = listTimers(stored.flow, stored.flowCase)
    const kept = active
      .filter(({ path }) => entered !== null && !entered.has(path))
      .map(({ type }) => type)
    await trx
      .deleteFrom('sys.flow_timer')
      .where('tenant_id', '=', tenant)
      .where('case_id', '=', stored.id)
      .$if(kept.length > 0, (query) => query.where('event', 'not in', kept))
      .execute()
    for (const { type, key } of active)
      added.push({
        tenant_id: tenant,
        id: newId(),
        case_id: stored.id,
        event: type,
        next_at: findTime(now(), key, calendar),
        failure: null,
      })
  }
  for (let from = 0; from < added.length; from += chunk)
    await trx
      .insertInto('sys.flow_timer')
      .values(added.slice(from, from + chunk))
      // A timer that goes on running keeps its time.
      .onConflict((conflict) => conflict.columns(['tenant_id', 'case_id', 'event']).doNothing())
      .execute()
}
const chunk = 500

function findTime(now: Date, duration: string, calendar: FlowCalendar): Date {
  const due = findDueTime(now, duration, calendar)
  if (due !== null) return due
  throw new Invalid([
    { path: 'event', rule: 'flow', message: { key: 'flow.noWorkday', params: { name: duration } } },
  ])
}

/** The days from today on that the school has entered. */
export async function readCalendar(
  db: FlowDatabase,
  { subject: { tenant }, now }: Pick<Context, 'subject' | 'now'>,
): Promise<FlowCalendar> {
  const rows = await db
    .selectFrom('sys.calendar_day')
    .select([sql<string>`day::text`.as('day'), 'is_work'])
    .where('tenant_id', '=', tenant)
    .where('deleted_at', 'is', null)
    .where('day', '>=', schoolDay(now()))
    .execute()
  return new Map(rows.map(({ day, is_work }) => [day, is_work === '1']))
}

/** When the case's next timer is due, by case; without those that have none. */
export async function readDueTimes(
  db: FlowDatabase,
  tenant: string,
  caseIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  if (caseIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('sys.flow_timer')
    .select(['case_id', (e) => e.fn.min('next_at').as('due')])
    .where('tenant_id', '=', tenant)
    .where('case_id', 'in', [...caseIds])
    .where('done_at', 'is', null)
    .groupBy('case_id')
    .execute()
  return new Map(rows.map(({ case_id, due }) => [case_id, new Date(due)]))
}
