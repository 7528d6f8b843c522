import type { Tokens } from '@jiaowu/api/contract/session'
import type { Context } from '../model/context.ts'
import { auditIn } from '../platform/audit/write.ts'
import { exactlyOne } from '../platform/database/tables/row-count.ts'
import { mustEnrolFactor } from './factor/factors.ts'
import { readGranted } from './granted.ts'
import { readUserAgent, type Issued, startSession } from './sessions.ts'
import { isPasswordOld } from './password-rules.ts'
import { isProviderProof } from './provider-proof.ts'
import { assertStaffNetwork } from './staff-networks.ts'
import { readPerson, toUserActor, type UserRecord } from './subject.ts'

/** How a person proved to be the holder of an account. */
export interface Proof {
  readonly by: 'password' | 'device' | 'oidc' | 'cas' | 'ldap'
  /** When; left out: now; null: at a time that the provider does not tell, which is no fresh proof. */
  readonly at?: Date | null
  /** The kind of second factor that came with it. */
  readonly factor?: string
}

/**
 * Opens a session of an active staff account after a proof of who the person is, whatever the way of
 * sign-in: checks the network, ends the oldest sessions above the limit, notes and audits the sign-in. A
 * password by which somebody signs in and that is older than the school allows must be changed from then on.
 * @throws Refusal 403 outside the networks of staff
 */
export async function openStaffSession(
  context: Context,
  user: UserRecord,
  proof: Proof,
): Promise<Tokens> {
  assertStaffNetwork(context.settings, context.ip)
  const must_change_password =
    user.must_change_password || (proof.by === 'password' && (await isPasswordOld(context, user)))
  const issued = await startSession(
    context,
    {
      userId: user.id,
      tenant: user.tenant_id,
      kind: 'staff',
      ip: context.ip,
      userAgent: readUserAgent(context.request),
      by: proof.by,
      provedAt: proof.at,
    },
    async (trx) => {
      exactlyOne(
        await trx
          .updateTable('sys.app_user')
          .set({ last_login_at: context.now(), must_change_password })
          .where('tenant_id', '=', user.tenant_id)
          .where('id', '=', user.id)
          .executeTakeFirst(),
        user.account,
      )
      auditIn(context, trx, toUserActor(context, user), {
        action: 'session.signIn',
        result: 'ok',
        detail: { by: proof.by, ...(proof.factor !== undefined && { factor: proof.factor }) },
      })
    },
  )
  const mustEnrol = mustEnrolFactor(context, user, proof.by)
  // Whoever comes by a provider does not use the password that must be changed.
  return buildTokens(
    context,
    { ...user, must_change_password: must_change_password && !isProviderProof(proof.by) },
    issued,
    mustEnrol,
  )
}

export async function buildTokens(
  context: Context,
  user: UserRecord,
  { access, refresh, expiresIn }: Issued,
  mustEnrol: boolean,
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
      ...(mustEnrol && { mustEnrolFactor: true }),
      tenant: user.tenant_id,
      org: user.org_id === null ? null : { id: user.org_id, name: user.org_name ?? '' },
      person: readPerson(user),
    },
  }
}
