import { cutText } from '@jiaowu/api/cut-text'
import type { Message } from '@jiaowu/api/texts/index'
import { sql } from 'kysely'
import type { Services } from '../model/context.ts'
import type { Subject } from '../platform/context.ts'
import { readSessionTimes, type SessionTimes } from './session-times.ts'
import { Refusal } from '../platform/refusal.ts'
import { exactlyOne } from '../platform/database/tables/row-count.ts'
import {
  hashOf,
  newTokenOf,
  schoolOfToken,
  seal,
  type TokenPair,
  unseal,
} from '../platform/tokens.ts'
import { schoolOfOldSession } from './old-sessions.ts'
import { auditIn } from '../platform/audit/write.ts'
import { bothLanguages, sendMessage } from '../platform/messages.ts'
import { transact } from '../platform/database/transact.ts'

type SessionKind = Subject['kind']
type Db = Services['database']['kysely']
/** Milliseconds in which a repeated refresh gets the same successor. */
const repeatWindow = 10_000

export type EndReason =
  | 'logout'
  | 'elsewhere'
  | 'disabled'
  | 'reused'
  | 'password'
  /** By the person, in the list of their sessions. */
  | 'ended'
  | 'byAdministrator'
  | 'byProvider'
const endings: Readonly<Record<EndReason, readonly [code: number, message: Message['key']]>> = {
  logout: [40000, 'problem.sessionUnknown'],
  elsewhere: [40003, 'problem.endedElsewhere'],
  disabled: [40005, 'problem.accountDisabled'],
  reused: [40008, 'problem.refreshReused'],
  password: [40003, 'problem.endedElsewhere'],
  ended: [40003, 'problem.endedByPerson'],
  byAdministrator: [40003, 'problem.endedByAdministrator'],
  byProvider: [40003, 'problem.endedByProvider'],
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
  /** The header of the sign-in. */
  readonly userAgent: string | null
  /** How the person proved who they are, such as `password`. */
  readonly by: string
  /** When they did; left out: now. Null: at a time that does not count any more. */
  readonly provedAt?: Date | null | undefined
}
interface Asker {
  readonly ip: string
  readonly traceId: string
  readonly request: Request
}
export interface Issued extends TokenPair {
  readonly expiresIn: number
}
interface Refreshed extends Issued {
  /** Way of the sign-in. */
  readonly by: string | null
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
  const times = await readSessionTimes(services.database.kysely, owner.tenant, owner.kind)
  const now = services.now()
  const absolute = after(now, times.absolute)
  const pair = await transact(services.database.kysely, async (trx) => {
    const id = services.newId()
    const made = await insert(services, trx, times, {
      id,
      family_id: id,
      tenant_id: owner.tenant,
      user_id: owner.userId,
      kind: owner.kind,
      ip: owner.ip,
      user_agent: owner.userAgent,
      proof_by: owner.by,
      began_at: now,
      proved_at: owner.provedAt === undefined ? now : owner.provedAt,
      proof_hash: null,
      proof_expires_at: null,
      proof_made_at: null,
      absolute_expires_at: absolute,
    })
    await endOldest(trx, services, owner, times.sessions)
    await alongside(trx)
    return made.pair
  })
  return { ...pair, expiresIn: times.access / 1000 }
}

function after(now: Date, ms: number, cap?: Date) {
  return new Date(Math.min(now.getTime() + ms, cap?.getTime() ?? Number.POSITIVE_INFINITY))
}

/** The part that the tokens of one sign-in share, with the caller who asked for these. */
interface Continued {
  readonly id: string
  readonly family_id: string
  readonly tenant_id: string
  readonly user_id: string
  readonly kind: SessionKind
  readonly ip: string
  readonly user_agent: string | null
  readonly proof_by: string | null
  readonly began_at: Date | string | null
  readonly proved_at: Date | string | null
  readonly proof_hash: string | null
  readonly proof_expires_at: Date | string | null
  readonly proof_made_at: Date | string | null
  readonly absolute_expires_at: Date
}

/** A row with new tokens. */
async function insert(
  { now: clock }: Services,
  db: Db,
  times: SessionTimes,
  session: Continued,
): Promise<{ id: string; pair: TokenPair }> {
  const [now, { tenant_id, absolute_expires_at: absolute }] = [clock(), session]
  const pair = { access: newTokenOf(tenant_id), refresh: newTokenOf(tenant_id) }
  await db
    .insertInto('sys.session')
    .values({
      ...session,
      access_hash: hashOf(pair.access),
      access_expires_at: after(now, times.access, absolute),
      refresh_hash: hashOf(pair.refresh),
      refresh_expires_at: after(now, times.idle, absolute),
      used_at: now,
    })
    .execute()
  return { id: session.id, pair }
}

const agentLength = 400 // characters

/** The user agent as it is stored. */
export function readUserAgent({ headers }: Request): string | null {
  const header = headers.get('user-agent')
  return header === null ? null : cutText(header, agentLength)
}

/** Ends all but the newest sessions of a user (docs/rules/security.md#sign-in: staff 5, students 3). */
async function endOldest(
  trx: Db,
  { now }: Services,
  { tenant, userId, kind }: Owner,
  most: number,
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
  const old = families.slice(most).map((f) => f.family_id)
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

/** Ends every session of a user except one family; tokens too, when the person does not do it. */
export async function endAllSessions(
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
  if (reason === 'byAdministrator' || reason === 'disabled')
    await db
      .updateTable('sys.api_token')
      .set({ revoked_at: now() })
      .where('tenant_id', '=', tenant)
      .where('user_id', '=', userId)
      .where('revoked_at', 'is', null)
      .execute()
}

/** The school of a token. @throws Refusal 401 */
async function findSchool(
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
  return { tenant: await findSchool(services, 'access_hash', access), hash: hashOf(access) }
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
  const tenant = await findSchool(services, 'refresh_hash', refresh)
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
      .returning([
        'id',
        'family_id',
        'tenant_id',
        'user_id',
        'kind',
        'proof_by',
        'began_at',
        'proved_at',
        'proof_hash',
        'proof_expires_at',
        'proof_made_at',
        'absolute_expires_at',
      ])
      .executeTakeFirst()
    if (row === undefined) return null
    const times = await readSessionTimes(trx, tenant, row.kind)
    const absolute = computeSessionEnd(row, times)
    // The school has shortened its sessions since this one began.
    if (absolute <= now) throw sessionRefusal(40006, 'problem.refreshExpired')
    const { id, pair } = await insert(services, trx, times, {
      ...row,
      id: services.newId(),
      ip: asker.ip,
      user_agent: readUserAgent(asker.request),
      absolute_expires_at: absolute,
    })
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
      expiresIn: times.access / 1000,
      userId: row.user_id,
      tenant: row.tenant_id,
      kind: row.kind,
      by: row.proof_by,
    }
  })
  return rotated ?? repeatRefresh(services, tenant, refresh, asker)
}

/** When a session ends at the latest. */
function computeSessionEnd(
  { began_at, absolute_expires_at }: Record<'began_at' | 'absolute_expires_at', string | null>,
  { absolute }: SessionTimes,
): Date {
  const fixed = new Date(absolute_expires_at ?? 0)
  return began_at === null ? fixed : after(new Date(began_at), absolute, fixed)
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
      expiresIn: (await readSessionTimes(kysely, tenant, row.kind)).access / 1000,
      userId: row.user_id,
      tenant: row.tenant_id,
      kind: row.kind,
      by: row.proof_by,
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
