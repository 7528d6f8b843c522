// The calls of a sign-in at a provider (docs/rules/security.md#s8). A browser is answered with redirects alone:
// to the provider, and back to the page `/#/sso`, which has the sentences.
import { defaultTenant } from '@jiaowu/api/limits'
import type { SsoFaultName, SsoProviderInfo } from '@jiaowu/api/contract/sso'
import type { Tokens } from '@jiaowu/api/contract/session'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../model/context.ts'
import { networkOf } from '../../platform/requests/address.ts'
import { auditAlone } from '../../platform/audit/write.ts'
import { transact } from '../../platform/database/transact.ts'
import { increment } from '../../platform/limits/rate-limits.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { BrowserProvider, SsoProvider } from '../../platform/settings/settings-sso.ts'
import { openStudentSession, toStudentTokens } from '../student/session.ts'
import { readStudent } from '../student/subject.ts'
import { openStaffSession } from '../open-session.ts'
import { readFamily } from '../own-sessions.ts'
import { endFamily } from '../sessions.ts'
import { assertStaffNetwork } from '../staff-networks.ts'
import { isActive, readUser } from '../subject.ts'
import { hashOf } from '../../platform/tokens.ts'
import { admit } from './admit.ts'
import { beginAttempt, type Entrance, issueCode, takeCode, takeReturn } from './attempts.ts'
import { findDriver, isProviderUp } from './drivers.ts'
import {
  findBrowserProvider,
  findProvider,
  type Identity,
  providersFor,
  SsoFault,
} from './identity-provider.ts'
import { readAccountKey, matchStudent } from './match-account.ts'
import { codeOfProof } from './prove.ts'

/** Milliseconds that the list of providers waits for one which has not been asked yet. */
const patience = 1000
/** Attempts of an address in 15 minutes; a campus can be one address. */
const [attemptsOfAddress, window] = [1000, 15 * 60_000]
/** A minute. */
const linesOfAddress = 10
const idTokenContext = 'sys.sso_session.id_token'

export async function listProviders(
  context: Context,
  tenant = defaultTenant,
): Promise<SsoProviderInfo[]> {
  return await Promise.all(
    providersFor(context, tenant).map(async (provider) => {
      const up = await Promise.race([
        isProviderUp(context, provider),
        // Unknown so far: the person may try.
        sleep(patience, true),
      ])
      const { id, kind, name, nameEn, for: audience } = provider
      return { id, kind, name, nameEn, for: audience, up }
    }),
  )
}

export async function startSignOn(context: Context, id: string, redirect = '/'): Promise<Response> {
  const provider = findBrowserProvider(context, id)
  return await orFault(context, provider, async () => {
    await assertMayBegin(context, provider)
    if (!isOwnPath(redirect)) throw new SsoFault('redirect')
    const driver = findDriver(provider)
    if (!(await driver.isUp(context, provider))) throw new SsoFault('down')
    const attempt = await beginAttempt(context, provider, { redirect })
    return (await driver.begin(context, provider, { attempt, again: false })).href
  })
}

/** A path of the application (docs/rules/security.md#i6). */
function isOwnPath(path: string): boolean {
  return path.length <= 2000 && /^\/(?![/\\])[^\p{Cc}\\]*$/u.test(path)
}

/** @throws SsoFault, Refusal 403 outside the networks of staff */
export async function assertMayBegin(
  context: Context,
  { for: audience }: SsoProvider,
): Promise<void> {
  const { database, ip, now, settings } = context
  if (audience === 'staff') assertStaffNetwork(settings, ip)
  if ((await increment(database, `sso:${networkOf(ip)}`, window, now())) > attemptsOfAddress)
    throw new SsoFault('busy')
}

export async function returnFromProvider(context: Context, id: string): Promise<Response> {
  const provider = findBrowserProvider(context, id)
  const answer = new URL(context.request.url).searchParams
  return await orFault(context, provider, async () => {
    const { attempt, redirect, family, begunAt } = await takeReturn(
      context,
      provider,
      answer.get('state'),
    )
    const identity = await findDriver(provider).finish(context, provider, answer, {
      attempt,
      again: family !== null,
    })
    if (family !== null) {
      const { state } = attempt
      const proof = await codeOfProof(context, provider, identity, { state, begunAt })
      return buildPageUrl(provider, { proof })
    }
    const userId = await whoIs(context, provider, identity)
    const code = await issueCode(context, provider, attempt.state, {
      userId,
      provedAt: identity.provedAt,
      idToken: sealIdToken(context, identity),
      subject: identity.subject,
      sid: identity.sid,
    })
    return buildPageUrl(provider, { code, redirect })
  })
}

/** The id of the account, or of the student. @throws SsoFault */
export async function whoIs(
  context: Context,
  provider: SsoProvider,
  { claims }: Pick<Identity, 'claims'>,
): Promise<string> {
  if (provider.for === 'staff') return (await admit(context, provider, claims)).id
  const id = await matchStudent(context.database.kysely, provider, readAccountKey(provider, claims))
  if (id === undefined) throw new SsoFault('unknown')
  if ((await readStudent(context, provider.tenant, id, provider.kind)) === undefined)
    throw new SsoFault('disabled')
  return id
}

function sealIdToken({ keys }: Context, { idToken }: Identity): string | null {
  return idToken === null ? null : keys.seal(idTokenContext, idToken)
}

/** The page that goes on with the sign-in, or tells why it ended; never with a token (docs/rules/security.md#h5). */
function buildPageUrl(
  { id, for: audience }: SsoProvider,
  query: Readonly<Record<string, string>>,
): string {
  const as = audience === 'staff' ? 'staff' : 'student'
  return `/#/sso?${new URLSearchParams({ provider: id, as, ...query }).toString()}`
}

/** Redirects to the address, and from a fault to the page that explains it. */
async function orFault(
  context: Context,
  provider: BrowserProvider,
  run: () => Promise<string>,
): Promise<Response> {
  const location = await run().catch(async (error: unknown) => {
    const fault = faultIn(error)
    if (fault === null) throw error
    context.log.info(
      { provider: provider.id, fault, detail: (error as Error).message },
      'a sign-on was refused',
    )
    await noteFailure(context, provider, fault)
    return buildPageUrl(provider, { fault })
  })
  return new Response(null, {
    status: 303,
    headers: { location, 'cache-control': 'no-store' },
  })
}

/** At most so many lines as other denials of callers without a session leave (docs/rules/security.md#l1). */
export async function noteFailure(
  context: Context,
  { tenant, kind, id }: SsoProvider,
  why: SsoFaultName,
): Promise<void> {
  const { database, ip, now, traceId } = context
  const lines = await increment(database, `ssoFault:${networkOf(ip)}`, 60_000, now())
  if (lines > linesOfAddress) return
  await auditAlone(
    context,
    { tenant, userId: null, account: null, ip, traceId },
    { action: 'session.signIn', result: 'failed', detail: { by: kind, provider: id, why } },
  )
}

function faultIn(error: unknown): SsoFaultName | null {
  if (error instanceof SsoFault) return error.fault
  // The refusal of the networks of staff.
  return error instanceof Refusal && error.status === 403 ? 'network' : null
}

/** @throws Refusal 400, 403 */
export async function enterByCode(context: Context, id: string, code: string): Promise<Tokens> {
  const provider = findBrowserProvider(context, id)
  const entrance = await takeCode(context, provider, code)
  // The code of a proof opens no session.
  if (entrance === undefined || entrance.family !== null)
    throw new Refusal(400, { key: 'sso.codeOver' })
  return await openSession(context, provider, entrance)
}

/** Opens the session of a person whom a provider knows, and remembers that it came of it. @throws Refusal 400, 403 */
export async function openSession(
  context: Context,
  provider: SsoProvider,
  entrance: Entrance,
): Promise<Tokens> {
  const tokens =
    provider.for === 'staff'
      ? await enterStaff(context, provider, entrance)
      : await enterStudent(context, provider, entrance)
  await keepProvider(context, provider, tokens.access_token, entrance)
  return tokens
}

async function enterStaff(
  context: Context,
  { tenant, kind }: SsoProvider,
  { userId, provedAt }: Entrance,
): Promise<Tokens> {
  const user = await readUser(context, tenant, userId)
  if (!isActive(user)) throw new Refusal(400, { key: 'sso.codeOver' })
  return await openStaffSession(context, user, { by: kind, at: provedAt })
}

async function enterStudent(
  context: Context,
  { tenant, kind }: SsoProvider,
  { userId, provedAt }: Entrance,
): Promise<Tokens> {
  const student = await readStudent(context, tenant, userId, kind)
  if (student === undefined) throw new Refusal(400, { key: 'sso.codeOver' })
  const issued = await openStudentSession(context, student, { by: kind, at: provedAt })
  return toStudentTokens(student, issued)
}

/** Remembers which provider a session came from. */
export async function keepProvider(
  { database: { kysely }, now }: Context,
  { tenant, id }: Pick<SsoProvider, 'tenant' | 'id'>,
  accessToken: string,
  { idToken, subject, sid }: Pick<Entrance, 'idToken' | 'subject' | 'sid'>,
): Promise<void> {
  const { family_id } = await kysely
    .selectFrom('sys.session')
    .select('family_id')
    .where('tenant_id', '=', tenant)
    .where('access_hash', '=', hashOf(accessToken))
    .executeTakeFirstOrThrow()
  await kysely
    .insertInto('sys.sso_session')
    .values({
      tenant_id: tenant,
      family_id,
      provider: id,
      id_token: idToken,
      subject,
      sid,
      created_at: now(),
    })
    .execute()
}

/** Ends the caller's session, and answers where the browser ends that of the provider. @throws Refusal 404 */
export async function signOff(context: Context, id: string): Promise<{ url: string | null }> {
  const { database, subject, keys } = context
  const provider = findProvider(context, id)
  const family = await readFamily(context)
  const session = await database.kysely
    .selectFrom('sys.sso_session')
    .select('id_token')
    .where('tenant_id', '=', subject.tenant)
    .where('family_id', '=', family)
    .where('provider', '=', id)
    .executeTakeFirst()
  await transact(database.kysely, async (trx) => {
    await endFamily(trx, context, { tenant: subject.tenant, family }, 'logout')
    context.audit({ action: 'session.signOut', result: 'ok' }, trx)
  })
  if (session === undefined || provider.kind === 'ldap') return { url: null }
  const idToken = openOrNull(() =>
    session.id_token === null ? null : keys.open(idTokenContext, session.id_token),
  )
  return { url: await findDriver(provider).logoutUrl(context, provider, idToken) }
}

/** The sign-out goes without the token whose key has been replaced. */
function openOrNull(open: () => string | null): string | null {
  try {
    return open()
  } catch {
    return null
  }
}
