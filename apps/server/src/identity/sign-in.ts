import { cutText } from '@jiaowu/api/cut-text'
import { defaultTenant } from '@jiaowu/api/limits'
import type { Tokens } from '@jiaowu/api/contract/session'
import { type Kysely, sql } from 'kysely'
import type { Context } from '../model/context.ts'
import type { AuditEvent } from '../platform/context.ts'
import type { Tables } from '../platform/database/tables/tables.ts'
import { Refusal } from '../platform/refusal.ts'
import { auditAlone } from '../platform/audit/write.ts'
import { bothLanguages, sendMessage } from '../platform/messages.ts'
import { readSchoolSettings } from '../platform/settings/school-settings.ts'
import { type CaptchaCheck, checkCaptcha, newCaptcha } from './captcha.ts'
import { networkOf } from '../platform/requests/address.ts'
import { isId } from '../platform/id.ts'
import type { Budget } from '../platform/limits/budgets.ts'
import {
  assertNoWait,
  blockUntil,
  increment,
  readCounter,
  resetCounter,
} from '../platform/limits/rate-limits.ts'
import { createKeyedQueue } from '../platform/limits/keyed-queue.ts'
import type { HashCaller } from './hash-queue.ts'
import { waitAsLongAsOutdated } from './outdated-hashes.ts'
import { isHashOutdated, verifyUnknownAccount, verifyPassword } from './password.ts'
import { renewHash } from './renew-hash.ts'
import { assertFactor } from './factor/step.ts'
import { openStaffSession } from './open-session.ts'
import { assertStaffNetwork } from './staff-networks.ts'
import { isActive, readUser, type UserRecord } from './subject.ts'

const minute = 60_000
const window = 15 * minute
/**
 * Failures in the window from which a captcha is asked: of one account from all addresses, and of one
 * address over all accounts. Neither counter ever makes anybody wait, so that nobody is locked out.
 */
const [accountCaptchaAfter, addressCaptchaAfter] = [20, 40]
const purpose = 'staff'

/** Failures of one account at one address (docs/rules/security.md#sign-in), as the school sets them. */
interface PairLimits {
  readonly captchaAfter: number
  readonly waitAfter: number
  /** Milliseconds. */
  readonly wait: number
}

async function readLimits({ database: { kysely } }: Context, tenant: string): Promise<PairLimits> {
  const set = await readSchoolSettings(kysely, tenant, [
    'SIGN_IN_CAPTCHA_AFTER',
    'SIGN_IN_WAIT_AFTER',
    'SIGN_IN_WAIT_MINUTES',
  ])
  return {
    captchaAfter: set.SIGN_IN_CAPTCHA_AFTER,
    waitAfter: set.SIGN_IN_WAIT_AFTER,
    wait: set.SIGN_IN_WAIT_MINUTES * minute,
  }
}

export interface PasswordGrant {
  readonly username: string
  readonly password: string
  readonly tenant?: string | undefined
  readonly captchaKey?: string | undefined
  readonly captcha?: string | undefined
  readonly waitKey?: string | undefined
}

const enqueue = createKeyedQueue()

/**
 * Password sign-in of staff (docs/rules/contract.md#sessions). Failures are counted per account and
 * address, so that a user cannot lock out a colleague, and per account and per address alone, which only
 * ask for a captcha. Tries of one pair run one after another, so that concurrent tries cannot exceed the
 * limit. @throws Refusal 400, 401/40101 where a second factor is needed, 403, 429, 503
 */
export async function signInWithPassword(context: Context, grant: PasswordGrant): Promise<Tokens> {
  assertStaffNetwork(context.settings, context.ip)
  const tenant = grant.tenant ?? defaultTenant
  const user = await tryPassword(
    context,
    { tenant, userId: null, account: grant.username, action: 'session.signIn' },
    grant,
    () => authenticate(context, tenant, grant),
  )
  await assertFactor(context, user, { by: 'password', provider: null, subject: null })
  return await openStaffSession(context, user, { by: 'password' })
}

/**
 * One try at a password, wherever it is kept, within the budgets of account and address.
 * @param check undefined where the password is wrong, or nobody has it @throws Refusal 400, 429, 503
 */
export async function tryPassword<T>(
  context: Context,
  one: Try,
  captcha: Pick<PasswordGrant, 'captchaKey' | 'captcha'>,
  check: () => Promise<T | undefined>,
): Promise<T> {
  const keys = countersFor(context, one.tenant, one.account)
  const limits = await readLimits(context, one.tenant)
  return await enqueue(keys.pair, async () => {
    await assertMayTry(context, keys, limits, captcha)
    const known = await check()
    if (known === undefined) return refuse(context, keys, limits, one)
    await resetCounter(context.database, keys.pair)
    return known
  })
}

/**
 * Whether somebody with a session knows the password of its account. Failures count like those of the
 * sign-in, so that a stolen session does not help to guess. @throws Refusal 400, 429, 503
 */
export async function checkPassword(
  context: Context,
  user: UserRecord,
  given: Pick<PasswordGrant, 'password' | 'captchaKey' | 'captcha'>,
): Promise<void> {
  const { tenant_id: tenant, id: userId, account } = user
  await tryPassword(
    context,
    { tenant, userId, account, action: 'session.reauthenticate' },
    given,
    async () =>
      (await verifyPassword(given.password, user.password_hash, hashCaller(context))) || undefined,
  )
}

function hashCaller({ ip }: Pick<Context, 'ip'>, key?: string): HashCaller {
  return { network: networkOf(ip), key }
}

/** The keys of the counters of failures. */
interface Counters {
  readonly pair: string
  readonly account: string
  readonly address: string
}

function countersFor({ ip }: Context, tenant: string, username: string): Counters {
  const account = canonicalName(username)
  const address = networkOf(ip)
  return {
    pair: `signIn:${tenant}:${account}:${address}`,
    account: `signInAccount:${tenant}:${account}`,
    address: `signInAddress:${address}`,
  }
}

/** Ends the waits of an account at every address. */
export async function unblockSignIn(
  db: Kysely<Tables>,
  tenant: string,
  username: string,
): Promise<void> {
  const account = canonicalName(username)
  await db
    .deleteFrom('sys.rate_limit')
    .where((e) =>
      e.or([
        sql<boolean>`starts_with(key, ${`signIn:${tenant}:${account}:`}::text)`,
        e('key', '=', `signInAccount:${tenant}:${account}`),
      ]),
    )
    .execute()
}

async function assertMayTry(
  context: Context,
  counters: Counters,
  { captchaAfter }: PairLimits,
  { captchaKey, captcha }: Pick<PasswordGrant, 'captchaKey' | 'captcha'>,
): Promise<void> {
  const read = (key: string) => readCounter(context.database, key, window, context.now())
  const pair = await read(counters.pair)
  assertNoWait(pair.waitSeconds)
  const needsCaptcha =
    pair.count >= captchaAfter ||
    (await read(counters.account)).count >= accountCaptchaAfter ||
    (await read(counters.address)).count >= addressCaptchaAfter
  if (!needsCaptcha) return
  const more = addressBudgets(counters)
  const check =
    captchaKey === undefined || captcha === undefined
      ? 'none'
      : await checkCaptcha(context, purpose, { key: captchaKey, answer: captcha }, more)
  if (check === 'right') return
  throw new Refusal(
    400,
    { key: captchaFaults[check] },
    { data: await nextCaptcha(context, counters) },
  )
}

const captchaFaults = {
  none: 'session.captchaNeeded',
  wrong: 'session.captchaWrong',
  noWork: 'session.workNeeded',
} as const satisfies Record<Exclude<CaptchaCheck, 'right'> | 'none', string>

/** An address that has tried many accounts works for its captchas. */
function addressBudgets({ address }: Counters): Budget[] {
  return [{ key: address, window, most: 2 * addressCaptchaAfter }]
}

/** The captcha of the next try, for `data` of a refusal. */
async function nextCaptcha(context: Context, counters: Counters) {
  const { key, ...work } = await newCaptcha(context, purpose, addressBudgets(counters))
  return { captchaKey: key, ...work }
}

/** The user, if password and account are valid. Takes as long for unknown accounts (docs/rules/security.md#p3). */
async function authenticate(
  context: Context,
  tenant: string,
  { username, password, waitKey }: PasswordGrant,
): Promise<UserRecord | undefined> {
  const started = performance.now()
  const caller = hashCaller(context, waitKey)
  const found = await findAccount(context, tenant, username)
  const isRight =
    found === undefined
      ? await verifyUnknownAccount(password, caller)
      : await verifyPassword(password, found.password_hash, caller)
  const user = found === undefined ? undefined : await readUser(context, tenant, found.id)
  if (isRight && isActive(user))
    return isHashOutdated(user.password_hash)
      ? await renewHash(context, user, password, caller)
      : user
  if (found === undefined || !isHashOutdated(found.password_hash))
    await waitAsLongAsOutdated(context, tenant, performance.now() - started)
  return undefined
}

async function findAccount({ database }: Context, tenant: string, username: string) {
  if (!isId(tenant)) return undefined
  return await database.kysely
    .selectFrom('sys.app_user')
    .select(['id', 'password_hash'])
    .where('tenant_id', '=', tenant)
    .where(sql`sys.canonical_name(account)`, '=', sql`sys.canonical_name(${username}::text)`)
    .where('deleted_at', 'is', null)
    // Accounts that were alike before migration 0040 are told apart by their exact text.
    .orderBy(sql`account = ${username}::text`, 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** A try that failed. */
interface Try {
  readonly tenant: string
  /** Set for a session; null before the sign-in. */
  readonly userId: string | null
  readonly account: string
  readonly action: 'session.signIn' | 'session.reauthenticate'
  /** Goes into the line in the audit log. */
  readonly detail?: AuditEvent['detail']
}

async function refuse(
  context: Context,
  counters: Counters,
  { captchaAfter, waitAfter, wait }: PairLimits,
  { tenant, userId, account, action, detail }: Try,
): Promise<never> {
  const count = (key: string) => increment(context.database, key, window, context.now())
  const failures = await count(counters.pair)
  const ofAccount = await count(counters.account)
  const ofAddress = await count(counters.address)
  if (failures >= waitAfter)
    await blockUntil(context.database, counters.pair, new Date(context.now().getTime() + wait))
  if (ofAccount === accountCaptchaAfter) await tellAccount(context, tenant, account, ofAccount)
  await auditAlone(
    context,
    {
      tenant: isId(tenant) ? tenant : '0',
      userId,
      account: cutText(account, 64),
      ip: context.ip,
      traceId: context.traceId,
    },
    { action, result: 'failed', ...(detail && { detail }) },
  )
  const needsCaptcha =
    failures >= captchaAfter || ofAccount >= accountCaptchaAfter || ofAddress >= addressCaptchaAfter
  const data = needsCaptcha && failures < waitAfter ? await nextCaptcha(context, counters) : null
  // The same reply for an unknown account, a wrong password and a disabled user
  // (docs/rules/security.md#p3). 400 as in OAuth, because 401 would end a session.
  const key = userId === null ? 'session.wrongPassword' : 'session.proofWrong'
  throw new Refusal(400, { key }, { data })
}

/** The name for the counter of failures; `sys.canonical_name` decides which account it is. */
function canonicalName(name: string): string {
  return name
    .replace(/\p{Cf}/gu, '')
    .normalize('NFKC')
    .trim()
    .toLowerCase()
}

/** A message to the account, once a window: its password is being tried from several addresses. */
async function tellAccount(
  context: Context,
  tenant: string,
  username: string,
  failures: number,
): Promise<void> {
  const user = await findAccount(context, tenant, username)
  if (user === undefined) return
  await sendMessage(context.database.kysely, context, {
    tenant,
    receivers: [user.id],
    ...bothLanguages('session.triedTitle', 'session.triedContent', {
      failures,
      minutes: window / minute,
    }),
  })
}
