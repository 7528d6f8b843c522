// A sign-in at a provider, from the start to the one-use code for the page (docs/rules/security.md#s8).
import { hkdfSync } from 'node:crypto'
import type { SsoFaultName } from '@jiaowu/api/contract/sso'
import type { CookieOptions } from 'hono/utils/cookie'
import type { Context } from '../../model/context.ts'
import type { BrowserProvider } from '../../platform/settings/settings-sso.ts'
import { hashOf, newToken } from '../../platform/tokens.ts'
import { type Attempt, SsoFault } from './identity-provider.ts'

const second = 1000
/** Between the start and the return from the provider, and between that and the page's call. */
const [attemptLife, codeLife] = [600 * second, 60 * second]
const tokenShape = /^[\w-]{43}$/

/**
 * The cookie that binds an attempt to its browser. `Lax`, because the browser comes back from another site
 * (docs/rules/security.md#w4).
 */
function browserCookie({ settings }: Pick<Context, 'settings'>): {
  name: string
  options: CookieOptions
} {
  const secure = settings.publicUrl.startsWith('https:')
  return {
    name: secure ? '__Host-jiaowu-sso' : 'jiaowu-sso',
    options: { secure, httpOnly: true, sameSite: 'Lax', path: '/' },
  }
}

function readBrowserCookie(context: Context): string | null {
  const value = context.cookies.get(browserCookie(context).name)
  return value !== undefined && tokenShape.test(value) ? value : null
}

/**
 * Nonce and PKCE verifier follow from the state and the cookie, so that the database does not have to keep
 * them.
 */
function deriveAttempt(state: string, browser: string): Attempt {
  const derived = (use: string) =>
    Buffer.from(hkdfSync('sha256', browser, state, `jiaowu sso: ${use}`, 32)).toString('base64url')
  return { state, nonce: derived('nonce'), verifier: derived('verifier') }
}

/** Begins an attempt in the caller's browser. Several at once, of several tabs, share its cookie. */
export async function beginAttempt(
  context: Context,
  { id, tenant }: BrowserProvider,
  { redirect, family = null }: { readonly redirect: string; readonly family?: string | null },
): Promise<Attempt> {
  const browser = readBrowserCookie(context) ?? newToken()
  const [state, at] = [newToken(), context.now()]
  await context.database.kysely
    .insertInto('sys.sso_attempt')
    .values({
      tenant_id: tenant,
      state_hash: hashOf(state),
      provider: id,
      browser_hash: hashOf(browser),
      redirect,
      family_id: family,
      begun_at: at,
      expires_at: new Date(at.getTime() + attemptLife),
    })
    .execute()
  const { name, options } = browserCookie(context)
  context.cookies.set(name, browser, { ...options, maxAge: attemptLife / second })
  return deriveAttempt(state, browser)
}

interface Returned {
  readonly attempt: Attempt
  readonly redirect: string
  /** Names the session that proves its person; null for a sign-in. */
  readonly family: string | null
  readonly begunAt: Date
}

/**
 * Uses up the state with which a provider has sent the browser back: once, at the provider and in the browser
 * that began it. @throws SsoFault
 */
export async function takeReturn(
  context: Context,
  { id, tenant }: BrowserProvider,
  state: string | null,
): Promise<Returned> {
  if (state === null || !tokenShape.test(state)) throw new SsoFault('invalid', 'no state')
  const [browser, at] = [readBrowserCookie(context), context.now()]
  const used = await context.database.kysely
    .updateTable('sys.sso_attempt')
    .set({ used_at: at })
    .where('tenant_id', '=', tenant)
    .where('state_hash', '=', hashOf(state))
    .where('provider', '=', id)
    .where('browser_hash', '=', hashOf(browser ?? ''))
    .where('used_at', 'is', null)
    .where('expires_at', '>', at.toISOString())
    .returning(['redirect', 'family_id', 'begun_at'])
    .executeTakeFirst()
  if (used !== undefined && browser !== null)
    return {
      attempt: deriveAttempt(state, browser),
      redirect: used.redirect,
      family: used.family_id,
      begunAt: new Date(used.begun_at),
    }
  throw new SsoFault(await whyNot(context, id, tenant, { state, browser }))
}

async function whyNot(
  { database, now }: Context,
  provider: string,
  tenant: string,
  { state, browser }: { readonly state: string; readonly browser: string | null },
): Promise<SsoFaultName> {
  const row = await database.kysely
    .selectFrom('sys.sso_attempt')
    .select(['provider', 'browser_hash', 'used_at', 'expires_at'])
    .where('tenant_id', '=', tenant)
    .where('state_hash', '=', hashOf(state))
    .executeTakeFirst()
  // States of another school's provider are not found here.
  if (row === undefined || row.provider !== provider) return 'mixed'
  if (row.used_at !== null) return 'replayed'
  if (browser === null || row.browser_hash !== hashOf(browser)) return 'browser'
  return new Date(row.expires_at) <= now() ? 'expired' : 'invalid'
}

export interface Entrance {
  readonly userId: string
  readonly provedAt: Date | null
  /** Encrypted. */
  readonly idToken: string | null
  readonly subject: string | null
  readonly sid: string | null
}

/** A code for one exchange by the page, within a minute, in the same browser. */
export async function issueCode(
  { database, now }: Context,
  { tenant }: BrowserProvider,
  state: string,
  { userId, provedAt, idToken, subject, sid }: Entrance,
): Promise<string> {
  const code = newToken()
  await database.kysely
    .updateTable('sys.sso_attempt')
    .set({
      code_hash: hashOf(code),
      code_expires_at: new Date(now().getTime() + codeLife),
      user_id: userId,
      proved_at: provedAt,
      id_token: idToken,
      subject,
      sid,
    })
    .where('tenant_id', '=', tenant)
    .where('state_hash', '=', hashOf(state))
    .where('code_hash', 'is', null)
    .returning('state_hash')
    .executeTakeFirstOrThrow()
  return code
}

/** Uses up a code; undefined where it is unknown, over, used, or of another browser. */
export async function takeCode(
  context: Context,
  { id, tenant }: BrowserProvider,
  code: string,
): Promise<(Entrance & { readonly family: string | null }) | undefined> {
  const [browser, at] = [readBrowserCookie(context), context.now()]
  if (browser === null) return undefined
  const taken = await context.database.kysely
    .updateTable('sys.sso_attempt')
    .set({ code_used_at: at })
    .where('tenant_id', '=', tenant)
    .where('code_hash', '=', hashOf(code))
    .where('provider', '=', id)
    .where('browser_hash', '=', hashOf(browser))
    .where('code_used_at', 'is', null)
    .where('code_expires_at', '>', at.toISOString())
    .returning(['user_id', 'proved_at', 'family_id', 'id_token', 'subject', 'sid'])
    .executeTakeFirst()
  if (taken === undefined || taken.user_id === null) return undefined
  return {
    userId: taken.user_id,
    provedAt: taken.proved_at === null ? null : new Date(taken.proved_at),
    idToken: taken.id_token,
    subject: taken.subject,
    sid: taken.sid,
    family: taken.family_id,
  }
}
