// Substitutes for a period (委托): who decides in whose name, from day to day (docs/rules/contract.md#flows).
import type { FlowDelegation, FlowDelegations } from '@jiaowu/api/contract/entity/flow'
import { schoolDay } from '@jiaowu/api/formats'
import { sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { exactlyOne } from '../../platform/database/tables/row-count.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { transact } from '../../platform/database/transact.ts'
import { wakeQueue } from '../../platform/jobs/queues.ts'
import { notFound } from '../../platform/refusal.ts'
import { withTables } from './cases.ts'
import { sendDelegationNotice } from './notify.ts'
import { findReceiver, refuseReceiver } from './receivers.ts'

interface DelegationRequest {
  readonly to: string
  readonly from: string
  readonly until: string
  readonly tags: readonly string[]
  readonly note?: string | null | undefined
}

const mostOpen = 20
const mostDays = 366
const dayMs = 86_400_000

export async function listDelegations(context: Context): Promise<FlowDelegations> {
  const { tenant, userId } = context.subject
  const today = findToday(context)
  const { rows } = await sql<{
    id: string
    user_id: string
    user_name: string
    substitute_id: string
    substitute_name: string
    starts_on: string
    ends_on: string
    tags: readonly string[]
    note: string | null
  }>`
    select d.id, d.user_id, u.name as user_name, d.substitute_id, s.name as substitute_name,
      d.starts_on::text, d.ends_on::text, d.tags, d.note
    from sys.flow_delegation d
    join sys.app_user u on u.tenant_id = d.tenant_id and u.id = d.user_id
    join sys.app_user s on s.tenant_id = d.tenant_id and s.id = d.substitute_id
    where d.tenant_id = ${tenant}::int8 and u.tenant_id = ${tenant}::int8 and s.tenant_id = ${tenant}::int8
      and (d.user_id = ${userId}::int8 or d.substitute_id = ${userId}::int8)
      and d.ended_at is null and d.ends_on >= ${today}::date
    order by d.starts_on, d.id`.execute(context.database.untyped)
  const all = rows.map((row): FlowDelegation => ({
    id: row.id,
    to: { id: row.substitute_id, name: row.substitute_name },
    by: { id: row.user_id, name: row.user_name },
    from: row.starts_on,
    until: row.ends_on,
    tags: [...row.tags],
    note: row.note,
    isActive: row.starts_on <= today,
  }))
  return {
    given: all.filter(({ by }) => by.id === userId),
    received: all.filter(({ to }) => to.id === userId),
  }
}

/** @throws Invalid for somebody who cannot decide, and for days that are over or out of order */
export async function addDelegation(
  context: Context,
  { to, from, until, tags, note = null }: DelegationRequest,
): Promise<FlowDelegations> {
  const { tenant, userId } = context.subject
  const whom = await findReceiver(context, to)
  if (whom.id === userId) throw refuseReceiver('flow.hand.self', { name: whom.name, state: '' })
  if (until < from || until < findToday(context))
    throw refuseReceiver('flow.hand.daysOver', {}, 'until')
  if ((Date.parse(until) - Date.parse(from)) / dayMs > mostDays)
    throw refuseReceiver('flow.hand.tooLong', { n: String(mostDays) }, 'until')
  const { given } = await listDelegations(context)
  if (given.length >= mostOpen)
    throw refuseReceiver('flow.hand.tooMany', { name: whom.name, state: '' })
  const id = context.newId()
  await transact(databaseOf(context), async (trx) => {
    const db = withTables(trx)
    await db
      .insertInto('sys.flow_delegation')
      .values({
        tenant_id: tenant,
        id,
        user_id: userId,
        substitute_id: whom.id,
        starts_on: from,
        ends_on: until,
        tags: JSON.stringify([...new Set(tags)]),
        note,
        create_time: context.now(),
        ended_at: null,
      })
      .execute()
    await sendDelegationNotice(db, context, { id, to: whom.id, from, until, note })
    context.audit(
      {
        action: 'flow.delegate',
        object: 'flow_delegation',
        objectId: id,
        result: 'ok',
        detail: { to: whom.id, from, until },
      },
      trx,
    )
  })
  wakeQueue(context, 'notice')
  return await listDelegations(context)
}

/** @throws Refusal 404 for another's, and for one that is over */
export async function endDelegation(context: Context, id: string): Promise<FlowDelegations> {
  const { tenant, userId } = context.subject
  const { given } = await listDelegations(context)
  if (!given.some((each) => each.id === id)) throw notFound()
  await transact(databaseOf(context), async (trx) => {
    exactlyOne(
      await withTables(trx)
        .updateTable('sys.flow_delegation')
        .set({ ended_at: context.now() })
        .where('tenant_id', '=', tenant)
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .where('ended_at', 'is', null)
        .executeTakeFirst(),
      'sys.flow_delegation',
    )
    context.audit(
      { action: 'flow.delegate.end', object: 'flow_delegation', objectId: id, result: 'ok' },
      trx,
    )
  })
  return await listDelegations(context)
}

function findToday({ now }: Pick<Context, 'now'>): string {
  return schoolDay(now())
}
