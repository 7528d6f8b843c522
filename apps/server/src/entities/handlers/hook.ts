import { randomBytes } from 'node:crypto'
import { schoolTime } from '@jiaowu/api/formats'
import type { DeliveryState, HookDelivery, HookEvent } from '@jiaowu/api/contract/hook'
import { sql } from 'kysely'
import { accessTo } from '../../access/access.ts'
import type { Context, ServerHandlers } from '../../model/context.ts'
import { transact } from '../../platform/database/transact.ts'
import { assertCallable, PrivateAddress } from '../../platform/hooks/public-address.ts'
import { secretContext } from '../../platform/hooks/send.ts'
import { isId } from '../../platform/id.ts'
import { wakeQueue } from '../../platform/jobs/queues.ts'
import { Invalid, notFound, Refusal } from '../../platform/refusal.ts'
import { forgetHooks } from '../write/effects/hooks.ts'

export const hookHandlers: ServerHandlers['hook'] = {
  list: async (_input, { database: { kysely }, subject: { tenant } }) => {
    const rows = await kysely
      .selectFrom('sys.hook as h')
      .select(['h.id', 'h.name', 'h.url', 'h.tag', 'h.events', 'h.create_time'])
      .where('h.tenant_id', '=', tenant)
      .orderBy('h.id')
      .execute()
    const { rows: counts } = await sql<{ hook_id: string; waiting: number; failed: number }>`
      select hook_id, (count(*) filter (where done_at is null))::int4 as waiting,
        (count(*) filter (where done_at is not null and failure is not null))::int4 as failed
      from sys.hook_delivery where tenant_id = ${tenant}::int8 group by hook_id`.execute(kysely)
    const found = new Map(counts.map((count) => [String(count.hook_id), count]))
    return rows.map(({ id, name, url, tag, events, create_time }) => ({
      id,
      name,
      url,
      tag,
      events: events as HookEvent[],
      createTime: schoolTime(create_time),
      waiting: found.get(id)?.waiting ?? 0,
      failed: found.get(id)?.failed ?? 0,
    }))
  },
  create: async ({ body: { name, url, tag, events } }, context) => {
    const { database, keys, newId, now, settings, subject } = context
    const entity = await context.registry.get(subject.tenant, tag)
    await accessTo(context, entity, 'view')
    assertPublic(url, settings.hookNetworks)
    const [id, secret] = [newId(), randomBytes(32).toString('base64url')]
    await transact(database.kysely, async (trx) => {
      await trx
        .insertInto('sys.hook')
        .values({
          tenant_id: subject.tenant,
          id,
          name,
          url,
          tag: entity.tag,
          events: [...new Set(events)],
          secret: keys.seal(secretContext, secret),
          create_user: subject.userId,
          create_time: now(),
        })
        .execute()
      context.audit(
        {
          action: 'hook.create',
          object: 'hook',
          objectId: id,
          result: 'ok',
          detail: { tag, url: new URL(url).origin },
        },
        trx,
      )
    })
    forgetHooks(context)
    return { id, secret }
  },
  remove: async ({ params: { id } }, context) => {
    const { database, subject } = context
    if (!isId(id)) throw notFound()
    const removed = await transact(database.kysely, async (trx) => {
      const { numDeletedRows } = await trx
        .deleteFrom('sys.hook')
        .where('tenant_id', '=', subject.tenant)
        .where('id', '=', id)
        .executeTakeFirst()
      if (numDeletedRows !== 1n) throw notFound()
      context.audit({ action: 'hook.remove', object: 'hook', objectId: id, result: 'ok' }, trx)
      return 1
    })
    forgetHooks(context)
    return { removed }
  },
  deliveries: async ({ params: { id }, query: { state, pageNum, pageSize } }, context) => {
    const { database, subject } = context
    await assertHook(context, id)
    const mine = sql`tenant_id = ${subject.tenant}::int8 and hook_id = ${id}::int8 and ${stateConditions[state ?? 'all']}`
    const { rows } = await sql<DeliveryRow>`
      select id, row_key, event, attempts, status, failure, create_time, next_at, done_at
      from sys.hook_delivery where ${mine}
      order by id desc limit ${pageSize}::int4 offset ${(pageNum - 1) * pageSize}::int4`.execute(
      database.kysely,
    )
    const { rows: counted } = await sql<{ total: number }>`
      select count(*)::int4 as total from sys.hook_delivery where ${mine}`.execute(database.kysely)
    return { records: rows.map(toDelivery), total: counted[0]?.total ?? 0 }
  },
  repeat: async ({ params: { id } }, context) => {
    if (!isId(id)) throw notFound()
    const found = await repeatDelivery(context, id)
    if (found === 'missing') throw notFound()
    if (found === 'waiting') throw new Refusal(409, { key: 'hook.waits' })
    wakeQueue(context, 'hook')
    return { id }
  },
}

const stateConditions = {
  all: sql`true`,
  waiting: sql`done_at is null`,
  done: sql`done_at is not null and failure is null`,
  failed: sql`done_at is not null and failure is not null`,
} as const satisfies Record<DeliveryState | 'all', unknown>

interface DeliveryRow {
  readonly id: string
  readonly row_key: string
  readonly event: HookEvent
  readonly attempts: number
  readonly status: number | null
  readonly failure: string | null
  readonly create_time: string
  readonly next_at: string
  readonly done_at: string | null
}

function toDelivery(row: DeliveryRow): HookDelivery {
  const { id, row_key, event, attempts, status, failure, create_time, next_at, done_at } = row
  return {
    id: String(id),
    rowId: row_key,
    event,
    state: done_at === null ? 'waiting' : failure === null ? 'done' : 'failed',
    attempts,
    status,
    failure,
    createTime: schoolTime(create_time),
    nextAt: done_at === null ? schoolTime(next_at) : null,
  }
}

/** @throws Refusal 404 */
async function assertHook({ database, subject }: Context, id: string): Promise<void> {
  const found = isId(id)
    ? await database.kysely
        .selectFrom('sys.hook')
        .select('id')
        .where('tenant_id', '=', subject.tenant)
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined
  if (found === undefined) throw notFound()
}

/** @throws Invalid for an address of a private network */
function assertPublic(url: string, allowed: readonly string[]): void {
  try {
    assertCallable(new URL(url), allowed)
  } catch (error) {
    if (!(error instanceof PrivateAddress)) throw error
    throw new Invalid([{ path: 'url', rule: 'private', message: { key: 'hook.private' } }])
  }
}

async function repeatDelivery(
  context: Context,
  id: string,
): Promise<'repeated' | 'waiting' | 'missing'> {
  const { database, now, subject } = context
  const { tenant } = subject
  return await transact(database.kysely, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('sys.hook_delivery')
      .set({ next_at: now(), attempts: 0, done_at: null, failure: null, status: null })
      .where('tenant_id', '=', tenant)
      .where('id', '=', id)
      .where('done_at', 'is not', null)
      .executeTakeFirst()
    if (numUpdatedRows === 1n) {
      context.audit({ action: 'hook.repeat', object: 'hook', objectId: id, result: 'ok' }, trx)
      return 'repeated'
    }
    const known = await trx
      .selectFrom('sys.hook_delivery')
      .select('id')
      .where('tenant_id', '=', tenant)
      .where('id', '=', id)
      .executeTakeFirst()
    return known === undefined ? 'missing' : 'waiting'
  })
}
