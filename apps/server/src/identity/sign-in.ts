import { defaultTenant, type Tokens } from '@jiaowu/api'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { Refusal } from '../platform/refusal.ts'
import { auditAlone, auditIn } from '../platform/audit/write.ts'
import { bothLanguages, sendMessage } from '../platform/messages.ts'
import { exactlyOne } from '../platform/database/tables/row-count.ts'
import { checkCaptcha, newCaptchaKey } from './captcha.ts'
import { networkOf } from '../http/requests/address.ts'
import { isId } from '../platform/id.ts'
import {
  assertNoWait,
  blockUntil,
  increment,
  readCounter,
  resetCounter,
} from '../platform/limits/rate-limits.ts'
import { createKeyedQueue } from '../platform/limits/keyed-queue.ts'
import { verifyUnknownAccount, verifyPassword } from './password.ts'
import { type Issued, startSession } from './sessions.ts'
import { readGranted } from './granted.ts'
import { isActive, readUser, type UserRecord } from './subject.ts'

const window = 15 * 60_000
const [captchaAfter, blockAfter] = [5, 10] // docs/rules/security.md#sign-in
/**
 * Failures in the window from which a captcha is asked: of one account from all addresses, and of one
 * address over all accounts. Neither counter ever makes anybody wait, so that nobody is locked out.
 */
const [accountCaptchaAfter, addressCaptchaAfter] = [20, 40]
const purpose = 'staff'

interface PasswordGrant {
  readonly username: string
  readonly password: string
  readonly tenant?: string | undefined
  readonly captchaKey?: string | undefined
  readonly captcha?: string | undefined
}

export async function tokensOf(
  context: Context,
  user: UserRecord,
  { access, refresh, expiresIn }: Issued,
): Promise<Tokens> {
  const granted = await readGranted(context.database.kysely, user.tenant_id, user.role_ids)
  return {
    access_token: access,
    refresh_token: refresh,
    expires_in: expiresIn,
    token_type: 'bearer',
    userInfo: {
      id: user.id,
      account: user.account,
      name: user.name,
      roles: [...granted.roles],
      mustChangePassword: user.must_change_password,
      tenant: user.tenant_id,
      org: user.org_id === null ? null : { id: user.org_id, name: user.org_name ?? '' },
    },
  }
}

const enqueue = createKeyedQueue()

/**
 * Password sign-in of staff (docs/rules/contract.md#sessions). Failures are counted per account and
 * address, so that a user cannot lock out a colleague, and per account and per address alone, which only
 * ask for a captcha. Tries of one pair run one after another, so that concurrent tries cannot exceed the
 * limit. @throws Refusal 400, 429, 503
 */
export async function signInWithPassword(context: Context, grant: PasswordGrant): Promise<Tokens> {
  const tenant = grant.tenant ?? defaultTenant
  const keys = countersFor(context, tenant, grant.username)
  const user = await enqueue(keys.pair, async () => {
    await assertMayTry(context, keys, grant)
    const known = await authenticate(context, tenant, grant)
    if (known === undefined) return refuse(context, keys, tenant, grant.username)
    await resetCounter(context.database, keys.pair)
    return known
  })
  const issued = await startSession(
    context,
    { userId: user.id, tenant: user.tenant_id, kind: 'staff', ip: context.ip },
    async (trx) => {
      exactlyOne(
        await trx
          .updateTable('sys.app_user')
          .set({ last_login_at: context.now() })
          .where('tenant_id', '=', user.tenant_id)
          .where('id', '=', user.id)
          .executeTakeFirst(),
        user.account,
      )
      auditIn(
        context,
        trx,
        {
          tenant: user.tenant_id,
          userId: user.id,
          account: user.account,
          ip: context.ip,
          traceId: context.traceId,
        },
        { action: 'session.signIn', result: 'ok' },
      )
    },
  )
  return tokensOf(context, user, issued)
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

async function assertMayTry(
  context: Context,
  counters: Counters,
  { captchaKey, captcha }: PasswordGrant,
): Promise<void> {
  const read = (key: string) => readCounter(context.database, key, window, context.now())
  const pair = await read(counters.pair)
  assertNoWait(pair.waitSeconds)
  const needsCaptcha =
    pair.count >= captchaAfter ||
    (await read(counters.account)).count >= accountCaptchaAfter ||
    (await read(counters.address)).count >= addressCaptchaAfter
  if (!needsCaptcha) return
  if (captchaKey === undefined || captcha === undefined) demandCaptcha('session.captchaNeeded')
  else if (!(await checkCaptcha(context, purpose, captchaKey, captcha)))
    demandCaptcha('session.captchaWrong')
}

/** @throws Refusal 400 with the key of a new captcha */
function demandCaptcha(key: 'session.captchaNeeded' | 'session.captchaWrong'): never {
  throw new Refusal(400, { key }, { data: { captchaKey: newCaptchaKey() } })
}

/** The user, if password and account are valid. Takes as long for unknown accounts (docs/rules/security.md#p3). */
async function authenticate(
  context: Context,
  tenant: string,
  { username, password }: PasswordGrant,
): Promise<UserRecord | undefined> {
  const found = await findAccount(context, tenant, username)
  const isRight =
    found === undefined
      ? await verifyUnknownAccount(password)
      : await verifyPassword(password, found.password_hash)
  const user = found === undefined ? undefined : await readUser(context, tenant, found.id)
  return isRight && isActive(user) ? user : undefined
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

async function refuse(
  context: Context,
  counters: Counters,
  tenant: string,
  account: string,
): Promise<never> {
  const count = (key: string) => increment(context.database, key, window, context.now())
  const failures = await count(counters.pair)
  const ofAccount = await count(counters.account)
  const ofAddress = await count(counters.address)
  if (failures >= blockAfter)
    await blockUntil(context.database, counters.pair, new Date(context.now().getTime() + window))
  if (ofAccount === accountCaptchaAfter) await tellAccount(context, tenant, account, ofAccount)
  await auditAlone(
    context,
    {
      tenant: isId(tenant) ? tenant : '0',
      userId: null,
      account: account.slice(0, 64),
      ip: context.ip,
      traceId: context.traceId,
    },
    { action: 'session.signIn', result: 'failed' },
  )
  const needsCaptcha =
    failures >= captchaAfter || ofAccount >= accountCaptchaAfter || ofAddress >= addressCaptchaAfter
  const data = needsCaptcha && failures < blockAfter ? { captchaKey: newCaptchaKey() } : null
  // The same reply for an unknown account, a wrong password and a disabled user
  // (docs/rules/security.md#p3). 400 as in OAuth, because 401 would end a session.
  throw new Refusal(400, { key: 'session.wrongPassword' }, { data })
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
      minutes: window / 60_000,
    }),
  })
}
