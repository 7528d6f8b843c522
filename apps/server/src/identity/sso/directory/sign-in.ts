// Accounts and passwords that a directory of the school knows (docs/rules/security.md#s9).
import type { Tokens } from '@jiaowu/api/contract/session'
import type { Context } from '../../../model/context.ts'
import { Refusal, notFound } from '../../../platform/refusal.ts'
import type { DirectoryProvider } from '../../../platform/settings/settings-sso.ts'
import { constantTimeReply } from '../../../platform/limits/constant-time-reply.ts'
import { type PasswordGrant, tryPassword } from '../../sign-in.ts'
import { assertFactor } from '../../factor/step.ts'
import { isActive, readUser, type UserRecord } from '../../subject.ts'
import { findProvider, SsoFault } from '../identity-provider.ts'
import { readAccountKey, matchAccount } from '../match-account.ts'
import { assertMayBegin, noteFailure, openSession, whoIs } from '../sign-on.ts'
import { findPerson, type Found, checkDirectoryPassword } from './directory.ts'

type Given = Pick<PasswordGrant, 'password' | 'captchaKey' | 'captcha'>

/**
 * Sign-in with the account and password of a directory: the tries count like those at passwords of the school's own
 * accounts. @throws Refusal 400, 403, 404, 429, 503
 */
export async function signInAtDirectory(
  context: Context,
  id: string,
  grant: PasswordGrant,
): Promise<Tokens> {
  const provider = findDirectory(context, id)
  return await orRefusal(context, provider, async () => {
    await assertMayBegin(context, provider)
    const name = grant.username.trim()
    const { claims } = await constantTimeReply(authenticatePerson(context, provider, name, grant))
    const userId = await whoIs(context, provider, { claims })
    if (provider.for === 'staff') await askFactor(context, provider, userId, name)
    return await openSession(context, provider, {
      userId,
      provedAt: context.now(),
      idToken: null,
      subject: name,
      sid: null,
    })
  })
}

/** A directory proves a password alone. @throws Refusal 401/40101 where a second factor is needed */
async function askFactor(
  context: Context,
  { id, tenant }: DirectoryProvider,
  userId: string,
  name: string,
): Promise<void> {
  const user = await readUser(context, tenant, userId)
  if (isActive(user)) await assertFactor(context, user, { by: 'ldap', provider: id, subject: name })
}

/** @throws Refusal 404 */
function findDirectory(context: Context, id: string): DirectoryProvider {
  const found = findProvider(context, id)
  if (found.kind !== 'ldap') throw notFound()
  return found
}

async function authenticatePerson(
  context: Context,
  provider: DirectoryProvider,
  name: string,
  given: Given,
): Promise<Found> {
  const found = await findPerson(context, provider, name)
  return await tryPassword(
    context,
    {
      tenant: provider.tenant,
      userId: null,
      account:
        found === undefined ? name : await findCountedAccount(context, provider, found, name),
      action: 'session.signIn',
      detail: { by: provider.kind, provider: provider.id },
    },
    given,
    async () =>
      found !== undefined &&
      (await checkDirectoryPassword(context, provider, found, given.password))
        ? found
        : undefined,
  )
}

/**
 * The account whose failures are counted. A directory finds a person by several names and spellings, and none of them
 * may bring tries of its own.
 */
async function findCountedAccount(
  { database: { kysely } }: Context,
  provider: DirectoryProvider,
  { claims }: Found,
  name: string,
): Promise<string> {
  try {
    const key = readAccountKey(provider, claims)
    if (provider.for === 'students') return key
    const id = await matchAccount(kysely, provider, key)
    if (id === undefined) return key
    const { account } = await kysely
      .selectFrom('sys.app_user')
      .select('account')
      .where('tenant_id', '=', provider.tenant)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return account
  } catch (error) {
    // An entry without the attribute, of whom nobody signs in.
    if (error instanceof SsoFault) return name
    throw error
  }
}

/** The directory that a session came of, and the name there; undefined for sessions that came another way. */
export async function findSessionDirectory(
  { database: { kysely }, settings, subject }: Context,
  family: string,
): Promise<{ readonly provider: DirectoryProvider; readonly name: string } | undefined> {
  const session = await kysely
    .selectFrom('sys.sso_session')
    .select(['provider', 'subject'])
    .where('tenant_id', '=', subject.tenant)
    .where('family_id', '=', family)
    .executeTakeFirst()
  const provider = settings.ssoProviders.find(({ id }) => id === session?.provider)
  return provider?.kind === 'ldap' && provider.tenant === subject.tenant
    ? { provider, name: session?.subject ?? '' }
    : undefined
}

/**
 * Whether the person of a session of a directory knows the password there. Roles are left for the next sign-in.
 * @throws Refusal 400, 429, 503
 */
export async function checkAtDirectory(
  context: Context,
  provider: DirectoryProvider,
  user: UserRecord,
  { name, ...given }: Given & { readonly name: string },
): Promise<void> {
  const { tenant_id: tenant, id: userId, account } = user
  await orRefusal(context, provider, () =>
    tryPassword(
      context,
      {
        tenant,
        userId,
        account,
        action: 'session.reauthenticate',
        detail: { by: provider.kind, provider: provider.id },
      },
      given,
      async () => {
        const found = await findPerson(context, provider, name)
        // The name may be another person's by now.
        if (found === undefined || (await findUserId(context, provider, found)) !== userId)
          return undefined
        return (await checkDirectoryPassword(context, provider, found, given.password)) || undefined
      },
    ),
  )
}

async function findUserId(
  { database: { kysely } }: Context,
  provider: DirectoryProvider,
  { claims }: Found,
): Promise<string | undefined> {
  return await matchAccount(kysely, provider, readAccountKey(provider, claims))
}

/** Tells a fault in words, with the name of the directory where it is down. */
async function orRefusal<T>(
  context: Context,
  provider: DirectoryProvider,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof SsoFault)) throw error
    const { fault } = error
    context.log.info(
      { provider: provider.id, fault, detail: error.message },
      'a sign-in at a directory was refused',
    )
    await noteFailure(context, provider, fault)
    if (fault === 'busy') throw new Refusal(429, { key: 'sso.fault.busy' }, { retryAfter: 900 })
    if (fault !== 'down') throw new Refusal(400, { key: `sso.fault.${fault}` })
    const name = context.locale === 'en' ? provider.nameEn : provider.name
    throw new Refusal(503, { key: 'sso.directoryDown', params: { name } }, { retryAfter: 30 })
  }
}
