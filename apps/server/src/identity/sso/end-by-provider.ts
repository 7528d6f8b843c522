// A sign-out that the provider begins: back-channel logout of OpenID Connect (docs/rules/security.md#s8).
import { sql } from 'kysely'
import type { Context, Services } from '../../model/context.ts'
import { auditIn } from '../../platform/audit/write.ts'
import { transact } from '../../platform/database/transact.ts'
import { notFound, Refusal } from '../../platform/refusal.ts'
import type { OidcProvider } from '../../platform/settings/settings-sso.ts'
import { hashOf } from '../../platform/tokens.ts'
import { endFamily } from '../sessions.ts'
import { findProvider, SsoFault } from './identity-provider.ts'
import { readLogoutToken } from './logout-token.ts'

type Db = Services['database']['kysely']

/** Longer than a token is taken. */
const remembered = 3_600_000

/**
 * Ends the sessions that a logout token names; one that names nobody here is taken as well, so that a provider
 * learns nothing. @throws Refusal 400 for a token that is none, or was used, 404, 503
 */
export async function endByProvider(context: Context, id: string, token: string): Promise<null> {
  const provider = findProvider(context, id)
  if (provider.kind !== 'oidc') throw notFound()
  const logout = await readLogoutToken(context, provider, token).catch((error: unknown) => {
    if (!(error instanceof SsoFault)) throw error
    context.log.info(
      { provider: id, fault: error.fault, detail: error.message },
      'a logout token was refused',
    )
    const isDown = error.fault === 'down'
    throw new Refusal(isDown ? 503 : 400, { key: `sso.fault.${error.fault}` })
  })
  await transact(context.database.kysely, async (trx) => {
    await useUp(trx, context, provider, logout.jti)
    await endSessions(trx, context, provider, logout)
  })
  return null
}

async function useUp(
  trx: Db,
  { now }: Services,
  { id, tenant }: OidcProvider,
  jti: string,
): Promise<void> {
  const used = await trx
    .insertInto('sys.sso_logout')
    .values({
      tenant_id: tenant,
      provider: id,
      jti_hash: hashOf(jti),
      expires_at: new Date(now().getTime() + remembered),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('jti_hash')
    .executeTakeFirst()
  if (used === undefined) throw new Refusal(400, { key: 'sso.fault.replayed' })
}

/** One session there; where that is not known here, all sessions of the person. */
function readNamed({
  sid,
  subject,
}: {
  readonly sid: string | null
  readonly subject: string | null
}) {
  return sid === null
    ? sql<boolean>`subject = ${subject}`
    : sql<boolean>`(sid = ${sid} and (${subject}::text is null or subject = ${subject}::text)
        or sid is null and subject = ${subject}::text)`
}

async function endSessions(
  trx: Db,
  context: Context,
  { id, tenant }: OidcProvider,
  logout: Awaited<ReturnType<typeof readLogoutToken>>,
): Promise<void> {
  const { ip, traceId, now } = context
  // A sign-in between the callback and the page's call.
  await trx
    .updateTable('sys.sso_attempt')
    .set({ code_used_at: now() })
    .where('tenant_id', '=', tenant)
    .where('provider', '=', id)
    .where(readNamed(logout))
    .where('code_used_at', 'is', null)
    .execute()
  const families = await trx
    .selectFrom('sys.sso_session')
    .select('family_id')
    .where('tenant_id', '=', tenant)
    .where('provider', '=', id)
    .where(readNamed(logout))
    .execute()
  for (const { family_id: family } of families) {
    const open = await trx
      .selectFrom('sys.session')
      .select(['user_id', 'kind'])
      .where('tenant_id', '=', tenant)
      .where('family_id', '=', family)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    if (open === undefined) continue
    await endFamily(trx, context, { tenant, family }, 'byProvider')
    auditIn(
      context,
      trx,
      { tenant, userId: open.user_id, account: null, ip, traceId },
      {
        action: 'session.endedByProvider',
        result: 'ok',
        detail: { provider: id, kind: open.kind },
      },
    )
  }
}
