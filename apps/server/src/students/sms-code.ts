import { randomBytes, randomInt, scrypt as scryptWithCallback, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { SmsPurpose } from '@jiaowu/api/contract/student/student'
import { sql } from 'kysely'
import {
  assertNoWait,
  blockUntil,
  increment,
  readCounter,
  resetCounter,
} from '../platform/limits/rate-limits.ts'
import type { Context, Services } from '../model/context.ts'
import { networkOf } from '../platform/requests/address.ts'
import { Refusal } from '../platform/refusal.ts'
import { transact } from '../platform/database/transact.ts'
import { useTicket } from './captcha.ts'

const scrypt = promisify<string, string, number, { N: number; r: number; p: number }, Buffer>(
  scryptWithCallback,
)
const life = 300_000 // docs/rules/security.md#sign-in: 5 min
/** Tries with a code: of one address without and with a captcha, and of all addresses. */
const tries = { free: 3, address: 5, code: 15 } // docs/rules/security.md#sign-in
const [quarter, hour] = [900_000, 3_600_000]
const wrongOfAddress = 200 // docs/rules/security.md#sign-in, an hour

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
 * Checks a guess; returns the id of the code when it is right, else null. Tries count for the number and the
 * address together, so that an attacker cannot lock the number for its owner; they count whether or not
 * there is a code, so that the replies do not reveal known numbers, and before the comparison, so
 * that concurrent guesses stay below the limit.
 * @throws Refusal 400 when a captcha is needed first or the code is used up; 429
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
  const key = triesKey(context, tenant, mobile, purpose)
  await assertMayGuess(context, key)
  const made = await increment(context.database, key, hour, now())
  if (made > tries.address) throw usedUp()
  const row = await kysely
    .updateTable('sys.sms_code')
    .set({ tries: sql`tries + 1` })
    .where('tenant_id', '=', tenant)
    .where('mobile', '=', mobile)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('voided_at', 'is', null)
    .where('tries', '<', tries.code)
    .where('expires_at', '>', now().toISOString())
    .returning(['id', 'salt', 'hash'])
    .executeTakeFirst()
  const { id, salt, hash } = row ?? dummyCode
  const right = isSameCode(await hashOfCode(guess.trim(), salt, tenant, mobile, purpose), hash)
  if (right && id !== '') {
    await resetCounter(context.database, key)
    return id
  }
  await countWrong(context)
  if (made >= tries.address) throw usedUp()
  if (made >= tries.free) throw captchaFirst()
  return null
}

const usedUp = () => new Refusal(400, { key: 'student.codeUsedUp' })
/** Clients show a captcha before they send the next code. */
function captchaFirst() {
  return new Refusal(400, { key: 'student.codeCaptcha' }, { data: { captchaNeeded: true } })
}

function triesKey({ ip }: Context, tenant: string, mobile: string, purpose: SmsPurpose): string {
  return `codeTry:${tenant}:${mobile.slice(0, 32)}:${purpose}:${networkOf(ip)}`
}

/** A new code starts with new tries. */
export function resetTries(
  context: Context,
  tenant: string,
  mobile: string,
  purpose: SmsPurpose,
): Promise<void> {
  return resetCounter(context.database, triesKey(context, tenant, mobile, purpose))
}

async function assertMayGuess(context: Context, key: string): Promise<void> {
  const { waitSeconds } = await readCounter(
    context.database,
    addressKey(context),
    hour,
    context.now(),
  )
  assertNoWait(waitSeconds)
  const { count } = await readCounter(context.database, key, hour, context.now())
  if (count >= tries.address) throw usedUp()
  if (count < tries.free) return
  await useTicket(context).catch((error: unknown) => {
    throw error instanceof Refusal ? captchaFirst() : error
  })
}

const addressKey = ({ ip }: Context) => `codeWrongAddress:${networkOf(ip)}`

function isSameCode(a: string, b: string) {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

async function countWrong(context: Context): Promise<void> {
  const key = addressKey(context)
  if ((await increment(context.database, key, hour, context.now())) >= wrongOfAddress)
    await blockUntil(context.database, key, new Date(context.now().getTime() + quarter))
}

/** Uses up a code; true for one caller only. Pass the transaction of the action that the code allows. */
export async function useCode(
  db: Services['database']['kysely'],
  tenant: string,
  id: string,
  at: Date,
): Promise<boolean> {
  return (
    (await db
      .updateTable('sys.sms_code')
      .set({ used_at: at })
      .where('tenant_id', '=', tenant)
      .where('id', '=', id)
      .where('used_at', 'is', null)
      .where('voided_at', 'is', null)
      .returning('id')
      .executeTakeFirst()) !== undefined
  )
}
