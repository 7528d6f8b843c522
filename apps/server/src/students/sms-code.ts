import { randomBytes, randomInt, scrypt as scryptWithCallback, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { SmsPurpose } from '@jiaowu/api'
import { sql } from 'kysely'
import { blockUntil, increment, readCounter } from '../platform/limits/rate-limits.ts'
import type { Context, Services } from '../context.ts'
import { networkOf } from '../http/requests/address.ts'
import { Refusal } from '../platform/refusal.ts'
import { transact } from '../platform/database/transact.ts'

const scrypt = promisify<string, string, number, { N: number; r: number; p: number }, Buffer>(
  scryptWithCallback,
)
const life = 300_000 // docs/rules/security.md#sign-in: 5 min
const maxTries = 5
const [quarter, hour] = [900_000, 3_600_000]
const wrongLimits = { mobile: 10, address: 200 } // docs/rules/security.md#sign-in, an hour

/** Creates a code and voids earlier ones. Stores only its hash. */
export async function createCode(
  { database: { kysely }, newId, now }: Services,
  tenant: string,
  mobile: string,
  purpose: SmsPurpose,
): Promise<string> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const salt = randomBytes(16).toString('base64url')
  const hash = await hashOfCode(code, salt, tenant, mobile, purpose)
  const at = now()
  await transact(kysely, async (trx) => {
    await trx
      .updateTable('sys.sms_code')
      .set({ voided_at: at })
      .where('tenant_id', '=', tenant)
      .where('mobile', '=', mobile)
      .where('purpose', '=', purpose)
      .where('used_at', 'is', null)
      .where('voided_at', 'is', null)
      .execute()
    await trx
      .insertInto('sys.sms_code')
      .values({
        id: newId(),
        tenant_id: tenant,
        mobile,
        purpose,
        salt,
        hash,
        expires_at: new Date(at.getTime() + life),
        create_time: at,
      })
      .execute()
  })
  return code
}

/** The hash covers tenant, number and purpose, so that a code is valid for no other combination. */
async function hashOfCode(
  code: string,
  salt: string,
  tenant: string,
  mobile: string,
  purpose: SmsPurpose,
): Promise<string> {
  return (
    await scrypt(`${code}\n${tenant}\n${mobile}\n${purpose}`, salt, 32, { N: 2 ** 12, r: 8, p: 1 })
  ).toString('base64url')
}

/** Stands in for a missing code, so that the check takes as long. */
const dummyCode = { id: '', salt: 'nobody', hash: 'x'.repeat(43) }

/**
 * Checks a guess; returns the id of the code when it is right, else null. Counts the try before the
 * comparison, so that concurrent guesses get five tries at most. @throws Refusal 429
 */
export async function checkCode(
  context: Context,
  tenant: string,
  mobile: string,
  purpose: SmsPurpose,
  guess: string,
): Promise<string | null> {
  const {
    database: { kysely },
    now,
  } = context
  await assertMayGuess(context, tenant, mobile)
  const row = await kysely
    .updateTable('sys.sms_code')
    .set({ tries: sql`tries + 1` })
    .where('tenant_id', '=', tenant)
    .where('mobile', '=', mobile)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('voided_at', 'is', null)
    .where('tries', '<', maxTries)
    .where('expires_at', '>', now().toISOString())
    .returning(['id', 'salt', 'hash'])
    .executeTakeFirst()
  const { id, salt, hash } = row ?? dummyCode
  const right = isSame(await hashOfCode(guess.trim(), salt, tenant, mobile, purpose), hash)
  if (right && id !== '') return id
  await countWrong(context, tenant, mobile)
  return null
}

/** @throws Refusal 429 after too many wrong codes for the number or from the address */
async function assertMayGuess(context: Context, tenant: string, mobile: string): Promise<void> {
  const keys = limitKeys(context, tenant, mobile)
  for (const key of [keys.mobile, keys.address]) {
    const { waitSeconds } = await readCounter(context.database, key, hour, context.now())
    if (waitSeconds > 0)
      throw new Refusal(
        429,
        { key: 'session.waitMinutes', params: { minutes: Math.ceil(waitSeconds / 60) } },
        { retryAfter: waitSeconds },
      )
  }
}

function limitKeys({ ip }: Context, tenant: string, mobile: string) {
  return {
    mobile: `codeWrong:${tenant}:${mobile}`,
    address: `codeWrongAddress:${networkOf(ip)}`,
  }
}

function isSame(a: string, b: string) {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

async function countWrong(context: Context, tenant: string, mobile: string): Promise<void> {
  const keys = limitKeys(context, tenant, mobile)
  for (const [key, max] of [
    [keys.mobile, wrongLimits.mobile],
    [keys.address, wrongLimits.address],
  ] as const) {
    if ((await increment(context.database, key, hour, context.now())) >= max)
      await blockUntil(context.database, key, new Date(context.now().getTime() + quarter))
  }
}

/** Uses up a code; true for one caller only. Pass the transaction of the action that the code allows. */
export async function useCode(
  db: Services['database']['kysely'],
  id: string,
  at: Date,
): Promise<boolean> {
  return (
    (await db
      .updateTable('sys.sms_code')
      .set({ used_at: at })
      .where('id', '=', id)
      .where('used_at', 'is', null)
      .where('voided_at', 'is', null)
      .returning('id')
      .executeTakeFirst()) !== undefined
  )
}
