// A fresh proof by the provider that a session came from (docs/rules/security.md#s6).
import type { Context } from '../../model/context.ts'
import { transact } from '../../platform/database/transact.ts'
import { notFound, Refusal } from '../../platform/refusal.ts'
import type { BrowserProvider } from '../../platform/settings/settings-sso.ts'
import { issueProof, proofTokenLife } from '../fresh-proof.ts'
import { readFamily } from '../own-sessions.ts'
import { beginAttempt, type Entrance, issueCode, takeCode } from './attempts.ts'
import { findDriver } from './drivers.ts'
import {
  clockTolerance,
  findBrowserProvider,
  type Identity,
  SsoFault,
} from './identity-provider.ts'
import { readAccountKey, matchAccount } from './match-account.ts'

/** Where the caller's browser signs in anew at the provider of its session. @throws Refusal 400, 404 */
export async function beginProof(context: Context, id: string): Promise<{ url: string }> {
  const { database, subject } = context
  const provider = findBrowserProvider(context, id)
  const family = await readFamily(context)
  const session = await database.kysely
    .selectFrom('sys.sso_session')
    .select('family_id')
    .where('tenant_id', '=', subject.tenant)
    .where('family_id', '=', family)
    .where('provider', '=', id)
    .executeTakeFirst()
  if (session === undefined) throw notFound()
  const driver = findDriver(provider)
  try {
    if (!(await driver.isUp(context, provider))) throw new SsoFault('down')
    const attempt = await beginAttempt(context, provider, { redirect: '/', family })
    return { url: (await driver.begin(context, provider, { attempt, again: true })).href }
  } catch (error) {
    if (error instanceof SsoFault) throw new Refusal(400, { key: `sso.fault.${error.fault}` })
    throw error
  }
}

/**
 * The code for the page that asked for a proof. Roles are left for the next sign-in.
 * @throws SsoFault where the provider has not asked the person since the attempt began
 */
export async function codeOfProof(
  context: Context,
  provider: BrowserProvider,
  { claims, provedAt }: Identity,
  { state, begunAt }: { readonly state: string; readonly begunAt: Date },
): Promise<string> {
  const earliest = begunAt.getTime() - clockTolerance * 1000
  if (provedAt === null || provedAt.getTime() < earliest) throw new SsoFault('stale')
  const userId = await matchAccount(
    context.database.kysely,
    provider,
    readAccountKey(provider, claims),
  )
  if (userId === undefined) throw new SsoFault('unknown')
  return await issueCode(context, provider, state, {
    userId,
    provedAt,
    idToken: null,
    subject: null,
    sid: null,
  })
}

/** A token for the call that asked for a proof. @throws Refusal 400 */
export async function endProof(
  context: Context,
  id: string,
  code: string,
): Promise<{ token: string; expiresIn: number }> {
  const { database, subject } = context
  const provider = findBrowserProvider(context, id)
  const family = await readFamily(context)
  const entrance = await takeCode(context, provider, code)
  if (!isOwn(entrance, subject.userId, family) || provider.tenant !== subject.tenant) {
    await context.auditAlone({ action: 'session.reauthenticate', result: 'failed' })
    throw new Refusal(400, { key: 'sso.otherPerson' })
  }
  const token = await transact(database.kysely, async (trx) => {
    const issued = await issueProof(trx, context, { tenant: subject.tenant, family })
    context.audit(
      { action: 'session.reauthenticate', result: 'ok', detail: { by: provider.kind } },
      trx,
    )
    return issued
  })
  return { token, expiresIn: proofTokenLife / 1000 }
}

/** Whether a code is of the person and the session that asked. */
function isOwn(
  entrance: (Entrance & { readonly family: string | null }) | undefined,
  userId: string,
  family: string,
): boolean {
  return entrance !== undefined && entrance.userId === userId && entrance.family === family
}
