// Sign-in of a device that has no browser (RFC 8628, docs/rules/security.md#s7).
import { randomInt } from 'node:crypto'
import type { Message } from '@jiaowu/api/texts/index'
import type { Tokens } from '@jiaowu/api/contract/session'
import type { Context, Services } from '../model/context.ts'
import { networkOf } from '../platform/requests/address.ts'
import { increment } from '../platform/limits/rate-limits.ts'
import { notFound, Refusal } from '../platform/refusal.ts'
import { transact } from '../platform/database/transact.ts'
import { issueProof } from './fresh-proof.ts'
import { openStaffSession } from './open-session.ts'
import { readFamily } from './own-sessions.ts'
import { readUserAgent } from './sessions.ts'
import { isActive, readUser } from './subject.ts'
import { hashOf, newToken } from '../platform/tokens.ts'

type Db = Services['database']['kysely']

const second = 1000
const life = 600 * second
/** Seconds between two polls, and by how much a device that polls sooner is slowed down (RFC 8628 §3.5). */
const [firstInterval, slowdown] = [5, 5]
/** Consonants that are not mistaken for digits: 20^8 codes (RFC 8628 §6.1). */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ'
const codeLength = 8
/** In 15 minutes: devices of an address, and codes that a person tries. */
const [startsOfAddress, triesOfPerson, window] = [30, 10, 900 * second]

/** A session of a device, as it is known from its token. */
interface Asker {
  readonly tenant: string
  readonly userId: string
  readonly family: string
}

const verificationPath = '/#/device'

/**
 * A device asks for its codes. @param asker its session, which is to prove its person; null: it wants to sign in
 * @throws Refusal 429
 */
export async function startDevice(context: Context, asker: Asker | null = null) {
  const { database, now, ip, request } = context
  await assertUnder(context, `device:${networkOf(ip)}`, startsOfAddress)
  const [deviceCode, at] = [newToken(), now()]
  for (;;) {
    const userCode = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)])
    const made = await database.kysely
      .insertInto('sys.device_code')
      .values({
        device_hash: hashOf(deviceCode),
        user_code: userCode.join(''),
        address: ip,
        user_agent: readUserAgent(request),
        created_at: at,
        expires_at: new Date(at.getTime() + life),
        interval_seconds: firstInterval,
        ...(asker !== null && {
          tenant_id: asker.tenant,
          user_id: asker.userId,
          family_id: asker.family,
        }),
      })
      .onConflict((conflict) => conflict.column('user_code').doNothing())
      .returning('user_code')
      .executeTakeFirst()
    if (made !== undefined)
      return {
        deviceCode,
        userCode: `${made.user_code.slice(0, 4)}-${made.user_code.slice(4)}`,
        verificationPath,
        expiresIn: life / second,
        interval: firstInterval,
      }
  }
}

/** @throws Refusal 429 when the window holds more than `max` */
async function assertUnder({ database, now }: Context, key: string, max: number): Promise<void> {
  if ((await increment(database, key, window, now())) > max)
    throw new Refusal(429, { key: 'problem.tooMany' }, { retryAfter: window / second })
}

/** Answers to a device while it has no tokens; the names of RFC 8628 §3.5. */
const waits = {
  authorization_pending: [40020, 'device.pending'],
  slow_down: [40021, 'device.slowDown'],
  expired_token: [40022, 'device.expired'],
  access_denied: [40023, 'device.denied'],
} as const satisfies Record<string, readonly [code: number, message: Message['key']]>

function wait(error: keyof typeof waits, interval = firstInterval): Refusal {
  const [code, key] = waits[error]
  return new Refusal(400, { key }, { code, data: { error, interval } })
}

/**
 * Uses up the code of a device when its person has agreed. @param family of the session that asked; null for a sign-in
 * @throws Refusal 400
 */
async function takeAgreed(
  { database: { kysely }, now }: Context,
  deviceCode: string,
  family: string | null,
) {
  const [hash, at] = [hashOf(deviceCode), now()]
  const row = await kysely
    .selectFrom('sys.device_code')
    .selectAll()
    .where('device_hash', '=', hash)
    .executeTakeFirst()
  const isOther = row?.family_id !== family
  if (row === undefined || isOther || row.used_at !== null || new Date(row.expires_at) <= at)
    throw wait('expired_token')
  if (row.agreed === false) throw wait('access_denied')
  if (row.agreed === null || row.tenant_id === null || row.user_id === null) {
    const isEarly =
      row.polled_at !== null &&
      at.getTime() - new Date(row.polled_at).getTime() < row.interval_seconds * second
    const interval = row.interval_seconds + (isEarly ? slowdown : 0)
    await kysely
      .updateTable('sys.device_code')
      .set({ polled_at: at, interval_seconds: interval })
      .where('device_hash', '=', hash)
      .execute()
    throw wait(isEarly ? 'slow_down' : 'authorization_pending', interval)
  }
  const used = await kysely
    .updateTable('sys.device_code')
    .set({ used_at: at })
    .where('device_hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('device_hash')
    .executeTakeFirst()
  if (used === undefined) throw wait('expired_token')
  return {
    tenant: row.tenant_id,
    userId: row.user_id,
    provedAt: row.proved_at === null ? null : new Date(row.proved_at),
  }
}

/** A device asks whether it may come in; answers its tokens once. @throws Refusal 400, 403 */
export async function pollDevice(context: Context, deviceCode: string): Promise<Tokens> {
  const { tenant, userId, provedAt } = await takeAgreed(context, deviceCode, null)
  const user = await readUser(context, tenant, userId)
  if (!isActive(user)) throw wait('access_denied')
  // The device is no fresher than the person who let it in, or a session could renew itself for ever.
  return await openStaffSession(context, user, { by: 'device', at: provedAt })
}

/**
 * A device asks whether its person has proved who they are; answers a token for the call that wants a proof, once. It
 * makes the session no fresher than that of the browser, or two sessions could renew each other for ever.
 * @throws Refusal 400
 */
export async function pollProof(context: Context, deviceCode: string): Promise<string> {
  const family = await readFamily(context)
  const { provedAt } = await takeAgreed(context, deviceCode, family)
  const { tenant } = context.subject
  return await transact(context.database.kysely, async (trx) => {
    const token = await issueProof(trx, context, { tenant, family, madeAt: provedAt })
    const detail = { by: 'device' }
    context.audit({ action: 'session.reauthenticate', result: 'ok', detail }, trx)
    return token
  })
}

/** The code as it is stored, from what a person has typed. */
function findCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[^A-Z]/g, '')
}

function waiting(db: Db, { now, subject }: Context, userCode: string) {
  return (
    db
      .selectFrom('sys.device_code')
      .select(['address', 'user_agent', 'created_at', 'device_hash', 'family_id'])
      .where('user_code', '=', findCode(userCode))
      .where('decided_at', 'is', null)
      .where('expires_at', '>', now().toISOString())
      // Only its own person proves who they are.
      .where((e) =>
        e.or([
          e('family_id', 'is', null),
          e.and([e('tenant_id', '=', subject.tenant), e('user_id', '=', subject.userId)]),
        ]),
      )
  )
}

/** The device that shows a code. @throws Refusal 404, 429 */
export async function lookAtDevice(context: Context, userCode: string) {
  const { tenant, userId } = context.subject
  await assertUnder(context, `deviceCode:${tenant}:${userId}`, triesOfPerson)
  const found = await waiting(context.database.kysely, context, userCode).executeTakeFirst()
  if (found === undefined) throw new Refusal(404, { key: 'device.unknown' })
  return found
}

/** Lets a device in as the caller, or refuses it; once. @throws Refusal 404 */
export async function decideDevice(
  trx: Db,
  context: Context,
  { userCode, agree }: { readonly userCode: string; readonly agree: boolean },
): Promise<string | null> {
  const { subject, now } = context
  const found = await waiting(trx, context, userCode).forUpdate().executeTakeFirst()
  if (found === undefined) throw new Refusal(404, { key: 'device.unknown' })
  const session = await trx
    .selectFrom('sys.session')
    .select('proved_at')
    .where('tenant_id', '=', subject.tenant)
    .where('id', '=', subject.sessionId)
    .executeTakeFirst()
  if (session === undefined) throw notFound()
  const decided = await trx
    .updateTable('sys.device_code')
    .set({
      decided_at: now(),
      agreed: agree,
      tenant_id: subject.tenant,
      user_id: subject.userId,
      proved_at: session.proved_at,
    })
    .where('device_hash', '=', found.device_hash)
    .where('decided_at', 'is', null)
    .returning('device_hash')
    .executeTakeFirst()
  if (decided === undefined) throw new Refusal(404, { key: 'device.unknown' })
  return found.address
}
