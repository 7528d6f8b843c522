import { defaultTenant, type Tokens } from '@jiaowu/api'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { Refusal } from '../platform/refusal.ts'
import { auditAlone, auditIn } from '../platform/audit/write.ts'
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
 * address, so that a user cannot lock out a colleague. Tries of one pair run one after another, so that
 * concurrent tries cannot exceed the limit. @throws Refusal 400, 429, 503
 */
export async function signInWithPassword(context: Context, grant: PasswordGrant): Promise<Tokens> {
  const tenant = grant.tenant ?? defaultTenant
  const limitKey = `signIn:${tenant}:${canonicalName(grant.username)}:${networkOf(context.ip)}`
  const user = await enqueue(limitKey, async () => {
    await assertMayTry(context, limitKey, grant)
    const known = await authenticate(context, tenant, grant)
    if (known === undefined) return refuse(context, limitKey, tenant, grant.username)
    await resetCounter(context.database, limitKey)
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

async function assertMayTry(
  context: Context,
  limitKey: string,
  { captchaKey, captcha }: PasswordGrant,
): Promise<void> {
  const { count: failures, waitSeconds } = await readCounter(
    context.database,
    limitKey,
    window,
    context.now(),
  )
  assertNoWait(waitSeconds)
  if (failures < captchaAfter) return
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
  const found = isId(tenant)
    ? await context.database.kysely
        .selectFrom('sys.app_user')
        .select(['id', 'password_hash'])
        .where('tenant_id', '=', tenant)
        .where(sql`sys.canonical_name(account)`, '=', sql`sys.canonical_name(${username}::text)`)
        .where('deleted_at', 'is', null)
        // Accounts that were alike before migration 0040 are told apart by their exact text.
        .orderBy(sql`account = ${username}::text`, 'desc')
        .limit(1)
        .executeTakeFirst()
    : undefined
  const isRight =
    found === undefined
      ? await verifyUnknownAccount(password)
      : await verifyPassword(password, found.password_hash)
  const user = found === undefined ? undefined : await readUser(context, tenant, found.id)
  return isRight && isActive(user) ? user : undefined
}

async function refuse(
  context: Context,
  limitKey: string,
  tenant: string,
  account: string,
): Promise<never> {
  const failures = await increment(context.database, limitKey, window, context.now())
  if (failures >= blockAfter)
    await blockUntil(context.database, limitKey, new Date(context.now().getTime() + window))
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
  const data =
    failures >= captchaAfter && failures < blockAfter ? { captchaKey: newCaptchaKey() } : null
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
