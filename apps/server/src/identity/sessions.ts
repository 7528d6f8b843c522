import type { Message } from '@jiaowu/api'
import { sql } from 'kysely'
import type { Services } from '../context.ts'
import { Refusal } from '../platform/refusal.ts'
import { exactlyOne } from '../platform/database/tables/row-count.ts'
import { hashOf, newTokenOf, schoolOfToken, seal, type TokenPair, unseal } from './tokens.ts'
import { schoolOfOldSession } from './old-sessions.ts'
import { auditIn } from '../platform/audit/write.ts'
import { bothLanguages, sendMessage } from '../platform/messages.ts'
import { transact } from '../platform/database/transact.ts'

const minute = 60_000
const hour = 60 * minute
/** Milliseconds, and concurrent sessions per user (docs/rules/contract.md#sessions, docs/rules/security.md#s1). */
const lifetimes = {
  staff: { access: 30 * minute, idle: 8 * hour, absolute: 12 * hour, sessions: 5 },
  student: { access: 30 * minute, idle: 30 * minute, absolute: 4 * hour, sessions: 3 },
} as const
type SessionKind = keyof typeof lifetimes
type Db = Services['database']['kysely']
/** Milliseconds in which a repeated refresh gets the same successor. */
const repeatWindow = 10_000

export type EndReason = 'logout' | 'elsewhere' | 'disabled' | 'reused' | 'password'
const endings: Readonly<Record<EndReason, readonly [code: number, message: Message['key']]>> = {
  logout: [40000, 'problem.sessionUnknown'],
  elsewhere: [40003, 'problem.endedElsewhere'],
  disabled: [40005, 'problem.accountDisabled'],
  reused: [40008, 'problem.refreshReused'],
  password: [40003, 'problem.endedElsewhere'],
}

/** 401 with one of the session-invalid codes (docs/rules/contract.md#envelope). */
export function sessionRefusal(code: number, key: Message['key']): Refusal {
  return new Refusal(401, { key }, { code })
}

export function endedRefusal(reason: string | null): Refusal {
  return sessionRefusal(...(endings[(reason ?? 'logout') as EndReason] ?? endings.logout))
}

interface Owner {
  readonly userId: string
  readonly tenant: string
  readonly kind: SessionKind
  readonly ip: string
}
interface Asker {
  readonly ip: string
  readonly traceId: string
}
export interface Issued extends TokenPair {
  readonly expiresIn: number
}
interface Refreshed extends Issued {
  readonly userId: string
  readonly tenant: string
  readonly kind: SessionKind
}

/** `alongside` runs in the transaction that starts the session. */
export async function startSession(
  services: Services,
  owner: Owner,
  alongside: (trx: Db) => Promise<void>,
): Promise<Issued> {
  const absolute = after(services.now(), lifetimes[owner.kind].absolute)
  const pair = await transact(services.database.kysely, async (trx) => {
    const made = await insert(services, trx, owner, '', absolute)
    await endOldest(trx, services, owner)
    await alongside(trx)
    return made.pair
  })
  return { ...pair, expiresIn: lifetimes[owner.kind].access / 1000 }
}

function after(now: Date, ms: number, cap?: Date) {
  return new Date(Math.min(now.getTime() + ms, cap?.getTime() ?? Number.POSITIVE_INFINITY))
}

async function insert(
  services: Services,
  db: Db,
  owner: Owner,
  family: string,
  absolute: Date,
): Promise<{ id: string; pair: TokenPair }> {
  const [now, id, pair] = [
    services.now(),
    services.newId(),
    { access: newTokenOf(owner.tenant), refresh: newTokenOf(owner.tenant) },
  ]
  const times = lifetimes[owner.kind]
  await db
    .insertInto('sys.session')
    .values({
      id,
      family_id: family === '' ? id : family,
      tenant_id: owner.tenant,
      user_id: owner.userId,
      kind: owner.kind,
      ip: owner.ip,
      access_hash: hashOf(pair.access),
      access_expires_at: after(now, times.access, absolute),
      refresh_hash: hashOf(pair.refresh),
      refresh_expires_at: after(now, times.idle, absolute),
      absolute_expires_at: absolute,
    })
    .execute()
  return { id, pair }
}

/** Ends all but the newest sessions of a user (docs/rules/security.md#sign-in: staff 5, students 3). */
async function endOldest(
  trx: Db,
  { now }: Services,
  { tenant, userId, kind }: Owner,
): Promise<void> {
  const families = await trx
    .selectFrom('sys.session')
    .select(['family_id', (e) => e.fn.min('create_time').as('began')])
    .where('tenant_id', '=', tenant)
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('ended_at', 'is', null)
    .where('refresh_used_at', 'is', null)
    .where('refresh_expires_at', '>', now().toISOString())
    .groupBy('family_id')
    .orderBy(sql`min(id)`, 'desc')
    .execute()
  const old = families.slice(lifetimes[kind].sessions).map((f) => f.family_id)
  if (old.length > 0)
    await trx
      .updateTable('sys.session')
      .set({ ended_at: now(), ended_reason: 'elsewhere' })
      .where('tenant_id', '=', tenant)
      .where('family_id', 'in', old)
      .where('ended_at', 'is', null)
      .execute()
}

export async function endFamily(
  db: Db,
  { now }: Services,
  { tenant, family }: { readonly tenant: string; readonly family: string },
  reason: EndReason,
): Promise<void> {
  await db
    .updateTable('sys.session')
    .set({ ended_at: now(), ended_reason: reason })
    .where('tenant_id', '=', tenant)
    .where('family_id', '=', family)
    .where('ended_at', 'is', null)
    .execute()
}

/** Ends every session of a user except one family. */
export async function endAllOf(
  db: Db,
  { now }: Services,
  { tenant, userId }: Pick<Owner, 'tenant' | 'userId'>,
  reason: EndReason,
  except = '0',
): Promise<void> {
  await db
    .updateTable('sys.session')
    .set({ ended_at: now(), ended_reason: reason })
    .where('tenant_id', '=', tenant)
    .where('user_id', '=', userId)
    .where('family_id', '!=', except)
    .where('ended_at', 'is', null)
    .execute()
}

/** The school of a token. @throws Refusal 401 */
async function schoolOf(
  services: Services,
  column: 'access_hash' | 'refresh_hash',
  token: string,
): Promise<string> {
  const tenant = schoolOfToken(token)
  if (tenant === undefined) throw sessionRefusal(40002, 'problem.tokenMalformed')
  const found = tenant ?? (await schoolOfOldSession(services, column, hashOf(token)))
  if (found === undefined) throw sessionRefusal(40000, 'problem.sessionUnknown')
  return found
}

/** Where the session of an access token is found. @throws Refusal 401 */
export async function locateSession(
  services: Services,
  access: string,
): Promise<{ readonly tenant: string; readonly hash: string }> {
  return { tenant: await schoolOf(services, 'access_hash', access), hash: hashOf(access) }
}

interface SessionEnd {
  readonly access_expires_at: string
  readonly ended_at: string | null
  readonly ended_reason: string | null
}

/** @throws Refusal 401 with the code of the cause, when there is no such session or it is over */
export function assertLive<Row extends SessionEnd>(
  { now }: Services,
  row: Row | undefined,
): asserts row is Row {
  if (row === undefined) throw sessionRefusal(40000, 'problem.sessionUnknown')
  if (row.ended_at !== null) throw endedRefusal(row.ended_reason)
  if (new Date(row.access_expires_at) <= now()) throw sessionRefusal(40001, 'problem.tokenExpired')
}

/**
 * Rotates the tokens: of concurrent requests, one marks the token as used and stores its successor in
 * one transaction (docs/rules/security.md#s3). @throws Refusal 401
 */
export async function refreshSession(
  services: Services,
  refresh: string,
  asker: Asker,
): Promise<Refreshed> {
  const tenant = await schoolOf(services, 'refresh_hash', refresh)
  const rotated = await transact(services.database.kysely, async (trx) => {
    const now = services.now()
    const row = await trx
      .updateTable('sys.session')
      .set({ refresh_used_at: now })
      .where('tenant_id', '=', tenant)
      .where('refresh_hash', '=', hashOf(refresh))
      .where('refresh_used_at', 'is', null)
      .where('ended_at', 'is', null)
      .where('refresh_expires_at', '>', now.toISOString())
      .returning(['id', 'family_id', 'tenant_id', 'user_id', 'kind', 'absolute_expires_at'])
      .executeTakeFirst()
    if (row === undefined) return null
    const { id, pair } = await insert(
      services,
      trx,
      { userId: row.user_id, tenant: row.tenant_id, kind: row.kind, ip: asker.ip },
      row.family_id,
      new Date(row.absolute_expires_at),
    )
    exactlyOne(
      await trx
        .updateTable('sys.session')
        .set({ successor_id: id, sealed_successor: seal(pair, refresh) })
        .where('tenant_id', '=', tenant)
        .where('id', '=', row.id)
        .executeTakeFirst(),
      'session',
    )
    return {
      ...pair,
      expiresIn: lifetimes[row.kind].access / 1000,
      userId: row.user_id,
      tenant: row.tenant_id,
      kind: row.kind,
    }
  })
  return rotated ?? repeatRefresh(services, tenant, refresh, asker)
}

/**
 * Answers a repeated refresh: within 10 s with the same successor (the reply was lost), later by ending
 * the session, because the token was stolen: the account gets a message. @throws Refusal 401
 */
async function repeatRefresh(
  services: Services,
  tenant: string,
  refresh: string,
  { ip, traceId }: Asker,
): Promise<Refreshed> {
  const {
    database: { kysely },
    now,
  } = services
  const row = await kysely
    .selectFrom('sys.session')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('refresh_hash', '=', hashOf(refresh))
    .executeTakeFirst()
  if (row === undefined) throw sessionRefusal(40000, 'problem.sessionUnknown')
  if (row.ended_at !== null) throw endedRefusal(row.ended_reason)
  if (row.refresh_used_at === null) throw sessionRefusal(40006, 'problem.refreshExpired')
  if (
    row.sealed_successor !== null &&
    now().getTime() - new Date(row.refresh_used_at).getTime() <= repeatWindow
  )
    return {
      ...unseal(row.sealed_successor, refresh),
      expiresIn: lifetimes[row.kind].access / 1000,
      userId: row.user_id,
      tenant: row.tenant_id,
      kind: row.kind,
    }
  await transact(kysely, async (trx) => {
    await endFamily(trx, services, { tenant, family: row.family_id }, 'reused')
    auditIn(
      services,
      trx,
      { tenant: row.tenant_id, userId: row.user_id, account: null, ip, traceId },
      { action: 'session.refreshReused', result: 'denied', detail: { kind: row.kind } },
    )
    // Students have no inbox.
    if (row.kind === 'staff')
      await sendMessage(trx, services, {
        tenant: row.tenant_id,
        receivers: [row.user_id],
        ...bothLanguages('session.reused.title', 'session.reused.content', { ip }),
      })
  })
  throw sessionRefusal(40008, 'problem.refreshReused')
}
